import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Ratio } from '@guise/contract/common.ts';
import { canvasSizes } from '@guise/contract/families/canvas.ts';
import sharp from 'sharp';
import type { Composite } from '../../src/compose/compose.ts';
import { arrangeCostumes } from '../../src/costume/arrange-costumes.ts';
import { taperIntoCollar, tuckUnderHood } from '../../src/costume/collar.ts';
import { composeInCostumes } from '../../src/costume/costume.ts';
import { clearBeyondGaps } from '../../src/costume/costume-head.ts';
import { type Costume, chooseVariant, readCostume, readCostumes } from '../../src/costume/costumes.ts';
import { fitCollar } from '../../src/costume/fit-collar.ts';
import { assertHeadFitsCostume } from '../../src/costume/head-checks.ts';
import { completeNeck, locateNeck } from '../../src/costume/neck.ts';
import { varyCostumes } from '../../src/costume/vary-costumes.ts';
import type { Face } from '../../src/faces/face.ts';
import { moveFace, pointOf } from '../../src/faces/face-outline.ts';
import { findFaces, findPeople } from '../../src/faces/faces.ts';
import type { Cutout } from '../../src/matting/cutout.ts';
import { findPeopleIn, type PeoplePhoto } from '../../src/matting/people.ts';
import { readPhoto } from '../../src/pixels/photo.ts';
import type { Picture } from '../../src/pixels/picture.ts';
import { RenderError } from '../../src/runtime/render-error.ts';
import { readScenes, type Scene } from '../../src/scenes/scenes.ts';
import { onePerson, photoFile, sample } from '../support/sample-photos.ts';
import { checkFront, checkHead } from './check-costume.ts';

let scenes: Map<string, Scene>;
let costumes: Map<string, Costume>;
let one: PeoplePhoto;
let guest: Face;
let knight: Composite;

before(async () => {
  [scenes, costumes] = [await readScenes(), await readCostumes()];
  const photo = await readPhoto(await onePerson(800));
  one = await findPeopleIn(photo, await findPeople(photo, { traits: false }), { fast: true });
  guest = one.faces[0]!;
  // `npm run test:pictures` tries every costume, with the finer matte.
  knight = await wearing('knight', 'portrait');
});

function wearing(name: string, ratio: Ratio): Promise<Composite> {
  const costume = costumes.get(name)!;
  const scene = scenes.get(costume.scenes[0]!)!;
  return composeInCostumes([{ people: one, face: guest, costume }], scene, { ratio, seed: 1 });
}

/** The collar of a costume around a chin. */
function collarAt({ x, y }: { x: number; y: number }, faceHeight: number) {
  return { chinX: x, chinY: y, faceHeight, centerX: x, isHooded: false };
}

function anyCostume(): { costume: Costume; scene: Scene } {
  const costume = costumes.get('knight')!;
  return { costume, scene: scenes.get(costume.scenes[0]!)! };
}

test('every costume names scenes that the catalog has', () => {
  assert.ok(costumes.size > 0);
  for (const costume of costumes.values()) {
    for (const name of costume.scenes) assert.ok(scenes.has(name), `${costume.name}: ${name}`);
  }
});

test('no two neighbours of a group wear the same costume, and the first wears it as the catalog has it', () => {
  const { costume } = anyCostume();
  const { width, height } = costume.canvas;
  // Red on the left, grey on the right.
  const samples = Buffer.alloc(4 * width * height);
  for (let i = 0; i < width * height; i++) {
    samples.set(i % width < width / 2 ? [180, 40, 30, 255] : [90, 90, 90, 255], 4 * i);
  }
  const layer = { width, height, samples };
  const alike = [0, 1, 2].map(() => ({ costume, back: layer, liner: null, front: layer }));
  const varied = varyCostumes(alike);
  assert.deepEqual(varyCostumes(alike), varied);
  assert.equal(varied[0]!.front.samples, samples);
  const left = varied.map(({ front }) => [...front.samples.subarray(0, 3)].join());
  assert.equal(new Set(left).size, 3, left.join(' | '));
  const [, mirrored] = varied;
  const greys = varied.map(({ front: { samples: dyed } }, i) => dyed[i === 1 ? 0 : 4 * (width - 1)]!);
  assert.equal(new Set(greys).size, 3, `steel differs too: ${greys.join(' | ')}`);
  assert.equal(mirrored!.costume.light.direction[0], -costume.light.direction[0]);
  assert.equal(mirrored!.costume.opening.left, width - costume.opening.right);
});

