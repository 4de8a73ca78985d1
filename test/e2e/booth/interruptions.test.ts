import assert from 'node:assert/strict';
import { test } from 'node:test';
import { samplePhotos } from '@guise/engine/samples.ts';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { serveCamera } from '../../../packages/server/src/camera/camera-server.ts';
import { until } from '../../../packages/server/test/support/harness.ts';
import { forAllTests } from '../support/start-pages.ts';
import {
  agree,
  code,
  makeEvent,
  newEvent,
  openBooth,
  pin,
  shoot,
  startBooths,
  startButton,
  walkToCamera,
} from './open-booth.ts';

const booths = forAllTests(startBooths);
const [astronaut] = newEvent().offers;
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const question = (page: Page) => page.getByRole('alertdialog', { name: 'Still there?' });

test('the touch that answers whether a guest is still there touches nothing else', async () => {
  const { account, open } = booths;
  const { page, close } = await open(await makeEvent(account));
  await startButton(page).click();
  await agree(page);
  await button(page, 'All of us').waitFor();
  await page.clock.fastForward(36_000);
  await question(page).waitFor();
  // What lies below is as large as half of the screen.
  const { x, y, width, height } = (await button(page, 'I am still here').boundingBox())!;
  await page.touchscreen.tap(x + width / 2, y + height / 2);
  await question(page).waitFor({ state: 'detached' });
  assert.ok(await button(page, 'All of us').isVisible());
  assert.equal(await button(page, 'Take the photo').count(), 0);
  assert.equal(await button(page, 'Astronaut').count(), 0);
  await close();
});

test('a guest who walks away is forgotten, also when the clock of the tablet is set back meanwhile', async () => {
  const { account, open } = booths;
  const { page, close } = await open(await makeEvent(account));
  await startButton(page).click();
  await page.getByText('I agree').waitFor();
  await page.clock.setSystemTime(Date.now() - 24 * 3600_000);
  await page.clock.fastForward(47_000);
  await startButton(page).waitFor();
  await close();
});

test('a language that somebody chose who went on is not that of everybody after', async () => {
  const { account, open } = booths;
  const { page, close } = await open(await makeEvent(account));
  await button(page, 'Deutsch').click();
  await page.getByText('Willkommen').waitFor();
  await page.clock.fastForward(30_000);
  await page.getByText('Willkommen').waitFor();
  await page.clock.fastForward(17_000);
  await page.getByText('Touch to start').waitFor();
  assert.equal(await question(page).count(), 0);
  await close();
});

/** The camera is pulled out: Chromium's own cannot be, so the event of it is made here. */
const pullCamera = (page: Page) =>
  page.evaluate(() => {
    const [track] = (document.querySelector('video')!.srcObject as MediaStream).getTracks();
    track!.stop();
    track!.dispatchEvent(new Event('ended'));
  });
const plugCamera = (page: Page) =>
  page.evaluate(() => navigator.mediaDevices.dispatchEvent(new Event('devicechange')));

test('a camera that is pulled out in the countdown takes the photo when it is back', async () => {
  const { account, open } = booths;
  const { page, close } = await open(await makeEvent(account));
  await walkToCamera(page);
  for (const count of ['3', '1']) {
    await button(page, 'Take the photo').click();
    await page.getByRole('timer').getByText('3').waitFor();
    for (let left = 3; left > Number(count); left--) await page.clock.fastForward(1000);
    await pullCamera(page);
    await page.getByText('The camera was disconnected.').waitFor();
    await page.clock.fastForward(4000);
    await plugCamera(page);
    await until(() => button(page, 'Take the photo').isEnabled());
  }
  await shoot(page);
  await close();
});

test('the camera app is not offered for a style that one photo is not enough for', async () => {
  const { account, open } = booths;
  const living = { id: 'living', kind: 'living_portrait', filter_id: 1, labels: { en: 'Living' } };
  const event = await makeEvent(account, { offers: [astronaut, living], ratios: ['portrait'] });
  const { page, close } = await open(event);
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'));
  });
  await startButton(page).click();
  await agree(page);
  await button(page, 'Living').click();
  await page.getByText('The camera is blocked.').waitFor();
  assert.equal(await page.locator('input[type=file]').count(), 0);
  await button(page, 'Back').click();
  await button(page, 'Astronaut').click();
  await page.getByText('Use the camera app').waitFor();
  await close();
});

test('photos of a camera by cable that come after their guest has gone are nobody’s', async () => {
  const { server, account, open } = booths;
  const strip = { ...astronaut, shots: 2 };
  const event = await makeEvent(account, { offers: [strip], ratios: ['portrait'], questions: [] });
  const { page, close } = await open(event);
  const waiting: PromiseWithResolvers<void>[] = [];
  let width = 400;
  const camera = {
    name: 'test',
    async shoot() {
      const size = width;
      const released = Promise.withResolvers<void>();
      waiting.push(released);
      await released.promise;
      return sharp(samplePhotos.onePerson).resize(size, 600, { fit: 'cover' }).jpeg().toBuffer();
    },
  };
  const program = await serveCamera({ camera, origin: server.url, port: 0, report() {} });
  await page.evaluate(`{
    const station = JSON.parse(localStorage['guise-booth']);
    station.setUp.cameraProgram = ${JSON.stringify(program.url)};
    localStorage['guise-booth'] = JSON.stringify(station);
  }`);
  await page.reload();
  const press = async () => {
    for (const left of ['3', '2', '1']) {
      await page.getByRole('timer').getByText(left).waitFor();
      await page.clock.fastForward(1000);
    }
    return until(async () => waiting.shift());
  };
  const walk = async () => {
    await startButton(page).click();
    await agree(page);
    await button(page, 'Take the photo').click();
  };
  await walk();
  (await press()).resolve();
  await page.getByText('Photo 2 of 2').waitFor();
  await page.clock.fastForward(1000);
  const late = await press();
  await button(page, 'Stop').click();

  width = 500;
  await walk();
  const answered = page.waitForResponse((answer) => answer.url().endsWith('/photos'));
  late.resolve();
  await (await answered).finished();
  (await press()).resolve();
  await page.getByText('Photo 2 of 2').waitFor();
  await page.clock.fastForward(1000);
  (await press()).resolve();
  const photos = page.getByRole('img', { name: /^Your photo \d/ });
  await photos.nth(1).waitFor();
  const widths = await photos.evaluateAll(async (all) => {
    const images = all as HTMLImageElement[];
    await Promise.all(images.map((one) => one.decode()));
    return images.map(({ naturalWidth }) => naturalWidth);
  });
  assert.deepEqual(widths, [500, 500]);
  await button(page, 'Stop').click();
  await page.evaluate(`{
    const station = JSON.parse(localStorage['guise-booth']);
    station.setUp.cameraProgram = '';
    localStorage['guise-booth'] = JSON.stringify(station);
  }`);
  await program.stop();
  await close(/other host: http:\/\/127\.0\.0\.1/);
});

