import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { request, until } from '../../../packages/server/test/support/harness.ts';
import { door } from '../../../packages/server/test/support/test-engine.ts';
import {
  agree,
  type Booths,
  checkScreen,
  code,
  makeEvent,
  openBooth,
  pin,
  type Screen,
  screens,
  setUp,
  shoot,
  startBooths,
  startButton,
  walkToCamera,
  walkToCode,
} from './open-booth.ts';

let booths: Booths;
before(async () => {
  booths = await startBooths();
});
after(() => booths.stop());

for (const screen of Object.keys(screens) as Screen[]) {
  test(`a guest walks from the first touch to the QR code and the picture, ${screen}`, async () => {
    const { server, account, browser } = booths;
    const event = await makeEvent(account);
    const { page, close } = await openBooth(browser, server.url, event, { screen });
    await startButton(page).waitFor();
    await checkScreen(page);
    await startButton(page).click();
    assert.ok(await page.getByRole('button', { name: 'Continue' }).isDisabled(), 'no tick, no camera');
    await page.getByText('It may be shown on the wall').click();
    await checkScreen(page);
    await agree(page);
    await checkScreen(page);
    await page.getByRole('button', { name: 'Just me' }).click();
    await checkScreen(page);
    await page.getByRole('button', { name: 'Astronaut' }).click();
    await page.getByRole('button', { name: 'Take the photo' }).waitFor();
    await checkScreen(page);
    await shoot(page);
    await page.getByRole('button', { name: 'Use this photo' }).waitFor();
    await checkScreen(page);

    const { work, open, reached } = door();
    server.engine.before = work;
    await page.getByRole('button', { name: 'Use this photo' }).click();
    await code(page).waitFor();
    await reached;
    await checkScreen(page);
    open();
    server.engine.before = async () => {};
    await page.getByRole('slider', { name: 'Compare before and after' }).waitFor();
    await page.getByText('2 pictures left').waitFor();
    await checkScreen(page);

    const { jobs } = (await account.call('GET', `/v1/events/${event.id}/jobs`)).body;
    assert.equal(jobs.length, 1);
    assert.deepEqual(
      [jobs[0].offer_id, jobs[0].consent.version, jobs[0].consent.answers],
      ['first', 1, { wall: true }],
    );
    await page.getByRole('button', { name: 'Done' }).click();
    await startButton(page).waitFor();
    await close();
  });
}

test('the page speaks German with a German event and guest, and the guest can change that', async () => {
  const { server, account, browser } = booths;
  const event = await makeEvent(account);
  const { page, close } = await openBooth(browser, server.url, event, { language: 'de-AT', screen: 'phone' });
  await page.getByText('Willkommen').waitFor();
  await startButton(page).click();
  await page.getByText('Mein Foto darf für dieses Bild benutzt werden.').waitFor();
  await checkScreen(page);
  await page.getByRole('button', { name: 'Abbrechen' }).click();
  await page.getByRole('button', { name: 'English' }).click();
  await startButton(page).click();
  await page.getByText('My photo may be used for this picture.').waitFor();
  await close();
});

test('a reload at any step goes on where the guest was', async () => {
  const { server, account, browser } = booths;
  const event = await makeEvent(account);
  const { page, close } = await openBooth(browser, server.url, event, { screen: 'landscape' });
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
  const { work, open, reached } = door();
  server.engine.before = work;
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await code(page).waitFor();
  await reached;
  await reload();
  await code(page).waitFor();
  open();
  server.engine.before = async () => {};
  await page.getByRole('slider').waitFor();
  await reload();
  await page.getByRole('slider').waitFor();
  assert.equal((await account.call('GET', `/v1/events/${event.id}`)).body.jobs, 1, 'one picture, not two');
  await close();
});

test('the booth is free while pictures are made, and nothing of a guest is left for the next', async () => {
  const { server, account, browser } = booths;
  const event = await makeEvent(account);
  const { page, close } = await openBooth(browser, server.url, event);
  const { work, open } = door();
  server.engine.before = work;
  for (let guest = 0; guest < 2; guest++) {
    await walkToCode(page);
    await page.getByRole('button', { name: 'Done, next guest' }).click();
    await startButton(page).waitFor();
  }
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
  open();
  server.engine.before = async () => {};
  await until(async () => {
    const { jobs } = (await account.call('GET', `/v1/events/${event.id}/jobs`)).body;
    return jobs.filter(({ status }: { status: string }) => status === 'COMPLETED').length === 2;
  });
  await close();
});

test('a guest who walks away is asked, then forgotten', async () => {
  const { server, account, browser } = booths;
  const event = await makeEvent(account);
  const { page, close } = await openBooth(browser, server.url, event);
  await walkToCamera(page);
  await shoot(page);
  await page.clock.fastForward(36_000);
  await page.getByRole('alertdialog', { name: 'Still there?' }).waitFor();
  await checkScreen(page);
  await page.getByRole('button', { name: 'I am still here' }).click();
  await page.getByRole('img', { name: 'Your photo' }).waitFor();
  await page.clock.fastForward(46_000);
  await startButton(page).waitFor();
  assert.equal(await page.locator('img[src^=blob]').count(), 0);
  await close();
});

test('only the PIN opens the settings, and leaving forgets the key', async () => {
  const { server, account, browser } = booths;
  const event = await makeEvent(account);
  const { page, close } = await openBooth(browser, server.url, event, { isSetUp: false });
  await checkScreen(page);
  await setUp(page);
  await page.goBack();
  await page.getByRole('button', { name: 'For the operator' }).click();
  const enter = async (digits: string) => {
    for (const digit of digits) await page.getByRole('button', { name: digit, exact: true }).click();
    await page.getByRole('button', { name: 'Next' }).click();
  };
  await enter('1111');
  await page.getByRole('alert').getByText('That is not the PIN.').waitFor();
  await checkScreen(page);
  await enter(pin);
  await page.getByLabel('Name of this booth').fill('Foyer');
  await page.getByLabel('Camera', { exact: true }).waitFor();
  await checkScreen(page);
  await page.getByRole('button', { name: 'Leave the booth' }).click();
  await page.waitForURL(`${server.url}/`);
  await page.goto(`/booth/${event.id}`);
  await page.getByText('This device is not set up').waitFor();
  await page.getByLabel('Link or key of the booth').fill(`${server.url}${event.link}`);
  await page.getByRole('button', { name: 'Open' }).click();
  await setUp(page);
  await startButton(page).waitFor();
  await close();
});

test('another style of the same photo is made while pictures are left, then no more', async () => {
  const { server, account, browser } = booths;
  const event = await makeEvent(account, { pictures_per_guest: 2 });
  const { page, close } = await openBooth(browser, server.url, event);
  await walkToCode(page);
  await page.getByRole('button', { name: /^Another style/ }).click();
  await page.getByRole('button', { name: 'Second' }).click();
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await page.getByRole('slider').waitFor();
  assert.equal(await page.getByRole('button', { name: /^Another style/ }).count(), 0);
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