test('there is one face in a costume, where its head belongs, upright, and it is the guest', async () => {
  await checkHead('knight', knight, one);
});

test('the costume covers the lower border and hides what the guest wore', () => {
  checkFront('knight', knight);
});

test('wide canvases show no sleeve that the costume cut off', async () => {
  const composed = await wearing('wizard', 'landscape');
  checkFront('wizard', composed);
  const { picture, people } = composed;
  const { width, height } = picture;
  assert.deepEqual({ width, height }, canvasSizes.landscape);
  for (let x = 8; x < width - 8; x++) {
    let run = 0;
    for (let y = 0; y < height; y++) {
      run = Math.abs(people.data[y * width + x]! - people.data[y * width + x - 2]!) > 0.9 ? run + 1 : 0;
      assert.ok(run < 0.16 * height, `a straight edge at column ${x}`);
    }
  }
});

test('a group that is too wide for one row stands in two, and nobody hides another face', () => {
  const { costume } = anyCostume();
  const members = Array.from({ length: 6 }, () => ({ costume, isChild: false }));
  assert.equal(arrangeCostumes(members.slice(0, 3), canvasSizes.landscape).rows, 1);
  for (const canvas of Object.values(canvasSizes)) {
    const { placements, order, rows } = arrangeCostumes(members, canvas);
    assert.equal(rows, 2);
    assert.deepEqual(order.slice(0, 3).sort(), [1, 3, 5], 'the back row is drawn first');
    const chins = placements.map(({ scale, x, y }) => {
      const [chinX, chinY] = costume.head.chin;
      return { x: x + chinX * scale, y: y + chinY * scale, face: costume.head.faceHeight * scale };
    });
    for (const [i, chin] of chins.entries()) {
      assert.ok(chin.x > chin.face && chin.x < canvas.width - chin.face, `guest ${i} is inside`);
      assert.ok(chin.y - 1.4 * chin.face > 0 && chin.y < canvas.height - chin.face);
      const next = chins[i + 1];
      if (next) assert.ok(Math.hypot(next.x - chin.x, next.y - chin.y) > 1.2 * chin.face);
    }
  }
});

test('an arm raised to the head is left out instead of refused', async () => {
  // Two of the four, to their waists.
  const pair = sharp(sample(4)).extract({ left: 0, top: 0, width: 960, height: 900 });
  const photo = await readPhoto(await photoFile('arm.png', pair.png()));
  const [first, ...others] = (await findPeople(photo, { traits: false })) as [Face, ...Face[]];
  const people = await findPeopleIn(photo, [first], { others, fast: true });
  const { costume, scene } = anyCostume();
  const {
    picture,
    faces,
    people: covered,
  } = await composeInCostumes([{ people, face: first, costume }], scene, { ratio: 'square', seed: 1 });
  assert.equal((await findFaces(picture, { traits: false })).length, 1);
  const [{ center, height }] = faces as [Face];
  // In the photo the forearm is here, beside the eyes.
  const beside = Math.round(center.y) * picture.width + Math.round(center.x + 0.8 * height);
  assert.ok(covered.data[beside]! < 0.05, `${covered.data[beside]}`);
});

test('a head between two hands is refused, one beside a hand is not', () => {
  const { matte, classes } = one;
  const { x, y } = guest.center;
  /** The guest with skin of hands beside the face, from where it ends. */
  const withHands = (...sides: readonly (-1 | 1)[]): PeoplePhoto => {
    const bodySkin = new Float32Array(classes.worth.length);
    const hair = new Float32Array(bodySkin.length);
    for (let i = 0; i < bodySkin.length; i++) {
      const across = ((i % classes.width) * classes.factor - x) / guest.height;
      const down = (Math.floor(i / classes.width) * classes.factor - y) / guest.height;
      if (Math.abs(down) > 0.3 || Math.abs(across) < 0.4 || Math.abs(across) > 0.9) continue;
      if (sides.some((side) => side * across > 0)) bodySkin[i] = 1;
    }
    return {
      ...one,
      matte: { ...matte, data: new Float32Array(matte.data.length).fill(1) },
      classes: { ...classes, shares: { ...classes.shares, bodySkin, hair } },
    };
  };
  const check = (people: PeoplePhoto) => () =>
    assertHeadFitsCostume(people, guest, { faceHeight: guest.height });
  assert.throws(check(withHands(-1, 1)), /hand on the head/);
  for (const side of [-1, 1] as const) assert.doesNotThrow(check(withHands(side)));
});

