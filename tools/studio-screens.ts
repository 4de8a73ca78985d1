import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { startApp } from '../packages/server/src/app/all-in-one.ts';
import { buildStudio, isStudioStale } from '../packages/server/src/app/build-studio.ts';
import { loadEngines } from '../packages/server/src/cli/load-engines.ts';
import { readConfig } from '../packages/server/src/config.ts';
import { startBrowser } from '../packages/server/test/support/browser.ts';
import { makeStudioContent } from './studio-content.ts';
import { makeManagedContent } from './studio-manage-content.ts';
import { manageScreens } from './studio-manage-screens.ts';

/**
 * Pictures of every screen of the studio, with the real engine's pictures in them, at the widths of a phone, a tablet and
 * a desk, in both themes: `node tools/studio-screens.ts [--out out/screens] [--only try] [--widths 390,1440] [--themes light]`.
 */
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'out/screens' },
    only: { type: 'string', default: '' },
    widths: { type: 'string', default: '390,820,1440' },
    themes: { type: 'string', default: 'light,dark' },
  },
});

/** A screen: where it is, and what is done there before its picture is taken. */
interface Screen {
  name: string;
  path: string;
  prepare?(page: Page): Promise<void>;
}

const photo = new URL('../catalog/samples/astronaut.jpg', import.meta.url).pathname;

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
      await page.getByRole('slider', { name: 'Compare before and after' }).waitFor({ timeout: 60_000 });
      if (isPhone) await page.waitForTimeout(300);
    },
  },
  ...manageScreens,
];

if (isStudioStale()) await buildStudio();
const dataDir = mkdtempSync(join(tmpdir(), 'guise-screens-'));
const config = {
  ...readConfig({ PORT: '0', GUISE_LOG_LEVEL: 'silent', GUISE_ALLOW_PRIVATE_URLS: 'true' }),
  dataDir,
};
const app = await startApp(config, await loadEngines(config));
const browser = await startBrowser();
const storageState = await signIn(app.signInLink!);
const content = await makeStudioContent(app.url, app.demoKey!);
await makeManagedContent(app.url, app.demoKey!);
mkdirSync(values.out, { recursive: true });
for (const screen of screens.filter(({ name }) => name.includes(values.only))) {
  for (const width of values.widths.split(',').map(Number)) {
    for (const theme of values.themes.split(',')) {
      const context = await browser.newContext({
        storageState,
        baseURL: app.url,
        viewport: { width, height: width < 600 ? 844 : 900 },
        colorScheme: theme as 'light' | 'dark',
        reducedMotion: 'reduce',
        permissions: ['camera'],
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
