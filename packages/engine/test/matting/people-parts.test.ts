import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reduceBacklightRims } from '../../src/compose/backlight-rim.ts';
import { clearColouredLight } from '../../src/compose/coloured-light.ts';
import { compose } from '../../src/compose/compose.ts';
import { faceGains, spreadFaceGains } from '../../src/compose/face-light.ts';
import { noMood } from '../../src/compose/mood.ts';
import { removeVeilingGlare } from '../../src/compose/veiling-glare.ts';
import { clearRedEyes } from '../../src/faces/red-eye.ts';
import { newShares } from '../../src/matting/class-pass.ts';
import { closeGaps, dropSpecks } from '../../src/matting/connected-parts.ts';
import type { Cutout } from '../../src/matting/cutout.ts';
import { shareByNearestFace } from '../../src/matting/nearest-face.ts';
import { keepOneGuest } from '../../src/matting/one-guest.ts';
import { addOutlineVote, peopleInOutlines } from '../../src/matting/outline-vote.ts';
import { drawOutlines, type PersonOutline } from '../../src/matting/person-outlines.ts';
import { maskSide, type OutlineDecoder, type Prompt } from '../../src/matting/segment-anything.ts';
import { decideTranslucent } from '../../src/matting/translucency.ts';
import { voteForPeople } from '../../src/matting/vote.ts';
import { hueOf, labOf, srgbToLinear } from '../../src/pixels/colour.ts';
import { readScenes } from '../../src/scenes/scenes.ts';
import { type Colour, faceAt, paint } from '../support/drawn-people.ts';

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
  const faces = [faceAt(90, 70, 60), faceAt(225, 70, 60)] as const;
  keepOneGuest(matte, shareByNearestFace(matte, photo, faces), faces[0]);
  const share = (x: number, y: number) => matte.data[y * width + x]!;
  assert.ok(share(90, 70) > 0.99 && share(225, 70) < 0.01, 'faces');
  assert.ok(share(180, 220) > 0.9, 'the coat that leans over stays whole');
  assert.ok(share(200, 220) < 0.1, 'the other coat is gone');
});

test('legs below the arm that a neighbour holds before a waist stay with the face above them', () => {
  const [width, height] = [300, 300];
  // A white top over dark trousers, and a neighbour in brown, with a sleeve between the two.
  const photo = paint(width, height, (x, y) => {
    if (y < 75) return [0.8, 0.6, 0.5];
    if (x >= 150 || (y > 125 && y < 155)) return [0.35, 0.2, 0.15];
    return y < 130 ? [0.9, 0.9, 0.9] : [0.3, 0.25, 0.3];
  });
  const alpha = new Float32Array(width * height);
  for (let y = 30; y < height; y++) alpha.fill(1, y * width + 70, y * width + 230);
  const faces = [faceAt(110, 55, 40), faceAt(190, 55, 40)] as const;
  const matte = { data: alpha, width, height, factor: 1 };
  const { nearest } = shareByNearestFace(matte, photo, faces);
  const ownerAt = (x: number, y: number) => nearest[y * width + x];
  assert.equal(ownerAt(110, 270), 0);
  assert.equal(ownerAt(135, 200), 0);
  assert.equal(ownerAt(190, 270), 1);
});

test('hair belongs to one head as a whole, however many colours it has', () => {
  const [width, height] = [300, 300];
  // Striped hair beside the first face, and a narrow gap between it and the second one.
  const isHair = (x: number, y: number) => y > 30 && y < 140 && x >= 100 && x < 160;
  const photo = paint(width, height, (x, y) =>
    isHair(x, y) ? (Math.floor(x / 6) % 2 === 0 ? [0.7, 0.5, 0.3] : [0.3, 0.2, 0.1]) : [0.8, 0.6, 0.5],
  );
  const data = Float32Array.from({ length: width * height }, (_, i) =>
    isHair(i % width, Math.floor(i / width)) ? 1 : 0,
  );
  const people = data.map((_, i) => (i % width >= 160 && i % width < 172 ? 0 : 1));
  const matte = { data: people, width, height, factor: 1 };
  const faces = [faceAt(70, 80, 60), faceAt(205, 80, 60)] as const;
  const owners = (hair: typeof matte | null) => {
    const { nearest } = shareByNearestFace(matte, photo, faces, { hair });
    return [105, 130, 150].map((x) => nearest[80 * width + x]);
  };
  assert.deepEqual(owners(null), [0, 0, 1]);
  assert.deepEqual(owners({ ...matte, data }), [0, 0, 0]);
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
  const faces = [faceAt(100, 110, 60), faceAt(260, 110, 60)] as const;
  keepOneGuest(matte, shareByNearestFace(matte, photo, faces), faces[0]);
  assert.equal(alpha[46 * width + 32], 0);
  assert.equal(alpha[200 * width + 100], 1);
});