test('a face in profile is refused: its nose cannot be told from what is before it', () => {
  const check = (yaw: number) => () =>
    assertHeadFitsCostume(one, { ...guest, yaw }, { faceHeight: guest.height });
  for (const yaw of [-0.7, 0.7]) assert.throws(check(yaw), /turned too far to the side/);
  assert.doesNotThrow(check(0.5));
});

test('hair beyond a gap is not of the head, a bow on top of it is', () => {
  const [width, height] = [200, 160];
  const alpha = Float32Array.from({ length: width * height }, (_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const isHead = Math.hypot(x - 100, y - 90) < 50;
    const isBow = Math.abs(x - 100) < 10 && y >= 15 && y < 60;
    const isStrand = x >= 30 && x < 40 && y > 50;
    return isHead || isBow || isStrand ? 1 : 0;
  });
  clearBeyondGaps({ width, height, data: alpha }, { x: 100, y: 90 }, 80);
  assert.deepEqual(
    [alpha[90 * width + 100], alpha[18 * width + 100], alpha[90 * width + 35]],
    [1, 1, 0],
    'head, bow, strand',
  );
});

test('children have smaller bodies for their heads; who has no cut of his own wears the common one', () => {
  for (const costume of costumes.values()) {
    const [man, woman, boy, girl, group] = [0, 1, 2, 3, 4].map(
      (gender) => chooseVariant(costume, gender).head.faceHeight,
    );
    assert.equal(man, costume.head.faceHeight, costume.name);
    assert.equal(group, costume.head.faceHeight, costume.name);
    assert.ok(man! < woman! && woman! < boy! && boy! <= girl!, costume.name);
    assert.deepEqual(chooseVariant(costume, 2).layers, costume.layers);
  }
});

test('hair that hangs beside the collar falls behind the shoulders, all else goes into it', () => {
  const faceHeight = 200;
  const face = moveFace(guest, { scale: faceHeight / guest.height, x: 0, y: 0 });
  const [chin, mouth] = [pointOf(face, 152), pointOf(face, 13)];
  const x = Math.round(chin.x) - 300;
  const y = Math.round(chin.y) - 300;
  const [width, height] = [600, 460];
  const headOf = (hair: number) => ({
    x,
    y,
    width,
    height,
    alpha: new Float32Array(width * height).fill(1),
    colour: [new Float32Array(0), new Float32Array(0), new Float32Array(0)] as Cutout['colour'],
    faces: [face],
    hangingHair: new Float32Array(width * height).fill(hair),
    neck: locateNeck(face),
  });
  const rim = Math.round(chin.y) + 20;
  const measures = { ...collarAt(chin, faceHeight), halfWidth: 70, rim, sag: 14 };
  const [haired, bald] = [headOf(1), headOf(0)];
  taperIntoCollar(haired, measures);
  taperIntoCollar(bald, measures);
  const at = ({ alpha }: Cutout, aside: number, row: number) => alpha[(row - y) * width + 300 + aside]!;
  for (const aside of [-110, 110]) {
    assert.ok(at(haired, aside, rim + 30) > 0.9, `${aside}: hair ends above the shoulders`);
    assert.ok(at(bald, aside, rim + 30) < 0.05, `${aside}: something other than hair stays`);
  }
  assert.ok(at(haired, 0, rim + 40) < 0.05, 'hair hangs out of the collar');
  assert.ok(at(haired, 0, Math.round(mouth.y)) > 0.99, 'the face has a hole');
});

test('a collar is as wide as the neck asks for, and the body below it stays as it was', () => {
  const faceHeight = 100;
  const [width, height] = [400, 300];
  // A collar of 60 pixels to either side down to row 100, and a body below it.
  const samples = new Uint8Array(4 * width * height);
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    if (y >= 100 || Math.abs(x - 200) < 60) samples.set([80 + (x % 100), 40, 30, 255], 4 * i);
  }
  const layer = () => ({ x: 0, y: 0, width, height, samples: samples.slice() });
  const measures = { ...collarAt({ x: 200, y: 40 }, faceHeight), halfWidth: 50, rim: 60, sag: 10 };
  const neck = { x: 200, lip: 15, jaw: 20, chin: 55, halfWidth: 30 };
  const fitted = fitCollar({ measures, back: layer(), liner: null, front: layer() }, neck);
  assert.ok(Math.abs(fitted.measures.halfWidth - 1.12 * 30) < 1, `${fitted.measures.halfWidth}`);
  const { samples: front } = fitted.front;
  const columns = (row: number) =>
    Array.from({ length: width }, (_, x) => front[4 * (row * width + x) + 3]!).filter((a) => a > 127).length;
  assert.ok(Math.abs(columns(60) - 2 * 60 * (33.6 / 50)) < 3, `${columns(60)} columns of collar`);
  assert.deepEqual(front.subarray(4 * 150 * width), samples.subarray(4 * 150 * width));
});

