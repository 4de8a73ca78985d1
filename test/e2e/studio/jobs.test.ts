import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { GuiseApi } from '../../../packages/client/src/guise-api.ts';
import { photo, until } from '../../../packages/server/test/support/harness.ts';
import { filesOfZip } from '../../../packages/server/test/support/zip-reader.ts';
import { runBatch } from '../../../packages/studio/src/screens/jobs/run-batch.ts';
import { duration } from '../../../packages/studio/src/ui/format-time.ts';
import { checkAccessibility, checkWidth, sizeOfWidth, widths } from '../support/page-checks.ts';
import { forAllTests } from '../support/start-pages.ts';
import { startStudio } from './open-studio.ts';
import { seedJobs } from './seed-jobs.ts';

/** Newest first; the fourteenth has failed. */
let ids: string[];
const studio = forAllTests(startStudio, async ({ account, server }) => {
  ids = await seedJobs(server.config, { accountId: account.id, count: 60 });
});

const cards = (page: Page) => page.getByRole('list', { name: 'Jobs' }).getByRole('listitem');
const submit = async () =>
  (await studio.account.call('POST', '/v6/run/face_swap', { base64: photo, filter_id: 1, gender: 1 })).body
    .id as string;

test('what was done with the first jobs is told where the connection is lost at later ones', async () => {
  const lost = new Error('lost');
  let sent = 0;
  const jobs = {
    batch: async ({ ids }: { ids: string[] }) => {
      if (sent++ > 0) throw lost;
      return { results: ids.map((id) => ({ id, ok: true })) };
    },
  };
  const ids = Array.from({ length: 450 }, (_, at) => String(at));
  const progress = { signal: new AbortController().signal, onProgress: () => {} };
  const { results, error } = await runBatch({ jobs } as unknown as GuiseApi, 'retry', ids, progress);
  assert.equal(results.length, 200);
  assert.equal(error, lost);
});

test('no time has sixty seconds beside its minutes', () => {
  assert.deepEqual([59_949, 59_960, 119_700, 125_000].map(duration), [
    '59.9 s',
    '1 min 0 s',
    '2 min 0 s',
    '2 min 5 s',
  ]);
});

test('jobs are shown as pictures and as lines, and one with everything about it, on all screens', async () => {
  const { page, close } = await studio.open('/studio/jobs');
  const onAllScreens = async (shown: () => Promise<void>) => {
    for (const width of widths) {
      await page.setViewportSize(sizeOfWidth(width));
      await shown();
      await checkWidth(page);
    }
  };
  await onAllScreens(async () => {
    await cards(page).first().locator('img').waitFor();
    await checkAccessibility(page);
  });
  await page.getByRole('button', { name: 'List' }).click();
  await page.waitForURL(/view=list/);
  await onAllScreens(async () => {
    await cards(page).getByText('Done').filter({ visible: true }).first().waitFor();
    await checkAccessibility(page);
  });
  await page.locator(`a[href$="${ids[0]}"]`).click();
  await onAllScreens(async () => {
    await page.getByRole('img', { name: 'Result of Neon street in the rain' }).waitFor();
    await page.getByText('booth-1:4211').waitFor();
    await page.getByText('Matting').waitFor();
    await page.getByText('The light of the scene').waitFor();
    await page.getByText('None requested').waitFor();
  });
  await close();
});

test('the list is narrowed by what the address says, and a failed job shows the sentence of the guest', async () => {
  const { page, close } = await studio.open('/studio/jobs');
  await page.getByRole('combobox', { name: 'State' }).selectOption('Failed');
  await page.waitForURL(/state=failed/);
  await until(async () => (await cards(page).count()) === 2);
  await page.getByRole('combobox', { name: 'Filter' }).selectOption('Space station');
  await page.waitForURL(/filter=/);
  await page.reload();
  await cards(page).first().getByText('No face was found in the photo').waitFor();
  assert.equal(await cards(page).count(), 1);
  await page.getByRole('combobox', { name: 'Family' }).selectOption('Video from one frame');
  await page.getByText('No matching jobs').waitFor();
  await page.getByRole('link', { name: 'Show all jobs' }).click();
  await cards(page).first().locator('img').waitFor();
  await close();
});

