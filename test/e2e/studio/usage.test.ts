import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createAccount } from '../../../packages/server/src/accounts/accounts.ts';
import { addToEventCosts } from '../../../packages/server/src/store/events/event-records.ts';
import { accountOn, photo, until } from '../../../packages/server/test/support/harness.ts';
import { untilAborted } from '../../../packages/server/test/support/test-engine.ts';
import { checkAccessibility, checkWidth, sizeOfWidth, widths } from '../support/page-checks.ts';
import { forAllTests } from '../support/start-pages.ts';
import { startStudio } from './open-studio.ts';
import { seedJobs } from './seed-jobs.ts';

const day = 86_400_000;
const count = 240;
/** One of forty fails, and its two credits come back. */
const failed = 6;
const credits = 2 * (count - failed);
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

const studio = forAllTests(startStudio, async ({ account, server }) => {
  await seedJobs(server.config, { accountId: account.id, count, spanMs: 20 * day });
});

test('usage is shown by day, family, filter and key, with the ledger, on all screens', async () => {
  const { page, close } = await studio.open('/studio/usage');
  const lines = page.getByRole('table', { name: 'Ledger' }).getByRole('row');
  for (const width of widths) {
    await page.setViewportSize(sizeOfWidth(width));
    await page.getByText(String(credits)).first().waitFor();
    await page.getByRole('img', { name: 'Credits by day' }).locator('canvas').waitFor();
    await page.getByRole('table', { name: 'By family' }).getByText('Face swap v6').waitFor();
    await page.getByRole('table', { name: 'By filter' }).getByText('Neon street in the rain').waitFor();
    await page.getByRole('table', { name: 'By key' }).getByText('Studio').waitFor();
    await lines.filter({ hasText: 'Charged' }).first().waitFor();
    await checkWidth(page);
  }
  // Before there are more lines, each of which takes axe its time.
  await checkAccessibility(page);
  const before = await lines.count();
  await page.getByRole('button', { name: 'Show more' }).click();
  await lines.nth(before).waitFor();
  // From the page of a job to the list, not back to the ledger.
  await lines.getByRole('link').first().click();
  await page.waitForURL(/\/studio\/jobs\/./);
  await page.getByRole('link', { name: 'Jobs' }).last().click();
  await page.waitForURL(/\/studio\/jobs$/);
  await close();
});

test('operators see what engines cost', async () => {
  const { server } = studio;
  const made = { email: 'op@example.com', credits: 500, role: 'operator' } as const;
  const operator = accountOn(server.url, await createAccount(server.db, made));
  await seedJobs(server.config, { accountId: operator.id, count: 40, cost: 0.004 });
  const { page, close } = await studio.open('/studio/usage', { account: operator });
  await page.getByText('for engines').waitFor();
  await page.getByText('$0.16', { exact: true }).first().waitFor();
  await page
    .getByRole('table', { name: 'By family' })
    .getByRole('columnheader', { name: 'engines' })
    .waitFor();
  await checkWidth(page);
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const event = { name: 'Gala', starts_at: inHours(-1), ends_at: inHours(5), budget: 100 };
  const { id } = (await operator.call('POST', '/v1/events', event)).body;
  await server.db.run(addToEventCosts, { id, gpu_seconds: 60, cost: 3.2 });
  await page.goto(`/studio/events/${id}`);
  await page.getByText('$3.20 for engines so far').waitFor();
  await close();
});

test('other days are chosen by a click or by dates, and the address keeps them', async () => {
  const { page, close } = await studio.open('/studio/usage?days=7');
  const jobs = page.locator('dd').nth(1);
  const shown = await until(async () => Number(await jobs.textContent()) || undefined);
  assert.ok(shown < count);
  await page.getByRole('button', { name: '90 days' }).click();
  await page.waitForURL(/days=90/);
  await page.getByText(String(count), { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Custom dates' }).click();
  await page.getByLabel('Last day').fill(dayOf(Date.now() - 40 * day));
  await page.waitForURL(/to=/);
  await page.getByText('Nothing in this period.').first().waitFor();
  await checkAccessibility(page);
  await page.getByText('Days as a table').click();
  await page.getByRole('rowheader', { name: dayOf(Date.now() - 40 * day) }).waitFor();
  await close();
});

test('the numbers are downloaded as a CSV file', async () => {
  const { page, close } = await studio.open('/studio/usage');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'By family' }).click(),
  ]);
  assert.match(download.suggestedFilename(), /^usage-by-family-\d{4}-\d\d-\d\d-to-/);
  const text = readFileSync(await download.path(), 'utf8');
  assert.match(text, new RegExp(`face_swap_v6,${count},${count - failed},${failed},${credits}`));
  await close();
});

test('a filter is listed once, whether its id, an alias or another catalog named it; cancelled jobs have not failed', async () => {
  const account = await studio.server.account();
  const { id } = (
    await account.call('POST', '/v1/users/me/my-custom-filters', {
      name: 'Harbour at dusk',
      filter_type: 'face_swap',
      definition: { kind: 'prompt', prompt: 'a harbour' },
    })
  ).body;
  const alias = (await account.call('POST', '/api/alias/', { ai_filter: id, project: 'hall' })).body.id;
  const run = async (filter_id: string) =>
    (await account.call('POST', '/v6/run/face_swap', { base64: photo, filter_id, gender: 1 })).body.id;
  await run(id);
  await run(alias);
  studio.server.engine.before = untilAborted;
  await account.call('POST', `/v1/jobs/${await run(id)}/cancel`);
  studio.server.engine.before = async () => {};
  const { page, close } = await studio.open('/studio/usage', { account });
  const rows = page.getByRole('table', { name: 'By filter' }).getByRole('row');
  await rows.filter({ hasText: 'Harbour at dusk' }).getByText('3', { exact: true }).waitFor();
  assert.equal(await rows.count(), 2);
  assert.deepEqual(await page.locator('dl').first().locator('dt').allTextContents(), [
    'credits spent',
    'jobs',
    'failed',
    'cancelled',
    'credits left',
  ]);
  const [, jobs, failed, cancelled] = await page.locator('dl').first().locator('dd').allTextContents();
  assert.deepEqual([jobs, failed, cancelled], ['3', '0', '1']);
  await page
    .getByText(/^Job …/)
    .first()
    .waitFor();
  await close();
});
