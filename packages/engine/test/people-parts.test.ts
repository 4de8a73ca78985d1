import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reduceBacklightRims } from '../src/compose/backlight-rim.ts';
import { compose } from '../src/compose/compose.ts';
import { faceGains, spreadFaceGains } from '../src/compose/face-light.ts';
import { noMood } from '../src/compose/mood.ts';
import { clearRedEyes } from '../src/faces/red-eye.ts';
import { closeGaps, dropSpecks } from '../src/matting/connected-parts.ts';
import type { Cutout } from '../src/matting/cutout.ts';
import { keepOneGuest } from '../src/matting/one-guest.ts';
import { decideTranslucent } from '../src/matting/translucency.ts';
import { readScenes } from '../src/scenes/scenes.ts';
import { type Colour, faceAt, paint } from './drawn-people.ts';

test('of two people who touch, the one who is not meant goes, along the line where their clothes meet', () => {
  const [width, height] = [300, 300];
  // Two faces above a red and a blue coat; the red one leans over to the blue one's side.
  const border = (y: number) => (y < 110 ? 150 : 190);
  const photo = paint(width, height, (x, y) =>
    y < 110 ? [0.8, 0.6, 0.5] : x < border(y) ? [0.7, 0.1, 0.1] : [0.1, 0.1, 0.7],
  );
  const alpha = new Float32Array(width * height);
  for (let y = 30; y < height; y++) alpha.fill(1, y * width + 40, y * width + 260);
  const matte = { data: alpha, width, height, factor: 1, coverage: [1] };
  keepOneGuest(matte, photo, faceAt(90, 70, 60), [faceAt(225, 70, 60)]);
  const share = (x: number, y: number) => matte.data[y * width + x]!;
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
  const matte = { data: alpha, width, height, factor: 1, coverage: [1] };
  keepOneGuest(matte, photo, faceAt(100, 110, 60), [faceAt(260, 110, 60)]);
  assert.equal(alpha[46 * width + 32], 0);
  assert.equal(alpha[200 * width + 100], 1);
});

test('specks beside people go, people stay', () => {
  const [width, height] = [200, 200];
  const alpha = new Float32Array(width * height);
  for (let y = 60; y < 200; y++) alpha.fill(1, y * width + 50, y * width + 120);
  for (let y = 80; y < 86; y++) alpha.fill(0.6, y * width + 150, y * width + 170);
  dropSpecks({ width, height, data: alpha }, 400);
  assert.equal(alpha[83 * width + 160], 0);
  assert.equal(alpha[100 * width + 80], 1);
  assert.equal(alpha[61 * width + 51], 1);
});

test('a gap of the colour around it is closed; a slit that shows the room stays open', () => {
  const [width, height] = [200, 200];
  const alpha = new Float32Array(width * height);
  for (let y = 10; y < 190; y++) alpha.fill(1, y * width + 10, y * width + 190);
  const cut = (left: number, top: number, right: number, bottom: number) => {
    for (let y = top; y < bottom; y++) alpha.fill(0, y * width + left, y * width + right);
  };
  cut(40, 140, 44, 150);
  cut(120, 130, 124, 150);
  const inSlit = (x: number, y: number) => x >= 118 && x < 126 && y >= 128 && y < 152;
  const photo = paint(width, height, (x, y) => (inSlit(x, y) ? [0.9, 0.9, 0.95] : [0.1, 0.1, 0.12]));
  closeGaps({ width, height, data: alpha }, photo, [faceAt(100, 40, 50)], 0.5);
  assert.ok(alpha[145 * width + 42]! > 0.95, 'dark in dark');
  assert.equal(alpha[140 * width + 122], 0, 'a window behind the arm');
});

test('a face in the shadow of its photo gets a gain, others do not, and it stays the darker one', () => {
  const [first, second, third] = faceGains([0.05, 0.3, 0.25], 0.11) as [number, number, number];
  assert.ok(first > 1.3 && first * 0.05 < 0.25);
  assert.deepEqual([second, third], [1, 1]);
  assert.deepEqual(faceGains([0.2], 0.11), [1]);
  assert.ok(faceGains([0.07], 0.11)[0]! > 1.2, 'alone in the dark');
});

