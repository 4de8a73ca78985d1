import type { Face } from '../faces/face.ts';
import { meshDistance, moveFace, pointOf, rotateFace } from '../faces/face-outline.ts';
import type { BodyClasses } from '../matting/body-classes.ts';
import { type Cutout, finishCutout } from '../matting/cutout.ts';
import { findHair } from '../matting/hair.ts';
import type { PeoplePhoto } from '../matting/people.ts';
import { boxMean } from '../pixels/box-mean.ts';
import { type Plane, planeOf, type Size } from '../pixels/plane.ts';
import type { ReducedPlane } from '../pixels/reduce.ts';
import { findRegions } from '../pixels/regions.ts';
import type { Window } from '../pixels/resample.ts';
import { type Similarity, samplePictureThrough, sampleThrough } from '../pixels/sample-through.ts';
import { clamp } from '../pixels/scalar.ts';
import { cannotMake } from '../runtime/render-error.ts';
import type { CostumeMeasures } from './costume-layers.ts';
import { keepHead } from './head-classes.ts';
import { completeNeck, type HeadClasses, locateNeck, measureNeck, type Neck } from './neck.ts';

/** A lean up to this angle is kept; only what exceeds it is turned upright, and long hair with it. */
const keptLean = (20 * Math.PI) / 180;

/** The same in a hood, which does not lean with the head: half of it would be empty. */
const keptLeanInHood = (8 * Math.PI) / 180;

/** Hair of a head that was turned by no more than this still hangs down. */
const hangingTurn = (20 * Math.PI) / 180;

/** How far hair may become wider for each row that it hangs down. */
export const hairWidening = 0.35;

/** How a head is turned, scaled and moved on its way from the photo to the canvas. */
export interface HeadPlacement {
  angle: number;
  scale: number;
  /** The point of the photo that comes to the costume's chin. */
  anchor: { x: number; y: number };
}

/** A head with its hair, cut out of a photo. */
export interface HeadCutout extends Cutout {
  /** The share of each pixel that is hair which hangs down; of a head that was turned far, none does. */
  hangingHair: Float32Array;
  neck: Neck;
}

/** What the pixels around a head are, with the skin of the body alone: of hands, arms and shoulders. */
interface PhotoClasses extends HeadClasses {
  bodySkin: Plane;
}

/** A head with how much of each pixel is the guest in the photo, and what of them. */
export interface CutHead extends HeadCutout {
  photo: { guest: Plane; classes: PhotoClasses };
}

/** Where a head goes in a costume: turned upright where it leans far. */
export function placeHead(face: Face, { faceHeight, isHooded }: CostumeMeasures): HeadPlacement {
  const lean = isHooded ? keptLeanInHood : keptLean;
  return {
    angle: -(face.roll - clamp(face.roll, -lean, lean)),
    scale: faceHeight / uprightHeight(face),
    anchor: { x: isHooded ? faceMiddle(face) : locateNeck(face).x, y: pointOf(face, 152).y },
  };
}

/** Cuts the head with its hair out of a photo, at its place on the canvas. */
export function cutOutHead(
  { photo, matte, classes }: PeoplePhoto,
  face: Face,
  measures: CostumeMeasures,
  canvas: Size,
  placement = placeHead(face, measures),
): CutHead {
  const { chinX, chinY, faceHeight } = measures;
  const { angle, scale, anchor } = placement;
  const area = headArea(measures, canvas);
  const a = Math.cos(angle) / scale;
  const b = -Math.sin(angle) / scale;
  const du = area.x - chinX;
  const dv = area.y - chinY;
  const toPhoto: Similarity = { a, b, x0: anchor.x + a * du - b * dv, y0: anchor.y + b * du + a * dv };
  const { width, height } = area;
  const display = samplePictureThrough(photo, toPhoto, { width, height });
  const sample = (plane: ReducedPlane) =>
    sampleThrough(plane, reducedSimilarity(toPhoto, plane.factor), { width, height }, 0);
  const alpha = sample(matte);
  const hair = sample(findHair(classes, [face]));
  const sampled = sampleClasses(classes, sample);
  const upright = rotateFace(moveFace(face, { scale: 1, x: -anchor.x, y: -anchor.y }), angle);
  const placed = moveFace(upright, { scale, x: chinX, y: chinY });
  if (isHeadCut(alpha, toPhoto, photo.height)) {
    throw cannotMake('The top of the head is outside the photo. Step back from the camera and try again.');
  }
  const whole = alpha.data.slice();
  const neck = measureNeck(placed, alpha, sampled, area);
  keepHead(alpha, sampled, area, { face: placed, neck });
  refillHoles(alpha, whole, Math.round(pointOf(placed, 152).y) - area.y, 0.04 * faceHeight ** 2);
  keepOneHead(alpha, area, placed);
  completeNeck(display, alpha, sampled, area, { neck, unit: placed.height });
  const head = finishCutout(area, display, { soft: alpha, hair }, [placed]);
  const hangingHair = Math.abs(angle) <= hangingTurn ? sampled.hair.data : new Float32Array(width * height);
  const guest = planeOf(whole, { width, height });
  return { ...head, hangingHair, neck, photo: { guest, classes: sampled } };
}

