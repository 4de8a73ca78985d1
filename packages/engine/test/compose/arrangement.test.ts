import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canvasSizes } from '@guise/contract/families/canvas.ts';
import { barrierOf, drawBarrier, readBarrier } from '../../src/compose/barrier.ts';
import { frameTogether } from '../../src/compose/framing-together.ts';
import { placePeople } from '../../src/compose/place-people.ts';
import { separatePeople } from '../../src/compose/separate-people.ts';
import { shadeFloor } from '../../src/compose/shadow.ts';
import type { Face } from '../../src/faces/face.ts';
import { faceOval } from '../../src/faces/face-outline.ts';
import type { PeoplePhoto } from '../../src/matting/people.ts';
import { findBodyEnds, silhouetteOf } from '../../src/matting/silhouette.ts';
import type { Planes } from '../../src/pixels/picture.ts';
import type { Size } from '../../src/pixels/plane.ts';
import { readScenes, type Scene } from '../../src/scenes/scenes.ts';

const canvas = canvasSizes.portrait;
const slot = {
  face: 0.115,
  top: 0.2,
  lowest: 0.46,
  across: 0.5,
  eyes: 0.36,
  fullLength: { hair: 0.2, feet: 0.95 },
};

/** Somebody in a drawn matte: a face of 60 pixels, shoulders of 150, and a body down to `end`. */
interface Drawn {
  x: number;
  /** Row of the face's middle. */
  y?: number;
  end: number;
}

/** A photo of three times the drawn matte's size. */
function photoOf(drawn: readonly Drawn[], { width, height }: Size): PeoplePhoto {
  const data = new Float32Array(width * height);
  const faces: Face[] = [];
  const fill = (x: number, y: number, half: number) => {
    for (let at = Math.max(0, x - half); at <= Math.min(width - 1, x + half); at++) data[y * width + at] = 1;
  };
  for (const { x, y: middle = 100, end } of drawn) {
    for (let y = middle - 40; y < middle + 45; y++) fill(x, y, 28);
    for (let y = middle + 45; y < Math.min(end, height); y++) fill(x, y, 75);
    const points = new Float32Array(478 * 3);
    faceOval.forEach((point, i) => {
      const angle = (2 * Math.PI * i) / faceOval.length - Math.PI / 2;
      points.set([3 * (x + 28 * Math.cos(angle)), 3 * (middle + 30 * Math.sin(angle)), 0], point * 3);
    });
    const still = { roll: 0, yaw: 0, pitch: 0, score: 1 };
    const center = { x: 3 * x, y: 3 * middle };
    faces.push({ ...still, points, center, height: 180, width: 168, ageGroup: 'adult', gender: 'female' });
  }
  const planes: Planes = [new Float32Array(0), new Float32Array(0), new Float32Array(0)];
  const matte = {
    data,
    width,
    height,
    factor: 3,
    coverage: faces.map(() => 1),
    confidence: faces.map(() => ({ body: 1, sureTo: Infinity })),
    byNetwork: { data, width, height, factor: 3 },
    outlined: false,
  };
  return {
    photo: { width: 3 * width, height: 3 * height, planes },
    faces,
    others: [],
    hasOutlines: false,
    matte,
    // Placing people asks only where they are, not what their parts are.
    classes: {} as PeoplePhoto['classes'],
    silhouette: silhouetteOf(matte),
  };
}

/** A grey layer that begins at this row, and three rows lower in the right half. */
function barrierFrom(row: number, { width, height }: Size = canvas) {
  const samples = new Uint8Array(width * height * 4).fill(128);
  for (let i = 0; i < width * height; i++) {
    const top = i % width < width / 2 ? row : row + 3;
    samples[4 * i + 3] = Math.floor(i / width) < top ? 0 : 255;
  }
  return barrierOf('grey wall', { x: 0, y: 0, width, height, samples });
}

const scene = { slots: {} } as Scene;
const noBarrier = async () => null;

test('a body ends where the photo cuts it, where its lower contour is, or with feet', () => {
  const size = { width: 800, height: 700 };
  const people = photoOf(
    [
      { x: 100, end: 700 },
      { x: 350, end: 280 },
      { x: 600, end: 520 },
    ],
    size,
  );
  const [cut, sitting, standing] = findBodyEnds(people.matte, people.faces);
  assert.deepEqual(cut, { row: 2100, long: true, standing: false });
  assert.ok(Math.abs(sitting!.row - 840) < 4 && !sitting!.standing, JSON.stringify(sitting));
  assert.ok(Math.abs(standing!.row - 1560) < 4 && standing!.standing, JSON.stringify(standing));
});

