import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { type TestAccount, until } from '../../../packages/server/test/support/harness.ts';
import { door } from '../../../packages/server/test/support/test-engine.ts';
import { checkAccessibility, checkWidth, sizeOfWidth, widths } from '../support/page-checks.ts';
import { forAllTests } from '../support/start-pages.ts';
import { startStudio } from './open-studio.ts';

const filtersPath = '/v1/users/me/my-custom-filters';
const file = (name: string) => new URL(`../../../catalog/samples/${name}`, import.meta.url).pathname;

const studio = forAllTests(() => startStudio({ testsPerMinute: 0 }));

const prompt = (words: string) => ({ kind: 'prompt', prompt: words });
const why = 'Something that belongs to nobody is in the picture.';
const cells = (page: Page, name: RegExp | string = /./) => page.getByRole('gridcell', { name });

/** A filter with two versions. */
async function makeFilter(account: TestAccount, name = 'Harbour'): Promise<string> {
  const body = { name, filter_type: 'face_swap', definition: prompt('a harbour') };
  const { body: filter } = await account.call('POST', filtersPath, body);
  const changed = await account.call('PATCH', `${filtersPath}/${filter.id}`, {
    definition: prompt('at night'),
  });
  assert.equal(changed.status, 200);
  return filter.id;
}

/** A run over three of the sample photos: one person, a man, two people. */
async function startRun(account: TestAccount, versions: number[]): Promise<string> {
  const filter_id = await makeFilter(account);
  const { body: sets } = await account.call('GET', '/v1/photo_sets');
  const [{ id: photo_set_id, first_photos }] = sets.photo_sets;
  const photo_ids = first_photos.slice(0, 3).map(({ id }: { id: string }) => id);
  const wanted = { filter_id, versions, photo_set_id, photo_ids };
  const { status, body: run } = await account.call('POST', '/v1/qa_runs', wanted);
  assert.equal(status, 201);
  return run.id;
}

/** A run whose jobs have ended. */
async function makeRun(account: TestAccount, versions = [1, 2]): Promise<string> {
  const id = await startRun(account, versions);
  await waitForEnd(account, id);
  return id;
}

async function waitForEnd(account: TestAccount, id: string): Promise<void> {
  await until(async () => {
    const { body } = await account.call('GET', `/v1/qa_runs/${id}`);
    return body.cells.every((cell: { status: string }) => /COMPLETED|FAILED/.test(cell.status));
  });
}

test('a run is put together, its price is told, and the board fills in as its jobs end', async () => {
  const account = await studio.server.account(100);
  await makeFilter(account);
  await until(async () => (await account.call('GET', filtersPath)).body[0].preview_images.length > 0);
  const { page, close } = await studio.open('/studio/qa', { account });
  await page.getByText('See a filter on many photos at once').waitFor();
  await page.getByRole('link', { name: 'New run' }).click();
  await page.getByRole('button', { name: 'Choose a filter' }).waitFor();
  await page.getByRole('button', { name: 'Harbour' }).click();
  await page.getByRole('button', { name: 'Version 1' }).click();
  await page.getByText('12 pictures, 12 credits of 100').waitFor();
  for (const name of [/^Two people/, /^Woman/, /^Older woman/, /^Man/])
    await page.getByRole('button', { name }).click();
  await page.getByText('4 pictures, 4 credits of 100').waitFor();
  await checkAccessibility(page);

  const { work, open, reached } = door();
  studio.server.engine.before = work;
  await page.getByRole('button', { name: 'Start the run' }).click();
  await page.getByText('0 of 4 made').waitFor();
  assert.equal(await cells(page).count(), 4);
  await reached;
  open();
  studio.server.engine.before = async () => {};
  await cells(page, /not judged/)
    .nth(3)
    .waitFor();
  await page.getByText('0 of 4 made').waitFor({ state: 'detached' });
  await until(() => page.evaluate(() => [...document.querySelectorAll('td img')].length === 4));
  await close();
});

