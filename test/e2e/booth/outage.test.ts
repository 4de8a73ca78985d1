import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createAccount } from '../../../packages/server/src/accounts/accounts.ts';
import { boothApp, buildWebApp, isWebAppStale } from '../../../packages/server/src/app/build-web-apps.ts';
import { openStorage } from '../../../packages/server/src/app/storage.ts';
import {
  accountOn,
  type TestAccount,
  temporaryConfig,
  until,
} from '../../../packages/server/test/support/harness.ts';
import { type ServerProcess, startProcess } from '../server-process.ts';
import { type BorrowedBrowser, borrowBrowser } from '../support/shared-browser.ts';
import { code, makeEvent, openBooth, shoot, startButton, walkToCamera } from './open-booth.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'guise-booth-'));
const jobMs = '400';
let browser: BorrowedBrowser;
let server: ServerProcess;
let url: string;
let account: TestAccount;

const startServer = (port: string) =>
  startProcess(new URL('booth-server.ts', import.meta.url), [dataDir, port, jobMs]);

before(async () => {
  if (isWebAppStale(boothApp)) await buildWebApp(boothApp);
  [server, browser] = [startServer('0'), await borrowBrowser()];
  url = await server.url;
  const { db, close } = await openStorage(temporaryConfig({ dataDir }));
  account = accountOn(url, await createAccount(db, { email: 'booth@example.com', credits: 1000 }));
  await close();
});
after(async () => {
  await browser.giveBack();
  await kill();
  rmSync(dataDir, { recursive: true, force: true });
});

async function kill(): Promise<void> {
  server.kill('SIGKILL');
  await server.exited;
}

async function restart(): Promise<void> {
  server = startServer(new URL(url).port);
  await server.url;
}

/** A guest who takes what there is: the code of the page, or a number. */
async function takePicture(page: Page): Promise<string | null> {
  await walkToCamera(page);
  await shoot(page);
  await page.getByRole('button', { name: 'Use this photo' }).click();
  const number = page.getByLabel('Your number');
  await code(page).or(page.getByRole('slider')).or(number).first().waitFor();
  return (await number.isVisible()) ? number.innerText() : null;
}

test('the page starts from what the device has kept when a server takes connections and never answers', async () => {
  const event = await makeEvent(account);
  const { page, close } = await openBooth(browser, url, event, { hasClock: false });
  await startButton(page).waitFor();
  await until(() => page.evaluate<boolean>('navigator.serviceWorker.controller !== null'));
  server.kill('SIGSTOP');
  try {
    await page.reload({ waitUntil: 'commit' });
    await startButton(page).waitFor();
  } finally {
    server.kill('SIGCONT');
  }
  await close(/./);
});

test('five guests in flight over a kill -9 of the server get five pictures, also those without a connection', async () => {
  const event = await makeEvent(account);
  const { page } = await openBooth(browser, url, event);
  const next = () => page.getByRole('button', { name: /^(Done, next guest|I have my number|Done)$/ }).click();
  const numbers: string[] = [];
  for (let guest = 0; guest < 5; guest++) {
    if (guest === 2) await kill();
    const number = await takePicture(page);
    if (number) numbers.push(number);
    await next();
  }
  assert.equal(numbers.length, 3);
  await page.getByRole('status').getByText('No connection. 3 photos are waiting on this device.').waitFor();

  // The page starts without the server, and still has the photos.
  await page.reload();
  await page.getByRole('status').getByText('3 photos are waiting on this device.').waitFor();
  const isReadable = await page.evaluate(async (name) => {
    const request = indexedDB.open(name);
    await new Promise((resolve) => {
      request.onsuccess = resolve;
    });
    const all = request.result.transaction('values').objectStore('values').getAll();
    await new Promise((resolve) => {
      all.onsuccess = resolve;
    });
    // A JPEG starts with ff d8, a guest's details with a brace.
    return all.result.some(({ bytes }) => {
      const [first, second] = new Uint8Array(bytes);
      return (first === 0xff && second === 0xd8) || (first === 0x7b && second === 0x22);
    });
  }, `guise-booth ${event.id}`);
  assert.equal(isReadable, false, 'what waits is encrypted');

  await restart();
  await page.clock.fastForward(5000);
  await page.getByRole('status').waitFor({ state: 'detached' });
  const jobs = await until(async () => {
    const { body } = await account.call('GET', `/v1/events/${event.id}/jobs`);
    const done = body.jobs.filter(({ status }: { status: string }) => status === 'COMPLETED');
    return done.length === 5 && body.jobs;
  });
  assert.equal(jobs.length, 5, 'none twice');
  assert.ok(jobs.every(({ consent }: { consent: object | null }) => consent));
  assert.equal(new Set(jobs.map(({ guest_id }: { guest_id: string }) => guest_id)).size, 5);

  // A guest who left with a number comes back.
  await page.getByRole('button', { name: 'Collect a picture' }).click();
  for (const digit of numbers[0]!) await page.getByRole('button', { name: digit, exact: true }).click();
  await page.getByRole('button', { name: 'Collect', exact: true }).click();
  await page.getByRole('img', { name: 'Your picture' }).waitFor();
  await code(page).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await startButton(page).waitFor();
  await page.context().close();
});
