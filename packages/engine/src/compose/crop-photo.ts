import type { Face } from '../faces/face.ts';
import type { Silhouette } from '../matting/silhouette.ts';
import type { Placement, Size } from '../pixels/plane.ts';
import type { Window } from '../pixels/resample.ts';
import { clamp } from '../pixels/scalar.ts';

/** The faces of a photo that is brought to another shape. */
export interface CropFaces {
  faces: readonly Face[];
  /** Those that must be in the picture. The others are in it or not, but no face is cut through. */
  needed: readonly Face[];
}

/** A head with its hair and some air, in face heights from the middle of the face to every side. */
const headReach = 0.75;

/** The face itself, likewise. */
const faceReach = 0.5;

/** The largest crop may be made smaller by this, so that a neighbour whose face it cuts is left out. */
const mostCloser = 1.6;

/** How much of the body below the chin a smaller crop keeps, in face heights. */
const leastBody = 1.5;

/** Rounding errors of a crop's borders, in photo pixels. */
const slack = 0.01;

/** Where the hair begins: face heights above the middle of a face, and its share of the canvas' height. */
const hairReach = 0.95;
const hairRow = 0.05;

/**
 * Covers the canvas with a part of the photo in which all faces are whole, or else those that are needed and whoever
 * else fits. Null where there is no such part. `top` is the row in which the people begin.
 */
export function cropAroundFaces(
  photo: Size & { top: number },
  { faces, needed }: CropFaces,
  canvas: Size,
): Placement | null {
  const all = placeCrop(photo, { faces, needed: faces }, canvas, { closer: 1, reach: faceReach });
  if (all || needed.length === faces.length) return all;
  const hair = Math.min(...needed.map(({ center, height }) => center.y - hairReach * height));
  const from = { ...photo, top: Math.max(photo.top, hair) };
  // Rather from closer than through somebody's hair, and rather through hair than through a face.
  for (const reach of [headReach, faceReach]) {
    for (let closer = 1; closer <= mostCloser; closer += 0.1) {
      const placed = placeCrop(from, { faces, needed }, canvas, { closer, reach });
      if (placed) return placed;
    }
  }
  return null;
}

/**
 * A crop that is so many times closer than the largest one, with the needed faces in the middle of it if it can be, and
 * no border nearer to the middle of a face than its reach.
 */
function placeCrop(
  photo: Size & { top: number },
  { faces, needed }: CropFaces,
  canvas: Size,
  { closer, reach }: { closer: number; reach: number },
): Placement | null {
  const scale = closer * coverScale(photo, canvas);
  const size = { width: canvas.width / scale, height: canvas.height / scale };
  const y = clamp(photo.top - hairRow * size.height, 0, photo.height - size.height);
  const keep = boxAround(needed, photo, closer > 1 ? 0.5 + leastBody : headReach);
  if (keep.width > size.width || keep.y + keep.height > y + size.height) return null;
  const least = Math.max(0, keep.x + keep.width - size.width);
  const most = Math.max(least, Math.min(photo.width - size.width, keep.x));
  const wanted = clamp(keep.x + (keep.width - size.width) / 2, least, most);
  const steps = Array.from({ length: 25 }, (_, i) => least + ((most - least) * i) / 24);
  const x = [wanted, ...steps.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))].find(
    (left) => facesCutBy({ ...size, x: left, y }, faces, { ...photo, reach }).length === 0,
  );
  return x === undefined ? null : { scale, x: -x * scale, y: -y * scale };
}

/**
 * Places a photo of which no part fits the canvas: as large as the needed faces allow, so that no more than what is
 * missing then has to be painted. A border that cuts people stays on the canvas' own.
 */
export function placeWithLeastPaint(
  people: Silhouette,
  { faces, needed }: CropFaces,
  canvas: Size,
): Placement {
  const cover = coverScale(people, canvas);
  const contain = Math.min(canvas.width / people.width, canvas.height / people.height);
  const keep = boxAround(needed, people, headReach, hairReach);
  const cut = (side: keyof Silhouette['cut']) => people.cut[side].share > 0.015;
  if (canvas.width / people.width < canvas.height / people.height) {
    const scale = clamp(canvas.width / keep.width, contain, cover);
    const width = canvas.width / scale;
    const left = clamp(keep.x + (keep.width - width) / 2, 0, people.width - width);
    const shown = { x: left, y: 0, width, height: people.height };
    const halves = facesCutBy(shown, faces, { ...people, reach: faceReach });
    if (halves.length > 0)
      return placeWithLeastPaint(people, { faces, needed: [...needed, ...halves] }, canvas);
    const rest = canvas.height - people.height * scale;
    return { scale, x: -left * scale, y: cut('bottom') ? rest : cut('top') ? 0 : 0.6 * rest };
  }
  const end = keep.y + keep.height;
  const tall = canvas.height / (end - Math.min(people.top, keep.y));
  const scale = cut('left') && cut('right') ? cover : clamp(tall, contain, cover);
  const rest = canvas.width - people.width * scale;
  // Of a head that is too tall, hair and neck are left out before the face is.
  const brow = Math.min(...needed.map(({ center, height }) => center.y - faceReach * height));
  const belowHair = Math.min(hairRow * canvas.height - people.top * scale, canvas.height - end * scale);
  return {
    scale,
    x: cut('left') ? 0 : cut('right') ? rest : rest / 2,
    y: clamp(Math.max(belowHair, -brow * scale), canvas.height - people.height * scale, 0),
  };
}

function coverScale(photo: Size, canvas: Size): number {
  return Math.max(canvas.width / photo.width, canvas.height / photo.height);
}

/** The part of the photo that the heads take, down to `below` face heights under the middle of each face. */
function boxAround(faces: readonly Face[], photo: Size, below: number, beside = headReach): Window {
  const least = (values: number[]) => Math.max(0, Math.min(...values));
  const x = least(faces.map(({ center, height }) => center.x - beside * height));
  const y = least(faces.map(({ center, height }) => center.y - headReach * height));
  const right = Math.max(...faces.map(({ center, height }) => center.x + beside * height));
  const bottom = Math.max(...faces.map(({ center, height }) => center.y + below * height));
  return { x, y, width: Math.min(photo.width, right) - x, height: Math.min(photo.height, bottom) - y };
}

/** The faces that a border of the window comes too near to, other than where the photo ends. */
function facesCutBy(
  { x, y, width, height }: Window,
  faces: readonly Face[],
  photo: Size & { reach: number },
): Face[] {
  return faces.filter(({ center, height: unit }) => {
    const reach = photo.reach * unit;
    const left = Math.max(0, center.x - reach);
    const right = Math.min(photo.width, center.x + reach);
    const top = Math.max(0, center.y - reach);
    const bottom = Math.min(photo.height, center.y + reach);
    if (right <= x || left >= x + width || bottom <= y || top >= y + height) return false;
    return left < x - slack || right > x + width + slack || top < y - slack || bottom > y + height + slack;
  });
}
