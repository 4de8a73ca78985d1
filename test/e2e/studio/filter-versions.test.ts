import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
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
  await page.getByRole('button', { name: /^Save as version/ }).click();
  await page.getByText('This filter was changed elsewhere meanwhile').waitFor();
  assert.equal(await page.getByLabel('In words').inputValue(), 'mine');
  assert.equal((await read(id)).definition.prompt, 'theirs');
  await checkAccessibility(page);
  await choose(page, 'Keep mine');
  await page.getByText('Saved as version 3.').waitFor();
  assert.equal((await read(id)).definition.prompt, 'mine');

  await page.getByLabel('In words').fill('mine again');
  await studio.account.call('PATCH', `${path}/${id}`, { definition: prompt('theirs again') });
  await page.getByRole('button', { name: /^Save as version/ }).click();
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
  await page.getByText('Version 1 is restored as version 3.').waitFor();
  assert.equal((await read(id)).definition.prompt, 'first words');
  await choose(page, 'Undo');
  await page.getByText('Version 2 is restored as version 4.').waitFor();
  assert.equal((await read(id)).definition.prompt, 'second words');
  await checkAccessibility(page);
  await choose(page, 'Mark ready');
  await page.getByText('Version 4 is ready.').waitFor();
  const { ready, ready_by } = await read(id);
  assert.deepEqual([ready, ready_by], [true, studio.account.email]);
  await close();
});
