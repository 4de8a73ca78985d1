import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guestLanguages } from '@guise/contract/events/guest-languages.ts';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { languagesOf } from '../../../packages/booth/src/booth/event/offers.ts';
import type { Texts } from '../../../packages/booth/src/shared/texts/en.ts';
import { request, until } from '../../../packages/server/test/support/harness.ts';
import { door } from '../../../packages/server/test/support/test-engine.ts';
import { forAllTests } from '../support/start-pages.ts';
import {
  agree,
  checkNothingClipped,
  checkScreens,
  code,
  makeEvent,
  newEvent,
  openBooth,
  pin,
  screens,
  setUp,
  shoot,
  startBooths,
  startButton,
  walkToCamera,
  walkToCode,
} from './open-booth.ts';

const booths = forAllTests(startBooths);

async function textsOf(language: string): Promise<Texts> {
  const file = new URL(`../../../packages/booth/src/shared/texts/${language}.ts`, import.meta.url);
  return ((await import(file.href)) as Record<string, Texts>)[language]!;
}

const retakeButton = (page: Page) => page.getByRole('button', { name: /^Shall we take it again/ });

test('a guest walks from the first touch to the QR code, the picture, a print and another style, on all screens', async () => {
  const { server, account, open } = booths;
  const event = await makeEvent(account, { pictures_per_guest: 2, branding: { print_layout: '2x6' } });
  const blank = { width: 400, height: 600, channels: 3, background: '#507090' } as const;
  server.engine.result = await sharp({ create: blank }).png().toBuffer();
  server.engine.quality = { grade: 'good', reasons: [] };
  const { page, close } = await open(event);
  await startButton(page).waitFor();
  await checkScreens(page);
  await startButton(page).click();
  assert.ok(await page.getByRole('button', { name: 'Continue' }).isDisabled(), 'no tick, no camera');
  await page.getByText('It may be shown on the wall').click();
  await checkScreens(page);
  await agree(page);
  await checkScreens(page);
  await page.getByRole('button', { name: 'Just me' }).click();
  await checkScreens(page);
  await page.getByRole('button', { name: 'Astronaut' }).click();
  await page.getByRole('button', { name: 'Take the photo' }).waitFor();
  await checkScreens(page);
  await shoot(page);
  await page.getByRole('button', { name: 'Use this photo' }).waitFor();
  await checkScreens(page);

  const { work, open: letThrough, reached } = door();
  server.engine.before = work;
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await code(page).waitFor();
  await reached;
  await checkScreens(page);
  letThrough();
  server.engine.before = async () => {};
  await page.getByRole('slider', { name: 'Compare before and after' }).waitFor();
  await page.getByText('1 picture left').waitFor();
  assert.equal(await retakeButton(page).count(), 0, 'a good picture is not taken again');
  await checkScreens(page);

  const { jobs } = (await account.call('GET', `/v1/events/${event.id}/jobs`)).body;
  assert.equal(jobs.length, 1);
  assert.deepEqual(
    [jobs[0].offer_id, jobs[0].consent.version, jobs[0].consent.answers],
    ['first', 1, { wall: true }],
  );

  // Playwright has no printer: what the browser's dialog would be opened with is written down.
  await page.evaluate(() => {
    window.print = () => {
      const [picture] = document.querySelectorAll<HTMLImageElement>('body > img');
      const rules = document.adoptedStyleSheets.flatMap(({ cssRules }) => [...cssRules]);
      const size = [picture!.naturalWidth, picture!.naturalHeight];
      Object.assign(window, { printed: [size.join(' x '), rules[0]!.cssText] });
      window.dispatchEvent(new Event('afterprint'));
    };
  });
  await page.getByRole('button', { name: 'Print' }).click();
  const printed = await until(() => page.evaluate<string[] | undefined>('window.printed'));
  assert.deepEqual(printed, ['600 x 1800', '@page { size: 2in 6in; margin: 0px; }']);
  assert.equal(await page.locator('body > img').count(), 0, 'nothing of the print stays');
  await until(async () => page.evaluate(`localStorage['guise-booth-prints ${event.id}'] === '1'`));

  server.engine.result = null;
  await page.setViewportSize(screens.phone);
  await page.getByRole('button', { name: /^Another style/ }).click();
  await page.getByRole('button', { name: 'Second' }).click();
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await page.getByRole('slider').waitFor();
  assert.equal(
    await page.getByRole('button', { name: /^Another style/ }).count(),
    0,
    'two are all there are',
  );
  await page.getByRole('button', { name: 'Done' }).click();
  await startButton(page).waitFor();
  await close();
});

