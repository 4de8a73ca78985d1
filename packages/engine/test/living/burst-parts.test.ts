import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moveFace, pointOf } from '../../src/faces/face-outline.ts';
import { alignShot } from '../../src/living/align-shots.ts';
import { chooseShots } from '../../src/living/choose-shots.ts';
import { eyesBetween, eyesOf, moveWithEye } from '../../src/living/eye-motion.ts';
import { askedTimes, askedUntil, flowAt } from '../../src/living/flow-between.ts';
import { type FlowFinder, withFlowFinder } from '../../src/living/frame-flow.ts';
import { planFrames } from '../../src/living/frame-times.ts';
import { cropGuide, type Keyframe, windowAround } from '../../src/living/keyframe.ts';
import { judgePair } from '../../src/living/pair-judge.ts';
import { fadeCutSides } from '../../src/living/scene-shots.ts';
import type { PeoplePhoto } from '../../src/matting/people.ts';
import { silhouetteOf } from '../../src/matting/silhouette.ts';
import { faceAt } from '../support/drawn-people.ts';

const photo = { width: 800, height: 1000 };

/** A face whose eyes' corners and nose are where alignment looks for them. */
function steadyFace(x: number, y: number, height: number) {
  const face = faceAt(x, y, height);
  for (const [index, dx, dy] of [
    [33, -0.3, -0.1],
    [133, -0.1, -0.1],
    [362, 0.1, -0.1],
    [263, 0.3, -0.1],
    [168, 0, -0.1],
  ] as const) {
    face.points.set([x + dx * height, y + dy * height, 0], 3 * index);
  }
  return face;
}

test('there and back, frames differ in one half of a clip and are shown twice', () => {
  const { times, order } = planFrames(4, 72, 'ping_pong');
  assert.equal(times.length, 37);
  assert.equal(order.length, 72);
  assert.deepEqual(times[0], { shot: 0, time: 0 });
  assert.equal(times.at(-1)!.shot + times.at(-1)!.time, 3);
  assert.deepEqual(order.slice(0, 3), [0, 1, 2]);
  assert.deepEqual(order.slice(-2), [2, 1]);
  const places = times.map(({ shot, time }) => shot + time);
  assert.ok(places.every((place, i) => i === 0 || place >= places[i - 1]!));
});

test('forward, a clip ends with the last shot', () => {
  const { times, order } = planFrames(2, 48, 'forward');
  assert.equal(times.length, 48);
  assert.equal(order.at(-1), 47);
  assert.ok(Math.abs(times.at(-1)!.time - 1) < 1e-9);
});

test('a head that moves a little is left where it is, and what is elsewhere at once is aligned', () => {
  const first = { photo, faces: [steadyFace(400, 400, 200)] };
  const near = alignShot(first, { photo, faces: [steadyFace(430, 410, 204)] });
  assert.deepEqual(near, { scale: 1, x: 0, y: 0 });
  const other = steadyFace(600, 520, 240);
  const placed = moveFace(other, alignShot(first, { photo, faces: [other] }));
  for (const index of [33, 263, 168]) {
    const [is, should] = [pointOf(placed, index), pointOf(first.faces[0]!, index)];
    assert.ok(Math.hypot(is.x - should.x, is.y - should.y) < 1, `point ${index}`);
  }
});

test('a shot of another size is scaled', () => {
  const first = { photo, faces: [steadyFace(400, 400, 200)] };
  const half = { photo: { width: 400, height: 500 }, faces: [steadyFace(200, 200, 100)] };
  assert.equal(alignShot(first, half).scale, 2);
});

const size = { width: 64, height: 64 };
const still: FlowFinder = async () => ({
  ...size,
  flow: new Float32Array(4 * 64 * 64),
  share: new Float32Array(64 * 64).fill(0.5),
});
/** A plain picture with a square of another level. */
const square = (side: number, level = 1) => {
  const planes = new Float32Array(3 * 64 * 64).fill(0.2);
  for (let c = 0; c < 3; c++)
    for (let y = 0; y < side; y++) planes.fill(level, c * 4096 + y * 64, c * 4096 + y * 64 + side);
  return planes;
};

test('the share of blocks that do not come together is measured', async () => {
  assert.equal(await judgePair(still, square(0), square(0), size), 0);
  assert.equal(await judgePair(still, square(0), square(32, 0.3), size), 0.25);
  // What only one of them has weighs more than what changes a little.
  assert.equal(await judgePair(still, square(0), square(8), size), 0.25);
  assert.equal(await judgePair(still, square(0), square(8, 0.3), size), 1 / 64);
  assert.equal(await judgePair(still, square(0), square(32), size), 1);
});

test('shots that do not go together with the others are left out, and told', async () => {
  const shots = [square(48), square(0), square(8, 0.3), square(8, 0.32)].map((planes, index) => ({
    index,
    planes,
  }));
  const { shots: kept, ignored } = await chooseShots(shots, size, still);
  assert.deepEqual(
    kept.map(({ index }) => index),
    [1, 2, 3],
  );
  assert.deepEqual(
    ignored.map((note) => 'value' in note && note.value),
    ['Shot 1'],
  );
});

test('of shots of which none goes together with another one is left', async () => {
  const shots = [square(0), square(64)].map((planes, index) => ({ index, planes }));
  assert.equal((await chooseShots(shots, size, still)).shots.length, 1);
});

