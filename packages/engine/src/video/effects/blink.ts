import type { Face } from '../../faces/face.ts';
import { pointOf } from '../../faces/face-outline.ts';
import { luminance } from '../../pixels/colour.ts';
import { mapPlanes, type Picture } from '../../pixels/picture.ts';
import { clamp, smoothstep } from '../../pixels/scalar.ts';
import { type BytePlane, type Frame, frameFrom, framesPerSecond, planesOf, sharedFrame } from '../frame.ts';
import type { AnimatedPerson } from './idle-motion.ts';

/** Mesh points of the lids, from the outer corner to the inner one. */
const eyes = [
  { upper: [33, 246, 161, 160, 159, 158, 157, 173, 133], lower: [33, 7, 163, 144, 145, 153, 154, 155, 133] },
  {
    upper: [263, 466, 388, 387, 386, 385, 384, 398, 362],
    lower: [263, 249, 390, 373, 374, 380, 381, 382, 362],
  },
] as const;

/** How far the lid has come down in each frame of a blink: down faster than up. */
const course = [0.3, 0.8, 1, 1, 0.85, 0.55, 0.25];

interface Point {
  x: number;
  y: number;
}

/** An eye's part of a layer, as it looks in each frame of a blink. Its corner is in the layer's pixels, even. */
export interface Eye extends Point {
  person: number;
  closing: Frame[];
}

/** Puts an eye's part into the layer's planes. */
export function putEye(part: Frame, { x, y }: Pick<Eye, 'x' | 'y'>, layer: Frame): void {
  const targets = planesOf(layer);
  for (const [i, plane] of planesOf(part).entries()) copyInto(targets[i]!, plane, { x, y });
}

/** The eye's part of the layer's planes as it is. */
export function takeEye(layer: Frame, { x, y, closing: [first] }: Eye): Frame {
  const part = sharedFrame(first!);
  const sources = planesOf(layer);
  for (const [i, plane] of planesOf(part).entries()) copyFrom(sources[i]!, plane, { x, y });
  return part;
}

/** Copies a part to a point of a plane; the point is in the frame's pixels. */
function copyInto(plane: BytePlane, part: BytePlane, { x, y }: Point): void {
  for (let row = 0; row < part.height; row++) {
    const at = (y / plane.reduction + row) * plane.width + x / plane.reduction;
    plane.data.set(part.data.subarray(row * part.width, (row + 1) * part.width), at);
  }
}

function copyFrom(plane: BytePlane, part: BytePlane, { x, y }: Point): void {
  for (let row = 0; row < part.height; row++) {
    const at = (y / plane.reduction + row) * plane.width + x / plane.reduction;
    part.data.set(plane.data.subarray(at, at + part.width), row * part.width);
  }
}

/** The frame of a blink that somebody is in, or -1. */
export function blinkAt({ phase }: Pick<AnimatedPerson, 'phase'>, index: number, frames: number): number {
  const every = Math.round(framesPerSecond * (3.1 + 0.5 * phase));
  const first = Math.round(framesPerSecond * (1.3 + 1.1 * phase));
  const since = index - first;
  if (since < 0 || index > frames - framesPerSecond / 2) return -1;
  const at = since % every;
  const end = index - at + course.length;
  return at < course.length && end <= frames - 4 ? at : -1;
}

/**
 * Closes the eyes of a layer, for faces that show them well: seen from the front, open, and with a lid that is plain
 * skin. Glasses, fringes and profiles are left alone. Faces are in the layer's pixels.
 */
export function closeEyes(layer: Picture, faces: readonly Face[]): Eye[] {
  return faces.flatMap((face, person) => {
    if (Math.abs(face.yaw) > 0.42 || Math.abs(face.pitch) > 0.45 || Math.abs(face.roll) > 0.5) return [];
    const found = eyes.map((eye) => lidsOf(face, eye));
    if (!found.every((lids) => lids.gap > 0.035 * face.height && lids.gap > 5 && isSkin(layer, face, lids)))
      return [];
    return found.map((lids) => ({ ...closedEye(layer, lids), person }));
  });
}

interface Lids {
  upper: { x: number; y: number }[];
  lower: { x: number; y: number }[];
  /** How wide the eye is open at most. */
  gap: number;
  /** From corner to corner. */
  width: number;
}

function lidsOf(face: Face, { upper, lower }: (typeof eyes)[number]): Lids {
  const points = (indices: readonly number[]) =>
    indices.map((index) => pointOf(face, index)).sort((a, b) => a.x - b.x);
  const above = points(upper);
  const below = points(lower);
  const gap = Math.max(...above.map((point, i) => below[i]!.y - point.y));
  return { upper: above, lower: below, gap, width: above.at(-1)!.x - above[0]!.x };
}

