import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { forAllTests } from '../support/start-pages.ts';
import { startStudio } from './open-studio.ts';
import { seedJobs } from './seed-jobs.ts';

const count = 10_000;

const studio = forAllTests(startStudio, async ({ account, server }) => {
  await seedJobs(server.config, { accountId: account.id, count, pictures: 300 });
});

/** Frames of a scroll, and how far each goes: a strong flick of the finger. */
const scroll = { frames: 120, step: 140 };

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** In microseconds: when it began, how long it took, and how long of that its thread had a processor. */
  ts: number;
  dur?: number;
  tdur?: number;
}

interface Frame {
  /** Milliseconds to the next frame. */
  wall: number;
  /** Milliseconds of the processor that the page's main thread used for it. Other processes do not lengthen them. */
  cpu: number;
}

/** Scrolls the part of the page that scrolls, frame by frame, in a trace of the browser. */
async function traceScroll(page: Page): Promise<Frame[]> {
  await page.bringToFront();
  const browser = page.context().browser()!;
  await browser.startTracing(page, {
    categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'],
  });
  await page.evaluate(async ({ frames, step }) => {
    const element = document.getElementById('page')!;
    for (let frame = 0; frame < frames; frame++) {
      element.scrollTop += step;
      await new Promise(requestAnimationFrame);
    }
  }, scroll);
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse((await browser.stopTracing()).toString());
  return framesOf(traceEvents);
}

function framesOf(events: readonly TraceEvent[]): Frame[] {
  const fired = events.filter(({ name }) => name === 'FireAnimationFrame');
  // The page behind may have drawn a frame too.
  const byThread = [...Map.groupBy(fired, ({ pid, tid }) => `${pid} ${tid}`).values()];
  const starts = byThread.reduce((most, thread) => (thread.length > most.length ? thread : most));
  starts.sort((a, b) => a.ts - b.ts);
  const { pid, tid } = starts[0]!;
  const tasks = events.filter((event) => event.name === 'RunTask' && event.pid === pid && event.tid === tid);
  assert.ok(
    tasks.length > starts.length && tasks.some(({ tdur = 0 }) => tdur > 0),
    'the trace has the times of the processor',
  );
  return starts.slice(1).map(({ ts: end }, at) => {
    const begin = starts[at]!.ts;
    // A task belongs to the frame in which it ends.
    const own = tasks.filter(({ ts, dur = 0 }) => ts + dur > begin && ts + dur <= end);
    return {
      wall: (end - begin) / 1000,
      cpu: own.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000,
    };
  });
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** Every page is read by scrolling to the end again and again; in the list, which has fewer pictures to load on the way. */
const readAll = (page: Page) =>
  page.evaluate(async (all) => {
    const element = document.getElementById('page')!;
    const sizeOf = () => Number(document.querySelector('[aria-setsize]')?.getAttribute('aria-setsize'));
    while (sizeOf() < all) {
      element.scrollTop = element.scrollHeight;
      await new Promise(requestAnimationFrame);
    }
    element.scrollTop = 0;
  }, count);

test('a gallery of 10,000 jobs scrolls without a frame that takes three frames of an empty page', async (t) => {
  const { page, close } = await studio.open('/studio/jobs?view=list');
  const cards = page.getByRole('list', { name: 'Jobs' }).getByRole('listitem');
  await cards.first().waitFor();
  await readAll(page);
  await page.getByRole('button', { name: 'Gallery' }).click();
  await cards.first().locator('img').waitFor();
  assert.equal(await cards.first().getAttribute('aria-setsize'), String(count));
  assert.ok((await cards.count()) < 100, 'only the cards in sight are in the page');

  const empty = await page.context().newPage();
  await empty.setContent(
    '<main id="page" style="height: 100vh; overflow-y: auto"><div style="height: 600000px"></div></main>',
  );
  const frameOfEmpty = median((await traceScroll(empty)).map(({ wall }) => wall));
  await empty.close();
  // The first scroll loads thumbnails; on busy cores one frame of a scroll may be long for other reasons.
  let frames = await traceScroll(page);
  const longestOf = () => Math.max(...frames.map(({ cpu }) => cpu));
  for (let again = 0; again < 2 && longestOf() > 3 * frameOfEmpty; again++) frames = await traceScroll(page);
  const longest = longestOf();
  t.diagnostic(
    `of the empty page ${frameOfEmpty.toFixed(1)} ms, of the gallery at most ${longest.toFixed(1)} ms of processor time, ` +
      `${median(frames.map(({ cpu }) => cpu)).toFixed(1)} ms in the middle`,
  );
  assert.ok(longest <= 3 * frameOfEmpty, `${longest} ms, the empty page ${frameOfEmpty} ms`);
  await close();
});
