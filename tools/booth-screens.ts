import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type GuestLanguage, guestLanguages } from '@guise/contract/events/guest-languages.ts';
import type { Browser, Page } from 'playwright-core';
import type { Texts } from '../packages/booth/src/shared/texts/en.ts';
import { startApp } from '../packages/server/src/app/all-in-one.ts';
import { boothApp, buildWebApp, isWebAppStale } from '../packages/server/src/app/build-web-apps.ts';
import { loadEngines } from '../packages/server/src/cli/load-engines.ts';
import { readConfig } from '../packages/server/src/config.ts';
import { startBrowser } from '../packages/server/test/support/browser.ts';
import { request } from '../packages/server/test/support/harness.ts';
import { type Screen, screens } from '../test/e2e/booth/open-booth.ts';
import { cameraVideo, fakeCamera } from '../test/e2e/support/camera-video.ts';

/**
 * Pictures of every step of the booth page with the real engine's pictures, on an upright and a lying tablet and a
 * phone, in English and German or in other languages: `npm run screens:booth -- [--out out/booth] [--screens portrait,phone]
 * [--languages en] [--walk]`. `--walk` leaves the screens of obstacles out.
 */
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'out/booth' },
    screens: { type: 'string', default: Object.keys(screens).join() },
    languages: { type: 'string', default: 'en,de' },
    walk: { type: 'boolean', default: false },
    photo: { type: 'string', default: new URL('../catalog/samples/astronaut.jpg', import.meta.url).pathname },
  },
});

const offer = (kind: string, filter_id: number, en: string, de: string) => ({
  id: `${kind}-${filter_id}`,
  kind,
  filter_id,
  labels: { en, de },
});

const hourMs = 3600_000;
const event = {
  name: 'Lantern Night',
  time_zone: 'Europe/Berlin',
  starts_at: new Date(Date.now() - hourMs).toISOString(),
  ends_at: new Date(Date.now() + 8 * hourMs).toISOString(),
  offers: [
    offer('single', 8, 'Night of lanterns', 'Nacht der Laternen'),
    offer('single', 20, 'Astronaut', 'Im Weltall'),
    offer('single', 24, 'Royal portrait', 'Königliches Porträt'),
    offer('single', 1, 'Neon street', 'Neonstraße im Regen'),
    offer('single', 37, 'Ice cave', 'In der Eishöhle'),
    offer('single', 35, 'Ballroom', 'Im Ballsaal'),
    offer('group', 8, 'On stage', 'Auf der Bühne'),
    offer('group', 10, 'Red carpet', 'Roter Teppich'),
    offer('stylized', 4, 'Oil painting', 'Ölgemälde'),
    offer('stylized', 2, 'Comic book', 'Comic'),
  ],
  ratios: ['portrait', 'landscape', 'square'],
  budget: 10_000,
  pictures_per_guest: 3,
  result_hours: 48,
  texts: {
    en: {
      welcome: 'Step into another world. Your picture is ready in a minute.',
      consent:
        'I agree that my photo is used to make this picture, and that the picture is kept for me until the time below.',
      thanks: 'Enjoy the evening',
    },
    de: {
      welcome: 'Tritt ein in eine andere Welt. In einer Minute ist dein Bild fertig.',
      consent:
        'Ich bin einverstanden, dass mein Foto für dieses Bild verwendet und das Bild bis zur unten genannten Zeit für mich aufbewahrt wird.',
      thanks: 'Einen schönen Abend',
    },
  },
  questions: [
    {
      id: 'wall',
      labels: {
        en: 'My picture may be shown on the wall',
        de: 'Mein Bild darf auf der Bilderwand gezeigt werden',
      },
    },
  ],
};

async function textsOf(language: GuestLanguage): Promise<Texts> {
  const file = new URL(`../packages/booth/src/shared/texts/${language}.ts`, import.meta.url);
  return ((await import(file.href)) as Record<string, Texts>)[language]!;
}

/** The event in all languages: where it has no words of its own, the page's stand in. */
async function eventInAllLanguages() {
  const texts: Record<string, { welcome: string; consent: string; thanks: string }> = { ...event.texts };
  for (const language of guestLanguages) {
    const { booth } = await textsOf(language);
    texts[language] ??= { welcome: '', consent: booth.consent.kept.photo, thanks: '' };
  }
  return { ...event, texts };
}

interface Place {
  url: string;
  id: string;
  link: string;
  change(body: object): Promise<unknown>;
}