test('a guest whose picture came out fair sees it, and takes the photo again with the same style while pictures are left', async () => {
  const { server, account, open } = booths;
  const event = await makeEvent(account, { pictures_per_guest: 2 });
  server.engine.quality = { grade: 'fair', reasons: [{ sentence: 'An arm may be missing.' }] };
  const { page, close } = await open(event);
  await walkToCode(page);
  const slider = page.getByRole('slider', { name: 'Compare before and after' });
  await slider.waitFor();
  await retakeButton(page).waitFor();
  assert.equal(await page.getByText('arm').count(), 0, 'why is not for guests');
  await checkScreens(page);

  await retakeButton(page).click();
  await page.getByRole('button', { name: 'Take the photo' }).waitFor();
  await page.getByRole('button', { name: 'Back' }).click();
  await slider.waitFor();
  await retakeButton(page).click();
  await shoot(page);
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await slider.waitFor();
  assert.equal(await retakeButton(page).count(), 0, 'two are all there are');
  const { jobs } = (await account.call('GET', `/v1/events/${event.id}/jobs`)).body;
  assert.deepEqual(
    jobs.map(({ offer_id }: { offer_id: string }) => offer_id),
    ['first', 'first'],
  );
  await page.getByRole('button', { name: 'Done' }).click();
  await startButton(page).waitFor();

  // What is left of the budget pays for no other picture: a fair one is the last.
  const spent = (await account.call('GET', `/v1/events/${event.id}`)).body.spent;
  await walkToCamera(page);
  await account.call('PATCH', `/v1/events/${event.id}`, { budget: spent + spent / 2 });
  await shoot(page);
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await slider.waitFor();
  const isRead = page.waitForResponse((answer) => answer.url().endsWith('/v1/booth'));
  await page.clock.fastForward(15_000);
  await isRead;
  await retakeButton(page).waitFor({ state: 'detached' });
  await close();
});

test('the page speaks German with a German event and guest, and the guest can change that', async () => {
  const { server, account, browser } = booths;
  const event = await makeEvent(account);
  const { page, close } = await openBooth(browser, server.url, event, { language: 'de-AT' });
  await page.getByText('Willkommen').waitFor();
  await startButton(page).click();
  await page.getByText('Mein Foto darf für dieses Bild benutzt werden.').waitFor();
  await page.getByRole('button', { name: 'Abbrechen' }).click();
  await page.getByRole('button', { name: 'English' }).click();
  await startButton(page).click();
  await page.getByText('My photo may be used for this picture.').waitFor();
  await close();
});

test('a living portrait is made of a burst, the photo moves meanwhile, and the picture is revealed', async () => {
  const { server, account, open } = booths;
  const [first] = newEvent().offers;
  const living = { id: 'living', kind: 'living_portrait', filter_id: 1, labels: { en: 'Living' } };
  const event = await makeEvent(account, { offers: [first, living], questions: [] });
  const { page, close } = await open(event);
  await page.evaluate(`{
    const station = JSON.parse(localStorage['guise-booth']);
    station.setUp.boomerang = true;
    localStorage['guise-booth'] = JSON.stringify(station);
  }`);
  await page.reload();
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const { work, open: letThrough, reached } = door();
  server.engine.before = work;
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  await startButton(page).click();
  await agree(page);
  await button('Astronaut').click();
  await shoot(page);
  await button('Use this photo').click();
  await code(page).waitFor();
  await reached;
  const shown = page.getByRole('main').locator('img');
  assert.equal(await shown.count(), 5, 'five shots make the photo move');
  const visible = () => shown.evaluateAll((all) => all.findIndex((one) => !one.matches('.opacity-0')));
  const before = await visible();
  await until(async () => (await visible()) !== before);
  letThrough();
  server.engine.before = async () => {};
  await button('Here you are').click();
  await page.getByRole('slider').waitFor();
  // The photo that there is was one: this style needs a burst.
  await button(/^Another style/).click();
  await button('Living').click();
  await shoot(page);
  const sent = page.waitForRequest((request) => request.url().endsWith('/v1/booth/jobs'));
  await button('Use this photo').click();
  const { images, image } = (await sent).postDataJSON();
  assert.deepEqual([images.length, image], [5, undefined]);
  assert.ok(images.every((shot: string) => shot.startsWith('/9j/')));
  await code(page)
    .or(page.getByRole('button', { name: 'Done' }))
    .first()
    .waitFor();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await close();
});

