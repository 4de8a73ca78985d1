import type { Face } from '../faces/face.ts';
import { moveFace, pointOf, turnFace } from '../faces/face-outline.ts';
import { type Cutout, finishCutout } from '../matting/cutout.ts';
import type { PeoplePhoto } from '../matting/people.ts';
import { boxMean } from '../pixels/box-mean.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import type { Size } from '../pixels/plane.ts';
import { findRegions } from '../pixels/regions.ts';
import type { Window } from '../pixels/resample.ts';
import { type Similarity, samplePictureThrough, sampleThrough } from '../pixels/sample-through.ts';
import { clamp, smoothstep } from '../pixels/scalar.ts';
import { cannotMake } from '../runtime/render-error.ts';

/** The costume's own measures, brought to the canvas. */
export interface Worn {
  chinX: number;
  chinY: number;
  faceHeight: number;
  /** Middle and half width of the collar's opening, and the height of its rim. */
  centerX: number;
  halfWidth: number;
  rim: number;
  /** How far the front of the rim hangs below its sides. */
  sag: number;
}

/** A lean within this is the guest's own; only what is beyond it is turned upright, and long hair with it. */
const keptLean = (12 * Math.PI) / 180;

/** The head and what hangs on it, turned upright where it leans, at its place on the canvas. */
export function cutHead(people: PeoplePhoto, face: Face, worn: Worn, canvas: Size): Cutout {
  const { photo, matte } = people;
  const turn = -(face.roll - clamp(face.roll, -keptLean, keptLean));
  const scale = worn.faceHeight / face.height;
  const chin = pointOf(face, 152);
  const jaw = { x: (pointOf(face, 172).x + pointOf(face, 397).x) / 2 };
  // The neck stands under the middle of the jaw rather than under the tip of the chin.
  const anchor = { x: (chin.x + jaw.x) / 2, y: chin.y };
  const area = {
    x: Math.max(0, Math.round(worn.chinX - 1.7 * worn.faceHeight)),
    y: Math.max(0, Math.round(worn.chinY - 2 * worn.faceHeight)),
    width: 0,
    height: 0,
  };
  area.width = Math.min(canvas.width, Math.round(worn.chinX + 1.7 * worn.faceHeight)) - area.x;
  area.height = Math.min(canvas.height, Math.round(worn.rim + worn.sag + 0.3 * worn.faceHeight)) - area.y;
  const a = Math.cos(turn) / scale;
  const b = -Math.sin(turn) / scale;
  const du = area.x - worn.chinX;
  const dv = area.y - worn.chinY;
  const through: Similarity = { a, b, x0: anchor.x + a * du - b * dv, y0: anchor.y + b * du + a * dv };
  const { width, height } = area;
  const { factor } = matte;
  const onMatte = {
    a: a / factor,
    b: b / factor,
    x0: (through.x0 + 0.5) / factor - 0.5,
    y0: (through.y0 + 0.5) / factor - 0.5,
  };
  const display = samplePictureThrough(photo, through, { width, height });
  const soft = sampleThrough(matte, onMatte, { width, height }, 0);
  const upright = turnFace(moveFace(face, 1, -anchor.x, -anchor.y), turn);
  const placed = moveFace(upright, scale, worn.chinX, worn.chinY);
  if (headIsCut(soft.data, width, through, photo.height)) {
    throw cannotMake('The top of the head is outside the photo. Step back from the camera and try again.');
  }
  keepOneHead(soft.data, area, placed);
  return finishCutout(area, display, soft, [placed]);
}