test('the network finds how far a picture has moved, and the shares of both', async () => {
  const wave = (shift: number) =>
    Float32Array.from({ length: 3 * 4096 }, (_, i) => {
      const [x, y] = [(i % 64) - shift, Math.floor((i % 4096) / 64)];
      return 0.5 + 0.4 * Math.sin(x / 5) * Math.cos(y / 7 + Math.floor(i / 4096));
    });
  await withFlowFinder(async (find) => {
    const { flow, share } = await find(wave(0), wave(4), size, 0.5);
    const middle = 32 * 64 + 32;
    assert.ok(Math.abs(flow[middle]! + 2) < 0.5, `${flow[middle]} to the first`);
    assert.ok(Math.abs(flow[2 * 4096 + middle]! - 2) < 0.5, `${flow[2 * 4096 + middle]} to the last`);
    assert.ok(share.every((value) => value >= 0 && value <= 1));
  });
});

test('between the asked times, flows go on at an even pace, and near a shot its share grows to the whole', () => {
  const [plane, moved] = [64 * 64, 10];
  // Everything moves ten pixels to the right between the shots.
  const asked = askedTimes.map((time) => {
    const flow = new Float32Array(5 * plane);
    flow.fill(-moved * time, 0, plane);
    flow.fill(moved * (1 - time), 2 * plane, 3 * plane);
    return flow.fill(0.6, 4 * plane);
  });
  const flow = new Float32Array(5 * plane).fill(9);
  const middle = 32 * 64 + 32;
  for (const time of [0.05, 0.2, 0.35, 0.5, 0.7, 0.95]) {
    flowAt(asked, time, size, flow);
    const [there, down, back] = [flow[middle]!, flow[plane + middle]!, flow[2 * plane + middle]!];
    assert.ok(Math.abs(there + moved * time) < 1e-3 && Math.abs(back - moved * (1 - time)) < 1e-3, `${time}`);
    assert.equal(down, 0);
  }
  flowAt(asked, 0.02, size, flow);
  assert.ok(flow[4 * plane + middle]! > 0.95);
  flowAt(asked, 0.98, size, flow);
  assert.ok(flow[4 * plane + middle]! < 0.07);
  assert.deepEqual(
    [0.1, 0.2, 0.3, 0.5, 0.51, 0.9].map(askedUntil),
    [1, 1, 2, 2, 3, 3],
    'a frame waits for no more of the network than it needs',
  );
});

test('an eye is shown as in the nearer shot, between lids that move', () => {
  const eyes = (y: number) => {
    const face = faceAt(200, 200, 200);
    for (const [k, index] of [
      33, 7, 163, 144, 145, 153, 154, 155, 133, 173, 157, 158, 159, 160, 161, 246,
    ].entries()) {
      const turn = Math.PI - (2 * Math.PI * k) / 16;
      face.points.set([160 + 20 * Math.cos(turn), y + 8 * Math.sin(turn), 0], 3 * index);
    }
    return eyesOf([face]).slice(0, 1);
  };
  const [early, late] = [
    eyesBetween(eyes(180), eyes(190), 0.25)[0]!,
    eyesBetween(eyes(180), eyes(190), 0.75)[0]!,
  ];
  assert.ok(early.fromFirst && !late.fromFirst);
  const flow = Float32Array.of(9, 9, 9, 9, 0.5);
  assert.ok(moveWithEye(early, 160, 182.5, flow));
  // It has moved down by a quarter of the way.
  assert.ok(Math.abs(flow[1]! + 2.5) < 0.1 && Math.abs(flow[0]!) < 0.1, `${flow}`);
  assert.equal(flow[4], 1);
  assert.ok(!moveWithEye(early, 160, 260, flow));
});

test('the part that the network sees has sides in multiples of 32 and is grey beyond the picture', () => {
  const alpha = new Float32Array(200 * 300);
  for (let y = 250; y < 300; y++) alpha.fill(1, y * 200 + 60, y * 200 + 140);
  const keyframe: Keyframe = { width: 200, height: 300, alpha, colour: [alpha, alpha, alpha] };
  const window = windowAround([keyframe], 2);
  assert.ok(window.width % 32 === 0 && window.height % 32 === 0);
  assert.ok(window.x * 2 <= 60 && (window.x + window.width) * 2 >= 140);
  const guide = { width: 100, height: 150, planes: new Float32Array(3 * 100 * 150), factor: 2 };
  const beyond = cropGuide(guide, { x: -32, y: 0, width: 64, height: 32 });
  assert.equal(beyond[0], 0.5);
  assert.equal(beyond[32], 0);
});

test('people whom a side of the photo cuts fade there only where that side lies within the canvas', () => {
  const size = { width: 100, height: 100 };
  const matte = { ...size, factor: 1, data: new Float32Array(100 * 100).fill(1) };
  const people = { photo: size, matte, silhouette: silhouetteOf(matte) } as unknown as PeoplePhoto;
  const sidesOn = (placement: { scale: number; x: number }) => {
    const { data } = fadeCutSides(people, { ...placement, y: 0 }, size).matte;
    return [data[50 * 100]!, data[50 * 100 + 50]!, data[50 * 100 + 99]!];
  };
  assert.deepEqual(sidesOn({ scale: 1, x: 0 }), [1, 1, 1], 'the sides of the canvas cut them');
  assert.deepEqual(sidesOn({ scale: 1, x: 8 }), [0, 1, 1], 'the left side is shown');
  assert.deepEqual(sidesOn({ scale: 0.5, x: 25 }), [0, 1, 0]);
});
