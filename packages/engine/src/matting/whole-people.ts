import type { Face } from '../faces/face.ts';
import { distanceToFace, medianHeight, moveFace, pointOf } from '../faces/face-outline.ts';
import { boxMean } from '../pixels/box-mean.ts';
import { mapToFloats, type Plane, planeOf } from '../pixels/plane.ts';
import { enlarge, type ReducedPlane, reduce } from '../pixels/reduce.ts';
import { findRegions } from '../pixels/regions.ts';
import { resample } from '../pixels/resample.ts';
import { clamp, smoothstep } from '../pixels/scalar.ts';
import type { BodyClasses } from './body-classes.ts';

/** Bodies are looked at on this longest side: what counts are torsos, not their edges. */
const longestSide = 320;

/**
 * A body without a head is a part that is reached from all heads only from below, by this much at its top, that is as
 * thick and as large as a torso, this far from every face, and clothed: in face heights and their squares. Arms that are held up are thinner, and what
 * hangs below a head is reached from above.
 */
const leastClimb = 0.6;
const torsoThickness = 0.7;
const leastTorso = 0.4;
const leastDistance = 1.2;
const leastClothed = 0.5;

/** Links as thin as a strap or a finger join nobody, in face heights to both sides. */
const thinLink = 0.12;

/** With as much hair and face skin, in squared face heights, a part has a head: that of somebody who looks away. */
const leastHead = 0.12;

/** How far from a body without a head the body classes may join it to one, in face heights. */
const mostGap = 1.5;

/** Bodies of a matte that have no head: 1 where they are, and null where everybody is whole. */
export function findHeadless(
  matte: ReducedPlane,
  faces: readonly Face[],
  { width, height, shares }: BodyClasses,
): ReducedPlane | null {
  const factor = Math.max(1, Math.round(Math.max(matte.width, matte.height) / longestSide));
  const small = reduce(matte, factor);
  const found = faces.map((face) => moveFace(face, { scale: 1 / (factor * matte.factor), x: 0, y: 0 }));
  const unit = medianHeight(found);
  const joined = boxMean(small, thinLink * unit).data.map((share) => (share > 0.9 ? 1 : 0));
  const climb = climbFromHeads(planeOf(joined, small), found);
  const above = climb.map((rows) => (rows > 0.5 * leastClimb * unit ? 1 : 0));
  const { labels, areas } = findRegions(planeOf(above, small), 0.5, 'above');
  if (areas.length === 1) return null;
  const thick = boxMean(small, (torsoThickness / 2) * unit).data;
  const onSmall = (share: Float32Array) =>
    resample(planeOf(share, { width, height }), { x: 0, y: 0, width, height }, small).data;
  const head = onSmall(shares.hair.map((share, i) => share + shares.faceSkin[i]!));
  const clothes = onSmall(shares.clothes);
  const parts = areas.map(() => ({ head: 0, clothes: 0, climb: 0, distance: Infinity, isThick: false }));
  for (const [i, label] of labels.entries()) {
    if (label === 0) continue;
    const part = parts[label]!;
    part.head += head[i]!;
    part.clothes += clothes[i]!;
    part.climb = Math.max(part.climb, climb[i]!);
    part.distance = Math.min(
      part.distance,
      distanceToFace(found, i % small.width, Math.floor(i / small.width)),
    );
    if (thick[i]! > 0.97) part.isThick = true;
  }
  const isHeadless = parts.map(
    (part, label) =>
      part.isThick &&
      areas[label]! >= leastTorso * unit * unit &&
      part.climb >= leastClimb * unit &&
      part.distance >= leastDistance &&
      part.clothes >= leastClothed * areas[label]! &&
      part.head < leastHead * unit * unit,
  );
  if (!isHeadless.includes(true)) return null;
  const data = mapToFloats(labels, (label) => (isHeadless[label] ? 1 : 0));
  return { width: small.width, height: small.height, factor: factor * matte.factor, data };
}

/**
 * For each pixel of people by how many rows it lies above the lowest row that a path from any head to it has to pass,
 * where that is below the head; 0 where a path goes down all the way, and infinite where there is none. Outside of
 * people it is 0.
 */
function climbFromHeads({ width, height, data }: Plane, faces: readonly Face[]): Float32Array {
  const lowest = new Int32Array(data.length).fill(-1);
  const start = new Int32Array(data.length);
  const byRow: number[][] = Array.from({ length: height }, () => []);
  const reach = (i: number, row: number, from: number) => {
    if (lowest[i] !== -1 || data[i]! < 0.5) return;
    lowest[i] = row;
    start[i] = from;
    byRow[row]!.push(i);
  };
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) if (distanceToFace(faces, x, y) < 0.6) reach(i, y, y);
  }
  for (let row = 0; row < height; row++) {
    const pixels = byRow[row]!;
    // The list grows while it is read: steps up and to the sides pass no lower row.
    for (let k = 0; k < pixels.length; k++) {
      const i = pixels[k]!;
      const x = i % width;
      const go = (to: number) => reach(to, Math.max(row, Math.floor(to / width)), start[i]!);
      if (x > 0) go(i - 1);
      if (x < width - 1) go(i + 1);
      if (i >= width) go(i - width);
      if (i + width < data.length) go(i + width);
    }
  }
  return Float32Array.from(lowest, (row, i) => {
    if (row < 0) return data[i]! < 0.5 ? 0 : Infinity;
    return Math.max(0, row - Math.max(Math.floor(i / width), start[i]!));
  });
}

/**
 * Joins bodies without a head to what the body classes have of their people, in place: where the matte lost a dark
 * shoulder in a dark room, a head and its body are apart.
 */
export function joinBodies(solid: Plane, person: Plane, faces: readonly Face[], classes: BodyClasses): void {
  const headless = findHeadless({ ...solid, factor: 1 }, faces, classes);
  if (!headless) return;
  const unit = medianHeight(faces) / headless.factor;
  const near = boxMean(headless, mostGap * unit).data.map((share) => (share > 0 ? 1 : 0));
  const gate = enlarge(planeOf(near, headless), solid, headless.factor).data;
  // As little as will do: what the classes are unsure of is often somebody behind.
  for (const level of [0.5, 0.35]) {
    const joined = solid.data.map((value, i) =>
      Math.max(value, gate[i]! * smoothstep(level - 0.1, level + 0.1, person.data[i]!)),
    );
    if (findHeadless({ ...solid, factor: 1, data: joined }, faces, classes)) continue;
    solid.data.set(joined);
    return;
  }
}

/** Parts of a body beside and below a chin, in face heights: with one of them in the matte a head has a body. */
const bodyAt = [
  [0, 0.75],
  [-0.6, 0.6],
  [0.6, 0.6],
  [-0.95, 0],
  [0.95, 0],
] as const;
const bodySide = 0.3;

/** Whether people go on below or beside the chin, as far as the photo shows it. */
export function hasBody({ width, height, data, factor }: ReducedPlane, face: Face): boolean {
  const unit = face.height / factor;
  const chin = pointOf(face, 152);
  return bodyAt.some(([beside, down]) => {
    const x = chin.x / factor + beside * unit;
    const y = chin.y / factor + down * unit;
    const side = bodySide * unit;
    if (y > height - side || (down === 0 && (x < side || x > width - side))) return down > 0;
    let covered = 0;
    let all = 0;
    for (let row = Math.round(y - side); row <= y + side; row++) {
      for (let column = Math.round(x - side); column <= x + side; column++, all++) {
        if (data[clamp(row, 0, height - 1) * width + clamp(column, 0, width - 1)]! > 0.5) covered++;
      }
    }
    return covered > 0.5 * all;
  });
}