test('guests choose among languages in which the event says what they agree to', () => {
  const [consent, welcome] = ['I agree.', 'Welcome'];
  const texts = { en: { consent }, ar: { welcome }, de: { welcome, consent } };
  const questions = [{ id: 'gallery', labels: { en: 'Gallery', fr: 'Galerie' } }];
  const offered = (event: object) => languagesOf({ texts: {}, questions: [], offers: [], ...event } as never);
  assert.deepEqual(offered({ texts, questions }), ['en', 'de']);
  assert.deepEqual(offered({ texts: { ar: { welcome } }, questions }), ['ar']);
  assert.deepEqual(offered({ questions }), ['en', 'fr']);
  assert.deepEqual(offered({ texts: { sv: { consent } } }), ['en'], 'the page speaks no Swedish');
});

test('every language that the event and the page have is whole on all screens, and Arabic is mirrored', async () => {
  const { account, open } = booths;
  const written = (text: string) => Object.fromEntries([...guestLanguages, 'sv'].map((name) => [name, text]));
  const [first, , band] = newEvent().offers;
  const event = await makeEvent(account, {
    texts: Object.fromEntries(
      [...guestLanguages, 'sv'].map((name) => [name, { welcome: '', consent: 'OK', thanks: '' }]),
    ),
    questions: [{ id: 'wall', labels: written('Wall') }],
    offers: [
      { ...first, labels: written('Astronaut'), shots: 4 },
      { ...first, id: 'second', labels: written('Second'), variations: [2, 4] },
      { ...band, labels: written('Band') },
    ],
    details: [
      { id: 'name', kind: 'text', required: true, labels: written('Name') },
      { id: 'number', kind: 'number', labels: written('Number') },
    ],
    moments: true,
  });
  const { page, close } = await open(event);
  await startButton(page).waitFor();
  const languages = page.getByRole('combobox');
  const offered = await languages
    .locator('option')
    .evaluateAll((all) => all.map((one) => one.getAttribute('lang') ?? ''));
  assert.deepEqual(offered.toSorted(), guestLanguages.toSorted(), 'Swedish would be half English');
  for (const language of guestLanguages) {
    const { booth } = await textsOf(language);
    const button = (label: string) => page.getByRole('button', { name: label, exact: true });
    await languages.selectOption(language);
    const start = page.getByRole('button', { name: new RegExp(`${booth.attract.start}$`) });
    await start.waitFor();
    assert.deepEqual(await page.evaluate('[document.documentElement.lang, document.documentElement.dir]'), [
      language,
      language === 'ar' ? 'rtl' : 'ltr',
    ]);
    await checkNothingClipped(page);
    await start.click();
    await page.getByText(booth.consent.agree, { exact: true }).click();
    await checkNothingClipped(page);
    await button(booth.consent.start).click();
    await page.getByLabel('Number').fill('1000');
    await button(booth.next).click();
    await page.getByText(booth.details.number(0, 999)).waitFor();
    await checkNothingClipped(page);
    await page.getByLabel('Number').fill('7');
    await page.getByLabel('Name').fill('Ann');
    await button(booth.next).click();
    await button(booth.who.one).waitFor();
    await checkNothingClipped(page);
    await button(booth.who.one).click();
    // Its name goes on with how many photos it takes.
    const style = page.getByRole('button', { name: 'Astronaut' });
    await style.waitFor();
    await checkNothingClipped(page);
    await style.click();
    await button(booth.shoot.shutter).waitFor();
    await checkNothingClipped(page);
    await button(booth.stop).click();
    // The page goes back to the language of the device for the next guest.
    await startButton(page).waitFor();
  }
  await close();
});