test('pictures are judged by the keyboard, and a person says that the version is ready', async () => {
  const account = await studio.server.account(100);
  const { engine } = studio.server;
  const { quality } = engine;
  engine.quality = { grade: 'good', reasons: [] };
  const id = await makeRun(account);
  const { page, close } = await studio.open(`/studio/qa/${id}`, { account });
  await cells(page).first().focus();
  assert.equal(await page.getByRole('group', { name: 'Photos' }).count(), 0, 'nothing is fair');
  await page.keyboard.press('1');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('2');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('1');
  await cells(page, 'Man, version 2, good').waitFor();
  await cells(page, 'One person, version 2, bad').waitFor();

  await page.keyboard.press('n');
  await page.getByRole('textbox', { name: 'Note' }).fill('For the poster');
  await page.keyboard.press('Enter');
  await page.getByText('Saved').waitFor();
  await checkAccessibility(page);
  await page.keyboard.press('Escape');
  await cells(page, /Man, version 2, good: For the poster/).waitFor();

  // The large picture has the same keys, and the board goes on where it was left.
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByRole('slider', { name: 'Compare before and after' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('heading', { name: 'Two people, version 2' }).waitFor();
  await page.keyboard.press('1');
  await page.keyboard.press('Escape');
  await until(() => page.evaluate(() => document.activeElement?.ariaLabel === 'Two people, version 2, good'));

  const summary = page.getByRole('region', { name: 'Version 2' });
  await summary.getByText('67%').waitFor();
  await summary.getByText('2 good, 1 bad. All 3 judged').waitFor();
  await page
    .getByRole('region', { name: 'Version 1' })
    .getByText('Only the live version can be ready.')
    .waitFor();
  await summary.getByRole('button', { name: 'Mark version 2 as ready' }).click();
  await summary.getByText(`Ready, says ${account.email}`).waitFor();
  const { body: run } = await account.call('GET', `/v1/qa_runs/${id}`);
  assert.deepEqual(
    run.results.map(({ good, bad }: { good: number; bad: number }) => [good, bad]),
    [
      [1, 0],
      [2, 1],
    ],
  );

  // One picture is made again, and comes out fair: it is marked, comes first, and is shown alone.
  engine.quality = quality;
  await account.call('POST', `/v1/qa_runs/${id}/cells/${run.cells.at(-1).id}/retry`);
  await waitForEnd(account, id);
  await page.reload();
  await page.getByText('1 picture came out fair.').waitFor();
  await page.getByTitle(why).getByText('Fair').first().waitFor();
  await page.getByRole('button', { name: 'Fair first' }).click();
  await checkAccessibility(page);
  assert.equal(await cells(page).count(), 6);
  assert.match((await cells(page).nth(1).getAttribute('aria-label'))!, /^Two people, version 2, .*: Fair\. /);
  await page.getByRole('button', { name: 'Only fair' }).click();
  assert.equal(await cells(page).count(), 2);
  await page.getByRole('button', { name: 'Open Two people, version 2' }).click();
  await page.getByRole('dialog').getByText(why).waitFor();
  await close();
});

test('a failed picture shows its sentence, and all failed ones are made again', async () => {
  const account = await studio.server.account(100);
  studio.server.engine.before = async () => {
    throw new Error('no face');
  };
  const id = await makeRun(account, [2]);
  studio.server.engine.before = async () => {};
  const { page, close } = await studio.open(`/studio/qa/${id}`, { account });
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Retry 3 failed, 3 credits' }).click();
  await cells(page, /not judged/)
    .nth(2)
    .waitFor();
  await page.getByRole('button', { name: 'Delete the run' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('The run was deleted.').waitFor();
  await page.getByText('See a filter on many photos at once').waitFor();
  await close();
});

test('pictures that are not made yet can be cancelled, and their credits come back', async () => {
  const account = await studio.server.account(100);
  const { work, open } = door();
  studio.server.engine.before = work;
  const id = await startRun(account, [2]);
  const { page, close } = await studio.open(`/studio/qa/${id}`, { account });
  await page.getByRole('button', { name: 'Cancel the others' }).click();
  await page.getByRole('button', { name: 'Retry 3 failed, 3 credits' }).waitFor();
  open();
  studio.server.engine.before = async () => {};
  await until(async () => (await account.credits()) === 100);
  await close();
});

test('many own photos become a set that is kept; what is no photo is named, and a photo can be removed', async () => {
  const account = await studio.server.account(100);
  const { page, close } = await studio.open(`/studio/qa/new?filter=${await makeFilter(account)}`, {
    account,
  });
  const notes = { name: 'notes.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture at all') };
  const picture = (name: string) => ({
    name,
    mimeType: 'image/jpeg',
    buffer: readFileSync(file('astronaut-head.jpg')),
  });
  await page.getByLabel('Choose photos').setInputFiles([picture('Ada.jpg'), notes, picture('Grace.jpeg')]);
  await page.getByLabel('Name').fill('Summer tour');
  await page.getByRole('button', { name: 'Make the set' }).click();
  await page.getByRole('button', { name: 'Grace', exact: false }).first().waitFor();
  await page.getByRole('alert').getByText('notes.jpg: This file is not a photo').waitFor();
  await page.getByText('2 pictures, 2 credits').or(page.getByText('2 of 2 chosen')).first().waitFor();
  await page.getByRole('button', { name: 'Skip them' }).click();
  await checkAccessibility(page);

  await page.getByRole('button', { name: 'Remove Ada' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('1 of 1 chosen').waitFor();
  await page.getByText('1 picture, 1 credit').waitFor();
  const { body } = await account.call('GET', '/v1/photo_sets');
  const own = body.photo_sets.find(({ name }: { name: string }) => name === 'Summer tour');
  assert.deepEqual(
    own.first_photos.map(({ name }: { name: string }) => name),
    ['Grace'],
  );
  await close();
});

test('a note that somebody else changed meanwhile is not overwritten before the person has said so', async () => {
  const account = await studio.server.account(100);
  const id = await makeRun(account, [2]);
  const { page, close } = await studio.open(`/studio/qa/${id}`, { account });
  await cells(page).first().press('n');
  const note = page.getByRole('textbox', { name: 'Note' });
  await note.fill('mine');
  const { body: run } = await account.call('GET', `/v1/qa_runs/${id}`);
  const path = `/v1/qa_runs/${id}/cells/${run.cells[0].id}`;
  await account.call('PATCH', path, { note: 'theirs' });
  await note.press('Enter');
  await page.getByText('This was changed elsewhere meanwhile.').waitFor();
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await page.getByText('Saved').waitFor();
  const { body: saved } = await account.call('GET', `/v1/qa_runs/${id}`);
  assert.equal(saved.cells[0].note, 'mine');
  // The browser's console names the refusal, which is what this test is about.
  await close(/status of 412/);
});

test('runs, the board and a new run fit a phone, a tablet and a desk', async () => {
  const account = await studio.server.account(100);
  await makeRun(account);
  const { page, close } = await studio.open('/studio/qa', { account });
  const onAllScreens = async (check: () => Promise<void>) => {
    for (const width of widths) {
      await page.setViewportSize(sizeOfWidth(width));
      await page.emulateMedia({ colorScheme: width === 820 ? 'dark' : 'light' });
      await check();
      await checkWidth(page);
    }
  };
  await onAllScreens(async () => {
    await page.getByRole('link', { name: /Harbour/ }).waitFor();
    await checkAccessibility(page);
  });
  await page.getByRole('link', { name: /Harbour/ }).click();
  await onAllScreens(async () => {
    await page.getByRole('button', { name: 'Good' }).nth(5).waitFor();
    await page.getByRole('button', { name: 'Mark version 2 as ready' }).waitFor();
    await checkAccessibility(page);
  });
  await page.goto(`/studio/qa/new`);
  await onAllScreens(() => page.getByText('6 of 6 chosen').waitFor());
  await close();
});
