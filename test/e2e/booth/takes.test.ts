import assert from 'node:assert/strict';
import { test } from 'node:test';
import { samplePhotos } from '@guise/engine/samples.ts';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import type { GifFrame } from '../../../packages/booth/src/booth/moment/frame.ts';
import { writeGif } from '../../../packages/booth/src/booth/moment/write-gif.ts';
import { serveCamera } from '../../../packages/server/src/camera/camera-server.ts';
import { until } from '../../../packages/server/test/support/harness.ts';
import { door } from '../../../packages/server/test/support/test-engine.ts';
import { forAllTests } from '../support/start-pages.ts';
import {
  agree,
  checkScreens,
  code,
  makeEvent,
  newEvent,
  shoot,
  startBooths,
  startButton,
} from './open-booth.ts';

const booths = forAllTests(startBooths);
const [astronaut] = newEvent().offers;
const strip = { ...astronaut, id: 'strip', shots: 4, labels: { en: 'Strip' } };
const several = { ...astronaut, id: 'several', variations: [2, 4], labels: { en: 'Several' } };

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const jobsOf = async (event: string) =>
  (await booths.account.call('GET', `/v1/events/${event}/jobs`)).body.jobs as { id: string }[];

/** How much the flash of the screen hides of the mirror view. */
const flashOf = (page: Page) =>
  page.evaluate<number>(
    `Math.max(0, ...[...document.querySelectorAll('main .fixed')].map((one) => getComputedStyle(one).display === 'none' ? 0 : Number(getComputedStyle(one).opacity)))`,
  );

/** The photos of a strip, each after a countdown of its own. */
async function shootStrip(page: Page, count: number): Promise<void> {
  await button(page, 'Take the photo').click();
  for (let photo = 1; photo <= count; photo++) {
    await page.getByText(`Photo ${photo} of ${count}`).waitFor();
    for (const left of ['3', '2', '1']) {
      await page.getByRole('timer').getByText(left).waitFor();
      await page.clock.fastForward(1000);
    }
    if (photo === count) break;
    await page.getByText(`Photo ${photo + 1} of ${count}`).waitFor();
    await until(async () => (await flashOf(page)) === 0);
    await page.clock.fastForward(1000);
  }
}

test('a strip is taken with four photos of their own, is sent as four jobs with the code after the first, and prints as a strip', async () => {
  const { server, account, open } = booths;
  const event = await makeEvent(account, {
    offers: [strip],
    ratios: ['portrait'],
    questions: [],
    pictures_per_guest: 1,
  });
  const blank = { width: 400, height: 600, channels: 3, background: '#507090' } as const;
  server.engine.result = await sharp({ create: blank }).png().toBuffer();
  const { page, close } = await open(event);
  await startButton(page).click();
  await agree(page);
  await shootStrip(page, 4);
  await page.getByRole('img', { name: 'Your photo 4' }).waitFor();
  assert.equal(await page.getByRole('img', { name: /^Your photo \d/ }).count(), 4);
  await button(page, 'Take them again').waitFor();
  await checkScreens(page);
  const gate = door();
  server.engine.before = gate.work;
  await button(page, 'Use these photos').click();
  await code(page).waitFor();
  await gate.reached;
  assert.equal(await page.getByRole('img', { name: /^Your photo, developing \d/ }).count(), 4);
  await until(async () => (await jobsOf(event.id)).length === 4);
  await page.reload();
  await code(page).waitFor();
  gate.open();
  server.engine.before = async () => {};
  await page.getByRole('img', { name: 'Your picture 4' }).waitFor();
  await page.getByText('0 pictures left').waitFor({ state: 'detached' });
  await checkScreens(page);
  const sent = page.waitForRequest((request) => request.url().includes('/print'));
  await page.evaluate(() => {
    window.print = () => window.dispatchEvent(new Event('afterprint'));
  });
  await button(page, 'Print').click();
  const asked = new URL((await sent).url());
  assert.equal(asked.searchParams.get('layout'), 'two_strips');
  const ids = (await jobsOf(event.id)).map(({ id }) => id).toReversed();
  assert.deepEqual(
    [asked.pathname.split('/')[4], ...asked.searchParams.get('with')!.split(',')],
    ids,
    'in the order in which they were taken',
  );
  const photos = server.engine.requests.slice(-4).map(({ images }) => images[0]);
  assert.equal(new Set(photos).size, 4);
  await button(page, 'Done').click();
  await startButton(page).waitFor();
  await close();
});

