import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { createSignInLink } from '../../../packages/server/src/accounts/sign-in-links.ts';
import { studioApp } from '../../../packages/server/src/app/build-web-apps.ts';
import type { Config } from '../../../packages/server/src/config.ts';
import type { TestAccount, TestServer } from '../../../packages/server/test/support/harness.ts';
import type { TestEngine } from '../../../packages/server/test/support/test-engine.ts';
import { type KeptPages, keepPages } from '../support/kept-pages.ts';
import {
  checkAccessibilityOnce,
  checkComplaints,
  collectComplaints,
  sizeOfWidth,
} from '../support/page-checks.ts';
import { type Pages, startPages } from '../support/start-pages.ts';

interface PageOptions {
  width?: number;
  dark?: boolean;
  account?: TestAccount;
  guest?: boolean;
  /** Of the browser. */
  locale?: string;
}

export interface Studio extends Omit<Pages, 'browser'> {
  /** A page that is signed in unless it is of a guest, and has nothing of other tests. It fails the test that closes it on any complaint. */
  open(path: string, options?: PageOptions): Promise<StudioPage>;
}

export interface StudioPage {
  page: Page;
  /** Ends the use of the page, checked with axe if no test of the file has checked this screen; fails on complaints: errors of the console, failed requests, other hosts. */
  close(expected?: RegExp): Promise<void>;
}

/** A server with the engine of the tests, and the studio in a real browser with Chromium's fake camera. */
export async function startStudio(config: Partial<Config> = {}, engine?: TestEngine): Promise<Studio> {
  const { browser, ...rest } = await startPages(studioApp, { config, ...(engine && { engine }) });
  const kept = keepPages();
  return { ...rest, open: (path, options) => openPage({ browser, ...rest }, kept, path, options) };
}

async function openPage(
  pages: Pages,
  kept: KeptPages,
  path: string,
  options: PageOptions = {},
): Promise<StudioPage> {
  const { server } = pages;
  const { width = 1440, dark = false, account = pages.account, guest = false, locale = 'en-US' } = options;
  const kind = `studio ${locale}`;
  const page = await kept.take(kind, () => openContext(pages, locale));
  await signIn(server, page.context(), guest ? null : account);
  await page.setViewportSize(sizeOfWidth(width));
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
  const complaints = collectComplaints(page, server.url);
  await page.goto(path);
  return {
    page,
    async close(expected) {
      await checkAccessibilityOnce(page);
      await kept.keep(kind, page);
      checkComplaints(complaints, expected);
    },
  };
}

function openContext({ server, browser }: Pages, locale: string): Promise<BrowserContext> {
  return browser.newContext({
    baseURL: server.url,
    permissions: ['camera', 'clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
    locale,
  });
}

/** Whose session each context has. */
const accounts = new WeakMap<BrowserContext, string>();

async function signIn(
  server: TestServer,
  context: BrowserContext,
  account: TestAccount | null,
): Promise<void> {
  if (account && accounts.get(context) === account.id) return;
  await context.clearCookies();
  accounts.delete(context);
  if (!account) return;
  const { token: link } = await createSignInLink(server.db, account.id);
  const answer = await context.request.post('/v1/sessions', { data: { link } });
  assert.equal(answer.status(), 201, await answer.text());
  accounts.set(context, account.id);
}