test('people whose cut-outs do not touch are separated, each with their own face; who touches stays together', () => {
  const size = { width: 900, height: 400 };
  const people = photoOf(
    [
      { x: 700, end: 400 },
      { x: 100, end: 400 },
      { x: 240, end: 400 },
    ],
    size,
  );
  const parts = separatePeople(people);
  assert.deepEqual(
    parts.map(({ faces }) => faces.map(({ center }) => center.x)),
    [[300, 720], [2100]],
  );
  assert.ok(parts[0]!.silhouette.right < 990 && parts[1]!.silhouette.left > 1830);
});

test('a barrier hides from the row on which it is opaque in all columns, and people shade its top', () => {
  const size = { width: 40, height: 60 };
  const barrier = barrierFrom(30, size);
  assert.equal(barrier.hidesFrom, 33);
  const plane = () => new Float32Array(40 * 60).fill(0.5);
  const grounds: Planes = [plane(), plane(), plane()];
  const people = { ...size, data: new Float32Array(40 * 60) };
  for (let y = 0; y < 60; y++) people.data.fill(1, y * 40, y * 40 + 10);
  drawBarrier({ ...size, colour: grounds }, people, barrier, { gain: [1, 1, 0.5], faceHeight: 20 });
  const at = (x: number, y: number, c: 0 | 1 | 2 = 1) => grounds[c][y * 40 + x]!;
  assert.equal(at(5, 20), 0.5, 'above it nothing changes');
  assert.ok(at(35, 58) < 0.25 && at(35, 58) > 0.18, 'the layer covers the canvas');
  assert.ok(Math.abs(at(35, 58, 2) - at(35, 58) / 2) < 0.01, 'in the light of the mood');
  assert.ok(at(3, 31) < 0.75 * at(35, 36), 'the top is darker beside people');
  assert.ok(people.data[20 * 40 + 5] === 1 && people.data[50 * 40 + 5] === 0, 'what it hides is not people');
});

test('people stand behind a barrier only where the photo shows too little of them', async () => {
  const shown = photoOf([{ x: 300, end: 600 }], { width: 600, height: 600 });
  let asked = false;
  const whole = await placePeople([shown], scene, canvas, {
    barrier: async () => {
      asked = true;
      return barrierFrom(1250);
    },
  });
  assert.ok(!asked && whole.barrier === null && whole.applied.length === 0);

  const chest = photoOf([{ x: 300, end: 190 }], { width: 600, height: 190 });
  const [plain, behind] = await Promise.all([
    placePeople([chest], scene, canvas, { barrier: noBarrier }),
    placePeople([chest], scene, canvas, { barrier: async () => barrierFrom(1250) }),
  ]);
  assert.deepEqual(
    behind.applied.map(({ kind }) => kind),
    ['barrier'],
  );
  const { scale, y } = behind.placed[0]!.placement;
  assert.ok(570 * scale + y >= behind.barrier!.hidesFrom, 'the end of the body is hidden');
  assert.ok(scale < 0.9 * plain.placed[0]!.placement.scale, 'faces are nearer to the size of the slot');
});

test('people at a table stand behind the barrier, alone and in groups, in a kept frame and in a new one', async () => {
  const size = { width: 900, height: 640 };
  // The laps end at a table, near to where the canvas would end.
  const alone = photoOf([{ x: 450, y: 200, end: 370 }], size);
  const group = photoOf(
    [
      { x: 300, y: 200, end: 370 },
      { x: 450, y: 190, end: 640 },
      { x: 600, y: 200, end: 370 },
    ],
    size,
  );
  const landscape = canvasSizes.landscape;
  const barrier = async () => barrierFrom(880, landscape);
  for (const people of [alone, group]) {
    for (const keepFrame of [false, true]) {
      const arrangement = await placePeople([people], scene, landscape, { keepFrame, barrier });
      assert.equal(arrangement.barrier?.name, 'grey wall', `${people.faces.length} people, ${keepFrame}`);
    }
  }
});

test('in a kept frame a body that ends inside the picture is hidden, and one with feet is not', async () => {
  const size = { width: 600, height: 900 };
  const options = { keepFrame: true, barrier: async () => barrierFrom(1100) };
  const sitting = await placePeople([photoOf([{ x: 300, y: 330, end: 600 }], size)], scene, canvas, options);
  assert.equal(sitting.barrier?.name, 'grey wall');
  assert.equal(sitting.placed[0]!.placement.scale, 2 / 3);
  const standing = await placePeople([photoOf([{ x: 300, end: 520 }], size)], scene, canvas, options);
  assert.equal(standing.barrier, null);
});