test('the rest of a strip that the server took only in part is sent when it is back', async () => {
  const { account, open } = booths;
  const event = await makeEvent(account, { offers: [strip], ratios: ['portrait'], questions: [] });
  const { page, close } = await open(event);
  await startButton(page).click();
  await agree(page);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await shootStrip(page, 4);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  let sent = 0;
  await page.route('**/v1/booth/jobs', (route) => (++sent > 2 ? route.abort() : route.continue()));
  await button(page, 'Use these photos').click();
  await code(page).waitFor();
  await until(async () => sent > 2);
  assert.equal((await jobsOf(event.id)).length, 2);
  await page.unroute('**/v1/booth/jobs');
  await page.clock.fastForward(20_000);
  await until(async () => (await jobsOf(event.id)).length === 4);
  await page.getByRole('img', { name: 'Your picture 4' }).waitFor();
  await button(page, 'Done').click();
  await close(/ERR_FAILED/);
});

test('of several pictures the guest chooses one, which alone is left and printed', async () => {
  const { account, open } = booths;
  const event = await makeEvent(account, {
    offers: [several],
    ratios: ['portrait'],
    questions: [],
    pictures_per_guest: 2,
  });
  const { page, close } = await open(event);
  await startButton(page).click();
  await agree(page);
  await shoot(page);
  await button(page, 'Use this photo').click();
  await page.getByText('Which one do you like best?').waitFor();
  await checkScreens(page);
  const ids = (await jobsOf(event.id)).map(({ id }) => id).toReversed();
  assert.equal(ids.length, 3);
  await button(page, 'Picture 2').click();
  await page.getByRole('slider', { name: 'Compare before and after' }).waitFor();
  assert.deepEqual(
    (await jobsOf(event.id)).map(({ id }) => id),
    [ids[1]],
  );
  await page.reload();
  await page.getByRole('slider', { name: 'Compare before and after' }).waitFor();
  await button(page, 'Done').click();
  await close();
});

test('a guest is asked for name, number and team, is told what is wrong with them, and nothing of them stays', async () => {
  const { account, open } = booths;
  const choices = [
    { id: 'red', labels: { en: 'Reds' } },
    { id: 'blue', labels: { en: 'Blues' } },
  ];
  const event = await makeEvent(account, {
    offers: [astronaut],
    ratios: ['portrait'],
    questions: [],
    blocked_words: ['rival'],
    details: [
      { id: 'name', kind: 'text', required: true, letters: 10, labels: { en: 'Your name' } },
      { id: 'number', kind: 'number', least: 1, most: 99, labels: { en: 'Your number' } },
      { id: 'team', kind: 'choice', choices, labels: { en: 'Your team' } },
    ],
  });
  const { page, close } = await open(event);
  await startButton(page).click();
  await agree(page);
  const name = page.getByLabel('Your name');
  await name.waitFor();
  await checkScreens(page);
  await button(page, 'Next').click();
  await page.getByText('Please fill this in.').waitFor();
  await name.fill('R1val');
  await page.getByText('That cannot be used here.').waitFor();
  await name.fill('Zoë');
  await page.getByLabel('Your number').fill('100');
  await page.getByText('Please enter a number from 1 to 99.').waitFor();
  await page.getByLabel('Your number').fill('7');
  await button(page, 'Blues').click();
  await button(page, 'Next').click();
  await button(page, 'Take the photo').waitFor();
  await button(page, 'Back').click();
  assert.equal(await name.inputValue(), 'Zoë', 'what was given is still there on the way back');
  await button(page, 'Next').click();
  // The operator asks for something else meanwhile.
  await account.call('PATCH', `/v1/events/${event.id}`, { blocked_words: ['rival', 'Zoë'] });
  await shoot(page);
  await button(page, 'Use this photo').click();
  await page.getByText('Something has just changed.').waitFor();
  await name.fill('Ann');
  await button(page, 'Next').click();
  await button(page, 'Use this photo').click();
  await page.getByRole('slider').waitFor();
  const [job] = (await account.call('GET', `/v1/events/${event.id}/jobs`)).body.jobs;
  assert.deepEqual(job.details, { name: 'Ann', number: '7', team: 'blue' });
  await button(page, 'Done').click();
  await startButton(page).click();
  await agree(page);
  assert.equal(await name.inputValue(), '');
  await button(page, 'Stop').click();
  await close(/422/);
});

/** A photo as a browser reads it from a canvas, moved sideways. */
async function frameOf(file: string, left: number): Promise<GifFrame> {
  const cut = sharp(file).rotate().resize(400, 400, { fit: 'cover' });
  const { data, info } = await sharp(await cut.png().toBuffer())
    .extract({ left, top: 0, width: 320, height: 400 })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data: new Uint8ClampedArray(data), width: info.width, height: info.height };
}

