import assert from 'node:assert/strict';
import { likeness } from '../../../quality/likeness.ts';
import type { Face } from '../../../src/faces/face.ts';
import { faceOval, scanFace } from '../../../src/faces/face-outline.ts';
import { findFaces } from '../../../src/faces/faces.ts';
import { toLab } from '../../../src/pixels/lab.ts';
import { readPhoto } from '../../../src/pixels/photo.ts';
import type { Picture } from '../../../src/pixels/picture.ts';
import { swapFace } from '../../../src/swap/mesh/mesh-swap.ts';
import { cutPatch, pointsInPatch } from '../../../src/swap/mesh/patch.ts';
import { sample } from '../../support/sample-photos.ts';

interface Photo {
  picture: Picture;
  faces: Face[];
}

/** Guest into template, each the number of the photo and of its face from the left: `1.2>6.3`. */
export interface Swap {
  pair: string;
  photo: Picture;
  guest: Face;
  template: Picture;
  face: Face;
  result: Picture;
}

const photos = new Map<string, Photo>();

export const photoOf = (name: string) => photos.get(name.split('.')[0]!)!;
export const faceOf = (name: string) => photoOf(name).faces[Number(name.split('.')[1])]!;
export const guestAndTemplate = (pair: string) => pair.split('>') as [guest: string, template: string];

export async function makeSwap(pair: string): Promise<Swap> {
  const [from, into] = guestAndTemplate(pair);
  for (const [number] of [from, into] as [string, string]) {
    if (photos.has(number!)) continue;
    const picture = await readPhoto(sample(Number(number)), 1920);
    photos.set(number!, { picture, faces: await findFaces(picture, { traits: false }) });
  }
  const [photo, guest] = [photoOf(from).picture, faceOf(from)];
  const [template, face] = [photoOf(into).picture, faceOf(into)];
  return { pair, photo, guest, template, face, result: await swapFace(template, face, photo, guest) };
}

/** For a recogniser the face is the guest's, and was not. Gives how alike they are. */
export async function checkLikeness({ pair, photo, guest, template, face, result }: Swap): Promise<number> {
  const before = await likeness(photo, guest, template, face);
  const after = await likeness(photo, guest, result, face);
  assert.ok(after > before + 0.25, `${pair}: ${before.toFixed(2)} → ${after.toFixed(2)}`);
  return after;
}

/** How alike several guests and their pictures are, in the middle and at least. */
export function checkScores(scores: readonly number[]): void {
  const sorted = scores.toSorted((a, b) => a - b);
  assert.ok(sorted[sorted.length >> 1]! >= 0.55, `median of ${sorted.map((score) => score.toFixed(2))}`);
  assert.ok(sorted[0]! >= 0.45, `least of ${sorted.map((score) => score.toFixed(2))}`);
}

/** Nothing outside of the oval is changed, and most of what is inside. */
export function checkOval({ pair, template, face, result }: Swap): void {
  const inside = new Uint8Array(template.width * template.height);
  let within = 0;
  scanFace(face, 1.03, template, (y, from, to) => {
    inside.fill(1, y * template.width + from, y * template.width + to + 1);
    within += to - from + 1;
  });
  const [was, is] = [template.planes[0], result.planes[0]];
  let changed = 0;
  for (let i = 0; i < inside.length; i++) {
    if (is[i] === was[i]) continue;
    if (inside[i] !== 1) assert.fail(`${pair} at ${i % template.width}, ${Math.floor(i / template.width)}`);
    changed++;
  }
  assert.ok(changed > 0.4 * within, `${pair}: ${changed}`);
}

/** The skin is lit like the template's. */
export function checkSkin({ pair, photo, guest, template, face, result }: Swap): void {
  const there = skinOf(template, face);
  const off = colourDistance(skinOf(result, face), there);
  const was = colourDistance(skinOf(photo, guest), there);
  assert.ok(
    off < 8 && off < 0.75 * was,
    `${pair}: ${off.toFixed(1)} from the template, was ${was.toFixed(1)}`,
  );
}

/** Across the edge of the face the lightness steps no more than it did. */
export function checkSeam({ pair, template, face, result }: Swap): void {
  const was = stepsAcross(template, face);
  const is = stepsAcross(result, face);
  const more = is.map((step, i) => step - was[i]!).sort((a, b) => a - b);
  assert.ok(more[Math.floor(0.9 * more.length)]! < 6, `${pair}: ${more.map((step) => step.toFixed(1))}`);
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
