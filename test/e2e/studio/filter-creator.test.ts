import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { door } from '../../../packages/server/test/support/test-engine.ts';
import { checkAccessibility } from '../support/page-checks.ts';
import { forAllTests } from '../support/start-pages.ts';
import { startStudio } from './open-studio.ts';

const catalogFile = (path: string) => new URL(`../../../catalog/${path}`, import.meta.url).pathname;

const studio = forAllTests(() => startStudio({ testsPerMinute: 0 }));

const choose = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

const read = async (id: string) =>
  (await studio.account.call('GET', `/v1/users/me/my-custom-filters/${id}`)).body;

/** The tests that a page asks for from now on. The engine's requests would be those of other pages too. */
function collectTests(page: Page): string[] {
  const bodies: string[] = [];
  page.on('request', (sent) => {
    if (sent.url().endsWith('/v1/filter_drafts/test')) bodies.push(sent.postData() ?? '');
  });
  return bodies;
}

test('a filter is made from words that the page completes, tried on people, saved and listed', async () => {
  const { page, close } = await studio.open('/studio/filters');
  await page.getByRole('link', { name: 'New filter' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Winter market');
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
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
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
  const { page, close } = await studio.open('/studio/filters/new');
  const tests = collectTests(page);
  await page.getByLabel('In words').fill('a castle');
  await reached;
  await choose(page, 'Stop');
  await page.getByText('Stopped').first().waitFor();
  open();
  await page.getByLabel('In words').pressSequentially(' in the snow', { delay: 5 });
  await page.getByText('a thing').first().waitFor();
  const prompts = tests.map((body) => JSON.parse(body).definition.prompt);
  assert.deepEqual([...new Set(prompts)], ['a castle', 'a castle in the snow']);
  await page.evaluate('window.onbeforeunload = null');
  await close();
});

test('a scene filter is put together from walls of pictures', async () => {
  const { page, close } = await studio.open('/studio/filters/new');
  await page.getByLabel('Name', { exact: true }).fill('Knight of the lake');
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
    await page
      .getByRole('region', { name: 'Parts' })
      .getByRole('button', { name: new RegExp(`^${part}`) })
      .click();
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
  await page.getByLabel('Name', { exact: true }).fill('Poster');
  await choose(page, 'Picture');
  await page.locator('input[type=file]').first().setInputFiles(catalogFile('samples/two-people.jpg'));
  await page.getByText('too small').waitFor();
  await page.getByText('A sentence.').waitFor();
  await page.getByText('a thing').first().waitFor();
  await choose(page, 'Save filter');
  await page.getByText('One person · version 1').waitFor();
  await page.getByRole('img', { name: /^Template picture/ }).waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Poster of the year');
  await choose(page, 'Save draft');
  // The message of it goes after a while; the draft stays.
  await page.getByText('Version 2 is a draft. Guests get version 1.').waitFor();
  await close();
});

test('a template without a usable face is told before Save and cannot be saved; the reason is beside the button', async () => {
  const { checkTemplate } = studio.server.engine;
  const noFace = 'There is no face in this picture.';
  studio.server.engine.checkTemplate = async () => ({ width: 9, height: 9, faces: [], warnings: [noFace] });
  const { page, close } = await studio.open('/studio/filters/new', { width: 820 });
  const tests = collectTests(page);
  await choose(page, 'Picture');
  await choose(page, 'Save filter');
  const reason = page.getByRole('region', { name: 'Not saved' });
  await reason.getByText('Give the filter a name.').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Meadow');
  const file = page.locator('input[type=file]').first();
  await file.setInputFiles(catalogFile('samples/two-people.jpg'));
  await page.getByRole('alert').getByText(noFace).waitFor();
  await reason.waitFor({ state: 'detached' });
  await page.evaluate('window.scrollTo(0, 9999)');
  await choose(page, 'Save filter');
  await reason.getByText('No face in the template picture can be replaced.').waitFor();
  const isSeen = await reason.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return element === document.activeElement && top >= 0 && bottom <= innerHeight;
  });
  assert.ok(isSeen, 'the reason has the focus and is in the window');
  await checkAccessibility(page);
  const again = page.getByRole('button', { name: 'Again', exact: true });
  assert.ok(await again.isDisabled(), 'it cannot be tested either');
  assert.equal(tests.length, 0);
  studio.server.engine.checkTemplate = checkTemplate!;
  await file.setInputFiles(catalogFile('samples/astronaut.jpg'));
  await page.getByText('A sentence.').waitFor();
  assert.equal(await reason.count(), 0, 'it goes with its cause');
  await page.getByText('a thing').first().waitFor();
  await choose(page, 'Save filter');
  await page.getByText('One person · version 1').waitFor();
  await close();
});

test('a workflow is dropped in, its bindings are suggested and can be picked anew', async () => {
  const { page, close } = await studio.open('/studio/filters/new');
  await page.getByLabel('Name', { exact: true }).fill('From ComfyUI');
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
