import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { boothApp, buildWebApp, isWebAppStale } from '../../../packages/server/src/app/build-web-apps.ts';
import { startBrowser } from '../../../packages/server/test/support/browser.ts';
import {
  startTestServer,
  type TestAccount,
  type TestServer,
  until,
} from '../../../packages/server/test/support/harness.ts';
import { checkAccessibility, checkWidth, collectComplaints } from '../studio/open-studio.ts';

/** An upright tablet, the same lying, and a phone. */
export const screens = {
  portrait: { width: 820, height: 1180 },
  landscape: { width: 1180, height: 820 },
  phone: { width: 390, height: 844 },
} as const;
export type Screen = keyof typeof screens;

const hourMs = 3600_000;
const later = (ms: number) => new Date(Date.now() + ms).toISOString();

/** An event in two languages with something for one guest and something for several. */
export const newEvent = (changes: object = {}) => ({
  name: 'Summer gala',
  time_zone: 'Europe/Berlin',
  starts_at: later(-hourMs),
  ends_at: later(8 * hourMs),
  offers: [
    { id: 'first', kind: 'single', filter_id: 1, labels: { en: 'Astronaut', de: 'Im All' } },
    { id: 'second', kind: 'single', filter_id: 2, labels: { en: 'Second', de: 'Zweites' } },
    { id: 'band', kind: 'group', filter_id: 3, labels: { en: 'On stage', de: 'Auf der Bühne' } },
  ],
  budget: 1000,
  pictures_per_guest: 3,
  tries_per_guest: 5,
  result_hours: 48,
  texts: {
    en: { welcome: 'Welcome', consent: 'My photo may be used for this picture.', thanks: 'Enjoy' },
    de: {
      welcome: 'Willkommen',
      consent: 'Mein Foto darf für dieses Bild benutzt werden.',
      thanks: 'Viel Spaß',
    },
  },
  questions: [{ id: 'wall', labels: { en: 'It may be shown on the wall', de: 'Es darf an die Wand' } }],
  ...changes,
});

export interface EventPlace {
  id: string;
  key: string;
  /** The link that sets a booth up. */
  link: string;
}

export async function makeEvent(account: TestAccount, changes: object = {}): Promise<EventPlace> {
  const event = await account.call('POST', '/v1/events', newEvent(changes));
  assert.equal(event.status, 201, JSON.stringify(event.body));
  const { id } = event.body;
  const key = (await account.call('POST', `/v1/events/${id}/keys`, { name: 'tablet' })).body.secret;
  return { id, key, link: `/booth/${id}#key=${key}` };
}

export interface Booths {
  server: TestServer;
  account: TestAccount;
  browser: Browser;
  stop(): Promise<void>;
}

/** The page in a real browser with Chromium's fake camera, and a server with the engine of the tests. */
export async function startBooths(): Promise<Booths> {
  if (isWebAppStale(boothApp)) await buildWebApp(boothApp);
  const camera = await cameraVideo();
  const [server, browser] = await Promise.all([
    startTestServer({ runsPerMinute: 0 }),
    startBrowser(fakeCamera(camera.path)),
  ]);
  return {
    server,
    browser,
    account: await server.account(100_000),
    async stop() {
      await browser.close();
      await server.stop();
      camera.remove();
    },
  };
}

/** Chromium's fake camera shows a person: photos without a face are not accepted. */
export function fakeCamera(video: string): string[] {
  return [
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-video-capture=${video}`,
  ];
}

/** A video of one frame, in a folder that goes with it. */
export async function cameraVideo(
  photo = new URL('../../../catalog/samples/astronaut.jpg', import.meta.url).pathname,
  { width, height } = { width: 960, height: 720 },
): Promise<{ path: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'guise-camera-'));
  const path = join(folder, 'camera.mjpeg');
  await sharp(photo).resize(width, height, { position: 'top' }).jpeg({ quality: 92 }).toFile(path);
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export interface BoothPage {
  page: Page;
  context: BrowserContext;
  complaints: string[];
  /** Closes the page; fails on anything that it complained about. */
  close(): Promise<void>;
}

interface PageOptions {
  screen?: Screen;
  language?: string;
  /** Without it, the page is as the operator finds it for the first time. */
  isSetUp?: boolean;
  /** Whether the test moves the time on. */
  hasClock?: boolean;
}

/** A booth page of an event on a device of its own, set up. Its clock can be moved on. */
export async function openBooth(
  browser: Browser,
  url: string,
  { id, link }: EventPlace,
  { screen = 'portrait', language = 'en', isSetUp = true, hasClock = true }: PageOptions = {},
): Promise<BoothPage> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: screens[screen],
    locale: language,
    permissions: ['camera'],
    reducedMotion: 'reduce',
    hasTouch: true,
  });
  const page = await context.newPage();
  if (hasClock) await page.clock.install();
  const complaints = collectComplaints(page, url);
  await page.goto(link);
  if (isSetUp) await setUp(page);
  // The key does not stay in the address.
  await page.waitForURL(`${url}/booth/${id}`);
  return {
    page,
    context,
    complaints,
    async close() {
      await context.close();
      assert.deepEqual(complaints, []);
    },
  };
}

export const pin = '2468';

/** What the operator does once for each device. */
export async function setUp(page: Page): Promise<void> {
  await page.getByLabel(/^(PIN of the operator|PIN der Betreuung)/).fill(pin);
  await page.getByRole('button', { name: /^(Start the booth|Fotobox starten)/ }).click();
}

export const startButton = (page: Page) =>
  page.getByRole('button', { name: /Touch to start|Tippen und los/ });
export const code = (page: Page) => page.getByRole('img', { name: 'QR code that leads to your page' });

export async function agree(page: Page): Promise<void> {
  await page.getByText('I agree').click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** From the start to the mirror view. */
export async function walkToCamera(page: Page, style = 'Astronaut'): Promise<void> {
  await startButton(page).click();
  await agree(page);
  await page.getByRole('button', { name: 'Just me' }).click();
  await page.getByRole('button', { name: style }).click();
}

/** Presses the shutter and lets the countdown pass. */
export async function shoot(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Take the photo' }).click();
  const photo = page.getByRole('img', { name: 'Your photo' });
  await until(async () => {
    await page.clock.fastForward(1000);
    return photo.isVisible();
  });
}

/** From the start to the code on the screen. */
export async function walkToCode(page: Page): Promise<void> {
  await walkToCamera(page);
  await shoot(page);
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await code(page).or(page.getByRole('slider')).first().waitFor();
}

/** No text is cut, everything that is touched is large enough, and axe finds nothing grave. */
export async function checkScreen(page: Page): Promise<void> {
  await checkWidth(page);
  await checkTouchTargets(page);
  await checkAccessibility(page);
}

async function checkTouchTargets(page: Page): Promise<void> {
  const small = await page.evaluate<string[]>(`
    [...document.querySelectorAll('button, select, label:has(input), input[type=text]')].flatMap((control) => {
      const { width, height } = control.getBoundingClientRect();
      const name = control.getAttribute('aria-label') ?? control.textContent;
      const isCut = control.scrollWidth > control.clientWidth + 1;
      if (width === 0) return [];
      return width < 64 || height < 64 || isCut ? [name + ': ' + width + ' x ' + height + (isCut ? ', cut' : '')] : [];
    })
  `);
  assert.deepEqual(small, [], 'every target has at least 64 pixels');
}
