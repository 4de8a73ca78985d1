import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { cannotMake } from '../../../packages/server/src/engines/engine.ts';
import { until } from '../../../packages/server/test/support/harness.ts';
import { checkAccessibility } from '../support/page-checks.ts';
import { forAllTests } from '../support/start-pages.ts';
import { startStudio } from './open-studio.ts';

const path = '/v1/users/me/my-custom-filters';

const studio = forAllTests(() => startStudio({ testsPerMinute: 0 }));

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

test('a change that meets a newer version overwrites nothing before the person has said which to keep', async () => {
  const id = await makeFilter('Shared');
  const { page, close } = await studio.open(`/studio/filters/${id}`);
  await page.getByLabel('In words').fill('mine');
  await studio.account.call('PATCH', `${path}/${id}`, { definition: prompt('theirs') });
  await choose(page, 'Save draft');
  await page.getByText('This filter was changed elsewhere meanwhile').waitFor();
  assert.equal(await page.getByLabel('In words').inputValue(), 'mine');
  assert.equal((await read(id)).definition.prompt, 'theirs');
  await checkAccessibility(page);
  await choose(page, 'Keep mine');
  await page.getByText('Saved as draft, version 3. Guests still get version 2.').waitFor();
  assert.equal((await read(id)).definition.prompt, 'theirs', 'nothing goes live by saving');

  await page.getByLabel('In words').fill('mine again');
  await studio.account.call('POST', `${path}/${id}/drafts`, { definition: prompt('theirs again') });
  await choose(page, 'Save draft');
  await choose(page, 'Load the newer one');
  await until(async () => (await page.getByLabel('In words').inputValue()) === 'theirs again');
  // The browser's console names the refusal, which is what this test is about.
  await close(/status of 412/);
});

test('an older version comes back as the newest, and that can be undone; ready is said by a person', async () => {
  const id = await makeFilter('Tour', prompt('first words'));
  await studio.account.call('PATCH', `${path}/${id}`, { definition: prompt('second words'), note: 'darker' });
  const { page, close } = await studio.open(`/studio/filters/${id}`);
  await choose(page, 'Versions');
  await page.getByText('darker').waitFor();
  await choose(page, 'Go back to version 1');
  await page.getByText('No slot or event uses this filter').waitFor();
  await choose(page, 'Make live');
  await page.getByText('Version 1 is live again, as version 3.').waitFor();
  assert.equal((await read(id)).definition.prompt, 'first words');
  await choose(page, 'Undo');
  await page.getByText('Version 2 is live again, as version 4.').waitFor();
  assert.equal((await read(id)).definition.prompt, 'second words');
  await checkAccessibility(page);
  await choose(page, 'Mark ready');
  await page.getByText('Version 4 is ready.').waitFor();
  const { ready, ready_by } = await read(id);
  assert.deepEqual([ready, ready_by], [true, studio.account.email]);
  await close();
});

test('a draft is checked by itself, goes live after saying which slots and events change, and comes back in one click', async () => {
  const id = await makeFilter('Gala', prompt('a castle'));
  await studio.account.call('POST', '/api/alias/', { ai_filter: id, project: 'Summer tour' });
  const inHours = (hours: number) => new Date(Date.now() + hours * 3600_000).toISOString();
  const offers = [{ id: 'one', kind: 'single', filter_id: id, labels: { en: 'One' } }];
  const evening = { name: 'Harbour evening', starts_at: inHours(-1), ends_at: inHours(3), offers };
  assert.equal((await studio.account.call('POST', '/v1/events', evening)).status, 201);
  const { page, close } = await studio.open(`/studio/filters/${id}`);
  await page.getByLabel('In words').fill('an astronaut with qwrtzp');
  await choose(page, 'Save draft');
  const draft = page.getByRole('region', { name: 'Draft' });
  await draft.getByText('Version 2 is a draft. Guests get version 1.').waitFor();
  await draft.getByText('Checked. Read what was found').waitFor();
  await draft.getByText('Something that belongs to nobody is in the picture.').first().waitFor();
  assert.equal(await draft.getByRole('listitem').count(), 5);
  assert.equal((await read(id)).definition.prompt, 'a castle');
  await checkAccessibility(page);
  await page.reload();
  assert.equal(await page.getByLabel('In words').inputValue(), 'an astronaut with qwrtzp', 'it is saved');

  await draft.getByRole('button', { name: 'Make live' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Slot in Summer tour').waitFor();
  await dialog.getByText('Event Harbour evening').waitFor();
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Make live' }).click();
  await page.getByText('Version 2 is live.', { exact: true }).waitFor();
  assert.equal((await read(id)).definition.prompt, 'an astronaut with qwrtzp');
  await draft.waitFor({ state: 'detached' });
  await choose(page, 'Undo');
  await page.getByText('Version 1 is live again, as version 3.').waitFor();
  assert.equal((await read(id)).definition.prompt, 'a castle');
  await choose(page, 'Used by');
  await page.getByText('Runs version 3').first().waitFor();

  await page.goto('/studio/aliases');
  await page.getByText('Version 3', { exact: true }).waitFor();
  await close();
});

test('a draft that cannot work has no way to go live; it is put away and opened again', async () => {
  const { engine } = studio.server;
  engine.before = async () => {
    throw cannotMake('No face was found in the photo.');
  };
  const id = await makeFilter('Broken');
  const { page, close } = await studio.open(`/studio/filters/${id}`, { width: 390, dark: true });
  await page.getByLabel('In words').fill('nobody at all');
  await choose(page, 'Save draft');
  const draft = page.getByRole('region', { name: 'Draft' });
  await draft.getByText('This draft cannot go live.').waitFor();
  await draft.getByText('No face was found in the photo.').first().waitFor();
  assert.ok(await draft.getByRole('button', { name: 'Make live' }).isDisabled());
  await checkAccessibility(page);
  engine.before = async () => {};
  await draft.getByRole('button', { name: 'Check again' }).click();
  await draft.getByText('Checked. Read what was found').waitFor();
  await draft.getByRole('button', { name: 'Discard draft' }).click();
  await draft.waitFor({ state: 'detached' });
  await until(async () => (await page.getByLabel('In words').inputValue()) === 'a castle');
  await choose(page, 'Versions');
  await choose(page, 'Open draft 2');
  await draft.waitFor();
  await choose(page, 'Definition');
  assert.equal(await page.getByLabel('In words').inputValue(), 'nobody at all');
  // Its tests are refused too, which the browser's console names.
  await close(/status of 422/);
});
