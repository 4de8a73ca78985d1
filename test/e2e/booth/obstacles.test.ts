import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cannotMake } from '../../../packages/server/src/engines/engine.ts';
import {
  agree,
  type Booths,
  checkScreen,
  code,
  makeEvent,
  openBooth,
  shoot,
  startBooths,
  startButton,
  walkToCamera,
} from './open-booth.ts';

let booths: Booths;
before(async () => {
  booths = await startBooths();
});
after(() => booths.stop());

const hourMs = 3600_000;
const later = (ms: number) => new Date(Date.now() + ms).toISOString();
/** A refused request is an error in the console of any browser; what else is one fails the test. */
const refusedOnly = (complaints: string[], status: number) =>
  complaints.splice(0).filter((line) => !line.includes(`status of ${status}`));

test('an event that has not begun, is paused, is over or has spent its budget says so, and opens by itself', async () => {
  const { server, account, browser } = booths;
  const event = await makeEvent(account, { starts_at: later(hourMs) });
  const change = (body: object) => account.call('PATCH', `/v1/events/${event.id}`, body);
  const { page, close } = await openBooth(browser, server.url, event);
  await page.getByText('We have not started yet').waitFor();
  await checkScreen(page);
  const shown = async (body: object, text: string) => {
    await change(body);
    await page.clock.fastForward(16_000);
    await page.getByText(text).waitFor();
  };
  await shown({ starts_at: later(-hourMs), paused: true }, 'A short break');
  await shown({ paused: false, budget: 0 }, 'All pictures have been taken');
  await shown({ closed: true }, 'The event is over');
  await shown({ closed: false, budget: 100 }, 'Touch to start');
  await close();
});

test('a booth whose key was revoked asks for another link', async () => {
  const { server, account, browser } = booths;
  const event = await makeEvent(account);
  const { page, complaints, close } = await openBooth(browser, server.url, event);
  await startButton(page).waitFor();
  const { keys } = (await account.call('GET', '/v1/keys')).body;
  const { id } = keys.find((key: { event_id: string }) => key.event_id === event.id);
  await account.call('DELETE', `/v1/keys/${id}`);
  await page.clock.fastForward(16_000);
  await page.getByText('This booth is locked').waitFor();
  await checkScreen(page);
  assert.deepEqual(refusedOnly(complaints, 401), []);
  await close();
});

test('a refused camera, none, and one that is lost have their screens, and the camera app takes over', async () => {
  const { server, account, browser } = booths;
  const event = await makeEvent(account);
  const { page, close } = await openBooth(browser, server.url, event);
  // Chromium's fake camera can be neither refused nor pulled out, so the browser's answer is written here.
  await page.evaluate(() => {
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    const refuse = (name: string) => () => Promise.reject(new DOMException('', name));
    const media = Object.assign(window, { camera: '' });
    navigator.mediaDevices.getUserMedia = (wanted) => (media.camera ? refuse(media.camera)() : open(wanted));
  });
  const camera = (name: string) =>
    page.evaluate((wanted) => Object.assign(window, { camera: wanted }) && undefined, name);
  await camera('NotAllowedError');
  await walkToCamera(page);
  await page.getByText('This page may not use the camera.').waitFor();
  await checkScreen(page);
  await camera('NotFoundError');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('There is no camera here.').waitFor();
  await camera('');
  await page.evaluate(() => navigator.mediaDevices.dispatchEvent(new Event('devicechange')));
  await page.getByRole('button', { name: 'Take the photo' }).waitFor();
  await page.evaluate(() => {
    const { srcObject } = document.querySelector('video')!;
    const [track] = (srcObject as MediaStream).getTracks();
    track!.stop();
    track!.dispatchEvent(new Event('ended'));
  });
  await page.getByText('The camera was disconnected.').waitFor();
  await page
    .locator('input[type=file]')
    .setInputFiles(new URL('../studio/photos/turned.jpg', import.meta.url).pathname);
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await code(page).or(page.getByRole('slider')).first().waitFor();
  await close();
});

test('a style that is removed while a guest chooses is told, and the photo is kept', async () => {
  const { server, account, browser } = booths;
  const event = await makeEvent(account);
  const { page, complaints, close } = await openBooth(browser, server.url, event);
  await walkToCamera(page);
  await shoot(page);
  await page.getByRole('button', { name: 'Use this photo' }).waitFor();
  const { offers } = (await account.call('GET', `/v1/events/${event.id}`)).body;
  await account.call('PATCH', `/v1/events/${event.id}`, { offers: offers.slice(1) });
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await page.getByText('That style has just been taken off the list.').waitFor();
  await page.getByRole('button', { name: 'Astronaut' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Second' }).click();
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await page.getByRole('slider').waitFor();
  assert.deepEqual(refusedOnly(complaints, 422), []);
  await close();
});

test('a budget that was spent meanwhile, and a consent that changed, end with a sentence', async () => {
  const { server, account, browser } = booths;
  const event = await makeEvent(account, { texts: {}, questions: [] });
  const change = (body: object) => account.call('PATCH', `/v1/events/${event.id}`, body);
  const { page, complaints, close } = await openBooth(browser, server.url, event);
  await startButton(page).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Just me' }).click();
  await page.getByRole('button', { name: 'Astronaut' }).click();
  await shoot(page);
  await change({ texts: { en: { consent: 'My photo may be used.' } } });
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await page.getByText('The text has changed meanwhile.').waitFor();
  await page.getByText('My photo may be used.').waitFor();
  await agree(page);
  await change({ budget: 0 });
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await page.getByText('Your photo was not sent and has been deleted.').waitFor();
  await checkScreen(page);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.clock.fastForward(16_000);
  await page.getByText('Thank you for being there.').waitFor();
  assert.deepEqual(
    refusedOnly(complaints, 422).filter((line) => !line.includes('status of 402')),
    [],
  );
  await close();
});

test('a picture that cannot be made is told with a sentence, and the guest tries again', async () => {
  const { server, account, browser } = booths;
  const event = await makeEvent(account);
  server.engine.before = async () => {
    throw cannotMake('No face was found in the photo.');
  };
  const { page, close } = await openBooth(browser, server.url, event);
  await walkToCamera(page);
  await shoot(page);
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await page.getByText('This picture could not be made. It does not count.').waitFor();
  await checkScreen(page);
  server.engine.before = async () => {};
  await page.getByRole('button', { name: 'Choose another style' }).click();
  await page.getByRole('button', { name: 'Second' }).click();
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await page.getByRole('slider').waitFor();
  await close();
});
