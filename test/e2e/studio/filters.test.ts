import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../packages/server/test/support/harness.ts';
import { door } from '../../../packages/server/test/support/test-engine.ts';
import { checkAccessibility, checkWidth, type Studio, startStudio, widths } from './open-studio.ts';

const catalogFile = (path: string) => new URL(`../../../catalog/${path}`, import.meta.url).pathname;
const path = '/v1/users/me/my-custom-filters';

let studio: Studio;
before(async () => {
  studio = await startStudio({ testsPerMinute: 0 });
});
after(() => studio.stop());

const prompt = (words: string) => ({ kind: 'prompt', prompt: words });
const choose = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function makeFilter(name: string, definition: unknown = prompt('a castle')): Promise<string> {
  const { status, body } = await studio.account.call('POST', path, {
    name,
    filter_type: 'face_swap',
    definition,
  });
  assert.equal(status, 201);
  return body.id;
}
const read = async (id: string) => (await studio.account.call('GET', `${path}/${id}`)).body;

test('a filter is made from words that the page completes, tried on people, saved and listed', async () => {
  const { page, close } = await studio.open('/studio/filters');
  await page.getByRole('link', { name: 'New filter' }).first().click();
  await page.getByLabel('Name').fill('Winter market');
  await page.getByLabel('In words').fill('a castle, oil pai');
  await page
    .getByRole('region', { name: 'Completions' })
    .getByRole('button', { name: 'oil painting' })
    .click();
  assert.equal(await page.getByLabel('In words').inputValue(), 'a castle, oil painting');
  const people = page.getByRole('region', { name: 'Test people' });
  await people.getByText('a thing').first().waitFor();
  await people.getByText('Ignored: another').first().waitFor();
  await people.getByRole('button', { name: /^One person: compare/ }).click();
  await page.getByRole('slider', { name: 'Compare before and after' }).waitFor();
  await page.keyboard.press('Escape');
  await checkAccessibility(page);
  await choose(page, 'Save filter');
  await page.getByText('One person · version 1').waitFor();
  await page.getByRole('link', { name: 'All filters' }).click();
  await page.getByRole('link', { name: /^Winter market/ }).waitFor();
  await close();
});

test('a test is stopped, and the next change of the definition tries the newest words only', async () => {
  const { work, open, reached } = door();
  studio.server.engine.before = work;
  studio.server.engine.requests = [];
  const { page, close } = await studio.open('/studio/filters/new');
  await page.getByLabel('In words').fill('a castle');
  await reached;
  await choose(page, 'Stop');
  await page.getByText('Stopped').first().waitFor();
  open();
  await page.getByLabel('In words').pressSequentially(' in the snow', { delay: 5 });
  await page.getByText('a thing').first().waitFor();
  const prompts = studio.server.engine.requests.map(({ filter }) => JSON.stringify(filter));
  assert.ok(
    prompts.every((text) => /a castle"|a castle in the snow"/.test(text)),
    prompts.join(),
  );
  studio.server.engine.before = async () => {};
  await page.evaluate('window.onbeforeunload = null');
  await close();
});

test('a scene filter is put together from walls of pictures', async () => {
  const { page, close } = await studio.open('/studio/filters/new');
  await page.getByLabel('Name').fill('Knight of the lake');
  await choose(page, 'Scene');
  await page
    .getByRole('region', { name: 'Scene' })
    .getByRole('button', { name: /^Mountain lake/ })
    .click();
  for (const [part, option] of [
    ['Costume', 'Knight'],
    ['Look', 'Watercolour'],
    ['Light', 'Golden hour'],
  ] as const) {
    await page.getByRole('region', { name: 'Parts' }).getByRole('button', { name: part }).click();
    await page.getByRole('region', { name: part, exact: true }).getByRole('button', { name: option }).click();
  }
  await page.getByText('a thing').first().waitFor();
  await checkAccessibility(page);
  await choose(page, 'Save filter');
  await page.getByText('One person · version 1').waitFor();
  const { definition } = await read(new URL(page.url()).pathname.split('/').at(-1)!);
  assert.deepEqual(definition, {
    kind: 'scene',
    scene: 'alpine-lake',
    costume: 'knight',
    look: 'watercolour',
    light: 'golden-hour',
  });
  await close();
});

test('a template shows its faces and what is wrong with them', async () => {
  const { page, close } = await studio.open('/studio/filters/new');
  await page.getByLabel('Name').fill('Poster');
  await choose(page, 'Picture');
  await page.locator('input[type=file]').first().setInputFiles(catalogFile('samples/two-people.jpg'));
  await page.getByText('too small').waitFor();
  await page.getByText('A sentence.').waitFor();
  await page.getByText('a thing').first().waitFor();
  await choose(page, 'Save filter');
  await page.getByText('One person · version 1').waitFor();
  await page.getByRole('img', { name: /^Template picture/ }).waitFor();
  await page.getByLabel('Name').fill('Poster of the year');
  await choose(page, 'Save as version 2');
  await page.getByText('Saved as version 2.').waitFor();
  await close();
});

test('a workflow is dropped in, its bindings are suggested and can be picked anew', async () => {
  const { page, close } = await studio.open('/studio/filters/new');
  await page.getByLabel('Name').fill('From ComfyUI');
  await choose(page, 'Workflow');
  const { definition } = JSON.parse(
    readFileSync(catalogFile('workflows/face-swap-instantid.json'), 'utf8'),
  ) as { definition: { workflow: unknown } };
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({
      name: 'portrait.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(definition.workflow)),
    });
  const output = page.getByLabel('Node that saves the result');
  await output.waitFor();
  assert.equal(await output.inputValue(), '12');
  await page.getByLabel('Seed').selectOption({ label: 'Not used' });
  await checkAccessibility(page);
  await choose(page, 'Save filter');
  await page.getByText('One person · version 1').waitFor();
  const saved = await read(new URL(page.url()).pathname.split('/').at(-1)!);
  assert.deepEqual(saved.definition.bindings.photos, [{ node: '2', input: 'image' }]);
  assert.equal(saved.definition.bindings.seed, undefined);
  await close();
});