test('a new job appears at the top as it is made; what somebody has scrolled to does not move', async () => {
  const { page, close } = await studio.open('/studio/jobs?view=list');
  await cards(page).first().waitFor();
  const first = await submit();
  await cards(page)
    .first()
    .locator(`a[href$="${first}"]`)
    .getByText('Done')
    .filter({ visible: true })
    .waitFor();
  await page.getByRole('main').evaluate((main) => main.scrollTo(0, 640));
  await until(async () => (await page.getByRole('main').evaluate((main) => main.scrollTop)) === 640);
  // Read in one go: rows are made anew while the list is drawn.
  const looked = await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    const links = [...document.querySelectorAll<HTMLAnchorElement>('#page a[href*="/studio/jobs/"]')];
    const link = links.find((each) => each.getBoundingClientRect().top > 200)!;
    return { href: link.getAttribute('href'), top: link.getBoundingClientRect().top };
  });
  await submit();
  await page.getByRole('button', { name: '1 new job' }).waitFor();
  assert.equal((await page.locator(`#page a[href="${looked.href}"]`).first().boundingBox())?.y, looked.top);
  await page.getByRole('button', { name: '1 new job' }).click();
  await until(async () => (await page.getByRole('main').evaluate((main) => main.scrollTop)) === 0);
  await until(async () => (await cards(page).first().getAttribute('aria-setsize')) === '62');
  await close();
});

test('many jobs are selected with the shift key, downloaded as a zip file, and erased after one question', async () => {
  const { page, close } = await studio.open('/studio/jobs?view=list');
  const boxes = page.getByRole('checkbox');
  await boxes.nth(2).check();
  await boxes.nth(6).click({ modifiers: ['Shift'] });
  await page.getByText('5 selected').waitFor();
  await checkAccessibility(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  assert.equal(filesOfZip(readFileSync(await download.path())).length, 5);
  await page.keyboard.press('Escape');
  await page.getByText('5 selected').waitFor({ state: 'detached' });

  const gone = [await submit(), await submit()];
  // A list in which something is selected holds new jobs back: both must be there before the first is ticked.
  for (const id of gone) await page.locator(`li:has(a[href$="${id}"])`).waitFor();
  for (const id of gone) await page.locator(`li:has(a[href$="${id}"])`).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Erase' }).click();
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Erase them' }).click();
  await page.getByText('2 jobs erased.').waitFor();
  for (const id of gone) {
    await page.locator(`a[href$="${id}"]`).waitFor({ state: 'detached' });
    assert.equal((await studio.account.call('GET', `/v1/jobs/${id}`)).status, 404);
  }
  await close();
});

test('a waiting job shows how many wait, and is cancelled on its page', async () => {
  const held = Promise.withResolvers<void>();
  studio.server.engine.before = () => held.promise;
  const { page, close } = await studio.open('/studio/jobs');
  const running = [await submit(), await submit()];
  const id = await submit();
  await page.getByText(/1 waiting, 2 running/).waitFor();
  await page.locator(`a[href$="${id}"]`).click();
  await page.getByText('Waiting in the queue').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Cancel it' }).click();
  await page.getByText('1 job cancelled.').waitFor();
  await page.getByText('There is no result.').waitFor();
  await page.getByText('Cancelled', { exact: true }).waitFor();
  await page.getByText('2 credits, returned').waitFor();
  // Its photo is gone, and nothing can be submitted again.
  assert.equal(await page.getByRole('button', { name: 'Retry' }).count(), 0);
  studio.server.engine.before = async () => {};
  held.resolve();
  // Back to the list as it was left, with what happened since.
  await page.getByRole('link', { name: 'Jobs' }).last().click();
  for (const made of running) await page.locator(`a[href$="${made}"] img`).waitFor();
  await page.getByRole('combobox', { name: 'State' }).selectOption('Cancelled');
  await page.locator(`a[href$="${id}"]`).waitFor();
  assert.equal(await cards(page).count(), 1);
  await cards(page).first().getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Erase' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Retry' }).count(), 0);
  await page.getByRole('combobox', { name: 'State' }).selectOption('Failed');
  await until(async () => (await cards(page).count()) === 2);
  assert.equal(await page.locator(`a[href$="${id}"]`).count(), 0);
  await close();
});

test('while the server does not answer, nothing is said of what waits and runs', async () => {
  const { page } = await studio.open('/health');
  // A stream that tells the queue and breaks off, and a server that is away after it.
  const queue = { waiting: 0, running: 0, wait_ms: 0 };
  let isAway = false;
  await page.route('**/v1/changes', async (route) => {
    if (isAway) return route.abort();
    isAway = true;
    const body = `id: 1-1\nevent: queue\ndata: ${JSON.stringify(queue)}\n\n`;
    return route.fulfill({ contentType: 'text/event-stream', body });
  });
  await page.goto('/studio/jobs');
  await page.getByText('The server does not answer. What waits and runs is not known.').waitFor();
  assert.equal(await page.getByText('Nothing is waiting or running.').count(), 0);
  await page.unroute('**/v1/changes');
  await page.getByText('Nothing is waiting or running.').waitFor();
  await page.context().close();
});
