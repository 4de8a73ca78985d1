import type { Face } from '../faces/face.ts';
import { medianHeight, pointOf } from '../faces/face-outline.ts';
import type { Plane } from '../pixels/plane.ts';
import type { Window } from '../pixels/resample.ts';
import { smoothstep } from '../pixels/scalar.ts';
import type { Reach } from './pass-windows.ts';

/**
 * Passes over one body. In windows as upright as a portrait the network finds torsos that it misses in a group. The
 * first, long and coarse, finds hips and is often enough; the second costs twice as much.
 */
export const torsoPasses: readonly { reach: Reach; side: number }[] = [
  { reach: { beside: 1.3, above: 0.6, below: 5.2 }, side: 256 },
  { reach: { beside: 1.3, above: 0.6, below: 3.7 }, side: 384 },
];

/** Clears, in place, what is further from the middle of a body than a body is wide: things in the background. */
export function limitToTorso({ data }: Plane, window: Window, face: Face): void {
  const unit = face.height;
  const chin = pointOf(face, 152);
  for (let y = 0; y < window.height; y++) {
    const down = smoothstep(0.6, 1.6, (y + window.y - chin.y) / unit);
    const reach = 1.25 - 0.45 * down;
    for (let x = 0; x < window.width; x++) {
      const off = Math.abs(x + window.x - chin.x) / unit;
      if (off > reach - 0.1) data[y * window.width + x]! *= smoothstep(reach + 0.05, reach - 0.1, off);
    }
  }
}

/** How far below the lowest chin a picture shows a group, and one person, in face heights. */
export const bodyInGroup = 2.3;
const bodyOfOne = 3.4;

/** The share of what lies below a chin, as far as a picture shows it, that the matte does not count as a person. */
export function missingBody({ width, height, data }: Plane, face: Face, faces: readonly Face[]): number {
  const chin = pointOf(face, 152);
  const lowest = Math.max(...faces.map((other) => pointOf(other, 152).y));
  const reach = (faces.length > 1 ? bodyInGroup : bodyOfOne) * medianHeight(faces);
  const to = Math.min(height - 1, lowest + reach);
  let all = 0;
  let missing = 0;
  for (let y = Math.round(chin.y + 0.5 * face.height); y <= to; y += 3) {
    for (let x = Math.round(chin.x - 0.35 * face.height); x <= chin.x + 0.35 * face.height; x += 3) {
      if (x < 0 || x >= width || y < 0) continue;
      all++;
      if (data[y * width + x]! < 0.5) missing++;
    }
  }
  return all === 0 ? 0 : missing / all;
}

/** The longest gap down the middle of a body that is a mistake, in face heights. */
const longestGap = 1.4;

/** Closes gaps straight below a chin, in place: between chest and hips nobody is transparent. */
export function closeTorso({ width, height, data: alpha }: Plane, face: Face): void {
  const unit = face.height;
  const chin = pointOf(face, 152);
  const bottom = Math.min(height - 1, Math.round(chin.y + 4.5 * unit));
  const left = Math.max(0, Math.round(chin.x - 0.7 * unit));
  const right = Math.min(width - 1, Math.round(chin.x + 0.7 * unit));
  for (let x = left; x <= right; x++) {
    const middle = smoothstep(0.7, 0.45, Math.abs(x - chin.x) / unit);
    let last = -1;
    for (let y = Math.round(chin.y + 0.3 * unit); y <= bottom; y++) {
      if (alpha[y * width + x]! < 0.7) continue;
      if (last >= 0 && y - last > 1 && y - last < longestGap * unit) {
        for (let gap = last + 1; gap < y; gap++) {
          const at = gap * width + x;
          alpha[at] = Math.max(alpha[at]!, middle);
        }
      }
      last = y;
    }
  }
}
