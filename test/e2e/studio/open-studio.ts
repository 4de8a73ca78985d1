import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createSignInLink } from '../../../packages/server/src/accounts/sign-in-links.ts';
import { buildWebApp, isWebAppStale, studioApp } from '../../../packages/server/src/app/build-web-apps.ts';
import { startBrowser } from '../../../packages/server/test/support/browser.ts';
import {
  startTestServer,
  type TestAccount,
  type TestServer,
} from '../../../packages/server/test/support/harness.ts';
import type { TestEngine } from '../../../packages/server/test/support/test-engine.ts';

/** The widths of a phone, a tablet and a desk. */
export const widths = [390, 820, 1440] as const;

export interface Studio {
  server: TestServer;
  account: TestAccount;
  /** A page of its own browser context, signed in unless it is of a guest. It fails the test that closes it on any complaint. */
  open(
    path: string,
    options?: { width?: number; dark?: boolean; account?: TestAccount; guest?: boolean },
  ): Promise<StudioPage>;
  stop(): Promise<void>;
}

export interface StudioPage {
  page: Page;
  /** What the page complained about so far: errors of the console, failed requests, other hosts. */
  complaints: string[];
  /** Closes the page, checked with axe if no test of the file has checked this screen; fails on complaints. */
  close(): Promise<void>;
}

/** A server with the engine of the tests, and the studio in a real browser with Chromium's fake camera. */
export async function startStudio(
  overrides: Parameters<typeof startTestServer>[0] = {},
  engine?: TestEngine,
): Promise<Studio> {
  if (isWebAppStale(studioApp)) await buildWebApp(studioApp);
  const [started, browser] = await Promise.all([
    startTestServer(overrides, engine && (() => [engine])),
    startBrowser(fakeCamera),
  ]);
  const server = engine ? { ...started, engine } : started;
  const account = await server.account(1000);
  return {
    server,
    account,
    open: (path, options = {}) => openPage(server, browser, path, { account, ...options }),
    async stop() {
      await browser.close();
      await server.stop();
    },
  };
}

const fakeCamera = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

async function openPage(
  server: TestServer,
  browser: Browser,
  path: string,
  options: { width?: number; dark?: boolean; account: TestAccount; guest?: boolean },
): Promise<StudioPage> {
  const { width = 1440, dark = false, account, guest = false } = options;
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width, height: width < 600 ? 844 : 900 },
    colorScheme: dark ? 'dark' : 'light',
    permissions: ['camera', 'clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const complaints = collectComplaints(page, server.url);
  if (!guest) await signIn(server, context, account);
  await page.goto(path);
  return {
    page,
    complaints,
    async close() {
      if (!checked.has(screenOf(page))) await checkAccessibility(page);
      await context.close();
      assert.deepEqual(complaints, []);
    },
  };
}

async function signIn(server: TestServer, context: BrowserContext, account: TestAccount): Promise<void> {
  const { token: link } = await createSignInLink(server.db, account.id);
  const answer = await context.request.post('/v1/sessions', { data: { link } });
  assert.equal(answer.status(), 201, await answer.text());
}

export function collectComplaints(page: Page, origin: string): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`page: ${error.message}`));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // A page that is left aborts what it still loads.
    if (reason !== 'net::ERR_ABORTED') complaints.push(`request: ${request.url()} ${reason}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(blob|data):/.test(url)) complaints.push(`other host: ${url}`);
  });
  return complaints;
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResults {
  violations: { id: string; impact: string; help: string; nodes: { html: string; target: string[] }[] }[];
}

/** The screens that axe has seen: a check takes as long as the screen's whole test otherwise. */
const checked = new Set<string>();

const screenOf = (page: Page) => new URL(page.url()).pathname;

/** No finding of axe may be serious or critical. */
export async function checkAccessibility(page: Page): Promise<void> {
  checked.add(screenOf(page));
  // Reading its source takes a page longer than most checks.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axeSource);
  const { violations } = await page.evaluate<AxeResults>(
    // Without reading style sheets and media beforehand, which rules for text and roles do not need.
    'axe.run({ resultTypes: ["violations"], preload: false })',
  );
  const grave = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
    );
  assert.deepEqual(grave, [], `axe at ${page.url()}`);
}

/** The page as it is fits a phone, a tablet and a desk, and axe finds nothing grave on the narrowest and the widest. */
export async function checkAllWidths(page: Page): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 600 ? 844 : 900 });
    await checkWidth(page);
    if (width !== widths[1]) await checkAccessibility(page);
  }
}

/** A page scrolls down, never sideways: neither the document nor the part beside the rail. */
export async function checkWidth(page: Page): Promise<void> {
  const tooWide = await page.evaluate<string[]>(`
    [document.documentElement, document.getElementById('page')]
      .filter((element) => element && element.scrollWidth > element.clientWidth)
      .map((element) => element.tagName + ': ' + element.scrollWidth + ' px in ' + element.clientWidth + ' px')
  `);
  assert.deepEqual(tooWide, [], page.url());
}
