import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { startApp } from '../packages/server/src/app/all-in-one.ts';
import { buildWebApp, isWebAppStale, studioApp } from '../packages/server/src/app/build-web-apps.ts';
import { loadEngines } from '../packages/server/src/cli/load-engines.ts';
import { readConfig } from '../packages/server/src/config.ts';
import { startBrowser } from '../packages/server/test/support/browser.ts';
import { makeStudioContent } from './studio-content.ts';
import { makeEventContent } from './studio-event-content.ts';
import { eventScreens } from './studio-event-screens.ts';
import { makeManagedContent } from './studio-manage-content.ts';
import { manageScreens } from './studio-manage-screens.ts';

/**
 * Pictures of every screen of the studio, with the real engine's pictures in them, at the widths of a phone, a tablet and
 * a desk, in both themes: `npm run screens -- [--out out/screens] [--only try] [--widths 390,1440] [--themes light]
 * [--locale de-DE]`. In another language those that are prepared by the English of their buttons are left out.
 */
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'out/screens' },
    only: { type: 'string', default: '' },
    widths: { type: 'string', default: '390,820,1440' },
    themes: { type: 'string', default: 'light,dark' },
    locale: { type: 'string', default: 'en-US' },
  },
});

/** A screen: where it is, and what is done there before its picture is taken. */
interface Screen {
  name: string;
  path: string;
  prepare?(page: Page): Promise<void>;
}

const catalogFile = (path: string) => new URL(`../catalog/${path}`, import.meta.url).pathname;
const photo = catalogFile('samples/astronaut.jpg');
const twoPeople = catalogFile('samples/two-people.jpg');
const workflow = catalogFile('workflows/face-swap-instantid.json');

/** Waits until no test person of the creator is being made. */
async function testsMade(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await page.getByRole('button', { name: 'Again' }).waitFor({ timeout: 300_000 });
}

