import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { cannotMake } from '../../../packages/server/src/engines/engine.ts';
import { until } from '../../../packages/server/test/support/harness.ts';
import { door } from '../../../packages/server/test/support/test-engine.ts';
import { forAllTests } from '../support/start-pages.ts';
import {
  agree,
  checkScreens,
  code,
  makeEvent,
  openBooth,
  shoot,
  startBooths,
  startButton,
  walkToCamera,
  walkToCode,
} from './open-booth.ts';
import { useSceneCamera } from './scene-camera.ts';

const booths = forAllTests(startBooths);

const question = (page: Page) => page.getByRole('alertdialog', { name: 'Still there?' });

test('waiting for a picture is not idling, and the picture has a time of its own', async (t) => {
  const { server, account, open } = booths;
  const event = await makeEvent(account);
  const { page, close } = await open(event);
  const { work, open: letThrough, reached } = door();
  t.after(letThrough);
  server.engine.before = work;
  await walkToCode(page);
  await reached;
  for (let turn = 0; turn < 3; turn++) {
    await page.clock.fastForward(40_000);
    assert.equal(await question(page).count(), 0, 'the picture is still being made');
  }
  await code(page).waitFor();
  letThrough();
  await page.getByRole('slider').waitFor();
  await page.clock.fastForward(30_000);
  assert.equal(await question(page).count(), 0, 'the picture has just arrived');
  await page.getByRole('slider').waitFor();
  // Pages that are redrawn under a resting pointer may take that for a touch.
  for (let turn = 0; turn < 20 && (await question(page).count()) === 0; turn++)
    await page.clock.fastForward(2000);
  await question(page).waitFor();
  await close();
});

test('a picture that cannot be made is told with its reason, and another photo comes first', async () => {
  const { server, account, open } = booths;
  const event = await makeEvent(account);
  server.engine.before = async () => {
    throw cannotMake('No face was found in the photo. Face the camera and try again.');
  };
  const { page, close } = await open(event);
  await walkToCamera(page);
  await shoot(page);
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await page.getByText('No face was found in the photo. Face the camera and try again.').waitFor();
  await checkScreens(page);
  server.engine.before = async () => {};
  const [first] = await page.getByRole('button').allTextContents();
  assert.equal(first, 'Take another photo');
  await page.getByRole('button', { name: 'Take another photo' }).click();
  await shoot(page);
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await page.getByRole('slider').waitFor();
  await close();
});

test('the print stays in the page until the browser has printed, and the guest who leaves takes it along', async () => {
  const { account, open } = booths;
  const event = await makeEvent(account);
  const { page, close } = await open(event);
  await walkToCode(page);
  await page.getByRole('slider').waitFor();
  // As Safari does it: the call returns while the dialog is still open.
  await page.evaluate(() => {
    window.print = () => {
      Object.assign(window, { isAsked: true });
    };
  });
  const print = async () => {
    await page.getByRole('button', { name: 'Print' }).click();
    await until(() => page.evaluate<boolean>('window.isAsked === true && (window.isAsked = false, true)'));
    await page.getByRole('button', { name: 'Print' }).waitFor();
  };
  const printed = page.locator('body > img');
  await print();
  assert.equal(await printed.count(), 1, 'the dialog is still open');
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  assert.equal(await printed.count(), 0);
  await print();
  await page.getByRole('button', { name: 'Done' }).click();
  await until(async () => (await printed.count()) === 0);
  assert.equal(await page.evaluate('document.adoptedStyleSheets.length'), 0);
  await close();
});

/** What the server says of the next photos: the camera of the tests shows one person whom nothing is wrong with. */
async function answerChecks(page: Page, check: { problems: object[]; faces?: number }): Promise<void> {
  await page.unroute('**/v1/booth/photo_checks');
  // The booth gives up on a check after three seconds, which may pass where other tests use all cores.
  await page.evaluate(() => {
    AbortSignal.timeout = () => new AbortController().signal;
  });
  const face = { x: 0.4, y: 0.3, width: 0.2, height: 0.3 };
  const faces = Array.from({ length: check.faces ?? 1 }, () => face);
  const json = { ok: check.problems.length === 0, problems: check.problems, faces };
  await page.route('**/v1/booth/photo_checks', (route) => route.fulfill({ json }));
}

test('a photo that a job would be refused for is not sent; one that it is made of leads to the styles for its people', async () => {
  const { account, open } = booths;
  const event = await makeEvent(account);
  const { page, close } = await open(event);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dark = { code: 'TOO_DARK', sentence: 'Dark.', blocks: true };
  const many = { code: 'TOO_MANY_PEOPLE', sentence: 'Many.', blocks: false };
  await answerChecks(page, { problems: [dark, many], faces: 2 });
  await walkToCamera(page);
  await shoot(page);
  await page.getByText('It is too dark. Turn towards the light.').waitFor();
  assert.equal(await button('Use it anyway').count(), 0, 'the job would fail');
  assert.equal(await button('Choose a group style').count(), 0, 'that would be as dark');
  await answerChecks(page, { problems: [many], faces: 2 });
  await button('Take another').click();
  await shoot(page);
  await page.getByText('This style shows one person, and there are more in the photo.').waitFor();
  await button('Use it anyway').waitFor();
  await checkScreens(page);
  await answerChecks(page, { problems: [], faces: 1 });
  // There is one of them, which is not asked for.
  await button('Choose a group style').click();
  await page.getByText('This style is for groups, and there is one person in the photo.').waitFor();
  await button('Choose a style for one').click();
  await page.getByRole('button', { name: 'Astronaut' }).click();
  await button('Use this photo').click();
  await page.getByRole('slider').waitFor();
  await close();
});

