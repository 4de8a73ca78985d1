import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { CDPSession } from 'playwright-core';
import { startParties } from '../test/e2e/booth/party.ts';

/**
 * Frames of a wall of 500 pictures while new ones come in, against those of an empty page in the same browser:
 * `npm run bench:wall`. Exits with 1 when it has more late ones than that and a few. Chromium draws in software where
 * there is no graphics card.
 */
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' } } });
const seconds = Number(values.seconds);
/** Late frames beyond those of the empty page, of all. */
const goal = 0.02;
/** Three frames of a screen with 60 a second. */
const lateMs = 50;

interface Frames {
  frames: number;
  late: number;
  longestMs: number;
}

const framesIn = (seconds: number) => `new Promise((resolve) => {
  const times = [];
  const note = (time) => {
    times.push(time);
    if (time - times[0] < ${seconds * 1000}) return requestAnimationFrame(note);
    const gaps = times.slice(1).map((at, i) => at - times[i]);
    resolve({
      frames: gaps.length,
      late: gaps.filter((gap) => gap > ${lateMs}).length,
      longestMs: Math.round(Math.max(...gaps)),
    });
  };
  requestAnimationFrame(note);
})`;

function print(name: string, { frames, late, longestMs }: Frames): void {
  console.log(
    `${name}: ${frames} frames, ${late} after more than ${lateMs} ms, the longest after ${longestMs} ms`,
  );
}

/** What the main thread of a page has worked so far. */
async function busySeconds(inspector: CDPSession): Promise<number> {
  const { metrics } = await inspector.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
}

const parties = await startParties();
try {
  const party = await parties.make({ wall: 'all' });
  await party.seed(500);
  const { wall } = await party.links();
  const options = { width: 1920, height: 1080, motion: 'no-preference' } as const;
  const empty = await parties.open('/g/nothing', options);
  const floor = await empty.page.evaluate<Frames>(framesIn(seconds));
  await empty.context.close();
  print('empty page', floor);

  const { page, context } = await parties.open(wall, options);
  const inspector = await context.newCDPSession(page);
  await inspector.send('Performance.enable');
  await page.locator('.wall-layer').nth(20).waitFor();
  const busyBefore = await busySeconds(inspector);
  const measured = page.evaluate<Frames>(framesIn(seconds));
  const end = performance.now() + seconds * 1000;
  // A picture every three seconds is a busy evening with two booths.
  while (performance.now() < end) {
    await party.shoot({ wall: true });
    await sleep(3000);
  }
  const frames = await measured;
  print('wall of 500', frames);
  const busy = (await busySeconds(inspector)) - busyBefore;
  console.log(`its main thread was busy for ${((100 * busy) / seconds).toFixed(1)}% of the time`);
  console.log(`${await page.locator('img').count()} images in the page`);
  const beyond = frames.late / frames.frames - floor.late / floor.frames;
  if (beyond > goal) process.exitCode = 1;
} finally {
  await parties.stop();
}