test('a wide group of separate people stands in two rows of an upright picture, the back row first and higher', () => {
  const row = Array.from({ length: 6 }, (_, i) => ({ x: 150 + 260 * i, end: 700 }));
  const parts = separatePeople(photoOf(row, { width: 1700, height: 700 }));
  assert.equal(parts.length, 6);
  const { placements, rows, order } = frameTogether(parts, canvas, slot);
  assert.equal(rows, 2);
  assert.deepEqual([...order.slice(0, 3)].sort(), [1, 3, 5]);
  const faces = parts.map(({ faces: [face] }, i) => {
    const { scale, x, y } = placements[i]!;
    return { x: face!.center.x * scale + x, y: face!.center.y * scale + y, height: face!.height * scale };
  });
  for (const [i, face] of faces.entries()) {
    assert.ok(face.height > 0.6 * slot.face * canvas.height, `face ${i} has ${face.height} pixels`);
    assert.ok(face.x > 0.4 * face.height && face.x < canvas.width - 0.4 * face.height);
    const next = faces[i + 1];
    if (next)
      assert.ok(Math.hypot(next.x - face.x, next.y - face.y) > 0.8 * face.height, 'no face hides another');
  }
  assert.ok(faces[1]!.y < faces[0]!.y - 0.5 * faces[0]!.height);
});

test('a wide group that its photo shows from head to foot stands on the floor at full length', async () => {
  const row = Array.from({ length: 7 }, (_, i) => ({ x: 100 + 140 * i, end: 520 }));
  const photo = photoOf(row, { width: 1040, height: 600 });
  const { placed, applied, barrier } = await placePeople([photo], scene, canvas, { barrier: noBarrier });
  assert.deepEqual(applied, [
    { kind: 'arrangement', value: 'full length', reason: 'the group is wider than the picture' },
  ]);
  const { scale, y } = placed[0]!.placement;
  assert.ok(barrier === null && 1560 * scale + y < canvas.height && 1560 * scale + y > 0.9 * canvas.height);
});

test('where the floor is narrower than the group it stands behind the barrier, which hides all feet', async () => {
  const row = Array.from({ length: 7 }, (_, i) => ({ x: 100 + 140 * i, end: 520 }));
  const photo = photoOf(row, { width: 1040, height: 600 });
  const barrier = async () => barrierFrom(Math.round(0.75 * canvas.height), canvas);
  const narrow = { ...scene, floor: 0.6 };
  const { placed, applied, barrier: before } = await placePeople([photo], narrow, canvas, { barrier });
  assert.deepEqual(applied.at(-1), {
    kind: 'barrier',
    value: (await barrier()).name,
    reason: 'the scene has no floor below everybody',
  });
  const { scale, y } = placed[0]!.placement;
  assert.ok(1560 * scale + y > before!.hidesFrom);
  const wide = { ...scene, floor: 0.95 };
  assert.equal((await placePeople([photo], wide, canvas, { barrier })).barrier?.name, undefined);
  // Whoever is shown to the chest needs no floor.
  const chest = photoOf([{ x: 300, end: 600 }], { width: 600, height: 600 });
  assert.equal(
    (await placePeople([chest], { ...scene, floor: 0 }, canvas, { barrier })).barrier?.name,
    undefined,
  );
});

test('a long row of people that would lose its sides is shown at full length, as its photo shows it', async () => {
  const row = Array.from({ length: 5 }, (_, i) => ({ x: 120 + 120 * i, end: 560 }));
  const photo = photoOf(row, { width: 720, height: 600 });
  const { placed, applied } = await placePeople([photo], scene, canvasSizes.square, { barrier: noBarrier });
  assert.deepEqual(applied, [
    { kind: 'arrangement', value: 'full length', reason: 'the group is wider than the picture' },
  ]);
  const { scale, x } = placed[0]!.placement;
  assert.ok(3 * 45 * scale + x >= 0 && 3 * 675 * scale + x <= canvasSizes.square.width);
});

