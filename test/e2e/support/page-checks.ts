import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** The widths of a phone, a tablet and a desk. */
export const widths = [390, 820, 1440] as const;

export function collectComplaints(page: Page, origin: string): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()} (${message.location().url})`);
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

/** Fails on complaints, except those that a test is about: the console tells of every request that is refused. */
export function checkComplaints(complaints: readonly string[], expected?: RegExp): void {
  assert.deepEqual(
    complaints.filter((complaint) => !expected?.test(complaint)),
    [],
  );
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResults {
  violations: { id: string; impact: string; help: string; nodes: { html: string; target: string[] }[] }[];
}

/**
 * Without the rules whose findings are never grave, which are half of its time, and without reading style sheets and media
 * beforehand, which rules for text and roles do not need.
 */
const runAxe = `
  axe.run({
    resultTypes: ['violations'],
    preload: false,
    rules: Object.fromEntries(
      axe._audit.rules
        .filter(({ impact }) => impact === 'moderate' || impact === 'minor')
        .map(({ id }) => [id, { enabled: false }]),
    ),
  })
`;

/** The screens of each server that axe has seen: a check takes as long as the screen's whole test otherwise. */
const checked = new Set<string>();

/** Pages of two jobs, events or runs are one screen. */
const screenOf = (page: Page) =>
  page
    .url()
    .replace(/[?#].*/, '')
    .replace(/[\da-f-]{36}/, 'id');

/** Checks a screen with axe unless a test of the same file has done so. */
export async function checkAccessibilityOnce(page: Page): Promise<void> {
  if (!checked.has(screenOf(page))) await checkAccessibility(page);
}

/** No finding of axe may be serious or critical. */
export async function checkAccessibility(page: Page): Promise<void> {
  checked.add(screenOf(page));
  // Reading its source takes a page longer than most checks.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axeSource);
  const { violations } = await page.evaluate<AxeResults>(runAxe);
  const grave = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
    );
  assert.deepEqual(grave, [], `axe at ${page.url()}`);
}

export const sizeOfWidth = (width: number) => ({ width, height: width < 600 ? 844 : 900 });

/**
 * The page as it is fits a phone, a tablet and a desk, and axe finds nothing grave on the narrowest, nor on the widest unless
 * a test of the same file has checked the screen there: its parts are the same.
 */
export async function checkAllWidths(page: Page): Promise<void> {
  const isChecked = checked.has(`${screenOf(page)} wide`);
  checked.add(`${screenOf(page)} wide`);
  for (const width of widths) {
    await page.setViewportSize(sizeOfWidth(width));
    await checkWidth(page);
    if (width === widths[0] || (width === widths[2] && !isChecked)) await checkAccessibility(page);
  }
}

/** A page scrolls down, never sideways: neither the document nor the part beside the rail. */
export async function checkWidth(page: Page): Promise<void> {
  const tooWide = await page.evaluate<string[]>(`(async () => {
    const find = () =>
      [document.documentElement, document.getElementById('page')]
        .filter((element) => element && element.scrollWidth > element.clientWidth)
        .map((element) => element.tagName + ': ' + element.scrollWidth + ' px in ' + element.clientWidth + ' px');
    // Lists that place their rows themselves do so some frames after the window has changed.
    for (let frame = 0; frame < 30 && find().length > 0; frame++) await new Promise(requestAnimationFrame);
    return find();
  })()`);
  assert.deepEqual(tooWide, [], page.url());
}
