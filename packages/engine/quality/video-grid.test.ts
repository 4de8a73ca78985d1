import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import type { Frame } from '../src/video/frame.ts';
import { readMotion } from '../src/video/motion-words.ts';
import { renderSingleFrame } from '../src/video/single.ts';
import { watch } from '../test/support/decode-video.ts';
import { photoFile } from '../test/support/sample-photos.ts';

const folder = mkdtempSync(join(tmpdir(), 'guise-grid-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A photo of straight lines: dark on light, 120 pixels apart, both ways. */
let grid: string;
before(async () => {
  const lines = Array.from({ length: 14 }, (_, i) => 60 + 120 * i);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1500" height="1000"><rect width="100%" height="100%" fill="#e8e4de"/>${lines
    .map(
      (at) =>
        `<path d="M${at} 0V1000M0 ${at}H1500" stroke="#202428" stroke-width="5" vector-effect="non-scaling-stroke"/>`,
    )
    .join('')}</svg>`;
  grid = await photoFile('grid.png', sharp(Buffer.from(svg)).png());
});

/** Further than this from its straight line, in pixels, a line would be seen to bend. */
const mostBend = 1;

for (const [model, prompt] of [
  ['simple', 'zoom in and pan left'],
  ['advanced', 'orbit right'],
  ['advanced', 'dolly in, handheld'],
] as const) {
  test(`${model}, “${prompt}”: straight lines of a photo are straight in the last frame`, async () => {
    const file = join(folder, `${model}-${prompt.length}.mp4`);
    const options = { model, aspect: 'auto', frames: 16, seed: 1, file } as const;
    const signal = new AbortController().signal;
    await renderSingleFrame(grid, { ...options, motion: readMotion(prompt), signal, progress() {} });
    const { first, last } = await watch(file);
    assert.ok(difference(first, last) > 2, 'the camera has moved');
    for (const frame of [first, last]) {
      const bends = [...bendsOf(frame, false), ...bendsOf(frame, true)];
      assert.ok(bends.length >= 8, `${bends.length} lines were followed`);
      assert.ok(Math.max(...bends) < mostBend, bends.map((bend) => bend.toFixed(2)).join(' '));
    }
  });
}

function difference(a: Frame, b: Frame): number {
  return a.y.reduce((sum, luma, i) => sum + Math.abs(luma - b.y[i]!), 0) / a.y.length;
}

/** How far each dark line strays from the straight line that fits it best; `across` for those that lie. */
function bendsOf({ width, height, y }: Frame, across: boolean): number[] {
  const length = across ? width : height;
  const breadth = across ? height : width;
  const luma = (along: number, at: number) => y[across ? at * width + along : along * width + at]!;
  const margin = 30;
  const bends: number[] = [];
  const middle = Math.round(length / 2) + 20;
  for (let start = margin; start < breadth - margin; start++) {
    const darkest = luma(middle, start) < 90 && luma(middle, start - 1) > luma(middle, start);
    if (!darkest || luma(middle, start) > luma(middle, start + 1)) continue;
    const points = follow(luma, length, breadth, middle, start);
    // Lines that leave the picture are not followed to their end.
    if (points.length > 0.8 * length) bends.push(strayOf(points));
    start += 20;
  }
  return bends;
}

/** The middle of a line at every place along it, from the middle outwards; crossings are passed over. */
function follow(
  luma: (along: number, at: number) => number,
  length: number,
  breadth: number,
  middle: number,
  start: number,
): [number, number][] {
  const points: [number, number][] = [];
  for (const way of [1, -1]) {
    let at = start;
    for (let along = middle; along >= 0 && along < length; along += way) {
      const from = Math.round(at) - 8;
      if (from < 0 || from + 16 >= breadth) break;
      let weight = 0;
      let sum = 0;
      for (let k = from; k <= from + 16; k++) {
        const dark = Math.max(0, 150 - luma(along, k));
        weight += dark;
        sum += dark * k;
      }
      const ends = Math.min(luma(along, from), luma(along, from + 16));
      if (ends < 140) continue;
      if (weight < 40) break;
      at += Math.max(-0.5, Math.min(0.5, sum / weight - at));
      points.push([along, sum / weight]);
    }
  }
  return points;
}

function strayOf(points: readonly [number, number][]): number {
  const count = points.length;
  const mx = points.reduce((sum, [x]) => sum + x, 0) / count;
  const my = points.reduce((sum, [, v]) => sum + v, 0) / count;
  const slope =
    points.reduce((sum, [x, v]) => sum + (x - mx) * (v - my), 0) /
    points.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
  return Math.max(...points.map(([x, v]) => Math.abs(v - my - slope * (x - mx))));
}