test('the shots become a GIF that goes forwards and backwards and looks like them', async () => {
  const frames = await Promise.all([0, 20, 40, 60, 80].map((left) => frameOf(samplePhotos.onePerson, left)));
  const gif = writeGif(frames);
  const { pages, width, pageHeight, loop, delay } = await sharp(gif, { animated: true }).metadata();
  assert.deepEqual([pages, width, pageHeight, loop], [8, 320, 400, 0]);
  assert.equal(delay![0], 130);
  assert.ok(gif.length < 1_500_000, `${gif.length} bytes`);
  for (const [page, frame] of [0, 1, 2, 3, 4, 3, 2, 1].entries()) {
    const shown = await sharp(gif, { page }).removeAlpha().raw().toBuffer();
    const { data } = frames[frame]!;
    let off = 0;
    for (let i = 0; i < shown.length; i++)
      off += Math.abs(shown[i]! - data[4 * Math.floor(i / 3) + (i % 3)]!);
    assert.ok(off / shown.length < 7, `page ${page} is off by ${off / shown.length}`);
  }
  // One colour alone, and noise that fills the table of sequences.
  const plain = { data: new Uint8ClampedArray(4 * 64 * 64).fill(200), width: 64, height: 64 };
  const noise = { ...plain, data: plain.data.map((_, i) => (i * 7919) % 251) };
  for (const frame of [plain, noise])
    assert.equal((await sharp(writeGif([frame]), { animated: true }).metadata()).width, 64);
});

test('the moment moves on the guest’s page before the picture is made, where the event says so', async () => {
  const { server, account, open } = booths;
  const event = await makeEvent(account, {
    offers: [astronaut],
    ratios: ['portrait'],
    questions: [],
    moments: true,
  });
  const { page, context, close } = await open(event);
  await startButton(page).click();
  await page.getByText(/kept with your picture, as a small moving picture/).waitFor();
  await agree(page);
  await shoot(page);
  const gate = door();
  server.engine.before = gate.work;
  const sent = page.waitForResponse((answer) => answer.url().endsWith('/moment'));
  const answered = page.waitForResponse((answer) => answer.url().endsWith('/v1/booth/jobs'));
  await button(page, 'Use this photo').click();
  const started = (await (await answered).json()) as { guest_url: string };
  await code(page).waitFor();
  assert.equal((await sent).status(), 204);
  const [job] = await jobsOf(event.id);
  assert.ok((await server.blobKeys()).includes(`moments/${job!.id.slice(-2)}/${job!.id}.gif`));
  const phone = await context.newPage();
  await phone.goto(new URL(started.guest_url).pathname);
  const moment = phone.getByRole('img', { name: 'The moment as a moving picture' });
  await moment.waitFor();
  assert.ok(
    await moment.evaluate((one: HTMLImageElement) => one.decode().then(() => one.naturalWidth > 200)),
  );
  await phone.getByText('Your picture is being made').waitFor();
  await phone.close();
  gate.open();
  server.engine.before = async () => {};
  await page.getByRole('slider').waitFor();
  await button(page, 'Done').click();
  await close();
});

test('the photo is of the camera program of the machine where there is one, and of the mirror view where it gives none', async () => {
  const { server, account, open } = booths;
  const event = await makeEvent(account, { offers: [astronaut], ratios: ['portrait'], questions: [] });
  const { page, close } = await open(event);
  let isBroken = false;
  const camera = {
    name: 'test',
    async shoot() {
      if (isBroken) throw new Error('no focus');
      return sharp(samplePhotos.onePerson).resize(777, 999, { fit: 'cover' }).jpeg().toBuffer();
    },
  };
  const program = await serveCamera({ camera, origin: server.url, port: 0, report() {} });
  const setUpWith = async (address: string) => {
    await page.evaluate(`{
      const station = JSON.parse(localStorage['guise-booth']);
      station.setUp.cameraProgram = ${JSON.stringify(address)};
      localStorage['guise-booth'] = JSON.stringify(station);
    }`);
    await page.reload();
  };
  const sizeOfPhoto = async () => {
    await startButton(page).click();
    await agree(page);
    await shoot(page);
    const photo = page.getByRole('img', { name: 'Your photo' });
    const size = await photo.evaluate((one: HTMLImageElement) => [one.naturalWidth, one.naturalHeight]);
    await button(page, 'Stop').click();
    return size;
  };
  await setUpWith(program.url);
  assert.deepEqual(await sizeOfPhoto(), [777, 999]);
  isBroken = true;
  assert.notDeepEqual(await sizeOfPhoto(), [777, 999]);
  await setUpWith('');
  await program.stop();
  await close(/other host: http:\/\/127\.0\.0\.1|503/);
});