test('a reload at any step goes on where the guest was', async () => {
  const { server, account, open } = booths;
  const event = await makeEvent(account);
  const { page, close } = await open(event, 'landscape');
  const reload = async () => {
    await page.reload();
  };
  await startButton(page).waitFor();
  await reload();
  await startButton(page).click();
  await page.getByText('I agree').waitFor();
  await reload();
  await agree(page);
  await page.getByRole('button', { name: 'Just me' }).waitFor();
  await reload();
  await page.getByRole('button', { name: 'Just me' }).click();
  await page.getByRole('button', { name: 'Astronaut' }).waitFor();
  await reload();
  await page.getByRole('button', { name: 'Astronaut' }).click();
  await page.getByRole('button', { name: 'Take the photo' }).waitFor();
  await reload();
  await shoot(page);
  await page.getByRole('button', { name: 'Use this photo' }).waitFor();
  await reload();
  const { work, open: letThrough, reached } = door();
  server.engine.before = work;
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await code(page).waitFor();
  await reached;
  await reload();
  await code(page).waitFor();
  letThrough();
  server.engine.before = async () => {};
  await page.getByRole('slider').waitFor();
  await reload();
  await page.getByRole('slider').waitFor();
  assert.equal((await account.call('GET', `/v1/events/${event.id}`)).body.jobs, 1, 'one picture, not two');
  await close();
});

test('the booth is free while pictures are made; nothing of a guest is left, nor of one who walks away', async (t) => {
  const { server, account, open } = booths;
  const event = await makeEvent(account);
  const { page, close } = await open(event);
  const { work, open: letThrough } = door();
  t.after(letThrough);
  server.engine.before = work;
  for (let guest = 0; guest < 2; guest++) {
    await walkToCode(page);
    await page.getByRole('button', { name: 'Done, next guest' }).click();
    await startButton(page).waitFor();
  }
  await walkToCamera(page);
  await shoot(page);
  await page.clock.fastForward(36_000);
  // A finger on the button is an answer before the button is clicked: a click would wait for a button that is gone.
  const { x, y, width, height } = (await page
    .getByRole('button', { name: 'I am still here' })
    .boundingBox())!;
  await page.touchscreen.tap(x + width / 2, y + height / 2);
  await page.getByRole('alertdialog', { name: 'Still there?' }).waitFor({ state: 'detached' });
  await page.getByRole('img', { name: 'Your photo' }).waitFor();
  await page.clock.fastForward(36_000);
  await page.getByRole('alertdialog', { name: 'Still there?' }).waitFor();
  // Last, because the question is asked for ten seconds only.
  await checkScreens(page, { isTouched: false });
  await page.clock.fastForward(10_000);
  await startButton(page).waitFor();
  assert.equal(await page.locator('img[src^=blob]').count(), 0);
  const kept = await page.evaluate(async (name) => {
    const request = indexedDB.open(name);
    await new Promise((resolve) => {
      request.onsuccess = resolve;
    });
    const stores = [...request.result.objectStoreNames];
    const counts = stores.map((store) => {
      const count = request.result.transaction(store).objectStore(store).count();
      return new Promise<number>((resolve) => {
        count.onsuccess = () => resolve(count.result);
      });
    });
    return {
      stores: stores.length,
      counts: await Promise.all(counts),
      guest: localStorage['guise-booth-guest'],
    };
  }, `guise-booth ${event.id}`);
  assert.deepEqual(kept, { stores: 2, counts: [0, 0], guest: undefined });
  letThrough();
  server.engine.before = async () => {};
  await until(async () => {
    const { jobs } = (await account.call('GET', `/v1/events/${event.id}/jobs`)).body;
    return jobs.filter(({ status }: { status: string }) => status === 'COMPLETED').length === 2;
  });
  await close();
});

