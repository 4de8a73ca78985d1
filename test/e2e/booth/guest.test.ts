import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { GuiseError } from '@guise/client/guise-error.ts';
import { troubleOf } from '../../../packages/booth/src/guest/guest-api.ts';
import { findFfmpeg } from '../../../packages/engine/src/runtime/ffmpeg.ts';
import { request, until } from '../../../packages/server/test/support/harness.ts';
import { door } from '../../../packages/server/test/support/test-engine.ts';
import { checkAccessibility, checkComplaints, checkWidth } from '../support/page-checks.ts';
import { forAllTests } from '../support/start-pages.ts';
import { startParties } from './party.ts';

const parties = forAllTests(startParties);

const sizes = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1440, height: 900 },
] as const;
const readGuest = (token: string) =>
  request(parties.server.url, 'GET', '/v1/guest', undefined, { 'x-guest-token': token });

test('a guest waits for the picture, shares and downloads it, and deletes it on the page, the wall and the server', async () => {
  const { server } = parties;
  const party = await parties.make({ wall: 'all' });
  const { work, open, reached } = door();
  server.engine.before = async (job, context) => {
    context.progress(0.4);
    await work(job, context);
  };
  const { id, guest_token } = await party.submit({ wall: true });
  await reached;
  const { page, context, complaints } = await parties.open('/health');
  // A phone has a share sheet, and Chromium on a desk may have none.
  await context.addInitScript(`
    navigator.canShare = () => true;
    navigator.share = async ({ files }) => { globalThis.shared = [files[0].name, files[0].type, files[0].size]; };
  `);
  const answer = (await page.goto(`/g/${guest_token}`))!;
  const headers = answer.headers();
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.match(headers['x-robots-tag']!, /noindex/);
  await page.getByText('Your picture is being made').waitFor();
  await checkWidth(page);
  await checkAccessibility(page);
  open();
  server.engine.before = async () => {};
  const picture = page.getByRole('img', { name: 'The picture' });
  await picture.waitFor();
  await until(async () => (await picture.getAttribute('src'))?.startsWith('blob:') === true);

  await page.getByRole('button', { name: 'Share' }).click();
  await until(async () => (await page.evaluate('globalThis.shared')) !== undefined);
  const shared = ['Summer-gala.png', 'image/png', server.engine.result!.length];
  assert.deepEqual(await page.evaluate('globalThis.shared'), shared);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'Summer-gala.png');
  assert.deepEqual(readFileSync(await download.path()), server.engine.result);
  await page.getByText('For printing').click();
  const [print] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '4 × 6 in' }).click(),
  ]);
  assert.equal(print.suggestedFilename(), 'Summer-gala-4x6.png');
  await page.getByText(/^Kept until \w+/).waitFor();
  await page.getByText('Thank you for coming').waitFor();
  for (const size of sizes) {
    await page.setViewportSize(size);
    await checkWidth(page);
    await checkAccessibility(page);
  }

  const { wall, wallToken } = await party.links();
  const projector = await parties.open(wall, { width: 1280, height: 720 });
  await projector.page.locator('.wall-layer').waitFor();
  const { url } = (await readGuest(guest_token)).body.pictures[0];
  await page.getByRole('button', { name: 'Delete my picture' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  assert.equal(await picture.count(), 1);
  await page.getByRole('button', { name: 'Delete my picture' }).click();
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Delete my picture' }).click();
  await page.getByRole('heading', { name: 'There is nothing here any more' }).waitFor();
  assert.equal(await page.locator('img').count(), 0);
  assert.deepEqual((await readGuest(guest_token)).body.pictures, []);
  assert.deepEqual((await party.readWall(wallToken)).body.pictures, []);
  assert.equal((await fetch(url)).status, 404);
  await projector.page.getByText('The first pictures are on their way').waitFor();
  assert.deepEqual(
    (await server.blobKeys()).filter((key) => key.includes(id)),
    [],
  );
  await projector.close();
  // With its share sheet, which other tests do not have.
  await context.close();
  assert.deepEqual(complaints, []);
});

