import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { startBrowser } from '../../../packages/server/test/support/browser.ts';
import { cameraVideo, fakeCamera } from './camera-video.ts';

export interface BorrowedBrowser {
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** Closes the contexts that were made here, also those that a failed test has left open. */
  giveBack(): Promise<void>;
}

interface SharedBrowser {
  browser: Browser;
  close(): Promise<void>;
}

/** How long the browser stays for the next test file of the process. */
const idleMs = 250;

let started: Promise<SharedBrowser> | undefined;
let borrowers = 0;
let idleTimer: NodeJS.Timeout | undefined;

/** The one browser of a process, started with the first test file that needs it and closed after the last. */
export async function borrowBrowser(): Promise<BorrowedBrowser> {
  borrowers++;
  clearTimeout(idleTimer);
  started ??= startSharedBrowser();
  const { browser } = await started;
  const contexts = new Set<BrowserContext>();
  return {
    async newContext(options) {
      const context = await browser.newContext(options);
      contexts.add(context);
      context.on('close', () => contexts.delete(context));
      return context;
    },
    async giveBack() {
      await Promise.all([...contexts].map((context) => context.close()));
      if (--borrowers === 0) idleTimer = setTimeout(closeSharedBrowser, idleMs);
    },
  };
}

/** Its camera shows a person: booths accept no photo without a face. */
async function startSharedBrowser(): Promise<SharedBrowser> {
  const camera = await cameraVideo();
  const browser = await startBrowser(fakeCamera(camera.path));
  return {
    browser,
    async close() {
      await browser.close();
      camera.remove();
    },
  };
}

async function closeSharedBrowser(): Promise<void> {
  const closing = started;
  started = undefined;
  await (await closing)?.close();
}
