import { after, afterEach, before } from 'node:test';
import { buildWebApp, isWebAppStale, type WebApp } from '../../../packages/server/src/app/build-web-apps.ts';
import type { Config } from '../../../packages/server/src/config.ts';
import {
  startTestServer,
  type TestAccount,
  type TestServer,
} from '../../../packages/server/test/support/harness.ts';
import type { TestEngine } from '../../../packages/server/test/support/test-engine.ts';
import { type BorrowedBrowser, borrowBrowser } from './shared-browser.ts';

export interface Pages {
  server: TestServer;
  account: TestAccount;
  browser: BorrowedBrowser;
  stop(): Promise<void>;
}

export interface PagesOptions {
  config?: Partial<Config>;
  /** Another one than the engine of the tests as it is. */
  engine?: TestEngine;
  /** Of the account. */
  credits?: number;
}

/** A server that serves the pages of an application as they are in the sources, and the browser to open them in. */
export async function startPages(
  app: WebApp,
  { config, engine, credits = 1000 }: PagesOptions = {},
): Promise<Pages> {
  if (isWebAppStale(app)) await buildWebApp(app);
  const [started, browser] = await Promise.all([
    startTestServer(config, engine && (() => [engine])),
    borrowBrowser(),
  ]);
  const server = engine ? { ...started, engine } : started;
  return {
    server,
    browser,
    account: await server.account(credits),
    async stop() {
      await browser.giveBack();
      await server.stop();
    },
  };
}

/**
 * What all tests of a file use: started and prepared before the first of them, stopped after the last. Each test finds
 * the engine as the first one did.
 */
export function forAllTests<T extends Pick<Pages, 'server' | 'stop'>>(
  start: () => Promise<T>,
  prepare?: (started: T) => Promise<void>,
): T {
  const shared = {} as T;
  let engine: Partial<TestEngine>;
  before(async () => {
    Object.assign(shared, await start());
    const { before: work, result, checkTemplate } = shared.server.engine;
    engine = { before: work, result, ...(checkTemplate && { checkTemplate }) };
    await prepare?.(shared);
  });
  afterEach(() => Object.assign(shared.server.engine, engine));
  after(() => shared.stop?.());
  return shared;
}