test('a living portrait plays on the page and on the wall, is shared as a video, saved as a GIF and printed', async () => {
  const { server } = parties;
  server.engine.result = await film();
  const labels = { en: 'You, moving' };
  const offers = [{ id: 'alive', kind: 'living_portrait', filter_id: 1, labels }];
  const party = await parties.make({ wall: 'all', offers });
  const { guest_token } = await party.shoot({ wall: true });
  const { page, context, complaints } = await parties.open('/health');
  await context.addInitScript(`
    navigator.canShare = () => true;
    navigator.share = async ({ files }) => { globalThis.shared = [files[0].name, files[0].type]; };
  `);
  await page.goto(`/g/${guest_token}`);
  const video = page.locator('video[loop][autoplay][playsinline]:not([controls])');
  await video.waitFor();
  assert.match((await video.getAttribute('poster'))!, /^\/files\/stills\//);
  await page.getByRole('button', { name: 'Share' }).click();
  await until(async () => (await page.evaluate('globalThis.shared')) !== undefined);
  assert.deepEqual(await page.evaluate('globalThis.shared'), ['Summer-gala.mp4', 'video/mp4']);
  const [gif] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'GIF' }).click(),
  ]);
  assert.match(gif.suggestedFilename(), /\.gif$/);
  assert.equal(readFileSync(await gif.path()).toString('latin1', 0, 6), 'GIF89a');
  await page.getByText('For printing').waitFor();
  for (const size of sizes) {
    await page.setViewportSize(size);
    await checkWidth(page);
    await checkAccessibility(page);
  }
  const projector = await parties.open((await party.links()).wall, { width: 1280, height: 720 });
  await projector.page.locator('video.wall-layer').waitFor();
  await projector.close();
  checkComplaints(complaints);
  await context.close();
});

