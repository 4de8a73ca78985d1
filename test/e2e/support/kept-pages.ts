import type { BrowserContext, Page } from 'playwright-core';

export interface KeptPages {
  /** The page that was kept under this name, else a new one. */
  take(name: string, openContext: () => Promise<BrowserContext>): Promise<Page>;
  /** Keeps a page for the next test, without what this one has added to it. */
  keep(name: string, page: Page): Promise<void>;
}

/** What tests listen to. */
const events = ['console', 'pageerror', 'request', 'requestfailed', 'response'] as const;

const forgetAll = `(async () => {
  localStorage.clear();
  sessionStorage.clear();
  for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name);
})()`;

/**
 * Pages from one test to the next: whatever is loaded starts anew, in a process and with a cache that are there. It takes
 * half the processor time of a load in a new context. What a page has stored is forgotten, unless it is of a device that remembers it.
 */
export function keepPages({ forgets = true } = {}): KeptPages {
  const idle = new Map<string, Page>();
  return {
    async take(name, openContext) {
      const kept = idle.get(name);
      idle.delete(name);
      return kept ?? (await openContext()).newPage();
    },
    async keep(name, page) {
      // Of two pages that were open at once, one is enough for the next test.
      if (idle.has(name)) return page.close();
      for (const event of events) page.removeAllListeners(event);
      await page.unrouteAll();
      // Whatever the page still did ends here, in the process that the next test goes on in.
      await page.goto('/health');
      if (forgets) await page.evaluate(forgetAll);
      idle.set(name, page);
    },
  };
}