test('only the PIN opens the settings, and leaving forgets the key', async () => {
  const { server, account, browser } = booths;
  const event = await makeEvent(account);
  const { page, close } = await openBooth(browser, server.url, event, { isSetUp: false });
  await setUp(page);
  await startButton(page).waitFor();
  // The way back leads nowhere.
  await page.goBack();
  await page.getByRole('button', { name: 'For the operator' }).click();
  const enter = async (digits: string) => {
    for (const digit of digits) await page.getByRole('button', { name: digit, exact: true }).click();
    await page.getByRole('button', { name: 'Next' }).click();
  };
  await enter('1111');
  await page.getByRole('alert').getByText('That is not the PIN.').waitFor();
  await enter(pin);
  await page.getByLabel('Name of this booth').fill('Foyer');
  await page.getByLabel('Camera', { exact: true }).waitFor();
  await checkScreens(page);
  await page.getByRole('button', { name: 'Leave the booth' }).click();
  await page.waitForURL(`${server.url}/`);
  await page.goto(`/booth/${event.id}`);
  await page.getByText('This device is not set up').waitFor();
  await page.getByLabel('Booth link or key').fill(`${server.url}${event.link}`);
  await page.getByRole('button', { name: 'Open' }).click();
  await setUp(page);
  await startButton(page).waitFor();
  await close();
});

test('the wall, the guest’s page and the booth page are pages for browsers only, without other hosts', async () => {
  const { server } = booths;
  for (const path of ['/booth', '/booth/x', '/g/x', '/wall/x']) {
    const page = await request(server.url, 'GET', path, undefined, { accept: 'text/html' });
    assert.equal(page.status, 200, path);
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'; script-src 'self'/);
    assert.equal((await request(server.url, 'GET', path)).status, 404, path);
  }
  const guest = await request(server.url, 'GET', '/g/x', undefined, { accept: 'text/html' });
  assert.deepEqual(
    [guest.headers.get('x-robots-tag'), guest.headers.get('referrer-policy')],
    ['noindex, nofollow', 'no-referrer'],
  );
  const worker = await request(server.url, 'GET', '/booth-files/service-worker.js');
  assert.equal(worker.headers.get('service-worker-allowed'), '/booth');
  const manifest = await request(server.url, 'GET', '/booth-files/booth.webmanifest');
  assert.match(manifest.headers.get('content-type') ?? '', /manifest\+json/);
  assert.equal((await request(server.url, 'GET', '/booth-files/booth.html')).status, 404);
});

const hourMs = 3600_000;
const later = (ms: number) => new Date(Date.now() + ms).toISOString();

test('an event that has not begun, is paused, is over or has spent its budget says so, and opens by itself', async () => {
  const { account, open } = booths;
  const event = await makeEvent(account, { starts_at: later(hourMs) });
  const change = (body: object) => account.call('PATCH', `/v1/events/${event.id}`, body);
  const { page, close } = await open(event);
  await page.getByText('We have not started yet').waitFor();
  await checkScreens(page);
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
  const { account, open } = booths;
  const event = await makeEvent(account);
  const { page, close } = await open(event);
  await startButton(page).waitFor();
  const { keys } = (await account.call('GET', '/v1/keys')).body;
  const { id } = keys.find((key: { event_id: string }) => key.event_id === event.id);
  await account.call('DELETE', `/v1/keys/${id}`);
  await page.clock.fastForward(16_000);
  await page.getByText('This booth is locked').waitFor();
  await close(/status of 401/);
});

