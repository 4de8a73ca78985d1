import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { boothApp } from '../../../packages/server/src/app/build-web-apps.ts';
import type { TestAccount } from '../../../packages/server/test/support/harness.ts';
import { keepPages } from '../support/kept-pages.ts';
import {
  checkAccessibility,
  checkComplaints,
  checkWidth,
  collectComplaints,
} from '../support/page-checks.ts';
import type { BorrowedBrowser } from '../support/shared-browser.ts';
import { type Pages, startPages } from '../support/start-pages.ts';

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
  ratios: ['portrait', 'landscape', 'square'],
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

export interface TestEvent {
  id: string;
  key: string;
  /** The link that sets a booth up. */
  link: string;
}

export async function makeEvent(account: TestAccount, changes: object = {}): Promise<TestEvent> {
  const event = await account.call('POST', '/v1/events', newEvent(changes));
  assert.equal(event.status, 201, JSON.stringify(event.body));
  const { id } = event.body;
  const key = (await account.call('POST', `/v1/events/${id}/keys`, { name: 'tablet' })).body.secret;
  return { id, key, link: `/booth/${id}#key=${key}` };
}

export interface TestBooths extends Pages {
  /** A booth page on a tablet that all tests of a file share: set up once, and each time with the key of another event. */
  open(event: TestEvent, screen?: Screen): Promise<BoothPage>;
}

/** The page in a real browser with Chromium's fake camera, and a server with the engine of the tests. */
export async function startBooths(): Promise<TestBooths> {
  const pages = await startPages(boothApp, { config: { runsPerMinute: 0 }, credits: 100_000 });
  const { server, browser } = pages;
  const tablet = await openDevice(browser, server.url);
  const kept = keepPages({ forgets: false });
  let isSetUp = false;
  return {
    ...pages,
    async open(event, screen = 'portrait') {
      const page = await kept.take('tablet', async () => tablet);
      await page.setViewportSize(screens[screen]);
      const opened = await openPage(page, server.url, event, { isSetUp: !isSetUp });
      isSetUp = true;
      return {
        ...opened,
        async close(expected) {
          await kept.keep('tablet', page);
          checkComplaints(opened.complaints, expected);
        },
      };
    },
  };
}

export interface BoothPage {
  page: Page;
  context: BrowserContext;
  complaints: string[];
  /** Closes the page; fails on anything else that it complained about. */
  close(expected?: RegExp): Promise<void>;
}

interface PageOptions {
  language?: string;
  /** Without it, the page is as the operator finds it for the first time. */
  isSetUp?: boolean;
  /** Whether the test moves the time on. */
  hasClock?: boolean;
}

function openDevice(
  browser: Pick<BorrowedBrowser, 'newContext'>,
  url: string,
  language = 'en',
): Promise<BrowserContext> {
  return browser.newContext({
    baseURL: url,
    viewport: screens.portrait,
    locale: language,
    permissions: ['camera'],
    reducedMotion: 'reduce',
    hasTouch: true,
  });
}

/** A booth page of an event on a device of its own. Its clock can be moved on. */
export async function openBooth(
  browser: Pick<BorrowedBrowser, 'newContext'>,
  url: string,
  event: TestEvent,
  options: PageOptions = {},
): Promise<BoothPage> {
  const context = await openDevice(browser, url, options.language);
  return openPage(await context.newPage(), url, event, options);
}

async function openPage(
  page: Page,
  url: string,
  { id, link }: TestEvent,
  { isSetUp = true, hasClock = true }: PageOptions,
): Promise<BoothPage> {
  const context = page.context();
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
    async close(expected) {
      await context.close();
      checkComplaints(complaints, expected);
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
  for (const left of ['3', '2', '1']) {
    await page.getByRole('timer').getByText(left).waitFor();
    await page.clock.fastForward(1000);
  }
  // The quick shots that follow, as far as their timers are set: else they take as long as they take.
  for (let shot = 1; shot < 5; shot++) await page.clock.fastForward(400);
  await page.getByRole('img', { name: 'Your photo' }).waitFor();
}

/** From the start to the code on the screen. */
export async function walkToCode(page: Page): Promise<void> {
  await walkToCamera(page);
  await shoot(page);
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await code(page).or(page.getByRole('slider')).first().waitFor();
}

/** No text is cut and everything that is touched is large enough, on all screens; axe finds nothing grave. */
export async function checkScreens(
  page: Page,
  /** Whether a guest touches the booth meanwhile: on a busy machine it takes longer than a booth waits for a touch. */
  { isTouched = true } = {},
): Promise<void> {
  const touch = () => (isTouched ? page.keyboard.press('Shift') : undefined);
  const own = page.viewportSize()!;
  await checkAccessibility(page);
  for (const size of Object.values(screens)) {
    await touch();
    await page.setViewportSize(size);
    await checkWidth(page);
    await checkTouchTargets(page);
  }
  await touch();
  await page.setViewportSize(own);
}

/** Nothing is cut, small or below the screen, on all screens: as `checkScreens`, for texts rather than for a screen. */
export async function checkNothingClipped(page: Page): Promise<void> {
  const own = page.viewportSize()!;
  for (const size of Object.values(screens)) {
    await page.setViewportSize(size);
    await checkWidth(page);
    await checkTouchTargets(page);
    const below = await page.evaluate<string[]>(`
      [...document.querySelectorAll('main h1, main p, main button')]
        .filter((one) => !one.closest('.overflow-y-auto') && one.getBoundingClientRect().bottom > innerHeight + 1)
        .map((one) => one.getAttribute('aria-label') ?? one.textContent)
    `);
    assert.deepEqual(below, [], `below ${size.width} x ${size.height}`);
  }
  await page.setViewportSize(own);
}

async function checkTouchTargets(page: Page): Promise<void> {
  const small = await page.evaluate<string[]>(`
    [...document.querySelectorAll('h1, h2, p, button, select, label:has(input), input[type=text]')].flatMap((control) => {
      const { width, height, left, right } = control.getBoundingClientRect();
      const name = control.getAttribute('aria-label') ?? control.textContent;
      const isCut = control.scrollWidth > control.clientWidth + 1 || left < 0 || right > innerWidth;
      if (width === 0) return [];
      const isSmall = !/^(H1|H2|P)$/.test(control.tagName) && (width < 64 || height < 64);
      return isSmall || isCut ? [name + ': ' + width + ' x ' + height + (isCut ? ', cut' : '')] : [];
    })
  `);
  assert.deepEqual(small, [], 'every target has at least 64 pixels');
}