test('the gain is whole on its head, none on the neighbour, and nothing jumps between', () => {
  const [width, height] = [480, 240];
  const faces = [faceAt(120, 100, 60), faceAt(360, 100, 60)];
  const area = { ...cutoutOf(width, height, () => [0.2, 0.2, 0.2]), faces };
  const gains = spreadFaceGains(area, faces, [1.5, 1])!.data;
  const at = (x: number) => gains[100 * width + x]!;
  assert.ok(Math.abs(at(120) - 1.5) < 0.02 && Math.abs(at(360) - 1) < 0.01);
  for (let x = 1; x < width; x++) assert.ok(Math.abs(at(x) - at(x - 1)) < 0.02);
  assert.equal(spreadFaceGains(area, faces, [1, 1.01]), null);
});

test('a rim lighter than person and scene is darkened; before a bright scene it stays', () => {
  const [width, height] = [200, 200];
  // A dark coat from 60 px on, with three pixels of the old window along its edge.
  const coat = () => cutoutOf(width, height, (x) => (x < 63 ? [0.6, 0.6, 0.6] : [0.05, 0.05, 0.05]), 60);
  const scene = (level: number) => {
    const { planes } = paint(width, height, () => [level, level, level]);
    return { width, height, colour: planes };
  };
  const dark = coat();
  reduceBacklightRims(dark, scene(0.03));
  const i = 100 * width + 61;
  assert.ok(dark.colour[1][i]! < 0.2, `rim ${dark.colour[1][i]}`);
  assert.equal(dark.colour[1][100 * width + 120], Math.fround(0.05), 'the coat itself is as it was');
  const bright = coat();
  reduceBacklightRims(bright, scene(0.6));
  assert.equal(bright.colour[1][i], Math.fround(0.6));
});

/** People from a column on, in linear light. */
function cutoutOf(
  width: number,
  height: number,
  colourAt: (x: number, y: number) => Colour,
  from = 0,
): Cutout {
  const alpha = Float32Array.from({ length: width * height }, (_, i) => (i % width >= from ? 1 : 0));
  const colour = paint(width, height, colourAt).planes;
  return { x: 0, y: 0, width, height, colour, alpha, faces: [faceAt(100, 100, 60)] };
}

test('a broad translucent part is decided, a soft edge stays soft', () => {
  const [width, height] = [200, 100];
  const alpha = Float32Array.from({ length: width * height }, (_, i) => {
    const x = i % width;
    if (x < 60) return 1;
    return x < 100 ? 0.8 : x < 140 ? 0.25 : x < 146 ? (x - 140) / 6 : 1;
  });
  decideTranslucent({ width, height, data: alpha }, [faceAt(-60, 50, 60)]);
  const row = 50 * width;
  assert.ok(alpha[row + 80]! > 0.97, 'mostly there is there');
  assert.ok(alpha[row + 120]! < 0.03, 'mostly gone is gone');
  assert.equal(alpha[row + 30], 1);
  const narrow = Float32Array.from({ length: width * height }, (_, i) =>
    Math.min(1, Math.max(0, ((i % width) - 97) / 6)),
  );
  const before = narrow.slice();
  decideTranslucent({ width, height, data: narrow }, [faceAt(-90, 50, 60)]);
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
  const clear = await compose([], snowy, options);
  const falling = await compose([], snowy, { ...options, mood: { ...noMood, weather: 'snow' } });
  let brighter = 0;
  for (let i = 0; i < clear.picture.planes[1].length; i++) {
    if (falling.picture.planes[1][i]! - clear.picture.planes[1][i]! > 0.2) brighter++;
  }
  assert.ok(brighter > 1000, `${brighter} pixels of flakes`);
});
