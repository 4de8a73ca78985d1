import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Face } from '../../../src/faces/face.ts';
import { faceOval, moveFace, scanFace } from '../../../src/faces/face-outline.ts';
import { findFaces, measureFace } from '../../../src/faces/faces.ts';
import { mapPlanes, type Picture } from '../../../src/pixels/picture.ts';
import { RenderError } from '../../../src/runtime/render-error.ts';
import { fillOf, viewsOf } from '../../../src/swap/mesh/face-views.ts';
import { swapFace } from '../../../src/swap/mesh/mesh-swap.ts';
import {
  checkLikeness,
  checkOval,
  checkScores,
  checkSeam,
  checkSkin,
  faceOf,
  guestAndTemplate,
  makeSwap,
  photoOf,
  type Swap,
} from './check-swap.ts';

/** Poses and light differ widely. `npm run test:pictures` makes more of them. */
const pairs = ['1.2>6.3', '6.3>3.1'] as const;

/** Heads in another pose, by 33 degrees. */
const posedPairs = ['6.0>6.1'] as const;

const swaps: Swap[] = [];
const posed: Swap[] = [];

before(async () => {
  for (const pair of pairs) swaps.push(await makeSwap(pair));
  for (const pair of posedPairs) posed.push(await makeSwap(pair));
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
    for (const swap of swaps) scores.push(await checkLikeness(swap));
    checkScores(scores);
  });

  it('still shows one face, in the pose of the template, also of a head in another pose', async () => {
    for (const { pair, face, result } of [swaps[0]!, ...posed]) {
      const faces = await findFaces(result, { traits: false, irises: false });
      assert.equal(faces.length, photoOf(guestAndTemplate(pair)[1]).faces.length, pair);
      const found = faces.toSorted((a, b) => distance(a, face) - distance(b, face))[0]!;
      assert.ok(distance(found, face) < 0.08 * face.height, pair);
      assert.ok(Math.abs(found.yaw - face.yaw) < 0.25 && Math.abs(found.roll - face.roll) < 0.1, pair);
    }
  });

  it('makes the face in the template the guest for a recogniser when the poses differ', async () => {
    for (const swap of posed) {
      const alike = await checkLikeness(swap);
      assert.ok(alike > 0.5, `${swap.pair}: ${alike}`);
    }
  });

  it('draws the far half of closed lips from the near half, unless poses differ far or the mouth is open', () => {
    const corners = (pair: string) => {
      const [guest, template] = guestAndTemplate(pair);
      const fill = fillOf(viewsOf(faceOf(guest).points, faceOf(template).points));
      return [fill[61]!, fill[291]!].map((share) => Number(share.toFixed(1)));
    };
    assert.deepEqual(corners('6.3>3.1'), [1, 0]);
    assert.deepEqual(corners('6.2>6.3'), [0, 1], 'to the other side');
    assert.deepEqual(corners('1.0>3.1'), [0, 0], 'far apart');
    assert.deepEqual(corners('1.2>6.3'), [0, 0], 'open');
  });

  it('changes nothing outside of the oval of the face, and most of what is inside', () => {
    for (const swap of swaps) checkOval(swap);
  });

  it("lights the guest's skin like the template's", () => {
    for (const swap of swaps) checkSkin(swap);
  });

  it('leaves no seam: across the edge of the face the lightness steps no more than it did', () => {
    for (const swap of swaps) checkSeam(swap);
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

  it('a head in too different a pose', async () => {
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