/** Takes away whatever does not hang on this head. */
function keepOneHead(alpha: Float32Array, area: Window, face: Face): void {
  // Judged down to the chin: below it, shoulders and hair join everybody. There the collar decides what is seen.
  const chin = clamp(Math.round(pointOf(face, 152).y) - area.y, 1, area.height);
  const upper = alpha.subarray(0, chin * area.width);
  const { labels } = findRegions({ width: area.width, height: chin, data: upper }, 0.3, 'above');
  const x = clamp(Math.round(face.center.x) - area.x, 0, area.width - 1);
  const y = clamp(Math.round(face.center.y) - area.y, 0, chin - 1);
  const own = labels[y * area.width + x]!;
  const kept = new Float32Array(upper.length);
  for (let i = 0; i < kept.length; i++) kept[i] = labels[i] === own ? 1 : 0;
  // Fine hair around the kept region stays.
  const near = boxMean({ width: area.width, height: chin, data: kept }, 0.04 * face.height).data;
  for (let i = 0; i < upper.length; i++) upper[i] = upper[i]! * clamp(near[i]! * 10, 0, 1);
  clearBesideHead(alpha, area, chin);
}

/** Below the chin nothing is wider than the head above it: what is, belongs to shoulders and neighbours. */
function clearBesideHead(alpha: Float32Array, area: Window, chin: number): void {
  const from = Math.max(0, chin - Math.round(0.12 * area.height));
  let left = area.width;
  let right = 0;
  for (let y = from; y < chin; y++) {
    for (let x = 0; x < area.width; x++) {
      if (alpha[y * area.width + x]! < 0.3) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
    }
  }
  for (let y = chin; y < area.height; y++) {
    alpha.fill(0, y * area.width, y * area.width + left);
    alpha.fill(0, y * area.width + right + 1, (y + 1) * area.width);
  }
}

/** True when hair goes on above the photo's upper border. */
function headIsCut(alpha: Float32Array, width: number, through: Similarity, photoHeight: number): boolean {
  let cut = 0;
  for (let u = 0; u < width; u++) {
    // The row of the area that the photo's third row falls into, for this column.
    const v = Math.round((0.002 * photoHeight + 2 - through.y0 - through.b * u) / through.a);
    const at = v * width + u;
    if (v > 0 && at < alpha.length && alpha[at]! > 0.6) cut++;
  }
  return cut > 0.18 * width;
}

/** Below the mouth the silhouette narrows into the collar, as hair does that is tucked in: long hair included. */
export function taperIntoCollar(head: Cutout, worn: Worn): void {
  const { width, height, alpha } = head;
  const [face] = head.faces as [Face];
  const mouth = pointOf(face, 13).y - head.y;
  const eyes = pointOf(face, 159).y - head.y;
  const center = worn.centerX - head.x;
  const reaches = [reachOf(head, eyes, mouth, center, -1), reachOf(head, eyes, mouth, center, 1)] as const;
  // Long hair of a head that leant stands off to one side: it is cut to about the other side's length.
  const longest = Math.max(0.8 * worn.faceHeight, 1.4 * Math.min(...reaches));
  const sides = reaches.map((reach) => Math.min(reach, longest)) as [number, number];
  const from = mouth - 0.05 * worn.faceHeight;
  const to = worn.rim - head.y + 0.1 * worn.sag;
  const kept = new Float32Array(alpha.length).fill(1);
  for (let y = 0; y < height; y++) {
    const down = smoothstep(from, to, y);
    for (let x = 0; x < width; x++) {
      const off = Math.abs(x - center);
      const side = x < center ? 0 : 1;
      if (y < from && reaches[side] <= longest) continue;
      // Round towards the crown.
      const up = Math.max(0, eyes - y) / (1.4 * worn.faceHeight);
      const wide = (sides[side] + 0.02 * worn.faceHeight) * Math.sqrt(Math.max(0, 1 - up * up));
      const limit = wide + (Math.min(wide, 0.93 * worn.halfWidth) - wide) * down;
      // Strands, not a knife: two sines of the canvas' own grain.
      const jitter =
        (y < from ? 0.6 : down) *
        (0.026 * Math.sin(0.11 * x + 0.031 * y) + 0.016 * Math.sin(0.27 * x - 0.05 * y)) *
        worn.faceHeight;
      const inside = smoothstep(
        limit + 0.033 * worn.faceHeight,
        limit - 0.053 * worn.faceHeight,
        off + jitter,
      );
      const across = clamp(off / worn.halfWidth, 0, 1);
      const lip = worn.rim - head.y + worn.sag * Math.sqrt(1 - across * across);
      kept[y * width + x] = inside * smoothstep(lip + 6, lip - 2, y);
    }
  }
  const soft = gaussianBlur({ width, height, data: kept }, 3).data;
  for (let i = 0; i < alpha.length; i++) alpha[i] = alpha[i]! * soft[i]!;
}

