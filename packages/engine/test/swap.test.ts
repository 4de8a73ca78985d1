import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { likeness } from '../quality/likeness.ts';
import type { Face } from '../src/faces/face.ts';
import { faceOval, moveFace, scanFace } from '../src/faces/face-outline.ts';
import { findFaces, measureFace } from '../src/faces/faces.ts';
import { toLab } from '../src/pixels/lab.ts';
import { readPhoto } from '../src/pixels/photo.ts';
import { mapPlanes, type Picture } from '../src/pixels/picture.ts';
import { RenderError } from '../src/runtime/render-error.ts';
import { fillOf, viewsOf } from '../src/swap/mesh/face-views.ts';
import { swapFace } from '../src/swap/mesh/mesh-swap.ts';
import { cutPatch, pointsInPatch } from '../src/swap/mesh/patch.ts';

interface Photo {
  picture: Picture;
  faces: Face[];
}

/** Guest into template, each the number of the photo and of its face from the left; poses and light differ widely. */
const pairs = ['1.2>6.3', '3.1>6.3', '6.3>3.1', '6.0>6.2', '6.3>6.1', '1.0>6.1', '6.3>6.0'] as const;

/** Heads that are turned another way: by 28 degrees, and by 33 to the other side. */
const turnedPairs = ['6.2>3.0', '6.0>6.1'] as const;

const photos = new Map<string, Photo>();
const swapped = new Map<string, Picture>();

const photoOf = (name: string) => photos.get(name.split('.')[0]!)!;
const faceOf = (name: string) => photoOf(name).faces[Number(name.split('.')[1])]!;
const sides = (pair: string) => pair.split('>') as [guest: string, template: string];

before(async () => {
  for (const name of ['1', '3', '6']) {
    const picture = await readPhoto(`node_modules/@vladmandic/face-api/demo/sample${name}.jpg`, 1920);
    photos.set(name, { picture, faces: await findFaces(picture) });
  }
  for (const pair of [...pairs, ...turnedPairs]) {
    const [guest, template] = sides(pair);
    const face = faceOf(template);
    const result = await swapFace(photoOf(template).picture, face, photoOf(guest).picture, faceOf(guest));
    swapped.set(pair, result);
  }
});

async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => assert.fail('was not refused'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof RenderError && error.code === 'ENGINE_REFUSED', String(error));
  return error.message;
}