/** The distance of the eyes' outer corners in heights of a face that looks ahead. */
const eyesApart = 0.58;

/** How tall a face would be that is bent down and seen shorter, by how far apart its eyes are. */
export function uprightHeight({ points, height }: Face): number {
  return Math.max(height, meshDistance(points, 33, 263) / eyesApart);
}

/** The classes of a photo around a head. */
function sampleClasses(
  { width, height, factor, shares, worth }: BodyClasses,
  sample: (plane: ReducedPlane) => Plane,
): PhotoClasses {
  const of = (data: Float32Array) => sample({ width, height, data, factor });
  return {
    hair: of(shares.hair),
    skin: of(shares.bodySkin.map((share, i) => share + shares.faceSkin[i]!)),
    bodySkin: of(shares.bodySkin),
    clothes: of(shares.clothes),
    things: of(shares.things),
    worth: of(worth),
    // As coarse as the classes are: only where the photo ends is asked.
    inPhoto: of(new Float32Array(width * height).fill(1)),
  };
}

/** The same way into a plane that is reduced by a factor. */
function reducedSimilarity({ a, b, x0, y0 }: Similarity, factor: number): Similarity {
  return { a: a / factor, b: b / factor, x0: (x0 + 0.5) / factor - 0.5, y0: (y0 + 0.5) / factor - 0.5 };
}

/** The middle of a head in a hood: half the way from the neck, which is behind a face turned aside, to the face. */
function faceMiddle(face: Face): number {
  return (locateNeck(face).x + face.center.x) / 2;
}

/** The part of the canvas where a head with its hair can be. */
function headArea({ chinX, chinY, faceHeight, rim, sag }: CostumeMeasures, canvas: Size): Window {
  const x = Math.max(0, Math.round(chinX - 1.7 * faceHeight));
  const y = Math.max(0, Math.round(chinY - 2 * faceHeight));
  const width = Math.min(canvas.width, Math.round(chinX + 1.7 * faceHeight)) - x;
  const height = Math.min(canvas.height, Math.round(rim + sag + 0.6 * faceHeight)) - y;
  return { x, y, width, height };
}

/** Whether hair goes on above the photo's upper border. */
function isHeadCut({ width, data: alpha }: Plane, toPhoto: Similarity, photoHeight: number): boolean {
  let cut = 0;
  for (let u = 0; u < width; u++) {
    // The row of the area that the photo's third row falls into, for this column.
    const v = Math.round((0.002 * photoHeight + 2 - toPhoto.y0 - toPhoto.b * u) / toPhoto.a);
    const at = v * width + u;
    if (v > 0 && at < alpha.length && alpha[at]! > 0.6) cut++;
  }
  return cut > 0.18 * width;
}

/**
 * Fills holes above a row that are smaller than an area with what was there, in place: an ear or an earring among hair
 * was taken for an arm behind it.
 */
function refillHoles({ width, height, data }: Plane, whole: Float32Array, rows: number, most: number): void {
  const { labels, areas } = findRegions(planeOf(data, { width, height }), 0.5, 'below');
  const isOpen = new Set<number>();
  for (let x = 0; x < width; x++) isOpen.add(labels[x]!).add(labels[(height - 1) * width + x]!);
  for (let y = 0; y < height; y++) isOpen.add(labels[y * width]!).add(labels[(y + 1) * width - 1]!);
  for (let i = 0; i < rows * width; i++) {
    const label = labels[i]!;
    if (label > 0 && !isOpen.has(label) && areas[label]! <= most) data[i] = whole[i]!;
  }
}