/** How far the head reaches to a side between the eyes and the mouth. */
function reachOf(head: Cutout, from: number, to: number, center: number, side: -1 | 1): number {
  let reach = 0;
  for (let y = Math.max(0, Math.round(from)); y < Math.min(head.height, to); y += 2) {
    for (let x = side < 0 ? 0 : head.width - 1; side * (x - center) > reach; x -= side) {
      if (head.alpha[y * head.width + x]! > 0.5) {
        reach = side * (x - center);
        break;
      }
    }
  }
  return reach;
}

/**
 * Hair beyond the hood's inside is under the hood, and what is near its edge lies in its shade. `back` and `front` are
 * how much of each pixel of the head's area those layers are.
 */
export function tuckUnderHood(head: Cutout, worn: Worn, back: Float32Array, front: Float32Array): void {
  const { width, height, alpha, colour } = head;
  for (let i = 0; i < alpha.length; i++) alpha[i] = alpha[i]! * back[i]!;
  const shade = gaussianBlur({ width, height, data: front }, 0.11 * worn.faceHeight).data;
  for (const plane of colour) {
    for (let i = 0; i < plane.length; i++) plane[i] = plane[i]! * (1 - 0.85 * Math.min(shade[i]!, 0.9));
  }
}

/** The chin shades the neck, the collar shades what goes down into it. */
export function shadeNeck(head: Cutout, worn: Worn): void {
  const [face] = head.faces as [Face];
  const left = pointOf(face, 172);
  const right = pointOf(face, 397);
  const chin = pointOf(face, 152);
  const jawY = (left.y + right.y) / 2;
  const neckHalf = clamp(0.46 * (right.x - left.x), 0.3 * face.width, 0.5 * face.width);
  for (let y = 0; y < head.height; y++) {
    const canvasY = y + head.y;
    if (canvasY < jawY - 0.1 * worn.faceHeight) continue;
    const intoCollar = clamp((canvasY - worn.rim + 0.6 * worn.sag) / (1.6 * worn.sag), 0, 1);
    for (let x = 0; x < head.width; x++) {
      const i = y * head.width + x;
      if (head.alpha[i]! < 0.003) continue;
      const canvasX = x + head.x;
      const along = clamp((canvasX - left.x) / (right.x - left.x), 0, 1);
      const jawAt = jawY + (chin.y - jawY) * (1 - (2 * along - 1) ** 2);
      const below = (canvasY - jawAt) / worn.faceHeight;
      const off = Math.abs(canvasX - worn.centerX);
      const onNeck = smoothstep(1.25 * neckHalf, 0.9 * neckHalf, off);
      const underChin = below > 0 ? 0.34 * onNeck * smoothstep(0, 0.05, below) * Math.exp(-below / 0.2) : 0;
      const side = 0.22 * clamp((off / neckHalf - 0.55) / 0.5, 0, 1) * clamp(6 * below, 0, 1);
      const light = (1 - underChin) * (1 - 0.5 * intoCollar * intoCollar) * (1 - side);
      const [red, green, blue] = head.colour;
      red[i] = red[i]! * light;
      green[i] = green[i]! * light * (0.97 + 0.03 * light);
      blue[i] = blue[i]! * light * (0.95 + 0.05 * light);
    }
  }
}