describe('swapFace', () => {
  it('makes the face in the template the guest, for a recogniser', async () => {
    const scores: number[] = [];
    for (const pair of pairs) {
      const [guest, template] = sides(pair);
      const photo = photoOf(guest).picture;
      const before = await likeness(photo, faceOf(guest), photoOf(template).picture, faceOf(template));
      const after = await likeness(photo, faceOf(guest), swapped.get(pair)!, faceOf(template));
      assert.ok(after > before + 0.25, `${pair}: ${before.toFixed(2)} → ${after.toFixed(2)}`);
      scores.push(after);
    }
    scores.sort((a, b) => a - b);
    assert.ok(scores[scores.length >> 1]! >= 0.55, `median of ${scores.map((score) => score.toFixed(2))}`);
    assert.ok(scores[0]! >= 0.45, `least of ${scores.map((score) => score.toFixed(2))}`);
  });

  it('still shows one face, in the pose of the template, also of a head that was turned another way', async () => {
    for (const pair of [pairs[0], ...turnedPairs]) {
      const [, template] = sides(pair);
      const faces = await findFaces(swapped.get(pair)!, { traits: false });
      assert.equal(faces.length, photoOf(template).faces.length, pair);
      const face = faceOf(template);
      const found = faces.toSorted((a, b) => distance(a, face) - distance(b, face))[0]!;
      assert.ok(distance(found, face) < 0.08 * face.height, pair);
      assert.ok(Math.abs(found.yaw - face.yaw) < 0.25 && Math.abs(found.roll - face.roll) < 0.1, pair);
    }
  });

  it('makes the face in the template the guest for a recogniser when the heads are turned another way', async () => {
    for (const pair of turnedPairs) {
      const [guest, template] = sides(pair);
      const photo = photoOf(guest).picture;
      const before = await likeness(photo, faceOf(guest), photoOf(template).picture, faceOf(template));
      const after = await likeness(photo, faceOf(guest), swapped.get(pair)!, faceOf(template));
      assert.ok(after > before + 0.25 && after > 0.5, `${pair}: ${before.toFixed(2)} → ${after.toFixed(2)}`);
    }
  });

  it('draws the far half of closed lips from the near half, unless the head is turned far or the mouth is open', () => {
    const corners = (pair: string) => {
      const [guest, template] = sides(pair);
      const fill = fillOf(viewsOf(faceOf(guest).points, faceOf(template).points));
      return [fill[61]!, fill[291]!].map((share) => Number(share.toFixed(1)));
    };
    assert.deepEqual(corners('6.3>3.1'), [1, 0]);
    assert.deepEqual(corners('6.2>6.3'), [0, 1], 'turned to the other side');
    assert.deepEqual(corners('1.0>3.1'), [0, 0], 'turned far');
    assert.deepEqual(corners('1.2>6.3'), [0, 0], 'open');
  });

  it('changes nothing outside of the oval of the face, and most of what is inside', () => {
    for (const pair of pairs) {
      const [, template] = sides(pair);
      const { picture } = photoOf(template);
      const inside = new Uint8Array(picture.width * picture.height);
      scanFace(faceOf(template), 1.03, picture, (y, from, to) => {
        inside.fill(1, y * picture.width + from, y * picture.width + to + 1);
      });
      const result = swapped.get(pair)!;
      let changed = 0;
      for (let i = 0; i < inside.length; i++) {
        if (result.planes[0][i] === picture.planes[0][i]) continue;
        assert.equal(inside[i], 1, `${pair} at ${i % picture.width}, ${Math.floor(i / picture.width)}`);
        changed++;
      }
      assert.ok(changed > 0.4 * inside.reduce((sum, value) => sum + value, 0), `${pair}: ${changed}`);
    }
  });

  it("lights the guest's skin like the template's", () => {
    for (const pair of pairs) {
      const [guest, template] = sides(pair);
      const there = skinOf(photoOf(template).picture, faceOf(template));
      const guestSkin = skinOf(photoOf(guest).picture, faceOf(guest));
      const result = skinOf(swapped.get(pair)!, faceOf(template));
      const off = colourDistance(result, there);
      const was = colourDistance(guestSkin, there);
      assert.ok(
        off < 8 && off < 0.75 * was,
        `${pair}: ${off.toFixed(1)} from the template, was ${was.toFixed(1)}`,
      );
    }
  });

  it('leaves no seam: across the edge of the face the lightness steps no more than it did', () => {
    for (const pair of pairs) {
      const [, template] = sides(pair);
      const face = faceOf(template);
      const was = stepsAcross(photoOf(template).picture, face);
      const is = stepsAcross(swapped.get(pair)!, face);
      const more = is.map((step, i) => step - was[i]!).sort((a, b) => a - b);
      assert.ok(more[Math.floor(0.9 * more.length)]! < 6, `${pair}: ${more.map((step) => step.toFixed(1))}`);
    }
  });

  it('stops when it is told to', async () => {
    const signal = AbortSignal.abort();
    const promise = swapFace(photoOf('6').picture, faceOf('6.3'), photoOf('1').picture, faceOf('1.2'), {
      signal,
    });
    await assert.rejects(promise, { name: 'AbortError' });
  });
});

