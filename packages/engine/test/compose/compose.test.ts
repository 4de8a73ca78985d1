import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Ratio } from '@guise/contract/common.ts';
import { canvasSizes } from '@guise/contract/families/canvas.ts';
import { haloShare, photoBehind, plainHaloShare } from '../../quality/halo.ts';
import { likeness } from '../../quality/likeness.ts';
import { type Composite, compose } from '../../src/compose/compose.ts';
import { type Mood, noMood } from '../../src/compose/mood.ts';
import { measurePlateLight } from '../../src/compose/plate-light.ts';
import { prepareScene } from '../../src/compose/prepared-scene.ts';
import type { Face } from '../../src/faces/face.ts';
import { findFaces, findPeople } from '../../src/faces/faces.ts';
import { faceLuminance } from '../../src/faces/photo-problems.ts';
import { findPeopleIn, type PeoplePhoto } from '../../src/matting/people.ts';
import { hueOf, labOf, luminance, srgbToLinear } from '../../src/pixels/colour.ts';
import { readPhoto } from '../../src/pixels/photo.ts';
import { mapPlanes, type Picture } from '../../src/pixels/picture.ts';
import { readPlate, readScenes, type Scene } from '../../src/scenes/scenes.ts';
import { onePerson, sample } from '../support/sample-photos.ts';

let scenes: Map<string, Scene>;
let one: PeoplePhoto;
let four: PeoplePhoto;
let portrait: Composite;
let landscape: Composite;
let dark: Composite;
let bright: Composite;
let empty: Composite;

before(async () => {
  scenes = await readScenes();
  // `npm run test:pictures` looks at pictures of the finer matte.
  one = await cutOut(await onePerson(940));
  four = await cutOut(sample(4));
  portrait = await compose([one], scene('great-hall'), { ratio: 'portrait', seed: 1 });
  landscape = await compose([four], scene('neon-street'), { ratio: 'landscape', seed: 1 });
  dark = await compose([one], scene('aurora'), { ratio: 'square', seed: 1 });
  bright = await compose([one], scene('ocean-golden'), { ratio: 'square', seed: 1 });
  empty = await compose([], scene('great-hall'), { ratio: 'portrait', seed: 1 });
});

async function cutOut(file: string): Promise<PeoplePhoto> {
  const photo = await readPhoto(file);
  return findPeopleIn(photo, await findPeople(photo, { traits: false }), { fast: true });
}

const scene = (name: string) => scenes.get(name)!;

test('pictures have the size of their ratio exactly', () => {
  assert.deepEqual(sizeOf(portrait.picture), canvasSizes.portrait);
  assert.deepEqual(sizeOf(landscape.picture), canvasSizes.landscape);
  assert.deepEqual(sizeOf(dark.picture), canvasSizes.square);
});

test('every face of the photo is in the picture, where it is said to be, and none is doubled', async () => {
  for (const [composed, photo] of [
    [portrait, one],
    [landscape, four],
  ] as const) {
    const found = await findFaces(composed.picture, { traits: false });
    assert.equal(found.length, photo.faces.length);
    for (const [i, face] of found.entries()) {
      const said = composed.faces[i]!;
      assert.ok(Math.hypot(face.center.x - said.center.x, face.center.y - said.center.y) < 0.1 * said.height);
    }
  }
});

test('people stay themselves', async () => {
  const alike: number[] = [];
  for (const [composed, photo] of [
    [portrait, one],
    [landscape, four],
  ] as const) {
    for (const [i, face] of composed.faces.entries()) {
      alike.push(await likeness(photo.photo, photo.faces[i]!, composed.picture, face));
    }
  }
  alike.sort((a, b) => a - b);
  assert.ok(alike[0]! >= 0.85, `least alike: ${alike}`);
  assert.ok(alike[alike.length >> 1]! >= 0.93, `median: ${alike}`);
});

test('strangers are not alike, so the measure can fail', async () => {
  const [first, second] = four.faces;
  assert.ok((await likeness(four.photo, first!, four.photo, second!)) < 0.6);
});

test('people have no halo, by the plain measure too, which counts the rims they came with', () => {
  const plain: number[] = [];
  const withoutOwn: number[] = [];
  for (const [composed, photo] of [
    [portrait, one],
    [landscape, four],
    [dark, one],
    [bright, one],
  ] as const) {
    plain.push(plainHaloShare(composed.picture, composed.people.data));
    withoutOwn.push(haloShare(composed.picture, composed.people.data, behind(composed, photo)));
  }
  plain.sort((a, b) => a - b);
  withoutOwn.sort((a, b) => a - b);
  // The portrait's worst points are a line of the hall's floor, seen through the gap beside a wrist.
  assert.ok(withoutOwn[2]! <= 0.012 && withoutOwn[3]! <= 0.025, `without own rims ${withoutOwn}`);
  assert.ok(plain[2]! <= 0.02 && plain[3]! <= 0.03, `plain ${plain}`);
});