test('a guest alone of whom the photo shows head and chest becomes a close portrait, not a small one behind a barrier', async () => {
  const barrier = async () => barrierFrom(1250);
  const place = (photo: PeoplePhoto) => placePeople([photo], scene, canvas, { barrier });
  // Wide and low: what a camera that lies on its side sees of somebody who stands near it.
  const near = photoOf([{ x: 300, end: 999 }], { width: 600, height: 215 });
  const { placed, applied, barrier: before } = await place(near);
  assert.deepEqual(
    applied.map((note) => 'value' in note && note.value),
    ['close portrait'],
  );
  assert.equal(before, null);
  const { scale, y } = placed[0]!.placement;
  const hair = (180 * scale + y) / canvas.height;
  assert.ok(hair >= 0.17 && hair <= 0.28, `hair begins at ${hair}`);
  assert.ok(644 * scale + y >= canvas.height, 'the lower border cuts the body');
  // A table hides the lap, and the photo goes on below it.
  const sitting = photoOf([{ x: 300, end: 190 }], { width: 600, height: 215 });
  assert.equal((await place(sitting)).barrier?.name, 'grey wall');
});

test('a close portrait does not stand behind a barrier that would push its head out of the picture', async () => {
  const size = { width: 400, height: 600 };
  const close = photoOf([{ x: 50, y: 50, end: 140 }], { width: 100, height: 140 });
  const { barrier, placed } = await placePeople([close], scene, size, {
    barrier: async () => barrierFrom(380, size),
  });
  const { scale, y } = placed[0]!.placement;
  assert.ok(barrier === null);
  assert.ok(30 * scale + y >= 0, 'the hair is in the picture');
});

test('a guest alone of whom the photo shows little below the face is as large as in the photo', async () => {
  const noBarrier = { barrier: async () => null };
  // The photo cuts the hair, and ends half a face below the chin.
  const near = photoOf([{ x: 120, y: 30, end: 999 }], { width: 240, height: 100 });
  const { placed, applied } = await placePeople([near], {} as Scene, canvas, noBarrier);
  assert.deepEqual(
    applied.map((note) => 'value' in note && note.value),
    ['as photographed'],
  );
  const { scale, x, y } = placed[0]!.placement;
  const { width, height } = near.photo;
  assert.ok(
    x <= 0 && y <= 0 && x + scale * width >= canvas.width - 1 && y + scale * height >= canvas.height - 1,
  );
  // Of somebody at the side of a wide photo it would cut the face.
  const aside = photoOf([{ x: 20, y: 30, end: 999 }], { width: 400, height: 70 });
  await assert.rejects(placePeople([aside], {} as Scene, canvas, noBarrier));
});

test('people who stood far apart are moved together, and the caller is told', async () => {
  const apart = photoOf(
    [
      { x: 120, end: 600 },
      { x: 480, end: 600 },
    ],
    { width: 600, height: 600 },
  );
  const { placed, applied } = await placePeople([apart], scene, canvasSizes.landscape, {
    barrier: noBarrier,
  });
  assert.equal(placed.length, 2);
  assert.deepEqual(applied, [
    { kind: 'arrangement', value: 'moved together', reason: 'people stood far apart' },
  ]);
});

test('feet darken the floor right below them and nothing else', () => {
  const size = { width: 60, height: 80 };
  const colour: Planes = [new Float32Array(4800).fill(0.5), new Float32Array(4800), new Float32Array(4800)];
  const alpha = new Float32Array(20 * 60);
  for (let y = 0; y < 50; y++) alpha.fill(1, y * 20 + 5, y * 20 + 15);
  const [face] = photoOf([{ x: 30, end: 50 }], { width: 200, height: 200 }).faces;
  const faces = [{ ...face!, height: 60 }];
  const cutout = { x: 20, y: 0, width: 20, height: 60, alpha, colour, faces };
  shadeFloor({ ...size, colour }, cutout, [50]);
  const at = (x: number, y: number) => colour[0][y * 60 + x]!;
  assert.ok(at(30, 51) < 0.42 && at(30, 75) === 0.5 && at(30, 20) === 0.5 && at(3, 51) === 0.5);
});

test('every scene of the catalog has a barrier in the lower part of all three shapes', async () => {
  const scenes = [...(await readScenes()).values()];
  assert.ok(scenes.every(({ barrier }) => barrier?.portrait && barrier.landscape && barrier.square));
  const { height } = canvasSizes.square;
  for (const one of scenes.slice(0, 3)) {
    const barrier = await readBarrier(one, 'square');
    assert.ok(barrier!.hidesFrom > 0.6 * height && barrier!.hidesFrom < 0.9 * height, one.name);
    assert.ok(Math.min(...barrier!.tops) > 0.55 * height, one.name);
  }
});
