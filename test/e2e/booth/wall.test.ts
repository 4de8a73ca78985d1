import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layoutFor } from '../../../packages/booth/src/wall/wall-layout.ts';
import { emptyRotation, turned, withPictures } from '../../../packages/booth/src/wall/wall-rotation.ts';
import { until } from '../../../packages/server/test/support/harness.ts';
import { checkAccessibility, checkWidth } from '../support/page-checks.ts';
import { forAllTests } from '../support/start-pages.ts';
import { startParties } from './party.ts';

const parties = forAllTests(startParties);

const projector = { width: 1920, height: 1080 };
const screens = [projector, { width: 1080, height: 1920 }, { width: 1280, height: 800 }];

test('cells fill every screen near the shape of the pictures, for any number of them', () => {
  for (const screen of screens) {
    for (const shape of [0.67, 0.8, 1, 1.5]) {
      for (const count of [1, 2, 3, 5, 9, 20, 60, 500]) {
        const { columns, rows, cells } = layoutFor(screen, count, shape);
        const cellShape = screen.width / columns / (screen.height / rows);
        assert.ok(cells >= 1 && cells <= Math.min(count, 28), `${cells} cells for ${count}`);
        if (count >= 20) assert.ok(Math.abs(Math.log(cellShape / shape)) < 0.4, `${cellShape} for ${shape}`);
      }
    }
  }
});

test('a new picture has the first cell at its turn, everybody is seen in the end, and what is erased is in no cell', () => {
  const ids = Array.from({ length: 40 }, (_, at) => `p${String(39 - at).padStart(2, '0')}`);
  let rotation = withPictures(emptyRotation, ids, 6);
  assert.deepEqual(rotation.cells, ids.slice(0, 6));
  const seen = new Set<string | null>(rotation.cells);
  for (let turn = 0; turn < 120; turn++) {
    rotation = turned(rotation);
    for (const id of rotation.cells) seen.add(id);
    assert.equal(new Set(rotation.cells).size, 6, 'nobody twice');
  }
  assert.equal(seen.size, 40);
  const [first] = rotation.cells;
  rotation = turned(withPictures(rotation, ['p99', ...ids], 6));
  assert.equal(rotation.cells[0], 'p99');
  assert.ok(rotation.cells.includes(first!), 'what was there goes on in another cell');
  const left = ids.filter((id) => !rotation.cells.includes(id));
  rotation = withPictures(rotation, left, 6);
  assert.ok(rotation.cells.every((id) => id !== null && left.includes(id)));
  rotation = withPictures(rotation, left.slice(0, 2), 6);
  assert.deepEqual(rotation.cells.filter((id) => id !== null).sort(), left.slice(0, 2).sort());
});

test('pictures come to the wall and go from it live, also after a lost connection, until the link ends', async () => {
  const party = await parties.make({ wall: 'approved' });
  const { wall } = await party.links();
  const { page, context, close } = await parties.open(wall, projector);
  await page.getByText('The first pictures are on their way').waitFor();
  await checkAccessibility(page);
  const approve = (id: string, approval: string) =>
    parties.account.call('PATCH', `${party.path}/pictures/${id}`, { approval });
  const shown = page.locator('.wall-layer');
  const first = await party.shoot({ wall: true });
  const refused = await party.shoot({ wall: false });
  assert.equal(await shown.count(), 0);
  await approve(refused.id, 'approved');
  await approve(first.id, 'approved');
  await shown.waitFor();
  assert.equal(await page.evaluate('getComputedStyle(document.documentElement).cursor'), 'none');
  assert.equal((await page.locator('main').innerText()).trim(), '');
  for (const screen of screens) {
    await page.setViewportSize(screen);
    await checkWidth(page);
  }
  await checkAccessibility(page);

  await context.setOffline(true);
  const second = await party.shoot({ wall: true });
  await approve(second.id, 'approved');
  assert.equal(await shown.count(), 1);
  await context.setOffline(false);
  await until(async () => (await shown.count()) === 2);
  await approve(first.id, 'hidden');
  await until(async () => (await shown.count()) === 1);
  await parties.account.call('POST', `${party.path}/links`);
  await page.getByRole('heading', { name: 'There is no wall at this link' }).waitFor();
  assert.equal(await shown.count(), 0);
  await close(/INTERNET_DISCONNECTED|status of 404/);
});

test('what is shown stays while pictures cannot be loaded, also in another layout', async () => {
  const party = await parties.make({ wall: 'all' });
  const { wall } = await party.links();
  const { page, close } = await parties.open(wall, projector);
  await party.shoot({ wall: true });
  await page.locator('.wall-layer').waitFor();
  await page.route(/\/[^/]*\.png/, (route) => route.abort());
  await party.shoot({ wall: true });
  await until(async () => (await page.locator('.wall-cell').count()) === 2);
  assert.equal(await page.locator('.wall-layer').count(), 1);
  await close(/ERR_FAILED/);
});

test('a wall of 500 pictures holds as many of them as there are cells', async () => {
  const party = await parties.make({ wall: 'all', gallery: 'link', questions: [] });
  await party.seed(520);
  const { wall } = await party.links();
  const { page, close } = await parties.open(wall, projector);
  const { cells } = layoutFor(projector, 500, 0.8);
  await until(async () => (await page.locator('.wall-layer').count()) >= cells);
  await page.getByRole('img', { name: 'All pictures on your phone' }).waitFor();
  assert.equal(await page.locator('.wall-spotlight').count(), 0, 'what is there at the start has not come');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const newest = await party.shoot({});
  // Before all others for a moment.
  const spotlight = page.locator('.wall-spotlight img');
  await spotlight.waitFor();
  assert.match((await spotlight.getAttribute('src')) ?? '', new RegExp(newest.id));
  await spotlight.waitFor({ state: 'detached' });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  // In the large cell, as the picture itself and not as its thumbnail.
  const large = page.locator('.wall-cell').first().locator('img').last();
  await until(async () => (await large.getAttribute('src'))?.includes(`${newest.id}-1.png`) === true);
  assert.ok((await page.locator('img').count()) <= 2 * cells);
  await close();
});