/**
 * Clears whatever is not connected to this head, in place. What touches it in less than a tenth of a face is not
 * connected: it is a neighbour's hair or the rest of an arm.
 */
function keepOneHead(alpha: Plane, area: Window, face: Face): void {
  const { width } = alpha;
  // Only down to the chin: below it shoulders and hair connect people, and the collar limits what is seen.
  const chin = clamp(Math.round(pointOf(face, 152).y) - area.y, 1, area.height);
  const upper = planeOf(alpha.data.subarray(0, chin * width), { width, height: chin });
  const { labels } = findRegions(boxMean(upper, Math.max(1, 0.09 * face.height)), 0.75, 'above');
  const x = clamp(Math.round(face.center.x) - area.x, 0, width - 1);
  const y = clamp(Math.round(face.center.y) - area.y, 0, chin - 1);
  const own = labels[y * width + x]!;
  const kept = new Float32Array(upper.data.length);
  for (let i = 0; i < kept.length; i++) kept[i] = labels[i] === own ? 1 : 0;
  // What was not solid enough around the kept region stays, and fine hair with it.
  const near = boxMean(planeOf(kept, upper), 0.08 * face.height).data;
  for (let i = 0; i < kept.length; i++) upper.data[i] = upper.data[i]! * clamp(near[i]! * 10, 0, 1);
  clearBeyondGaps(upper, { x, y }, face.height);
  clearBesideHead(alpha, chin);
}

/** In heights of the face: as much background between a head and what is beyond it makes that another's hair. */
const leastGap = 0.04;

/** Directions from the face's centre in which gaps are looked for, and how many of them a hole takes to either side. */
const rays = 720;
const narrowGap = 8;

/** Seen from the face's centre, clears whatever lies beyond a gap, in place. */
export function clearBeyondGaps(
  { width, height, data }: Plane,
  center: { x: number; y: number },
  unit: number,
): void {
  const gap = Math.max(2, leastGap * unit);
  const reach = Math.hypot(width, height);
  const ends = Float32Array.from({ length: rays }, (_, ray) => {
    const turn = (ray / rays) * 2 * Math.PI;
    let from = 0.3 * unit;
    for (let away = from; away < reach; away++) {
      const x = Math.round(center.x + away * Math.cos(turn));
      const y = Math.round(center.y + away * Math.sin(turn));
      if (x < 0 || y < 0 || x >= width || y >= height) return reach;
      if (data[y * width + x]! > 0.25) from = away;
      else if (away - from >= gap) return from + gap;
    }
    return reach;
  });
  // A hole beside an ear is no gap: a gap is seen in all directions of eight degrees.
  const limits = ends.map((_, ray) => {
    let furthest = 0;
    for (let near = -narrowGap; near <= narrowGap; near++)
      furthest = Math.max(furthest, ends[(ray + near + rays) % rays]!);
    return furthest;
  });
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (data[i] === 0) continue;
      const turn = Math.atan2(y - center.y, x - center.x) / (2 * Math.PI);
      const end = limits[Math.round((turn < 0 ? turn + 1 : turn) * rays) % rays]!;
      if (Math.hypot(x - center.x, y - center.y) > end) data[i] = 0;
    }
  }
}

/** Below the chin, clears what is much wider than the head above it: it belongs to shoulders and neighbours. */
function clearBesideHead({ width, height, data: alpha }: Plane, chin: number): void {
  const from = Math.max(0, chin - Math.round(0.12 * height));
  let left = width;
  let right = 0;
  for (let y = from; y < chin; y++) {
    for (let x = 0; x < width; x++) {
      if (alpha[y * width + x]! < 0.3) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
    }
  }
  for (let y = chin; y < height; y++) {
    const wider = Math.round(hairWidening * (y - chin));
    alpha.fill(0, y * width, y * width + Math.max(0, left - wider));
    alpha.fill(0, y * width + Math.min(width, right + 1 + wider), (y + 1) * width);
  }
}