test('the halo measure sees a halo', () => {
  const { width, height } = portrait.picture;
  const planes = mapPlanes(portrait.picture.planes, (plane) =>
    plane.map((value, i) => {
      const a = portrait.people.data[i]!;
      return a > 0.05 && a < 0.95 ? 1 : value;
    }),
  );
  assert.ok(haloShare({ width, height, planes }, portrait.people.data, behind(portrait, one)) > 0.06);
  assert.ok(plainHaloShare({ width, height, planes }, portrait.people.data) > 0.06);
});

test('the halo measure sees the old background along a plain cut-out', () => {
  const { width, height } = portrait.picture;
  const before = behind(portrait, one);
  const planes = mapPlanes(empty.picture.planes, (plane, c) =>
    plane.map((value, i) => value + (before.planes[c]![i]! - value) * portrait.people.data[i]!),
  );
  const plain = haloShare({ width, height, planes }, portrait.people.data, before);
  const made = haloShare(portrait.picture, portrait.people.data, before);
  assert.ok(plain > 1.5 * made && plain > 0.015, `plain ${plain}, made ${made}`);
});

test('without people the picture is the plate, and away from people it is the same with them', async () => {
  const plate = await readPlate(scene('great-hall'), 'portrait');
  // The grade and the grain change every value a little.
  const alike = correlation(
    everySeventh(empty.picture.planes[1]).map(srgbToLinear),
    everySeventh(plate.colour[1]),
  );
  assert.ok(alike > 0.97, `${alike}`);
  let changed = 0;
  let checked = 0;
  for (let i = 0; i < portrait.people.data.length; i += 7) {
    if (portrait.people.data[i]! > 0) continue;
    checked++;
    if (Math.abs(portrait.picture.planes[1][i]! - empty.picture.planes[1][i]!) > 0.06) changed++;
  }
  assert.ok(checked > plate.width * 20);
  assert.ok(changed / checked < 0.01);
});

test('people fill the lower border and no border of the photo shows inside the picture', () => {
  for (const { people, picture } of [portrait, landscape]) {
    const { width, height } = picture;
    let atBottom = 0;
    for (let x = 0; x < width; x++) if (people.data[(height - 1) * width + x]! > 0.5) atBottom++;
    assert.ok(atBottom > 0.15 * width);
    // A straight vertical or horizontal edge of the photo would be a jump of the matte along a long line.
    assert.ok(longestJump(people.data, width, height, 'down') < 0.12 * height);
    assert.ok(longestJump(people.data, width, height, 'across') < 0.12 * width);
  }
});

test('a face is lit as its scene is: darker at night than by daylight, never black', () => {
  const [darkFace, brightFace] = [dark, bright].map(({ picture, faces }) =>
    faceLuminance(picture, faces[0]!),
  );
  assert.ok(darkFace! < brightFace!);
  assert.ok(darkFace! > 0.06 && brightFace! < 0.75, `${darkFace} ${brightFace}`);
});

test('skin keeps a colour that skin can have, by candlelight as under green lights', () => {
  for (const { picture, faces } of [portrait, landscape, dark, bright]) {
    for (const face of faces) {
      const [, a, b] = labOf(...meanFaceColour(picture, face));
      const hue = hueOf(a, b);
      assert.ok(hue > 10 && hue < 95, `hue ${hue}`);
    }
  }
});

test('in the dark and in green light skin keeps its red and nine tenths of its colour', () => {
  const colourOf = (picture: Picture, face: Face) => {
    const [lightness, a, b] = labOf(...meanFaceColour(picture, face));
    return { hue: hueOf(a, b), colour: Math.hypot(a, b) / lightness };
  };
  const own = colourOf(one.photo, one.faces[0]!);
  for (const { picture, faces } of [portrait, dark]) {
    const { hue, colour } = colourOf(picture, faces[0]!);
    assert.ok(hue < own.hue + 5, `hue ${hue}, was ${own.hue}`);
    assert.ok(colour > 0.9 * own.colour, `colour ${colour}, was ${own.colour}`);
  }
});

test('the same photo, scene and seed give the same picture; another seed gives other grain', async () => {
  const again = await compose([one], scene('aurora'), { ratio: 'square', seed: 1 });
  assert.deepEqual(again.picture.planes[1], dark.picture.planes[1]);
  const other = await compose([], scene('great-hall'), { ratio: 'portrait', seed: 2 });
  assert.notDeepEqual(other.picture.planes[1], empty.picture.planes[1]);
});

