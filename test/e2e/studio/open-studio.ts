import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { createSignInLink } from '../../../packages/server/src/accounts/sign-in-links.ts';
import { studioApp } from '../../../packages/server/src/app/build-web-apps.ts';
import type { Config } from '../../../packages/server/src/config.ts';
import type { TestAccount, TestServer } from '../../../packages/server/test/support/harness.ts';
import type { TestEngine } from '../../../packages/server/test/support/test-engine.ts';
import { checkAccessibilityOnce, collectComplaints } from '../support/page-checks.ts';
import { type Pages, startPages } from '../support/start-pages.ts';

interface PageOptions {
  width?: number;
  dark?: boolean;
  account?: TestAccount;
  guest?: boolean;
}

export interface Studio extends Omit<Pages, 'browser'> {
  /** A page of its own browser context, signed in unless it is of a guest. It fails the test that closes it on any complaint. */
  open(path: string, options?: PageOptions): Promise<StudioPage>;
}

export interface StudioPage {
  page: Page;
  /** What the page complained about so far: errors of the console, failed requests, other hosts. */
  complaints: string[];
  /** Closes the page, checked with axe if no test of the file has checked this screen; fails on complaints. */
  close(): Promise<void>;
}

/** A server with the engine of the tests, and the studio in a real browser with Chromium's fake camera. */
export async function startStudio(config: Partial<Config> = {}, engine?: TestEngine): Promise<Studio> {
  const { browser, ...rest } = await startPages(studioApp, { config, ...(engine && { engine }) });
  return { ...rest, open: (path, options) => openPage({ browser, ...rest }, path, options) };
}

async function openPage(pages: Pages, path: string, options: PageOptions = {}): Promise<StudioPage> {
  const { server, browser } = pages;
  const { width = 1440, dark = false, account = pages.account, guest = false } = options;
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
      await checkAccessibilityOnce(page);
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