/** An outline over a photo of 300 × 300 pixels, trusted: what `isInside` says of a point of the photo. */
function outlineOf(isInside: (x: number, y: number) => boolean): PersonOutline {
  const data = Float32Array.from({ length: maskSide ** 2 }, (_, i) => {
    const scale = 300 / maskSide;
    return isInside((i % maskSide) * scale, Math.floor(i / maskSide) * scale) ? 8 : -8;
  });
  return { width: maskSide, height: maskSide, data, score: 0.9, agreement: 0.9, trusted: true };
}

test('an outline gives a hand that lies on the neighbour to its owner; one that is not trusted changes nothing', () => {
  const [width, height] = [300, 300];
  const photo = paint(width, height, () => [0.5, 0.4, 0.4]);
  const faces = [faceAt(90, 70, 60), faceAt(225, 70, 60)] as const;
  const isHand = (x: number, y: number) => y > 180 && y < 200 && x > 150 && x < 230;
  const mine = outlineOf((x, y) => (x < 150 && y > 30) || isHand(x, y));
  const theirs = outlineOf((x, y) => x >= 150 && y > 30 && !isHand(x, y));
  const keep = (outlines: PersonOutline[]) => {
    const alpha = new Float32Array(width * height);
    for (let y = 30; y < height; y++) alpha.fill(1, y * width + 40, y * width + 260);
    const matte = { data: alpha, width, height, factor: 1, coverage: [1] };
    keepOneGuest(matte, shareByNearestFace(matte, photo, faces, { outlines }), faces[0]);
    return (x: number, y: number) => alpha[y * width + x]!;
  };
  const parted = keep([mine, theirs]);
  assert.ok(parted(200, 190) > 0.95, 'the hand is the guest’s');
  assert.ok(parted(200, 230) < 0.05 && parted(225, 70) < 0.05, 'the neighbour is gone');
  const without = keep([]);
  assert.ok(without(200, 190) < 0.05, 'by the faces alone the hand is the neighbour’s');
  const doubted = keep([{ ...mine, trusted: false }]);
  assert.equal(doubted(200, 190), without(200, 190));
});

test('legs that no outline has belong to whoever’s skirt they come out of, not to the face above them', () => {
  const [width, height] = [300, 300];
  const photo = paint(width, height, () => [0.5, 0.4, 0.4]);
  const faces = [faceAt(90, 70, 60), faceAt(225, 70, 60)] as const;
  const mine = outlineOf((x, y) => y > 30 && y < 180 && (x < 150 || (y > 150 && x < 250)));
  const theirs = outlineOf((x, y) => y > 30 && y <= 150 && x >= 150);
  const matte = { data: new Float32Array(width * height).fill(1), width, height, factor: 1 };
  const ownerOfLegs = (outlines: PersonOutline[]) =>
    shareByNearestFace(matte, photo, faces, { outlines }).nearest[240 * width + 225];
  assert.equal(ownerOfLegs([]), 1);
  assert.equal(ownerOfLegs([mine, theirs]), 0);
});