test('a refused camera, none, and one that is lost have their screens, and the camera app takes over', async () => {
  const { account, open } = booths;
  const event = await makeEvent(account);
  const { page, close } = await open(event);
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
  await page.getByText('The camera is blocked.').waitFor();
  await checkScreens(page);
  await camera('NotFoundError');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('No camera was found.').waitFor();
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
  const { account, open } = booths;
  const event = await makeEvent(account);
  const { page, close } = await open(event);
  await walkToCamera(page);
  await shoot(page);
  await page.getByRole('button', { name: 'Use this photo' }).waitFor();
  const { offers } = (await account.call('GET', `/v1/events/${event.id}`)).body;
  await account.call('PATCH', `/v1/events/${event.id}`, { offers: offers.slice(1) });
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await page.getByText('That style is no longer available.').waitFor();
  await page.getByRole('button', { name: 'Astronaut' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Second' }).click();
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await page.getByRole('slider').waitFor();
  await close(/status of 422/);
});

test('a consent that changed meanwhile is asked again, and an event that ended says what became of the photo', async () => {
  const { account, open } = booths;
  const event = await makeEvent(account, { texts: {}, questions: [] });
  const change = (body: object) => account.call('PATCH', `/v1/events/${event.id}`, body);
  const { page, close } = await open(event);
  await startButton(page).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Just me' }).click();
  await page.getByRole('button', { name: 'Astronaut' }).click();
  await shoot(page);
  await change({ texts: { en: { consent: 'My photo may be used.' } } });
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await page.getByText('The text has just changed.').waitFor();
  await page.getByText('My photo may be used.').waitFor();
  await agree(page);
  await change({ closed: true });
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await page.getByText('Your photo was not sent and has been deleted.').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.clock.fastForward(16_000);
  await page.getByText('Thank you for coming.').waitFor();
  await close(/status of (422|410)/);
});

/** What of the page lies over the words that say what to touch. */
const coversStart = (page: Page) =>
  page.evaluate<string[]>(`
    [...document.querySelectorAll('main button, main p')].flatMap((other) => {
      const [a, b] = [other, document.querySelector('#event-start')].map((one) => one.getBoundingClientRect());
      const isWhole = a.width === innerWidth && a.height === innerHeight;
      const isOver = a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
      return isOver && !isWhole ? [other.textContent || other.ariaLabel] : [];
    })
  `);

test('a chooser with one choice is left out, and no label is cut or lies over another', async () => {
  const { account, open } = booths;
  const labels = { en: 'Captain of the Donaudampfschifffahrtsgesellschaft in the winter garden of lights' };
  const [first, , band] = newEvent().offers;
  const video = { id: 'film', kind: 'video', prompt: 'snow', model: 'simple', duration: '4s' };
  const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl'];
  const texts = Object.fromEntries(languages.map((name) => [name, { welcome: 'Welcome to this evening' }]));
  const event = await makeEvent(account, {
    name: 'Donaudampfschifffahrtsgesellschaft',
    texts,
    questions: [],
    ratios: ['portrait'],
    offers: [{ ...first, labels }],
  });
  const { page, close } = await open(event);
  await startButton(page).waitFor();
  for (const size of [...Object.values(screens), { width: 844, height: 390 }]) {
    await page.setViewportSize(size);
    assert.deepEqual(await coversStart(page), [], JSON.stringify(size));
  }
  await page.setViewportSize(screens.phone);
  await startButton(page).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Take the photo' }).waitFor();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Continue' }).waitFor();
  await account.call('PATCH', `/v1/events/${event.id}`, {
    offers: [first, { ...first, id: 'other' }, band, { ...video, labels }].map((one) => ({ ...one, labels })),
  });
  await page.clock.fastForward(16_000);
  const kept = () => page.evaluate<string>(`localStorage.getItem('guise-booth-event ${event.id}')`);
  await until(async () => (await kept()).includes('"film"'));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Just me' }).click();
  const tiles = page.locator('li button');
  await until(async () => (await tiles.count()) === 3);
  await checkScreens(page);
  const cut = await tiles.evaluateAll(
    (all) =>
      all.filter((tile) => {
        const label = [...tile.querySelectorAll('span')].find(({ textContent }) =>
          /^Captain/.test(textContent ?? ''),
        );
        return (
          label!.getBoundingClientRect().top < tile.getBoundingClientRect().top ||
          label!.scrollWidth > label!.clientWidth
        );
      }).length,
  );
  assert.equal(cut, 0);
  await close();
});
