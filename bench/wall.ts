import { parseArgs } from 'node:util';
import { startParties } from '../test/e2e/booth/party.ts';

/**
 * Frames of a wall of 500 pictures while new ones come in: `node bench/wall.ts [--seconds 20]`. Exits with 1 when more
 * frames are late than the same browser has with an empty page. Chromium draws in software here: a machine with a
 * graphics card has better figures.
 */
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' } } });
const seconds = Number(values.seconds);
const goals = { lateShare: 0.02, longestMs: 150 };
/** Three frames of a screen with 60 a second. */
const lateMs = 50;

interface Frames {
  frames: number;
  late: number;
  longestMs: number;
  heapMb: number;
}

const measure = `new Promise((resolve) => {
  const times = [];
  const note = (time) => {
    times.push(time);
    if (time - times[0] < ${seconds * 1000}) return requestAnimationFrame(note);
    const gaps = times.slice(1).map((at, i) => at - times[i]);
    resolve({
      frames: gaps.length,
      late: gaps.filter((gap) => gap > ${lateMs}).length,
      longestMs: Math.round(Math.max(...gaps)),
      heapMb: Math.round(performance.memory.usedJSHeapSize / 1e6),
    });
  };
  requestAnimationFrame(note);
})`;

const parties = await startParties();
try {
  const party = await parties.make({ wall: 'all' });
  await party.seed(500);
  const { wall } = await party.links();
  const options = { width: 1920, height: 1080, motion: 'no-preference' } as const;
  const { page } = await parties.open(wall, options);
  await page.locator('.wall-layer').nth(20).waitFor();
  const measured = page.evaluate<Frames>(measure);
  const end = performance.now() + seconds * 1000;
  // A picture every three seconds is a busy evening with two booths.
  while (performance.now() < end) {
    await party.shoot({ wall: true });
    await new Promise((resolve) => setTimeout(resolve, 3000));
  }
  const { frames, late, longestMs, heapMb } = await measured;
  const images = await page.locator('img').count();
  console.log(
    `${frames} frames in ${seconds} s (${(frames / seconds).toFixed(1)} a second), ${late} after more than ${lateMs} ms, the longest after ${longestMs} ms; ${images} images, ${heapMb} MB`,
  );
  if (late > goals.lateShare * frames || longestMs > goals.longestMs) process.exitCode = 1;
} finally {
  await parties.stop();
}