test('an outline is asked for by a box, points on the person and faces of neighbours, in a box as wide as its answer', async () => {
  const [width, height] = [300, 300];
  const photo = paint(width, height, () => [0.5, 0.4, 0.4]);
  const faces = [faceAt(90, 60, 40), faceAt(130, 60, 40)];
  const alpha = new Float32Array(width * height);
  for (let y = 30; y < 200; y++) alpha.fill(1, y * width + 60, y * width + 200);
  const shares = shareByNearestFace({ data: alpha, width, height, factor: 1 }, photo, faces);
  const asked: (readonly Prompt[])[] = [];
  const isPerson = (left: number, right: number) => (x: number, y: number) => x > left && x < right && y > 30;
  const decoder: OutlineDecoder = {
    async decode(prompts) {
      asked.push(prompts);
      const [corner] = prompts;
      // The second candidate is half of the person, which the network rates a little higher.
      const [left, right] = corner!.x < 0.2 ? [60, 110] : [110, 200];
      return [
        outlineOf(isPerson(left, right)),
        { ...outlineOf((x, y) => isPerson(left, right)(x, y) && y < 110), score: 0.95 },
      ];
    },
  };
  const [first] = await drawOutlines(decoder, { photo, faces, shares });
  assert.ok(first!.trusted && first!.data[200 * maskSide + 75]! > 0, 'the whole person is chosen');
  const labels = asked[0]!.map(({ label }) => label);
  assert.deepEqual(labels, ['upperLeft', 'lowerRight', 'on', 'on', 'on', 'off']);
  const off = asked[0]!.at(-1)!;
  assert.ok(Math.abs(off.x * width - 130) < 1 && Math.abs(off.y * height - 60) < 1);
  assert.ok(asked[1]![1]!.y > asked[0]![1]!.y, 'the box is moved down, where the person goes on');
});

test('of classes, outlines and matte any two win', () => {
  const cases = [0, 1].flatMap((a) => [0, 1].flatMap((b) => [0, 1].map((c) => [a, b, c] as const)));
  const planeOf = (k: 0 | 1 | 2) => ({
    width: cases.length,
    height: 1,
    data: Float32Array.from(cases, (one) => one[k]),
  });
  const [person, outlined, matte] = [planeOf(0), planeOf(1), planeOf(2)];
  addOutlineVote(person, matte, outlined);
  const { data } = voteForPeople(matte, person, [faceAt(0, 0, 1)]);
  assert.deepEqual(
    Array.from(data),
    cases.map(([a, b, c]) => (a + b + c >= 2 ? 1 : 0)),
  );
});

test('whoever has no outline that is trusted votes with what the classes have nearest to the face', () => {
  const shares = {
    width: 2,
    height: 1,
    factor: 1,
    nearest: Int8Array.of(0, 1),
    people: Float32Array.of(0.9, 0.8),
  };
  const all = { width: 2, height: 1, data: Float32Array.of(-8, 8) };
  const { data } = peopleInOutlines(
    [
      { ...all, trusted: false },
      { ...all, trusted: true },
    ],
    shares,
    shares,
  );
  assert.ok(Math.abs(data[0]! - 0.9) < 1e-5 && data[1] === 1, `${data}`);
});

