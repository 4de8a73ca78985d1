import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { until } from '../../../packages/server/test/support/harness.ts';
import { checkAccessibility, checkAllWidths } from '../support/page-checks.ts';
import { forAllTests } from '../support/start-pages.ts';
import { startStudio } from './open-studio.ts';

const filters: Record<string, string> = {};
const studio = forAllTests(
  () => startStudio({ testsPerMinute: 0 }),
  async ({ account, server }) => {
    server.engine.quality = { grade: 'good', reasons: [] };
    for (const name of ['Harbour', 'Lanterns', 'Plain portrait', 'Family party']) {
      const definition = { kind: 'prompt', prompt: name };
      const filter_type = name === 'Family party' ? 'multi_swap' : 'face_swap';
      const body = { name, filter_type, definition };
      const made = await account.call('POST', '/v1/users/me/my-custom-filters', body);
      filters[name] = made.body.id;
    }
  },
);

const makeAlias = async (name: string, project: string): Promise<string> =>
  (await studio.account.call('POST', '/api/alias/', { ai_filter: filters[name], project })).body.id;
const filterOf = async (id: string): Promise<string> =>
  (await studio.account.call('GET', `/v1/aliases/${id}`)).body.ai_filter;
const slotsOf = (page: Page, project: string) => page.getByRole('region', { name: project });
const draftIn = (slots: Locator) => slots.getByRole('region', { name: 'Draft' });

