import type { Face } from '../faces/face.ts';
import { distanceToFace, medianHeight, moveFace, pointOf } from '../faces/face-outline.ts';
import type { Picture } from '../pixels/picture.ts';
import { type Plane, planeOf } from '../pixels/plane.ts';
import { reduce } from '../pixels/reduce.ts';
import { findRegions } from '../pixels/regions.ts';
import { resample } from '../pixels/resample.ts';
import { clamp, mix, smoothstep } from '../pixels/scalar.ts';
import { allocate, withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import type { BodyClasses } from './body-classes.ts';
import { findSlits } from './connected-parts.ts';
import { backgroundOf } from './loose-things.ts';

const forRows = rowsOf(import.meta.url);

/** How much the body classes and the matting network count. The classes decide wherever they are decided. */
const classesWeight = 0.62;
const matteWeight = 1 - classesWeight;

/**
 * How much of each pixel is a person by the body classes, at the matte's size. Where people were too small for the
 * classes, and in slits that are narrower than the classes tell, it is what the matte says.
 */
export function personByClasses(
  matte: Plane,
  photo: Picture,
  faces: readonly Face[],
  classes: BodyClasses,
): Plane {
  const { width, height } = matte;
  const whole = { x: 0, y: 0, width: classes.width, height: classes.height };
  const onClasses = faces.map((face) => moveFace(face, { scale: classes.width / width, x: 0, y: 0 }));
  return withArena(() => {
    const background = resample(planeOf(backgroundOf(classes, onClasses), classes), whole, matte).data;
    const worth = resample(planeOf(classes.worth, classes), whole, matte).data;
    const slits = findSlits(matte, photo, faces, background).data;
    const person = allocate(width * height);
    forRows(personRows, height, { background, worth, slits, alpha: matte.data, faces, width }, { person });
    return { width, height, data: person };
  });
}

interface ClassesAtMatte {
  background: Float32Array;
  worth: Float32Array;
  slits: Float32Array;
  alpha: Float32Array;
  faces: readonly Face[];
  width: number;
}

export function personRows(
  { background, worth, slits, alpha, faces, width }: ClassesAtMatte,
  { person }: { person: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) {
    let share = clamp(1 - background[i]!, 0, 1);
    if (share > 0.1 && share < 0.8) {
      const torso = torsoAt(faces, i % width, Math.floor(i / width));
      share = mix(share, smoothstep(0.1, 0.4, share), torso);
    }
    person[i] = mix(alpha[i]!, share, clamp(worth[i]!, 0, 1) * (1 - slits[i]!));
  }
}

/**
 * 1 where a body has to be: straight below a chin, as far as hips. What the classes are undecided about there is
 * clothes: black ones on a black sofa are told with the photo as it is or with lifted shadows, seldom by both.
 */
function torsoAt(faces: readonly Face[], x: number, y: number): number {
  let torso = 0;
  for (const face of faces) {
    const chin = pointOf(face, 152);
    const down = (y - chin.y) / face.height;
    if (down < 0.1 || down > 3.4) continue;
    const beside = smoothstep(0.7, 0.45, Math.abs(x - chin.x) / face.height);
    torso = Math.max(torso, beside * smoothstep(3.4, 2.8, down));
  }
  return torso;
}

/** The share of the people that the matte has, away from heads, and that the classes call background. */
export function disputedShare(matte: Plane, person: Plane, faces: readonly Face[]): number {
  const step = 4;
  let people = 0;
  let disputed = 0;
  for (let y = 0; y < matte.height; y += step) {
    for (let x = 0; x < matte.width; x += step) {
      const i = y * matte.width + x;
      if (matte.data[i]! < 0.5) continue;
      people++;
      if (matte.data[i]! - person.data[i]! > 0.7 && distanceToFace(faces, x, y) > 1.5) disputed++;
    }
  }
  return people === 0 ? 0 : disputed / people;
}

/**
 * Restores, in place, what the classes take from a person who is alone, unless a second pass of the matting network
 * does not find it either. The classes are worse than the matting network at outstretched sleeves, knees and shoes.
 */
export function keepUnlessAgreed(person: Plane, matte: Plane, second: Plane | null): void {
  const { data } = person;
  for (let i = 0; i < data.length; i++) {
    const loss = matte.data[i]! - data[i]!;
    if (loss > 0) data[i]! += loss * (second ? smoothstep(0.35, 0.65, second.data[i]!) : 1);
  }
}

/** Furniture that is taken for a person: its least share of them, and of it what the classes are certain about. */
const leastFurniture = 0.02;
const leastCertain = 0.7;

/** A plate or a table before somebody: its least share below which nobody goes on, and its least width by height. */
const leastOpen = 0.8;
const leastFlat = 1.3;

/**
 * Takes furniture out of a second pass, in place, which errs as the first one did: a large part most of which the
 * classes surely call background, and that reaches the photo's border or lies flat before the person, with nothing of
 * them below it. Things in hands and outstretched limbs seldom do either.
 */
export function dropFurniture(second: Plane, person: Plane, matte: Plane, face: Face | undefined): void {
  const step = 4;
  const { width, height, data } = reduce(person, step);
  const found = reduce(matte, step).data;
  const taken = { width, height, data: found.map((alpha, i) => alpha - data[i]!) };
  const { labels, areas } = findRegions(taken, 0.5, 'above');
  const parts = areas.map(() => ({
    ...{ certain: 0, open: 0, atBorder: false },
    ...{ left: width, right: 0, top: height, bottom: 0 },
  }));
  let people = 0;
  for (let x = 0; x < width; x++) {
    let goesOn = false;
    for (let y = height - 1; y >= 0; y--) {
      const i = y * width + x;
      if (found[i]! > 0.5) people++;
      if (data[i]! > 0.5) goesOn = true;
      const part = parts[labels[i]!]!;
      if (data[i]! < 0.1) part.certain++;
      if (!goesOn) part.open++;
      if (x === 0 || x === width - 1 || y === height - 1) part.atBorder = true;
      part.left = Math.min(part.left, x);
      part.right = Math.max(part.right, x);
      part.top = Math.min(part.top, y);
      part.bottom = Math.max(part.bottom, y);
    }
  }
  const chin = face && pointOf(face, 152).x / step;
  const isFurniture = parts.map(({ certain, open, atBorder, left, right, top, bottom }, label) => {
    const area = areas[label]!;
    const isBefore = chin !== undefined && left < chin && right > chin && open > leastOpen * area;
    const liesBefore = isBefore && right - left > leastFlat * (bottom - top);
    return (
      label > 0 && (atBorder || liesBefore) && area > leastFurniture * people && certain > leastCertain * area
    );
  });
  if (!isFurniture.includes(true)) return;
  for (let y = 0, i = 0; y < second.height; y++) {
    const row = Math.min(height - 1, Math.floor(y / step)) * width;
    for (let x = 0; x < second.width; x++, i++) {
      if (isFurniture[labels[row + Math.min(width - 1, Math.floor(x / step))]!]) second.data[i] = 0;
    }
  }
}

/** 1 where most of what the networks say is a person. Holes that the matte has as people are things before them. */
export function voteForPeople(matte: Plane, person: Plane, faces: readonly Face[]): Plane {
  const { width, height, data: alpha } = matte;
  return withArena(() => {
    const solid = allocate(alpha.length);
    forRows(voteRows, height, { alpha, person: person.data, width }, { solid });
    const voted = { width, height, data: solid };
    fillHeldThings(voted, matte, medianHeight(faces));
    return voted;
  });
}

export function voteRows(
  { alpha, person, width }: { alpha: Float32Array; person: Float32Array; width: number },
  { solid }: { solid: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) {
    solid[i] = smoothstep(0.42, 0.58, classesWeight * person[i]! + matteWeight * alpha[i]!);
  }
}

/** The largest thing that is held before a body, in squared face heights. */
const largestHeld = 1.2;

/** Fills holes that people enclose and that the matte has as theirs, in place: a glass before the lap. */
function fillHeldThings(solid: Plane, matte: Plane, unit: number): void {
  const half = reduce(solid, 2);
  const small = reduce(matte, 2);
  const { labels, areas } = findRegions(half, 0.5, 'below');
  const found = new Float32Array(areas.length);
  const open = new Set([0]);
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i]!;
    found[label]! += small.data[i]!;
    const x = i % half.width;
    // The lower border does not open a hole: it cuts through laps and tables.
    if (i < half.width || x === 0 || x === half.width - 1) open.add(label);
  }
  const isHeld = areas.map(
    (area, label) => !open.has(label) && found[label]! > 0.7 * area && 4 * area < largestHeld * unit * unit,
  );
  if (!isHeld.includes(true)) return;
  for (let y = 0, i = 0; y < solid.height; y++) {
    for (let x = 0; x < solid.width; x++, i++) {
      if (isHeld[labels[(y >> 1) * half.width + (x >> 1)]!]) solid.data[i] = 1;
    }
  }
}
