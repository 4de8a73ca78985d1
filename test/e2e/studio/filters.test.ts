import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { until } from '../../../packages/server/test/support/harness.ts';
import { checkAccessibility, checkWidth, sizeOfWidth, widths } from '../support/page-checks.ts';
import { forAllTests } from '../support/start-pages.ts';
import { startStudio } from './open-studio.ts';

const path = '/v1/users/me/my-custom-filters';

const studio = forAllTests(() => startStudio({ testsPerMinute: 0 }));

const choose = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function makeFilter(name: string): Promise<string> {
  const { status, body } = await studio.account.call('POST', path, {
    name,
    filter_type: 'face_swap',
    definition: { kind: 'prompt', prompt: 'a castle' },
  });
  assert.equal(status, 201);
  return body.id;
}

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
  await page.getByLabel('Name', { exact: true }).fill('Harbour bank');
  await page.getByLabel('Runs').fill('5');
  await choose(page, 'Make a link');
  await choose(page, 'Copy the link');
  assert.match(
    await page.evaluate<string>('navigator.clipboard.readText()'),
    /\/studio\/quick-test\/[\w-]{20}/,
  );
  await page.getByText(/^0 of 5 runs used/).waitFor();
  await checkAccessibility(page);
  await choose(page, 'Revoke');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText(/^0 of 5 runs used/).waitFor({ state: 'detached' });
  await close();
});

test('the catalogs and the creator fit all screens, in the dark too', async () => {
  const { page, close } = await studio.open('/studio/filters?show=realistic', { dark: true });
  const onAllScreens = async (check: () => Promise<void>) => {
    for (const width of widths) {
      await page.setViewportSize(sizeOfWidth(width));
      await check();
      await checkWidth(page);
    }
  };
  await onAllScreens(async () => {
    await page
      .getByRole('button', { name: /Number 1/ })
      .first()
      .waitFor();
    await checkAccessibility(page);
  });
  await page.getByLabel('Search by name').fill('no such filter');
  await page.getByText('No filter matches').waitFor();
  await page.getByRole('link', { name: 'New filter' }).click();
  await choose(page, 'Scene');
  await page
    .getByRole('region', { name: 'Scene' })
    .getByRole('button', { name: /^Mountain lake/ })
    .click();
  await onAllScreens(() => page.getByRole('button', { name: /^One person: compare/ }).waitFor());
  await close();
});

test('a backdrop becomes a scene: people are placed, a table is painted, and a filter is made of it', async () => {
  const { page, close } = await studio.open('/studio/scenes');
  const backdrop = await sharp(
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="1500" height="1000"><rect width="1500" height="450" fill="#9cc4ea"/><rect y="450" width="1500" height="550" fill="#8a6a40"/></svg>',
    ),
  )
    .jpeg()
    .toBuffer();
  const file = { name: 'Our beach.jpg', mimeType: 'image/jpeg', buffer: backdrop };
  await page.getByLabel('Upload a backdrop').setInputFiles(file);
  await page.getByRole('heading', { name: 'Our beach' }).waitFor();
  await page.getByAltText('Two people in the scene').waitFor();
  await page.getByText('Fair').first().waitFor();
  await checkAccessibility(page);

  // Sliders and lines change the same.
  await page.getByLabel('Size').press('ArrowRight');
  await page
    .getByText('Horizon', { exact: true })
    .first()
    .dragTo(page.getByText('Floor', { exact: true }).first());
  await choose(page, 'Paint what is in front');
  const canvas = page.getByLabel(/^Foreground/);
  await canvas.press('ArrowDown');
  await canvas.press(' ');
  await choose(page, 'Undo');
  await canvas.hover();
  await page.mouse.down();
  await page.mouse.move(700, 400);
  await page.mouse.up();
  // What a line goes around is filled.
  await choose(page, 'Outline');
  const { width: across, height: down } = (await canvas.boundingBox())!;
  // Hovering scrolls to it: the tools may be below the window.
  const moveTo = (toX: number, toY: number) => canvas.hover({ position: { x: toX * across, y: toY * down } });
  await moveTo(0.7, 0.3);
  await page.mouse.down();
  await moveTo(0.9, 0.3);
  await moveTo(0.9, 0.6);
  await moveTo(0.7, 0.6);
  await page.mouse.up();
  const alphaAt = (atX: number, atY: number) =>
    canvas.evaluate(
      (element, [x, y]) => {
        const painted = element as HTMLCanvasElement;
        const { width, height } = painted;
        const context = painted.getContext('2d')!;
        return context.getImageData(x * width, y * height, 1, 1).data[3]!;
      },
      [atX, atY] as const,
    );
  await until(async () => (await alphaAt(0.8, 0.45)) > 250);
  assert.equal(await alphaAt(0.65, 0.45), 0);
  for (const width of widths) {
    await page.setViewportSize(sizeOfWidth(width));
    await checkWidth(page);
    await checkAccessibility(page);
  }
  await choose(page, 'Save');
  await page.getByText('Our beach is saved.').waitFor();
  const { body: list } = await studio.account.call('GET', '/v1/scenes');
  const { body: scene } = await studio.account.call('GET', `/v1/scenes/${list.scenes[0].id}`);
  assert.ok(scene.settings.horizon > scene.found.horizon, 'the line was dragged');
  assert.ok(scene.settings.people.face > scene.found.people.face);
  assert.notEqual(scene.foreground_url, null);

  await choose(page, 'Make a filter of it');
  await page.getByText('The filter Our beach is saved.').waitFor();
  await page.getByRole('heading', { name: 'Our beach', exact: true }).waitFor();
  await close();
});