test('a neck is painted down to the collar in the tone of its own skin, whatever was worn there', () => {
  const face = moveFace(guest, { scale: 100 / guest.height, x: 0, y: 0 });
  const chin = pointOf(face, 152);
  const area = { x: Math.round(chin.x) - 100, y: Math.round(chin.y) - 60, width: 200, height: 110 };
  const neck = locateNeck(face);
  // Skin down to five rows below the chin, a black collar from there on.
  const isSkin = (i: number) => Math.floor(i / area.width) + area.y < chin.y + 5;
  const plane = (value: (i: number) => number) => ({
    width: area.width,
    height: area.height,
    data: Float32Array.from({ length: area.width * area.height }, (_, i) => value(i)),
  });
  const nothing = plane(() => 0);
  const classes = {
    hair: nothing,
    skin: plane((i) => (isSkin(i) ? 1 : 0)),
    clothes: plane((i) => (isSkin(i) ? 0 : 1)),
    things: nothing,
    worth: plane(() => 1),
    inPhoto: plane(() => 1),
  };
  const tones = [0.7, 0.5, 0.4].map((tone) => plane((i) => (isSkin(i) ? tone : 0.05)).data);
  const photo = { ...area, planes: tones as unknown as Picture['planes'] };
  const alpha = plane((i) => (isSkin(i) ? 1 : 0));
  completeNeck(photo, alpha, classes, area, { neck, unit: 100 });
  const at = (aside: number, below: number) =>
    (Math.round(chin.y) + below - area.y) * area.width + Math.round(neck.x) + aside - area.x;
  for (const below of [8, 20, 40]) {
    assert.ok(alpha.data[at(0, below)]! > 0.95, `${below} rows below the chin`);
    for (const [c, tone] of [0.7, 0.5, 0.4].entries())
      assert.ok(Math.abs(photo.planes[c]![at(0, below)]! - tone) < 0.08, `${below}: channel ${c}`);
    assert.ok(alpha.data[at(Math.round(1.7 * neck.halfWidth), below)]! < 0.05, 'the neck has sides');
  }
});

test('a guest in a hood shows no hair outside of it, and is shaded near its edge', () => {
  const [width, height] = [40, 30];
  const plane = (value: (x: number) => number) =>
    Float32Array.from({ length: width * height }, (_, i) => value(i % width));
  const head = {
    x: 0,
    y: 0,
    width,
    height,
    alpha: plane(() => 1),
    colour: [plane(() => 0.5), plane(() => 0.5), plane(() => 0.5)] as [
      Float32Array,
      Float32Array,
      Float32Array,
    ],
    faces: [guest],
  };
  const back = { width, height, data: plane((x) => (x < 28 ? 1 : 0)) };
  const front = { width, height, data: plane((x) => (x < 24 ? 0 : 1)) };
  tuckUnderHood(head, { faceHeight: 20 }, { back, front });
  const row = 15 * width;
  assert.deepEqual([head.alpha[row + 10], head.alpha[row + 27], head.alpha[row + 28]], [1, 1, 0]);
  assert.ok(head.colour[0][row + 5]! > 0.49 && head.colour[0][row + 23]! < 0.4);
});

test('a face too small for a costume is refused in words for the guest', async () => {
  const [costume] = costumes.values();
  const scene = scenes.get(costume!.scenes[0]!)!;
  const tiny = { ...guest, height: 60 };
  await assert.rejects(
    composeInCostumes([{ people: one, face: tiny, costume: costume! }], scene, {
      ratio: 'portrait',
      seed: 1,
    }),
    (error) => error instanceof RenderError && /too small for a costume/.test(error.message),
  );
});

test('a costume folder that is not one is refused with what is wrong in it', async () => {
  await assert.rejects(
    readCostume(import.meta.dirname, 'no-such'),
    (error) =>
      error instanceof RenderError && error.code === 'CATALOG_BROKEN' && /no-such/.test(error.message),
  );
});