const screens: Screen[] = [
  { name: 'try-empty', path: '/' },
  {
    name: 'try-result',
    path: '/',
    async prepare(page) {
      await page.locator('input[type=file]').first().setInputFiles(photo);
      const isPhone = (page.viewportSize()?.width ?? 0) < 768;
      await page
        .getByRole('button', { name: 'Lantern festival' })
        .or(page.locator('section[aria-label="Scenes and costumes"] button').nth(3))
        .first()
        .click();
      await page
        .getByRole('button', { name: /^Make it/ })
        .filter({ visible: true })
        .click();
      await page.getByRole('button', { name: 'Compare', exact: true }).waitFor({ timeout: 300_000 });
      if (isPhone) await page.waitForTimeout(300);
    },
  },
  {
    name: 'try-several',
    path: '/',
    async prepare(page) {
      await page.locator('input[type=file]').first().setInputFiles(photo);
      await page.getByRole('button', { name: 'Several at once' }).click();
      const filters = page.locator('section[aria-label="Scenes and costumes"] button');
      for (const at of [2, 5, 8, 11]) await filters.nth(at).click();
      await page
        .getByRole('button', { name: /^Make 4 pictures/ })
        .filter({ visible: true })
        .click();
      await page
        .getByRole('button', { name: /^Look at/ })
        .nth(3)
        .waitFor({ timeout: 300_000 });
    },
  },
  { name: 'filters-own', path: '/studio/filters' },
  { name: 'filters-realistic', path: '/studio/filters?show=realistic' },
  {
    name: 'filter-new-words',
    path: '/studio/filters/new',
    async prepare(page) {
      await page.getByLabel('Name', { exact: true }).fill('Winter market');
      await page.getByLabel('In words').fill('a snowy street at night, lanterns, oil painting');
      await testsMade(page);
    },
  },
  {
    name: 'filter-new-picture',
    path: '/studio/filters/new',
    async prepare(page) {
      await page.getByLabel('Name', { exact: true }).fill('Two of us');
      await page.getByRole('button', { name: 'Picture', exact: true }).click();
      await page.getByLabel('Template picture').last().setInputFiles(twoPeople);
      await testsMade(page);
    },
  },
  {
    name: 'filter-new-scene',
    path: '/studio/filters/new',
    async prepare(page) {
      await page.getByLabel('Name', { exact: true }).fill('Knight of the stage');
      await page.getByRole('button', { name: 'Scene', exact: true }).click();
      await page.getByRole('region', { name: 'Scene' }).getByRole('button').nth(3).click();
      await page.getByRole('button', { name: /^Costume/ }).click();
      await page.getByRole('button', { name: /^Knight/ }).click();
      await testsMade(page);
    },
  },
  {
    name: 'filter-new-workflow',
    path: '/studio/filters/new',
    async prepare(page) {
      await page.getByRole('button', { name: 'Workflow', exact: true }).click();
      await page.locator('input[type=file]').first().setInputFiles(workflow);
      await page.getByText('Inputs and output').waitFor();
    },
  },
  { name: 'filter-edit', path: '/studio/filters/{filter}', prepare: testsMade },
  {
    name: 'filter-versions',
    path: '/studio/filters/{filter}',
    prepare: (page) => page.getByRole('button', { name: 'Versions' }).click(),
  },
  {
    name: 'filter-draft',
    path: '/studio/filters/{draft_filter}',
    async prepare(page) {
      await page.getByRole('region', { name: 'Draft' }).getByText('hecked').waitFor({ timeout: 300_000 });
      await testsMade(page);
    },
  },
  {
    name: 'filter-make-live',
    path: '/studio/filters/{draft_filter}',
    async prepare(page) {
      await page.getByRole('button', { name: 'Make live' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'filter-uses',
    path: '/studio/filters/{draft_filter}',
    prepare: (page) => page.getByRole('button', { name: 'Used by' }).click(),
  },
  {
    name: 'filter-links',
    path: '/studio/filters/{filter}',
    async prepare(page) {
      await page.getByRole('button', { name: 'Test links' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Harbour bank');
      await page.getByRole('button', { name: 'Make a link' }).click();
      await page.getByText('Copy it now').waitFor();
    },
  },
  { name: 'qa-runs', path: '/studio/qa' },
  { name: 'qa-new', path: '/studio/qa/new?filter={filter}' },
  { name: 'qa-board', path: '/studio/qa/{qa_run}' },
  {
    name: 'qa-picture',
    path: '/studio/qa/{qa_run}',
    async prepare(page) {
      await page.getByRole('gridcell').nth(3).press('Enter');
      await page.getByRole('button', { name: 'Compare', exact: true }).waitFor();
    },
  },
  { name: 'quick-test', path: '{quick_test}' },
  {
    name: 'quick-test-photo',
    path: '{quick_test}',
    prepare: (page) => page.locator('input[type=file]').setInputFiles(photo),
  },
  {
    name: 'quick-test-result',
    path: '{quick_test}',
    async prepare(page) {
      await page.locator('input[type=file]').setInputFiles(photo);
      await page.getByRole('button', { name: 'Woman', exact: true }).click();
      await page.getByRole('button', { name: 'Make my picture' }).click();
      await page.getByRole('button', { name: 'Compare', exact: true }).waitFor({ timeout: 300_000 });
    },
  },
  { name: 'jobs-gallery', path: '/studio/jobs' },
  {
    name: 'jobs-selected',
    path: '/studio/jobs',
    async prepare(page) {
      for (const at of [0, 2, 3]) await page.getByRole('checkbox').nth(at).check({ force: true });
    },
  },
  { name: 'jobs-list', path: '/studio/jobs?view=list' },
  { name: 'job', path: '/studio/jobs/{job}' },
  { name: 'usage', path: '/studio/usage?days=7' },
  ...manageScreens,
  ...eventScreens,
];

if (isWebAppStale(studioApp)) await buildWebApp(studioApp);
const dataDir = mkdtempSync(join(tmpdir(), 'guise-screens-'));
const config = {
  ...readConfig({ PORT: '0', GUISE_LOG_LEVEL: 'silent', GUISE_ALLOW_PRIVATE_URLS: 'true' }),
  dataDir,
};
const app = await startApp(config, await loadEngines(config));
const browser = await startBrowser();
const storageState = await signIn(app.signInLink!);
const parts = values.only.split(',');
const wanted = screens.filter(
  ({ name, prepare }) =>
    parts.some((part) => name.includes(part)) && (!prepare || values.locale.startsWith('en')),
);
const content: Record<string, string> = {};
// What an event's pages show takes a minute to make, and what all others show takes several.
if (wanted.some((screen) => !eventScreens.includes(screen as (typeof eventScreens)[number]))) {
  Object.assign(content, await makeStudioContent(app.url, app.demoKey!));
  await makeManagedContent(app.url, app.demoKey!);
}
Object.assign(content, await makeEventContent(app.url, app.demoKey!));
mkdirSync(values.out, { recursive: true });
for (const screen of wanted) {
  for (const width of values.widths.split(',').map(Number)) {
    for (const theme of values.themes.split(',')) {
      const context = await browser.newContext({
        storageState,
        baseURL: app.url,
        viewport: { width, height: width < 600 ? 844 : 900 },
        colorScheme: theme as 'light' | 'dark',
        reducedMotion: 'reduce',
        permissions: ['camera'],
        locale: values.locale,
      });
      const page = await context.newPage();
      await page.goto(screen.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => content[name] ?? ''));
      await screen.prepare?.(page);
      // The stream of changes never ends, so the network is never idle for long.
      await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => {});
      await page.waitForTimeout(400);
      await page.screenshot({ path: join(values.out, `${screen.name}-${width}-${theme}.png`) });
      await context.close();
    }
  }
  console.log(screen.name);
}
await browser.close();
await app.stop();
rmSync(dataDir, { recursive: true, force: true });

async function signIn(link: string) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}