test('a frame that is to be kept is kept: people stand where they stood in the photo', async () => {
  const kept = await compose([four], scene('aurora'), { ratio: 'landscape', seed: 1, keepFrame: true });
  const { width, height } = canvasSizes.landscape;
  const scale = Math.max(width / four.photo.width, height / four.photo.height);
  assert.equal(kept.faces.length, four.faces.length);
  for (const [i, face] of kept.faces.entries()) {
    const before = four.faces[i]!;
    assert.ok(Math.abs(face.height - before.height * scale) < 1);
    // The photo is taller than the canvas and loses its lower border.
    assert.ok(Math.abs(face.center.x - before.center.x * scale) < 1);
    assert.ok(Math.abs(face.center.y - before.center.y * scale) < 1);
  }
  const found = await findFaces(kept.picture, { traits: false });
  assert.equal(found.length, kept.faces.length);
  for (const [i, face] of found.entries()) {
    const said = kept.faces[i]!;
    assert.ok(Math.hypot(face.center.x - said.center.x, face.center.y - said.center.y) < 0.1 * said.height);
  }
});

test('a plate is measured once for each shape and light, and as what it is', async () => {
  const hall = { ...scene('great-hall') };
  const prepare = (ratio: Ratio, light: Mood['light'] = null) =>
    prepareScene(hall, { ratio, seed: 1, mood: { ...noMood, light } });
  const first = await prepare('square');
  assert.deepEqual(first.plateLight, measurePlateLight(first.plate));
  assert.equal((await prepare('square')).plateLight, first.plateLight);
  for (const other of [await prepare('portrait'), await prepare('square', 'night')]) {
    assert.deepEqual(other.plateLight, measurePlateLight(other.plate));
    assert.notDeepEqual(other.plateLight, first.plateLight);
  }
});

test('a stopped run ends before the next stage', async () => {
  const stop = new AbortController();
  stop.abort(new Error('stopped'));
  await assert.rejects(
    compose([one], scene('aurora'), { ratio: 'portrait', seed: 1, signal: stop.signal }),
    /stopped/,
  );
});

function sizeOf({ width, height }: Picture) {
  return { width, height };
}

/** The longest straight line, in pixels, on whose two sides the matte differs by nearly everything. */
function longestJump(
  people: Float32Array,
  width: number,
  height: number,
  direction: 'down' | 'across',
): number {
  const [lines, length] = direction === 'down' ? [width, height] : [height, width];
  const [lineStep, step] = direction === 'down' ? [1, width] : [width, 1];
  let longest = 0;
  for (let line = 4; line < lines - 4; line++) {
    let run = 0;
    for (let along = 4; along < length - 4; along++) {
      const at = line * lineStep + along * step;
      run = Math.abs(people[at]! - people[at - 3 * lineStep]!) > 0.9 ? run + 1 : 0;
      longest = Math.max(longest, run);
    }
  }
  return longest;
}

function everySeventh(plane: Float32Array): Float32Array {
  return Float32Array.from({ length: Math.floor(plane.length / 7) }, (_, i) => plane[7 * i]!);
}

function correlation(a: Float32Array, b: Float32Array): number {
  const mean = (values: Float32Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  let [both, onlyA, onlyB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    both += (a[i]! - meanA) * (b[i]! - meanB);
    onlyA += (a[i]! - meanA) ** 2;
    onlyB += (b[i]! - meanB) ** 2;
  }
  return both / Math.sqrt(onlyA * onlyB);
}

function meanFaceColour(
  { width, planes }: Picture,
  face: Composite['faces'][number],
): [number, number, number] {
  const sum = [0, 0, 0];
  let count = 0;
  for (let dy = -0.1; dy < 0.3; dy += 0.02) {
    for (let dx = -0.25; dx < 0.25; dx += 0.02) {
      const i =
        Math.round(face.center.y + dy * face.height) * width + Math.round(face.center.x + dx * face.width);
      planes.forEach((plane, c) => {
        sum[c] = sum[c]! + srgbToLinear(plane[i]!);
      });
      count++;
    }
  }
  assert.ok(luminance(sum[0]!, sum[1]!, sum[2]!) > 0);
  return [sum[0]! / count, sum[1]! / count, sum[2]! / count];
}

const laidBehind = new Map<Composite, Picture>();

/** The photo where its people are in the picture. */
function behind(composed: Composite, { photo, faces }: PeoplePhoto): Picture {
  const laid =
    laidBehind.get(composed) ?? photoBehind(photo, faces[0]!, composed.faces[0]!, composed.picture);
  laidBehind.set(composed, laid);
  return laid;
}