describe('swapFace refuses, in words for the guest,', () => {
  const into = (
    template: string,
    guest: string,
    changed: Partial<{ face: Face; photo: Picture; there: Face }>,
  ) =>
    swapFace(
      photoOf(template).picture,
      changed.there ?? faceOf(template),
      changed.photo ?? photoOf(guest).picture,
      changed.face ?? faceOf(guest),
    );

  it('a head that is turned too far another way', async () => {
    const face = lowered(faceOf('1.2'), 0.8);
    assert.match(await refusal(into('6.3', '1.2', { face })), /Turn it a little up/);
  });

  it('a template whose face is tiny', async () => {
    const tiny = moveFace(faceOf('6.3'), { scale: 0.15, x: 300, y: 300 });
    assert.match(await refusal(into('6.3', '1.2', { there: tiny })), /too small/);
  });

  it('a guest who is too far away', async () => {
    const far = moveFace(faceOf('1.2'), { scale: 0.3, x: 300, y: 300 });
    assert.match(await refusal(into('6.3', '1.2', { face: far })), /Come closer/);
  });

  it('a face that the photo cuts off', async () => {
    const cut = moveFace(faceOf('1.2'), { scale: 1, x: -faceOf('1.2').center.x, y: 0 });
    assert.match(await refusal(into('6.3', '1.2', { face: cut })), /cut off by the edge of the photo/);
  });

  it('dark glasses', async () => {
    const photo = painted(photoOf('1').picture, faceOf('1.2'), 0.02);
    assert.match(await refusal(into('6.3', '1.2', { photo })), /eyes cannot be seen/);
  });

  it('a face that is too dark for the template', async () => {
    const { picture } = photoOf('1');
    const planes = mapPlanes(picture.planes, (plane) => plane.map((value) => 0.3 * value));
    assert.match(await refusal(into('6.3', '1.2', { photo: { ...picture, planes } })), /too dark/);
  });
});

/** The face bent forward by an angle. */
function lowered(face: Face, angle: number): Face {
  const points = face.points.slice();
  for (let i = 0; i < points.length; i += 3) {
    const y = face.points[i + 1]! - face.center.y;
    const z = face.points[i + 2]!;
    points[i + 1] = face.center.y + y * Math.cos(angle) - z * Math.sin(angle);
    points[i + 2] = z * Math.cos(angle) + y * Math.sin(angle);
  }
  return { ...face, ...measureFace(points) };
}

function distance(a: Face, b: Face): number {
  return Math.hypot(a.center.x - b.center.x, a.center.y - b.center.y);
}

/** Mean L*, a* and b* of the cheeks and the nose. */
function skinOf(picture: Picture, face: Face): number[] {
  const patch = cutPatch(picture, face, 0);
  const lab = toLab(patch.picture);
  const points = pointsInPatch(face.points, patch, 1);
  const at = [50, 205, 280, 425, 5, 195, 118, 347].map(
    (i) => Math.round(points[i * 3 + 1]!) * lab.width + Math.round(points[i * 3]!),
  );
  return [lab.lightness, lab.a, lab.b].map((plane) => {
    const values = at.flatMap((i) => [-2, -1, 0, 1, 2].map((dx) => plane[i + dx]!)).sort((a, b) => a - b);
    return values[values.length >> 1]!;
  });
}

function colourDistance(a: number[], b: number[]): number {
  return Math.hypot(...a.map((value, i) => value - b[i]!));
}

/** How much L* differs between a little inside and a little outside of the lower oval. */
function stepsAcross(picture: Picture, face: Face): number[] {
  const patch = cutPatch(picture, face, 10);
  const { lightness, width } = toLab(patch.picture);
  const at = (i: number, growth: number) => {
    const x = face.center.x + (face.points[i * 3]! - face.center.x) * growth - patch.left;
    const y = face.center.y + (face.points[i * 3 + 1]! - face.center.y) * growth - patch.top;
    let sum = 0;
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) sum += lightness[(Math.round(y) + dy) * width + Math.round(x) + dx]!;
    }
    return sum / 9;
  };
  return faceOval.flatMap((i) =>
    [1, 0.97, 0.94, 0.91].map((growth) => Math.abs(at(i, growth) - at(i, growth - 0.03))),
  );
}

/** A bar over both eyes. */
function painted(picture: Picture, face: Face, value: number): Picture {
  const planes = mapPlanes(picture.planes, (plane) => plane.slice());
  const outline = [21, 105, 334, 251, 447, 347, 195, 118, 227];
  const bar = { ...face, points: face.points.slice() };
  faceOval.forEach((i, k) => {
    const corner = outline[Math.floor((k * outline.length) / faceOval.length)]!;
    bar.points.set(face.points.subarray(corner * 3, corner * 3 + 3), i * 3);
  });
  scanFace(bar, 1, picture, (y, from, to) => {
    for (const plane of planes) plane.fill(value, y * picture.width + from, y * picture.width + to + 1);
  });
  return { ...picture, planes };
}