test('a change that meets a newer version overwrites nothing before the person has said which to keep', async () => {
  const id = await makeFilter('Shared');
  const { page, complaints, close } = await studio.open(`/studio/filters/${id}`);
  await page.getByLabel('In words').fill('mine');
  await studio.account.call('PATCH', `${path}/${id}`, { definition: prompt('theirs') });
  await page
    .getByRole('button', { name: /^Save as version/ })
    .click()
    .catch(() => {});
  await page.getByText('This filter was changed elsewhere meanwhile').waitFor();
  assert.equal(await page.getByLabel('In words').inputValue(), 'mine');
  assert.equal((await read(id)).definition.prompt, 'theirs');
  await checkAccessibility(page);
  await choose(page, 'Keep mine');
  const save = page.getByRole('button', { name: 'Save as version 3' });
  await until(async () => (await read(id)).definition.prompt === 'mine' || (await save.isEnabled()));
  if ((await read(id)).definition.prompt !== 'mine') await save.click();
  await page.getByText('Saved as version 3.').waitFor();

  await page.getByLabel('In words').fill('mine again');
  await studio.account.call('PATCH', `${path}/${id}`, { definition: prompt('theirs again') });
  await page
    .getByRole('button', { name: /^Save as version/ })
    .click()
    .catch(() => {});
  await choose(page, 'Load the newer one');
  await until(async () => (await page.getByLabel('In words').inputValue()) === 'theirs again');
  // The browser's console names the refusal, which is what this test is about.
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes('412')));
  await close();
});

test('an older version comes back as the newest, and that can be undone; ready is said by a person', async () => {
  const id = await makeFilter('Tour', prompt('first words'));
  await studio.account.call('PATCH', `${path}/${id}`, { definition: prompt('second words'), note: 'darker' });
  const { page, close } = await studio.open(`/studio/filters/${id}`);
  await choose(page, 'Versions');
  await page.getByText('darker').waitFor();
  await choose(page, 'Go back to version 1');
  await page.getByText('Version 3 is what version 1 was.').waitFor();
  assert.equal((await read(id)).definition.prompt, 'first words');
  await choose(page, 'Undo');
  await page.getByText('Version 4 is what version 2 was.').waitFor();
  assert.equal((await read(id)).definition.prompt, 'second words');
  await checkAccessibility(page);
  await choose(page, 'Mark ready');
  await page.getByText('Version 4 is ready.').waitFor();
  const { ready, ready_by } = await read(id);
  assert.deepEqual([ready, ready_by], [true, studio.account.email]);
  await close();
});

test('a filter is exported, imported, duplicated, and deleted after the page has named its aliases', async () => {
  const id = await makeFilter('On the road');
  await studio.account.call('POST', '/api/alias/', { ai_filter: id, project: 'Booth 7' });
  const { page, close } = await studio.open('/studio/filters');
  const more = page.getByRole('button', { name: 'More for On the road', exact: true });
  await more.click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export as a file' }).click(),
  ]);
  await page.getByLabel('File of an exported filter').setInputFiles(await download.path());
  await page.getByText('On the road is imported.').waitFor();
  await page.getByRole('link', { name: 'All filters' }).click();
  await more.first().click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await page.getByText(/is a copy of On the road\.$/).waitFor();
  await page.goto(`/studio/filters/${id}`);
  await choose(page, 'More');
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByText('Booth 7').waitFor();
  await choose(page, 'Delete anyway');
  await page.getByText('On the road is deleted.').waitFor();
  assert.equal((await studio.account.call('GET', `${path}/${id}`)).status, 404);
  await close();
});

test('a quick test link is made with runs and a date, copied and revoked', async () => {
  const id = await makeFilter('For a client');
  const { page, close } = await studio.open(`/studio/filters/${id}`);
  await choose(page, 'Test links');
  await page.getByLabel('Name').fill('Harbour bank');
  await page.getByLabel('Runs').fill('5');
  await choose(page, 'Make a link');
  await choose(page, 'Copy the link');
  assert.match(await page.evaluate<string>('navigator.clipboard.readText()'), /\/studio\/quick-test\/\w/);
  await page.getByText(/^0 of 5 runs used/).waitFor();
  await checkAccessibility(page);
  await choose(page, 'Revoke');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText(/^0 of 5 runs used/).waitFor({ state: 'detached' });
  await close();
});

for (const width of widths) {
  test(`the catalogs and the creator fit a screen of ${width} px, in the dark too`, async () => {
    const { page, close } = await studio.open('/studio/filters?show=realistic', { width, dark: true });
    await page
      .getByRole('button', { name: /Number 1/ })
      .first()
      .waitFor();
    await checkWidth(page);
    await checkAccessibility(page);
    await page.getByLabel('Search by name').fill('no such filter');
    await page.getByText('No filter is called that').waitFor();
    await page.getByRole('link', { name: 'New filter' }).click();
    await choose(page, 'Scene');
    await page
      .getByRole('region', { name: 'Scene' })
      .getByRole('button', { name: /^Mountain lake/ })
      .click();
    await page.getByRole('button', { name: /^One person: compare/ }).waitFor();
    await checkWidth(page);
    await close();
  });
}