test('a finder of faces that does not start holds no photo up', async () => {
  const { account, open } = booths;
  const { page, close } = await open(await makeEvent(account));
  await page.evaluate(() => {
    // A file of an earlier build, which the server has no more.
    class GoneWorker extends EventTarget {
      constructor() {
        super();
        queueMicrotask(() => this.dispatchEvent(new Event('error')));
      }
      postMessage() {}
      terminate() {}
    }
    Object.assign(window, { Worker: GoneWorker });
  });
  await page.route('**/v1/booth/photo_checks', (route) => route.abort());
  await walkToCamera(page);
  await shoot(page);
  await button(page, 'Use this photo').click();
  await code(page).or(page.getByRole('slider')).first().waitFor();
  await close(/ERR_FAILED/);
});

test('a browser without room for the settings of a page serves guests all the same', async () => {
  const { account, open } = booths;
  const { page, close } = await open(await makeEvent(account));
  await startButton(page).waitFor();
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('', 'QuotaExceededError');
    };
  });
  const isRead = page.waitForResponse((answer) => answer.url().endsWith('/v1/booth'));
  await page.clock.fastForward(16_000);
  await (await isRead).finished();
  await walkToCamera(page);
  assert.equal(await page.getByText('No connection').count(), 0);
  await shoot(page);
  await button(page, 'Use this photo').click();
  await code(page).or(page.getByRole('slider')).first().waitFor();
  await close(/does not keep this/);
});

test('previews are shown where a device has no room to keep them', async () => {
  const { server, account, browser } = booths;
  const { page, context } = await openBooth(browser, server.url, await makeEvent(account));
  await startButton(page).waitFor();
  await until(() => page.evaluate<boolean>('navigator.serviceWorker.controller !== null'));
  const devtools = await context.newCDPSession(page);
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize: 1 });
  const preview = await page.evaluate(async () => (await fetch('/previews/face_swap/9.webp')).status);
  assert.equal(preview, 200);
  await context.close();
});

test('a picture is followed over a proxy’s 404 and a connection that broke without a word', async () => {
  const { account, open } = booths;
  const { page, close } = await open(await makeEvent(account));
  await walkToCamera(page);
  await shoot(page);
  await page.evaluate(() => {
    // By the clock of the test.
    AbortSignal.timeout = (ms) => {
      const limit = new AbortController();
      setTimeout(() => limit.abort(), ms);
      return limit.signal;
    };
  });
  let asked = 0;
  await page.route(/\/v1\/booth\/jobs\/[^/]+$/, (route) => {
    asked++;
    if (asked === 1) return route.fulfill({ status: 404, body: '404 page not found' });
    return asked === 2 ? undefined : route.continue();
  });
  await button(page, 'Use this photo').click();
  await code(page).waitFor();
  await until(async () => asked === 1);
  await page.clock.fastForward(3000);
  await until(async () => asked === 2);
  assert.equal(await page.getByText('This picture could not be made').count(), 0);
  for (let turn = 0; turn < 4; turn++) await page.clock.fastForward(5000);
  await page.getByRole('slider').waitFor();
  await close(/status of 404/);
});

test('a booth that is left keeps nothing of guests who never came back', async () => {
  const { server, account, browser } = booths;
  const event = await makeEvent(account);
  // A device of its own: the one of the other tests stays set up.
  const { page, context, close } = await openBooth(browser, server.url, event);
  await walkToCamera(page);
  await shoot(page);
  await context.setOffline(true);
  await button(page, /^Use/).click();
  await button(page, 'I have my number').click();
  await context.setOffline(false);
  await page.clock.fastForward(5000);
  await until(async () => (await account.call('GET', `/v1/events/${event.id}`)).body.jobs === 1);
  await button(page, 'Collect a picture').waitFor();
  const kept = () =>
    page.evaluate(async (name) => {
      const request = indexedDB.open(name);
      await new Promise((resolve) => Object.assign(request, { onsuccess: resolve }));
      const count = request.result.transaction('keys').objectStore('keys').count();
      await new Promise((resolve) => Object.assign(count, { onsuccess: resolve }));
      return count.result;
    }, `guise-booth ${event.id}`);
  assert.equal(await kept(), 1);
  await button(page, 'For the operator').click();
  for (const digit of pin) await page.getByRole('button', { name: digit, exact: true }).click();
  await button(page, 'Next').click();
  await button(page, 'Leave the booth').click();
  await page.waitForURL(`${server.url}/`);
  assert.equal(await kept(), 0);
  await close(/INTERNET_DISCONNECTED|status of 404/);
});