test('nobody is outlined of whom the matte has nothing', async () => {
  const photo = paint(300, 300, () => [0.5, 0.4, 0.4]);
  const faces = [faceAt(90, 60, 40)];
  const empty = { data: new Float32Array(300 * 300), width: 300, height: 300, factor: 1 };
  const decoder: OutlineDecoder = { decode: () => Promise.reject(new Error('asked')) };
  const shares = shareByNearestFace(empty, photo, faces);
  assert.deepEqual(await drawOutlines(decoder, { photo, faces, shares }), [null]);
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
  cut(120, 140, 124, 150);
  const inSlit = (x: number, y: number) => x >= 118 && x < 126 && y >= 138 && y < 152;
  const photo = paint(width, height, (x, y) => (inSlit(x, y) ? [0.9, 0.9, 0.95] : [0.1, 0.1, 0.12]));
  closeGaps({ width, height, data: alpha }, photo, [faceAt(100, 40, 50)], 0.5);
  assert.ok(alpha[145 * width + 42]! > 0.95, 'dark in dark');
  assert.equal(alpha[145 * width + 122], 0, 'a window behind the arm');
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

test('veiling glare goes from the head and body it lies over; a face with black pupils stays as it is', () => {
  const [width, height] = [480, 240];
  const faces = [faceAt(120, 100, 60), faceAt(360, 100, 60)];
  const pupils = [
    [108, 90],
    [132, 90],
    [348, 90],
    [372, 90],
  ] as const;
  const isPupil = (x: number, y: number) => pupils.some(([px, py]) => Math.hypot(x - px, y - py) < 4);
  const clear: (x: number, y: number) => Colour = (x, y) =>
    isPupil(x, y) ? [0.01, 0.005, 0.004] : [0.3, 0.2, 0.15];
  const glary = { ...cutoutOf(width, height, clear), faces };
  const before = glary.colour.map((plane) => plane.slice());
  removeVeilingGlare(glary);
  assert.deepEqual(glary.colour, before);
  for (const plane of glary.colour) {
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width / 2; x++) plane[y * width + x] = plane[y * width + x]! + 0.06;
  }
  removeVeilingGlare(glary);
  const off = (c: number, x: number, y: number) =>
    glary.colour[c]![y * width + x]! - before[c]![y * width + x]!;
  for (const c of [0, 1, 2]) {
    assert.ok(Math.abs(off(c, 120, 110)) < 0.03, `skin in channel ${c}`);
    assert.ok(off(c, 108, 90) > -0.005 && off(c, 108, 90) < 0.035, `pupil in channel ${c}`);
    assert.ok(off(c, 120, 230) < 0.04, `the body in channel ${c}`);
    assert.ok(Math.abs(off(c, 360, 110)) < 0.005, `the neighbour in channel ${c}`);
  }
});

test('skin that party lights colour gets a hue of skin; irises, the room and skin in warm light keep theirs', () => {
  const side = 240;
  const face = faceAt(120, 110, 120);
  const isFace = (x: number, y: number) => Math.hypot(x - 120, y - 110) < 60;
  const isIris = (x: number, y: number) => Math.hypot(x - 144, y - 98) < 4;
  const shares = newShares(side * side);
  for (let i = 0; i < side * side; i++) {
    const inFace = isFace(i % side, Math.floor(i / side));
    shares.faceSkin[i] = inFace ? 1 : 0;
    shares.background[i] = inFace ? 0 : 1;
  }
  const worth = new Float32Array(side * side).fill(1);
  const classes = { width: side, height: side, factor: 1, shares, worth };
  const [warm, violet, blue]: Colour[] = [
    [0.8, 0.6, 0.48],
    [0.7, 0.54, 0.72],
    [0.3, 0.4, 0.9],
  ];
  const lit = (light: Colour) =>
    paint(side, side, (x, y) =>
      !isFace(x, y) ? [0.6, 0.4, 0.7] : isIris(x, y) ? blue! : x < 120 ? warm! : light,
    );
  const cleared = (light: Colour) => {
    const photo = lit(light);
    clearColouredLight({ photo, faces: [face], classes });
    return (x: number, y: number) => photo.planes.map((plane) => plane[y * side + x]!) as [...Colour];
  };
  const hue = (colour: Colour) => {
    const [, a, b] = labOf(...(colour.map(srgbToLinear) as [number, number, number]));
    return hueOf(a, b);
  };
  const close = (a: Colour, b: Colour) => a.every((value, c) => Math.abs(value - b[c]!) < 0.004);

  const at = cleared(violet!);
  assert.ok(hue(violet!) < -30 && hue(at(150, 130)) > 25 && hue(at(150, 130)) < 40, `${hue(at(150, 130))}`);
  assert.ok(close(at(90, 130), warm!), 'warm light stays');
  assert.ok(close(at(20, 20), [0.6, 0.4, 0.7]), 'the room stays');
  assert.ok(Math.abs(hue(at(144, 98)) - hue(blue!)) < 12, 'blue eyes stay blue');
  assert.ok(close(cleared(warm!)(150, 130), warm!), 'a photo in warm light stays');
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