test('a photo that the budget does not pay for is kept with a number, and sent when the budget is raised', async () => {
  const { account, open } = booths;
  const event = await makeEvent(account, { budget: 4 });
  const change = (body: object) => account.call('PATCH', `/v1/events/${event.id}`, body);
  const { page, close } = await open(event);
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  await startButton(page).click();
  await agree(page);
  await button('All of us').click();
  await shoot(page);
  // Another booth was faster: 2 credits pay for two of one person, and a group costs 3.
  await change({ budget: 2 });
  await button(/^Use (this photo|it anyway)/).click();
  const number = await page.getByLabel('Your number').innerText();
  await page.getByText('There are not enough pictures left for this style.').waitFor();
  await checkScreens(page);
  await button('I have my number').click();
  // What cannot be paid is not offered.
  await startButton(page).click();
  await agree(page);
  await button('Astronaut').waitFor();
  assert.equal(await button('On stage').count(), 0);
  await button('Stop').click();
  await change({ budget: 0 });
  await page.clock.fastForward(16_000);
  await page.getByText('All pictures have been taken').waitFor();
  await change({ budget: 3 });
  await page.clock.fastForward(16_000);
  await until(async () => (await account.call('GET', `/v1/events/${event.id}`)).body.jobs === 1);
  // The budget is spent again: the picture is collected all the same.
  await page.clock.fastForward(16_000);
  await page.getByText('All pictures have been taken').waitFor();
  await button('Collect a picture').click();
  for (const digit of number) await page.getByRole('button', { name: digit, exact: true }).click();
  await page.getByRole('button', { name: 'Collect', exact: true }).click();
  await page.getByRole('img', { name: 'Your picture' }).waitFor();
  await close(/status of 402/);
});

test('a full device without a connection is told before the shutter, and its photo is sent from memory', async () => {
  const { server, account, browser } = booths;
  const event = await makeEvent(account);
  // A device of its own: the browser remembers for a while how much room there was.
  const { page, context } = await openBooth(browser, server.url, event);
  await startButton(page).waitFor();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize: 1 });
  await context.setOffline(true);
  await page.clock.fastForward(16_000);
  await page.getByRole('status').getByText('this device has no room for photos').waitFor();
  await checkScreens(page);
  await walkToCamera(page);
  await page.getByRole('alert').getByText('no room to keep your photo for later').waitFor();
  await checkScreens(page);
  await shoot(page);
  await page.getByRole('button', { name: 'Use this photo' }).click();
  const number = await page.getByLabel('Your number').innerText();
  await page.getByText('your photo is kept only while this page stays open').waitFor();
  assert.equal(await page.getByText('Your photo is safe').count(), 0);
  await checkScreens(page);
  await page.getByRole('button', { name: 'I have my number' }).click();
  const isHeld = () =>
    page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
  assert.ok(await isHeld(), 'the browser asks before the page is closed');
  await context.setOffline(false);
  await page.clock.fastForward(5000);
  await until(async () => (await account.call('GET', `/v1/events/${event.id}`)).body.jobs === 1);
  await page.getByRole('button', { name: 'Collect a picture' }).click();
  for (const digit of number) await page.getByRole('button', { name: digit, exact: true }).click();
  await page.getByRole('button', { name: 'Collect', exact: true }).click();
  await page.getByRole('img', { name: 'Your picture' }).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await until(async () => !(await isHeld()));
  // Without room the previews are not kept either: the browser complains that they do not load.
  await context.close();
});

test('guests are guided before the shutter, which a remote presses; without a server the device checks the photo', async () => {
  const { server, account, browser } = booths;
  const event = await makeEvent(account);
  const { page, context } = await openBooth(browser, server.url, event);
  await startButton(page).waitFor();
  const show = await useSceneCamera(page);
  await walkToCamera(page);
  const told = (text: string) => page.getByRole('status').getByText(text).waitFor();
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await told('Come into the picture');
  await show({ scale: 0.16 });
  await told('Come closer');
  await show({ scale: 0.8, x: 0.25 });
  await told('One step to your left');
  await show({ scale: 0.8, x: 0.75 });
  await told('One step to your right');
  await show({ scale: 0.8, light: 0.02 });
  await told('It is too dark');
  await show({ scale: 0.8 });
  await told('Perfect, stay there');
  assert.equal(await button('Choose a group style').count(), 0);
  await show({ scale: 0.6, people: 2 });
  await button('Choose a group style').waitFor();
  await checkScreens(page);

  // The worker has the network in its memory, and the files are kept: nothing of this needs the server.
  await context.setOffline(true);
  await page.clock.fastForward(16_000);
  await show({ scale: 0.8, people: 0 });
  await page.keyboard.press('PageDown');
  await page.getByRole('timer').waitFor();
  await page.getByText('We cannot see a face.').waitFor();
  assert.equal(await page.getByRole('button', { name: /^Use/ }).count(), 0, 'the job would fail');
  await show({ scale: 0.8 });
  await button('Take another').click();
  await told('Perfect, stay there');
  await page.keyboard.press('Space');
  await button('Use this photo').waitFor();
  await context.close();
});