test('a slot is made, swapped by a draft that is checked and made live, undone by the toast and the button, and deleted', async () => {
  const { page, close } = await studio.open('/studio/aliases');
  await page.getByRole('button', { name: 'Make an alias' }).click();
  const dialog = page.getByRole('dialog', { name: 'Make an alias' });
  await dialog.getByLabel('Project').fill('Gala');
  await dialog.getByRole('button', { name: 'Harbour' }).click();
  await dialog.getByRole('button', { name: 'Make the alias' }).click();
  const gala = slotsOf(page, 'Gala');
  await gala.getByRole('heading', { name: 'Harbour' }).waitFor();

  await gala.getByRole('button', { name: /^Copy the id/ }).click();
  const id = await page.evaluate<string>('navigator.clipboard.readText()');
  assert.equal(await filterOf(id), filters.Harbour);

  await gala.getByRole('button', { name: 'Change the filter, now Harbour' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Lanterns' }).click();
  const draft = draftIn(gala);
  await draft.getByText('Next: Lanterns').waitFor();
  assert.equal(await filterOf(id), filters.Harbour, 'booths go on with the live filter');
  await page.reload();
  await draft.getByText('All checks passed.').waitFor();
  await checkAccessibility(page);
  await draft.getByRole('button', { name: 'What was checked' }).click();
  await page
    .getByRole('dialog')
    .getByRole('listitem')
    .filter({ hasText: 'One person' })
    .locator('img')
    .waitFor();
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Not now' }).click();
  await draft.getByRole('button', { name: 'Make live' }).click();
  await page.getByText('“Lanterns” is in the slot.').waitFor();
  await draft.waitFor({ state: 'detached' });
  assert.equal(await filterOf(id), filters.Lanterns);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByText('“Harbour” is back in the slot.').waitFor();
  await page.getByText('“Lanterns” is in the slot.').waitFor({ state: 'detached' });
  assert.equal(await filterOf(id), filters.Harbour);

  await gala.getByRole('button', { name: 'Undo the last swap' }).click();
  await gala.getByRole('heading', { name: 'Lanterns' }).waitFor();
  await gala.getByRole('button', { name: /^Put “Harbour” back/ }).click();
  await gala.getByRole('heading', { name: 'Harbour' }).waitFor();

  await gala.getByRole('button', { name: /^More for the slot/ }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await gala.waitFor({ state: 'detached' });
  await close();
});

test('a filter that is dragged onto a slot is put in', async () => {
  const id = await makeAlias('Harbour', 'Drag');
  const { page, close } = await studio.open('/studio/aliases');
  const slot = slotsOf(page, 'Drag').getByRole('button', { name: /^Change the filter/ });
  const shelf = page.getByRole('complementary', { name: 'Your filters' });
  await shelf.getByText('Lanterns').dragTo(slot);
  const draft = draftIn(slotsOf(page, 'Drag'));
  await draft.getByText('Next: Lanterns').waitFor();
  await draft.getByRole('button', { name: 'Discard' }).click();
  await draft.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await draft.getByText('All checks passed.').waitFor();
  await draft.getByRole('button', { name: 'Make live' }).click();
  await page.getByText('“Lanterns” is in the slot.').waitFor();
  assert.equal(await filterOf(id), filters.Lanterns);
  await close();
});

test('a group filter goes into a slot for one person only after a question that says what it breaks', async () => {
  const id = await makeAlias('Harbour', 'Types');
  const { page, close } = await studio.open('/studio/aliases', { width: 820 });
  const slots = slotsOf(page, 'Types');
  const choose = async (button: string) => {
    await slots.getByRole('button', { name: button }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Family party' }).click();
  };
  const question = page.getByRole('alertdialog', { name: 'This slot is for one person' });
  const draft = draftIn(slots);
  const dialog = page.getByRole('dialog', { name: 'Put “Family party” into the slot?' });
  await choose('Change the filter, now Harbour');
  await draft.getByText('Checked, with notes.').waitFor();
  await draft.getByRole('button', { name: 'Make live' }).click();
  await dialog.getByText('The slot is for one person, and this filter is for groups').waitFor();
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Not now' }).click();
  await choose('Set a safe filter');
  await question.getByRole('button', { name: 'Keep' }).click();
  await question.waitFor({ state: 'detached' });
  const kept = (await studio.account.call('GET', `/v1/aliases/${id}`)).body;
  assert.deepEqual([kept.ai_filter, kept.safe_filter], [filters.Harbour, null]);
  await draft.getByRole('button', { name: 'Make live' }).click();
  await dialog.getByRole('button', { name: 'Make live' }).click();
  await page.getByText('“Family party” is in the slot.').waitFor();
  assert.equal(await filterOf(id), filters['Family party']);
  // Back to the type that it had before, without a question.
  await slots.getByRole('button', { name: /^Put “Harbour” back/ }).click();
  await page.getByText('“Harbour” is in the slot.').waitFor();
  assert.equal(await filterOf(id), filters.Harbour);
  await close();
});

test('one click in the middle of an event switches to the safe filter, for one slot or all of a project', async () => {
  const ids = [await makeAlias('Harbour', 'Event'), await makeAlias('Lanterns', 'Event')];
  const { page, close } = await studio.open('/studio/aliases', { width: 390, dark: true });
  const event = slotsOf(page, 'Event');
  const unset = event.getByRole('button', { name: 'Set a safe filter' });
  for (const left of [1, 0]) {
    await unset.first().click();
    const dialog = page.getByRole('dialog', { name: 'Choose the safe filter' });
    await dialog.getByRole('button', { name: 'Plain portrait' }).click();
    // The dialog closes before the server has answered: until then the first button is still this slot's.
    await until(async () => (await unset.count()) === left);
  }
  await event.getByRole('button', { name: 'Switch all to safe' }).click();
  await page.getByText('2 slots have their safe filter.').waitFor();
  for (const id of ids) assert.equal(await filterOf(id), filters['Plain portrait']);
  await event.getByRole('button', { name: 'Undo the last swap' }).first().click();
  await event.getByRole('button', { name: 'Switch to safe' }).click();
  await event.getByText('On the safe filter').nth(1).waitFor();
  assert.equal(await filterOf(ids[0]!), filters['Plain portrait']);
  await close();
});

test('what somebody else puts into a slot shows by itself', async () => {
  const id = await makeAlias('Harbour', 'Live, a project with a name that is longer than a phone is wide');
  const { page, close } = await studio.open('/studio/aliases');
  const live = page.getByRole('region', { name: /^Live/ });
  await live.getByRole('heading', { name: 'Harbour' }).waitFor();
  await studio.account.call('PATCH', `/api/alias/${id}/`, { ai_filter: filters.Lanterns });
  await live.getByRole('heading', { name: 'Lanterns' }).waitFor();
  await checkAllWidths(page);
  await close();
});

test('an account without filters is told what to do first', async () => {
  const account = await studio.server.account();
  const { page, close } = await studio.open('/studio/aliases', { account });
  await page.getByRole('heading', { name: 'Make a filter first' }).waitFor();
  await close();
});
