import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { door, tinyPng } from '../../../packages/server/test/support/test-engine.ts';
import { checkAccessibility, checkWidth, widths } from '../support/page-checks.ts';
import { forAllTests } from '../support/start-pages.ts';
import { startStudio } from './open-studio.ts';

const photo = new URL('../../../catalog/samples/astronaut.jpg', import.meta.url).pathname;

let filterId: string;
const studio = forAllTests(
  () => startStudio({ testsPerMinute: 0 }),
  async ({ account }) => {
    const { body } = await account.call('POST', '/v1/users/me/my-custom-filters', {
      name: 'Harbour at dusk',
      filter_type: 'face_swap',
      definition: { kind: 'prompt', prompt: 'a harbour' },
    });
    filterId = body.id;
  },
);

/** A link for guests: its id, and the path of its page. */
async function makeLink(runs = 3): Promise<{ id: string; path: string }> {
  const { status, body } = await studio.account.call('POST', '/v1/quick_test_links', {
    filter_id: filterId,
    name: 'Lakeside hotel',
    runs,
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  assert.equal(status, 201);
  return { id: body.id, path: new URL(body.url).pathname };
}

for (const width of widths) {
  test(`a guest without an account makes a picture of a photo and downloads it, at ${width} px`, async () => {
    const { path } = await makeLink();
    const { page, close } = await studio.open(path, { width, guest: true, dark: width === 820 });
    await page.getByRole('heading', { name: 'Harbour at dusk' }).waitFor();
    await page.getByText('3 tries left').waitFor();
    await checkWidth(page);
    await checkAccessibility(page);
    await page.locator('input[type=file]').setInputFiles(photo);
    await page.getByRole('button', { name: 'Woman', exact: true }).click();
    const { work, open, reached } = door();
    studio.server.engine.before = work;
    await page.getByRole('button', { name: 'Make my picture' }).click();
    await reached;
    await page.getByRole('progressbar', { name: 'Making your picture' }).waitFor();
    await checkAccessibility(page);
    open();
    studio.server.engine.before = async () => {};
    await page.getByRole('img', { name: 'Your picture' }).waitFor();
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('slider', { name: 'Compare before and after' }).waitFor();
    await page.getByText('2 tries left').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ]);
    assert.deepEqual(readFileSync(await download.path()).subarray(0, 8), tinyPng.subarray(0, 8));
    await checkWidth(page);
    await close();
  });
}

test('a guest takes a photo with the camera, and the last try ends the link with a sentence', async () => {
  const { path } = await makeLink(1);
  const { page, close } = await studio.open(path, { width: 390, guest: true });
  await page.getByRole('button', { name: 'Take a photo' }).click();
  await page.getByRole('button', { name: 'Take the photo' }).click();
  await page.getByRole('button', { name: 'Man', exact: true }).click();
  await page.getByRole('button', { name: 'Make my picture' }).click();
  await page.getByRole('link', { name: 'Download' }).waitFor();
  await page.getByText('All tries of this link are used up. Ask for a new one.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Take another' }).count(), 0);
  await close();
});

test('a photo that cannot be used says why and gives the try back', async () => {
  const { path } = await makeLink(1);
  const { page, close } = await studio.open(path, { guest: true });
  studio.server.engine.before = async () => {
    throw new Error('no face');
  };
  await page.locator('input[type=file]').setInputFiles(photo);
  await page.getByRole('button', { name: 'Girl', exact: true }).click();
  await page.getByRole('button', { name: 'Make my picture' }).click();
  await page.getByRole('alert').waitFor();
  studio.server.engine.before = async () => {};
  await page.getByText('1 try left').waitFor();
  await page.getByRole('button', { name: 'Make my picture' }).click();
  await page.getByRole('link', { name: 'Download' }).waitFor();
  await close();
});

test('a link that was removed, or never was, says so in one sentence and asks for no account', async () => {
  const { id, path } = await makeLink();
  await studio.account.call('DELETE', `/v1/quick_test_links/${id}`);
  const { page, close } = await studio.open(path, { width: 390, guest: true });
  await page.getByRole('heading', { name: 'This link is not valid. Ask for a new one.' }).waitFor();
  assert.equal(await page.getByRole('button').count(), 0);
  // The browser's console names the refusal, which is what this test is about.
  await close(/status of 404/);
});

test('the owner sees the run of a guest under the name of its link, not as a run of the studio', async () => {
  const { path } = await makeLink();
  const guest = await studio.open(path, { guest: true });
  await guest.page.locator('input[type=file]').setInputFiles(photo);
  await guest.page.getByRole('button', { name: 'Woman', exact: true }).click();
  await guest.page.getByRole('button', { name: 'Make my picture' }).click();
  await guest.page.getByRole('link', { name: 'Download' }).waitFor();
  await guest.close();
  const { page, close } = await studio.open('/studio/jobs?view=list');
  await page.getByText('Quick test link Lakeside hotel').first().waitFor();
  assert.equal(await page.getByText('Studio', { exact: true }).count(), 0);
  await page.goto('/studio/usage');
  await page
    .getByRole('table', { name: 'By key' })
    .getByText('Quick test link Lakeside hotel')
    .first()
    .waitFor();
  await close();
});