/** Whether the strip above the eye is of the cheek's colour, and even: no glasses, no hair. */
function isSkin(layer: Picture, face: Face, { upper, gap }: Lids): boolean {
  const cheek = pointOf(face, upper[0]!.x < face.center.x ? 50 : 280);
  const reference = meanAt(layer, cheek.x, cheek.y, 0.03 * face.height);
  let sum = 0;
  let squares = 0;
  let count = 0;
  for (const { x, y } of upper.slice(2, -2)) {
    for (let up = 0.45; up <= 1; up += 0.18) {
      const value = meanAt(layer, x, y - up * gap, 1.5);
      sum += value;
      squares += value * value;
      count++;
    }
  }
  const mean = sum / count;
  const spread = Math.sqrt(Math.max(0, squares / count - mean * mean));
  return mean > 0.5 * reference && mean < 1.7 * reference && spread < 0.22 * reference;
}

function meanAt({ width, height, planes }: Picture, x: number, y: number, radius: number): number {
  let sum = 0;
  let count = 0;
  for (let row = Math.round(y - radius); row <= y + radius; row++) {
    for (let column = Math.round(x - radius); column <= x + radius; column++) {
      if (row < 0 || column < 0 || row >= height || column >= width) continue;
      const i = row * width + column;
      sum += luminance(planes[0][i]!, planes[1][i]!, planes[2][i]!);
      count++;
    }
  }
  return count === 0 ? 0 : sum / count;
}

function closedEye(layer: Picture, lids: Lids): Omit<Eye, 'person'> {
  const first = lids.upper[0]!;
  const last = lids.upper.at(-1)!;
  const top = Math.min(...lids.upper.map(({ y }) => y)) - 2.2 * lids.gap;
  const bottom = Math.max(...lids.lower.map(({ y }) => y)) + 0.8 * lids.gap;
  const even = (value: number) => 2 * Math.round(value / 2);
  const x = clamp(even(first.x - 0.25 * lids.width), 0, layer.width - 2);
  const y = clamp(even(top), 0, layer.height - 2);
  const width = clamp(even(last.x + 0.25 * lids.width) - x, 2, layer.width - x - ((layer.width - x) % 2));
  const height = clamp(even(bottom) - y, 2, layer.height - y - ((layer.height - y) % 2));
  return {
    x,
    y,
    closing: course.map((closed) => frameFrom(closedTo(layer, lids, closed, { x, y, width, height }))),
  };
}

/** The upper lid's skin is drawn down over the eye as far as it is closed; the eye itself stays where it is. */
function closedTo(
  layer: Picture,
  lids: Lids,
  closed: number,
  area: { x: number; y: number; width: number; height: number },
): Picture {
  const planes = mapPlanes(layer.planes, () => new Float32Array(area.width * area.height));
  for (let column = 0; column < area.width; column++) {
    const x = area.x + column;
    const upper = heightAt(lids.upper, x);
    const lower = heightAt(lids.lower, x);
    // Beyond the corners the skin follows less and less.
    const beyond = Math.max(lids.upper[0]!.x - x, x - lids.upper.at(-1)!.x, 0) / lids.width;
    const edge = upper + Math.max(0, lower - upper) * closed * smoothstep(0.22, 0, beyond);
    const fold = upper - Math.max(0.9 * lids.gap, 3);
    for (let row = 0; row < area.height; row++) {
      const y = area.y + row;
      const i = row * area.width + column;
      const drawn = y <= fold ? y : fold + ((y - fold) * (upper - fold)) / (edge - fold);
      const skin = smoothstep(edge + 0.8, edge - 0.8, y);
      for (let c = 0; c < 3; c++) {
        const plane = layer.planes[c]!;
        const open = sample(plane, layer, x, y);
        planes[c]![i] = skin === 0 ? open : open + (sample(plane, layer, x, drawn) - open) * skin;
      }
    }
  }
  return { width: area.width, height: area.height, planes };
}

function heightAt(points: readonly { x: number; y: number }[], x: number): number {
  if (x <= points[0]!.x) return points[0]!.y;
  for (let i = 1; i < points.length; i++) {
    const a = points[i - 1]!;
    const b = points[i]!;
    if (x <= b.x) return a.y + ((b.y - a.y) * (x - a.x)) / Math.max(1e-3, b.x - a.x);
  }
  return points.at(-1)!.y;
}

function sample(plane: Float32Array, { width, height }: Picture, x: number, y: number): number {
  const v = clamp(y, 0, height - 1.001);
  const row = Math.floor(v);
  const at = row * width + clamp(x, 0, width - 1);
  return plane[at]! + (plane[at + width]! - plane[at]!) * (v - row);
}
