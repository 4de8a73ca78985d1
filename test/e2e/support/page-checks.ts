import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** The widths of a phone, a tablet and a desk. */
export const widths = [390, 820, 1440] as const;

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

/** The screens of each server that axe has seen: a check takes as long as the screen's whole test otherwise. */
const checked = new Set<string>();

const screenOf = (page: Page) => page.url().replace(/[?#].*/, '');

/** Checks a screen with axe unless a test of the same file has done so. */
export async function checkAccessibilityOnce(page: Page): Promise<void> {
  if (!checked.has(screenOf(page))) await checkAccessibility(page);
}

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
