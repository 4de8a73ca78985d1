import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compose } from '../../../src/engines/local/compose.ts';
import { faceOval } from '../../../src/engines/local/face-outline.ts';
import { dropSpecks } from '../../../src/engines/local/joined.ts';
import { noMood } from '../../../src/engines/local/mood.ts';
import type { Face, Picture } from '../../../src/engines/local/picture.ts';
import { clearRedEyes } from '../../../src/engines/local/red-eye.ts';
import { readScenes } from '../../../src/engines/local/scenes.ts';
import { keepOnly } from '../../../src/engines/local/separate.ts';
import { settleVeils } from '../../../src/engines/local/veils.ts';

type Colour = readonly [number, number, number];

function paint(width: number, height: number, colourAt: (x: number, y: number) => Colour): Picture {
  const size = width * height;
  const planes: Picture['planes'] = [new Float32Array(size), new Float32Array(size), new Float32Array(size)];
  for (let i = 0; i < size; i++) {
    const colour = colourAt(i % width, Math.floor(i / width));
    for (let c = 0; c < 3; c++) planes[c]![i] = colour[c]!;
  }
  return { width, height, planes };
}

/** A round face of this height, with its outline, top, chin and irises in place. */
function faceAt(x: number, y: number, height: number): Face {
  const points = new Float32Array(478 * 3);
  faceOval.forEach((point, i) => {
    const turn = (2 * Math.PI * i) / faceOval.length - Math.PI / 2;
    points.set([x + (height / 2) * Math.cos(turn), y + (height / 2) * Math.sin(turn), 0], point * 3);
  });
  for (const [first, side] of [
    [468, -1],
    [473, 1],
  ] as const) {
    const [ex, ey, r] = [x + side * 0.2 * height, y - 0.1 * height, 0.04 * height];
    const ring = [
      [0, 0],
      [r, 0],
      [0, -r],
      [-r, 0],
      [0, r],
    ] as const;
    for (const [k, [dx, dy]] of ring.entries()) points.set([ex + dx, ey + dy, 0], (first + k) * 3);
  }
  return {
    points,
    center: { x, y },
    height,
    width: height,
    roll: 0,
    yaw: 0,
    pitch: 0,
    score: 1,
    ageGroup: 'adult',
    gender: 'female',
  };
}

test('of two people who touch, the one who is not meant goes, along the line where their clothes meet', () => {
  const [width, height] = [300, 300];
  // Two faces above a red and a blue coat; the red one leans over to the blue one's side.
  const border = (y: number) => (y < 110 ? 150 : 190);
  const photo = paint(width, height, (x, y) =>
    y < 110 ? [0.8, 0.6, 0.5] : x < border(y) ? [0.7, 0.1, 0.1] : [0.1, 0.1, 0.7],
  );
  const alpha = new Float32Array(width * height);
  for (let y = 30; y < height; y++) alpha.fill(1, y * width + 40, y * width + 260);
  const matte = { alpha, width, height, factor: 1, coverage: [1] };
  keepOnly(matte, photo, faceAt(90, 70, 60), [faceAt(225, 70, 60)]);
  const share = (x: number, y: number) => matte.alpha[y * width + x]!;
  assert.ok(share(90, 70) > 0.99 && share(225, 70) < 0.01, 'faces');
  assert.ok(share(180, 220) > 0.9, 'the coat that leans over stays whole');
  assert.ok(share(200, 220) < 0.1, 'the other coat is gone');
});

test('what is left of a neighbour and not joined to the guest goes', () => {
  const [width, height] = [300, 300];
  const photo = paint(width, height, () => [0.5, 0.5, 0.5]);
  const alpha = new Float32Array(width * height);
  const fill = (left: number, top: number, right: number, bottom: number) => {
    for (let y = top; y < bottom; y++) alpha.fill(1, y * width + left, y * width + right);
  };
  fill(60, 70, 140, 300);
  fill(20, 40, 45, 52);
  const matte = { alpha, width, height, factor: 1, coverage: [1] };
  keepOnly(matte, photo, faceAt(100, 110, 60), [faceAt(260, 110, 60)]);
  assert.equal(alpha[46 * width + 32], 0);
  assert.equal(alpha[200 * width + 100], 1);
});

test('specks beside people go, people stay', () => {
  const [width, height] = [200, 200];
  const alpha = new Float32Array(width * height);
  for (let y = 60; y < 200; y++) alpha.fill(1, y * width + 50, y * width + 120);
  for (let y = 80; y < 86; y++) alpha.fill(0.6, y * width + 150, y * width + 170);
  dropSpecks(alpha, width, height, 400);
  assert.equal(alpha[83 * width + 160], 0);
  assert.equal(alpha[100 * width + 80], 1);
  assert.equal(alpha[61 * width + 51], 1);
});

test('a broad veil is decided, a soft edge stays soft', () => {
  const [width, height] = [200, 100];
  const alpha = Float32Array.from({ length: width * height }, (_, i) => {
    const x = i % width;
    if (x < 60) return 1;
    return x < 100 ? 0.8 : x < 140 ? 0.25 : x < 146 ? (x - 140) / 6 : 1;
  });
  settleVeils(alpha, width, height, [faceAt(-60, 50, 60)]);
  const row = 50 * width;
  assert.ok(alpha[row + 80]! > 0.97, 'mostly there is there');
  assert.ok(alpha[row + 120]! < 0.03, 'mostly gone is gone');
  assert.equal(alpha[row + 30], 1);
  const narrow = Float32Array.from({ length: width * height }, (_, i) =>
    Math.min(1, Math.max(0, ((i % width) - 97) / 6)),
  );
  const before = narrow.slice();
  settleVeils(narrow, width, height, [faceAt(-90, 50, 60)]);
  assert.deepEqual(narrow, before);
});

test('lit pupils turn dark; brown eyes, warm light and skin stay', () => {
  const eyes = (skin: Colour, iris: Colour) =>
    paint(300, 300, (x, y) => {
      const inIris = [108, 192].some((ex) => Math.hypot(x - ex, y - 129) < 7);
      return inIris ? iris : skin;
    });
  const face = faceAt(150, 150, 210);
  const red = eyes([0.75, 0.62, 0.55], [0.8, 0.3, 0.32]);
  clearRedEyes(red, [face]);
  assert.ok(red.planes[0][129 * 300 + 108]! < 0.4);
  assert.equal(red.planes[0][200 * 300 + 150], Math.fround(0.75));
  for (const [skin, iris] of [
    [
      [0.75, 0.62, 0.55],
      [0.25, 0.16, 0.1],
    ],
    [
      [0.85, 0.5, 0.25],
      [0.4, 0.2, 0.08],
    ],
  ] as const) {
    const photo = eyes(skin, iris);
    const kept = photo.planes[0].slice();
    clearRedEyes(photo, [face]);
    assert.deepEqual(photo.planes[0], kept);
  }
});

test('weather that is asked for falls, also where its scene is named after it', async () => {
  const aurora = (await readScenes()).get('aurora')!;
  const snowy = { ...aurora, tags: [...aurora.tags, 'snow'] };
  const options = { ratio: 'square', seed: 1 } as const;
  const calm = await compose([], snowy, options);
  const falling = await compose([], snowy, { ...options, mood: { ...noMood, weather: 'snow' } });
  let brighter = 0;
  for (let i = 0; i < calm.people.length; i++) {
    if (falling.picture.planes[1][i]! - calm.picture.planes[1][i]! > 0.2) brighter++;
  }
  assert.ok(brighter > 1000, `${brighter} pixels of flakes`);
});