/** A film of half a second, as an engine would make it. */
async function film(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'guise-film-'));
  try {
    const { command } = await findFfmpeg();
    const source = ['-f', 'lavfi', '-i', 'testsrc=duration=0.5:size=160x240:rate=24', '-pix_fmt', 'yuv420p'];
    await promisify(execFile)(command, ['-v', 'error', ...source, join(folder, 'film.mp4')]);
    return readFileSync(join(folder, 'film.mp4'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('links that lead nowhere are told apart, in the language and the theme of the phone', async () => {
  const party = await parties.make();
  const { guest_token } = await party.shoot({ wall: true });
  const forged = `${guest_token.slice(0, -1)}${guest_token.endsWith('B') ? 'C' : 'B'}`;
  const { page, close } = await parties.open(`/g/${forged}`, { language: 'de-AT', dark: true });
  await page.getByRole('heading', { name: 'Unter diesem Link gibt es nichts' }).waitFor();
  await checkAccessibility(page);
  assert.equal(await page.evaluate('document.documentElement.lang'), 'de-AT');
  await page.goto(`/g/${guest_token}`);
  await page.getByText('Danke, dass du da warst').waitFor();
  await page.getByText(/^Bleibt bis \w+, \d+\. /).waitFor();
  const ground = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
  const dark = await ground();
  await page.emulateMedia({ colorScheme: 'light' });
  assert.notEqual(await ground(), dark);
  await checkAccessibility(page);
  // What is over while the page is open goes when somebody looks again.
  await page.route('**/v1/guest', (route) =>
    route.fulfill({ status: 410, json: { error_code: 'GUEST_LINK_EXPIRED', error: '' } }),
  );
  await page.evaluate("dispatchEvent(new Event('online'))");
  await page.getByRole('heading', { name: 'Deine Bilder sind abgelaufen' }).waitFor();
  assert.equal(await page.locator('img').count(), 0);
  // The browser itself reports answers of 404 and 410.
  await close(/status of (404|410)/);
});

test('a proxy whose server is starting does not say that a link leads nowhere', () => {
  const answer = (code: string, status: number) => troubleOf(new GuiseError('', { code, status }));
  assert.equal(answer('HTTP_404', 404), 'away');
  assert.equal(answer('GUEST_NOT_FOUND', 404), 'unknown');
});

test('a guest with several pictures sees what failed, and deletes all at once', async () => {
  const party = await parties.make();
  const guest = randomUUID();
  const { guest_token } = await party.shoot({ wall: false }, guest);
  await party.shoot({ wall: false }, guest);
  parties.server.engine.before = async () => {
    throw new Error('broken');
  };
  await party.shoot({ wall: false }, guest);
  parties.server.engine.before = async () => {};
  const { page, close } = await parties.open(`/g/${guest_token}`, { width: 1440, height: 900, dark: true });
  await page.getByRole('heading', { name: 'Your pictures' }).waitFor();
  await page.getByText('This picture could not be made').waitFor();
  assert.equal(await page.getByRole('img', { name: 'The picture' }).count(), 2);
  await checkWidth(page);
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Delete all my pictures' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete all my pictures' }).click();
  await page.getByRole('heading', { name: 'There is nothing here any more' }).waitFor();
  assert.deepEqual((await readGuest(guest_token)).body.pictures, []);
  await close();
});

test('a gallery opens with its password and shows whom it may', async () => {
  const party = await parties.make({ gallery: 'password', gallery_password: 'champagne' });
  await party.shoot({ wall: false, gallery: true });
  await party.shoot({ wall: true, gallery: false });
  const { gallery } = await party.links();
  const { page, close } = await parties.open(gallery);
  await page.getByLabel('Password').fill('lemonade');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByText('That is not the password.').waitFor();
  await checkAccessibility(page);
  await page.getByLabel('Password').fill('champagne');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('button', { name: 'Picture 1' }).click();
  assert.equal(await page.getByRole('button', { name: 'Picture 2' }).count(), 0);
  await page.getByRole('dialog').getByRole('img', { name: 'Picture 1' }).waitFor();
  await checkWidth(page);
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // Nobody types the password again for a moment without a connection.
  await page.route('**/v1/gallery?**', (route) => route.abort());
  const isLost = page.waitForEvent('requestfailed');
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await isLost;
  await page.unroute('**/v1/gallery?**');
  const isRead = page.waitForResponse((answer) => answer.url().includes('/v1/gallery?'));
  await page.evaluate("dispatchEvent(new Event('online'))");
  assert.equal((await isRead).status(), 200);
  await page.getByRole('button', { name: 'Picture 1' }).waitFor();
  await close(/status of 401|ERR_FAILED/);
});

test('a gallery stays where its visitor was, shows each picture once, and asks again by itself without a connection', async () => {
  const party = await parties.make({ gallery: 'link' });
  await party.seed(70);
  const { gallery } = await party.links();
  const { page, close } = await parties.open('/health');
  await page.route('**/v1/gallery?**', (route) => route.abort());
  await page.goto(gallery);
  await page.getByRole('heading', { name: 'No connection' }).waitFor();
  await page.unroute('**/v1/gallery?**');
  const pictures = page.getByRole('button', { name: /^Picture \d/ });
  await until(async () => (await pictures.count()) === 60);
  // Both touches before the first answer.
  await page.evaluate(() => {
    const more = [...document.querySelectorAll('button')].find((one) => one.textContent === 'Show more')!;
    more.click();
    more.click();
  });
  await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle');
  const count = await pictures.count();
  assert.ok(count > 65 && count <= 70, `${count} pictures`);
  await page.getByRole('button', { name: 'Picture 65' }).click();
  // The guest has been in the app that the picture was shared with.
  const isRead = page.waitForResponse((answer) => answer.url().includes('cursor='));
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await (await isRead).finished();
  await page.getByRole('dialog', { name: 'Picture 65' }).waitFor();
  await close(/ERR_FAILED/);
});

test('a picture that was deleted does not come back with an answer that was on its way', async () => {
  const party = await parties.make();
  const { guest_token } = await party.shoot({ wall: true });
  const { page, close } = await parties.open(`/g/${guest_token}`);
  await page.getByRole('img', { name: 'The picture' }).waitFor();
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isHeld = false;
  await page.route('**/v1/guest', async (route) => {
    if (isHeld) return route.continue();
    isHeld = true;
    const response = await route.fetch();
    held.resolve();
    await released.promise;
    // The page may have given the request up.
    await route.fulfill({ response }).catch(() => {});
  });
  await page.evaluate("dispatchEvent(new Event('online'))");
  await held.promise;
  await page.getByRole('button', { name: 'Delete my picture' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete my picture' }).click();
  await page.getByRole('heading', { name: 'There is nothing here any more' }).waitFor();
  released.resolve();
  await page.waitForLoadState('networkidle');
  await page.getByRole('heading', { name: 'There is nothing here any more' }).waitFor();
  assert.equal(await page.getByRole('img', { name: 'The picture' }).count(), 0);
  await close(/ERR_ABORTED/);
});

test('a mail that a lost connection stopped is not told as a wrong address', async () => {
  const party = await parties.make();
  const { guest_token } = await party.shoot({ wall: true });
  const { page, close } = await parties.open('/health');
  // As an event with mail answers.
  await page.route('**/v1/guest', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    await route.fulfill({ response, json: { ...body, event: { ...body.event, mail: true } } });
  });
  await page.route('**/mail', (route) => route.abort());
  await page.goto(`/g/${guest_token}`);
  await page.getByText('Send by mail').click();
  await page.getByLabel('Email address').fill('guest@example.com');
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('That did not work. Check the connection and try again.').waitFor();
  await close(/ERR_FAILED/);
});

test('every text can be read on the colours of any event', async () => {
  for (const background of ['#c65a4a', '#8a93a0', '#f4c2c2', '#1f3d2b']) {
    const party = await parties.make({ branding: { background } });
    const { guest_token } = await party.shoot({ wall: true });
    const { page, close } = await parties.open(`/g/${guest_token}`);
    await page.getByRole('button', { name: 'Delete my picture' }).waitFor();
    await checkAccessibility(page);
    await close();
  }
});