async function takePictures(
  browser: Browser,
  place: Place,
  screen: Screen,
  language: GuestLanguage,
): Promise<void> {
  const context = await browser.newContext({
    baseURL: place.url,
    viewport: screens[screen],
    locale: language,
    permissions: ['camera'],
    hasTouch: true,
  });
  const page = await context.newPage();
  const say = (await textsOf(language)).booth;
  const { labels } = event.offers[0]!;
  const style = language === 'de' ? labels.de : labels.en;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const take = async (name: string) => {
    await page.evaluate('Promise.all([...document.images].map((image) => image.decode().catch(() => {})))');
    // Fades have an end; the mirror view has none.
    await page.waitForTimeout(700);
    await page.screenshot({ path: join(values.out, `${name}-${screen}-${language}.png`) });
  };
  await page.goto(place.link);
  await page.getByLabel(say.station.pin).fill('2468');
  await take('00-setup');
  await button(say.station.start).click();
  const start = page.getByRole('button', { name: new RegExp(say.attract.start) });
  await start.waitFor();
  await take('01-attract');
  await start.click();
  await page.getByText(say.consent.agree, { exact: true }).click();
  await take('02-consent');
  await button(say.consent.start).click();
  await take('03-who');
  await button(say.who.one).click();
  await take('04-style');
  await button(style).click();
  await button(say.shoot.shutter).waitFor();
  await take('05-shoot');
  await button(say.shoot.shutter).click();
  await page.waitForTimeout(1200);
  await page.screenshot({ path: join(values.out, `06-countdown-${screen}-${language}.png`) });
  await page.getByRole('img', { name: say.shoot.photo }).waitFor();
  await button(say.shoot.use).waitFor();
  await take('07-review');
  await button(say.shoot.use).click();
  await page.getByRole('img', { name: say.handOver.qr }).waitFor();
  await page.screenshot({ path: join(values.out, `08-hand-over-${screen}-${language}.png`) });
  await waitForPicture(page);
  await take('09-reveal');
  // A touch ends the show.
  await button(say.result.title).click();
  await take('09-result');
  await page.getByRole('slider').fill('45');
  await take('10-compare');
  await button(say.result.done).click();
  if (!values.walk) await takeObstacles(page, say, { take, place, button, style });
  await context.close();
}

/** A guest who stays: the booth starts over where nobody moves. */
async function waitForPicture(page: Page): Promise<void> {
  for (let turn = 0; !(await page.getByRole('slider').isVisible()); turn++) {
    await page.mouse.move(5 + (turn % 2), 5);
    await page.waitForTimeout(1000);
  }
}

interface Hands {
  place: Place;
  style: string;
  take(name: string): Promise<void>;
  button(name: string): ReturnType<Page['getByRole']>;
}

async function takeObstacles(
  page: Page,
  say: Texts['booth'],
  { place, take, button, style }: Hands,
): Promise<void> {
  const start = page.getByRole('button', { name: new RegExp(say.attract.start) });
  const toCamera = async () => {
    await start.click();
    await page.getByText(say.consent.agree, { exact: true }).click();
    await button(say.consent.start).click();
    await button(say.who.one).click();
    await button(style).click();
  };
  await toCamera();
  await button(say.shoot.shutter).click();
  await button(say.shoot.use).waitFor();
  await page.context().setOffline(true);
  await button(say.shoot.use).click();
  await page.getByLabel(say.handOver.code).waitFor();
  await take('11-waiting');
  await button(say.handOver.remember).click();
  await page.getByRole('status').waitFor({ timeout: 30_000 });
  await take('12-away');
  await button(say.attract.collect).click();
  await take('13-collect');
  await page.context().setOffline(false);
  await button(say.stop).click();
  await button(say.attract.operator).click();
  await take('14-pin');
  for (const digit of '2468') await button(digit).click();
  await button(say.next).click();
  await page.getByRole('heading', { name: say.station.settings }).waitFor();
  await take('15-settings');
  await button(say.stop).click();
  await page.evaluate(
    "navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'))",
  );
  await toCamera();
  await page.getByText(say.camera.refused).waitFor();
  await take('16-camera-refused');
  await page.getByRole('alertdialog').waitFor({ timeout: 60_000 });
  await take('17-still-there');
  await start.waitFor({ timeout: 30_000 });
  for (const [name, on, off] of [
    ['18-paused', { paused: true }, { paused: false }],
    ['19-ended', { closed: true }, { closed: false }],
  ] as const) {
    await place.change(on);
    await page.reload();
    await start.waitFor({ state: 'detached' });
    await page.getByRole('heading').waitFor();
    await take(name);
    await place.change(off);
  }
}

mkdirSync(values.out, { recursive: true });
if (isWebAppStale(boothApp)) await buildWebApp(boothApp);
const dataDir = mkdtempSync(join(tmpdir(), 'guise-booth-screens-'));
const config = readConfig({ PORT: '0', GUISE_LOG_LEVEL: 'error', GUISE_DATA_DIR: dataDir });
const app = await startApp(config, await loadEngines(config));
const camera = await cameraVideo(values.photo, { width: 1600, height: 1200 });
const browser = await startBrowser(fakeCamera(camera.path));
try {
  const call = async (method: string, path: string, body?: object) => {
    const { status, body: answer } = await request(app.url, method, path, body, {
      'x-api-key': app.demoKey!,
    });
    if (status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const { id } = await call('POST', '/v1/events', await eventInAllLanguages());
  const { secret } = await call('POST', `/v1/events/${id}/keys`, { name: 'tablet' });
  const place: Place = {
    url: app.url,
    id,
    link: `/booth/${id}#key=${secret}`,
    change: (body) => call('PATCH', `/v1/events/${id}`, body),
  };
  for (const screen of values.screens.split(',') as Screen[])
    for (const language of values.languages.split(',') as GuestLanguage[])
      await takePictures(browser, place, screen, language);
} finally {
  await browser.close();
  await app.stop();
  camera.remove();
  rmSync(dataDir, { recursive: true, force: true });
}
