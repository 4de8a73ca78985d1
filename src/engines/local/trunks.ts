import { boxBlur } from './blur.ts';
import { smoothstep } from './colour.ts';
import { medianHeight, pointOf } from './face-outline.ts';
import type { Face } from './picture.ts';
import type { Window } from './resample.ts';

/**
 * Looks at one body, in face heights from its face. In windows as upright as a portrait the network sees torsos that it
 * misses in a group; a second one, coarser and longer, sees the hips, and takes no hedge behind a head for hair.
 */
export const trunkLooks = [
  { beside: 1.3, above: 0.6, below: 3.7, side: 384, coarse: false },
  { beside: 1.3, above: 0.6, below: 5.2, side: 256, coarse: true },
] as const;

/** How far below the lowest chin a picture goes, of one and of many, in face heights. */
const shown = { one: 3.4, many: 2.3 };

/** The share of what lies below a chin, as far as a picture shows it, that is not taken for a person. */
export function bodyMissing(
  alpha: Float32Array,
  width: number,
  height: number,
  face: Face,
  faces: readonly Face[],
): number {
  const chin = pointOf(face, 152);
  const lowest = Math.max(...faces.map((other) => pointOf(other, 152).y));
  const reach = (faces.length > 1 ? shown.many : shown.one) * medianHeight(faces);
  const to = Math.min(height - 1, lowest + reach);
  let all = 0;
  let missing = 0;
  for (let y = Math.round(chin.y + 0.5 * face.height); y <= to; y += 3) {
    for (let x = Math.round(chin.x - 0.35 * face.height); x <= chin.x + 0.35 * face.height; x += 3) {
      if (x < 0 || x >= width || y < 0) continue;
      all++;
      if (alpha[y * width + x]! < 0.5) missing++;
    }
  }
  return all === 0 ? 0 : missing / all;
}

/** The longest gap down the middle of a body that is a mistake, in face heights. */
const longestGap = 1.4;

/** Closes gaps straight below a chin, in place: nobody is seen through between chest and hips. */
export function closeTrunk(alpha: Float32Array, width: number, height: number, face: Face): void {
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

/** Takes away, in place, what is beside this head and not near anything that the coarse look saw. */
export function dropBesideHead(
  alpha: Float32Array,
  width: number,
  coarse: Float32Array,
  window: Window,
  face: Face,
  faces: readonly Face[],
): void {
  const unit = face.height;
  const seen = boxBlur(coarse, window.width, window.height, 0.1 * unit);
  const chin = pointOf(face, 152).y;
  for (let y = 0; y < Math.min(window.height, chin - window.y + 0.2 * unit); y++) {
    for (let x = 0; x < window.width; x++) {
      const away = distance(face, x + window.x, y + window.y);
      if (away < 0.7 || away > 1.8) continue;
      const others = Math.min(
        ...faces
          .filter((other) => other !== face)
          .map((other) => distance(other, x + window.x, y + window.y)),
      );
      const at = (y + window.y) * width + x + window.x;
      const own = smoothstep(0.9, 1.3, others / away);
      alpha[at] =
        alpha[at]! *
        (1 - own * smoothstep(0.7, 0.85, away) * smoothstep(0.12, 0.03, seen[y * window.width + x]!));
    }
  }
}

const distance = ({ center, height }: Face, x: number, y: number) =>
  Math.hypot(x - center.x, y - center.y) / height;
