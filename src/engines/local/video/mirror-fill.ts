import { gaussianBlur } from '../blur.ts';
import { type Planes, smoothstep } from '../colour.ts';
import type { Size } from '../framing.ts';
import type { Picture } from '../picture.ts';

/** Pixels from the border of the unknown beyond which a mirror image is drawn softer and softer. */
const clear = 4;
const blurred = 40;

/**
 * What is above or below counts as this much further away: rooms and landscapes have more level lines than others, and
 * the camera uncovers more beside people than above them.
 */
const upright = 3;

/**
 * Goes on with the picture into what is unknown, mirrored at its border: texture and lines that meet the border
 * squarely continue. For strips as narrow as the ones that people uncover when they move, that is as good as a
 * network's painting, at a hundredth of its time and memory.
 */
export function mirrorFill(picture: Picture, unknown: Uint8Array): Planes {
  const { width, height } = picture;
  const nearest = nearestKnown(unknown, picture);
  const from = new Int32Array(unknown.length);
  const soft = new Float32Array(unknown.length);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      from[i] = i;
      if (unknown[i] === 0) continue;
      const border = nearest[i]!;
      const bx = border % width;
      const by = (border - bx) / width;
      const mx = Math.min(width - 1, Math.max(0, 2 * bx - x));
      const my = Math.min(height - 1, Math.max(0, 2 * by - y));
      const mirrored = my * width + mx;
      from[i] = unknown[mirrored] === 0 ? mirrored : border;
      soft[i] = 0.85 * smoothstep(clear, blurred, Math.hypot(x - bx, y - by));
    }
  }
  return picture.planes.map((plane) => {
    const filled = new Float32Array(plane.length);
    for (let i = 0; i < filled.length; i++) filled[i] = plane[from[i]!]!;
    const smooth = gaussianBlur(filled, width, height, 7);
    for (let i = 0; i < filled.length; i++) {
      if (soft[i]! > 0) filled[i] = filled[i]! + (smooth[i]! - filled[i]!) * soft[i]!;
    }
    return filled;
  }) as Planes;
}

/** For every unknown pixel the index of a known one that is as near as any, within a pixel; for others their own. */
function nearestKnown(unknown: Uint8Array, { width, height }: Size): Int32Array {
  const nearest = new Int32Array(unknown.length).fill(-1);
  for (let i = 0; i < nearest.length; i++) if (unknown[i] === 0) nearest[i] = i;
  const distance = (x: number, y: number, index: number) => {
    const dx = x - (index % width);
    const dy = upright * (y - Math.floor(index / width));
    return dx * dx + dy * dy;
  };
  const take = (x: number, y: number, i: number, j: number) => {
    const other = nearest[j]!;
    if (other < 0) return;
    const own = nearest[i]!;
    if (own < 0 || distance(x, y, other) < distance(x, y, own)) nearest[i] = other;
  };
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (unknown[i] === 0) continue;
      if (x > 0) take(x, y, i, i - 1);
      if (y === 0) continue;
      take(x, y, i, i - width);
      if (x > 0) take(x, y, i, i - width - 1);
      if (x < width - 1) take(x, y, i, i - width + 1);
    }
    for (let x = width - 2, k = i - 2; x >= 0; x--, k--) if (unknown[k] === 1) take(x, y, k, k + 1);
  }
  for (let y = height - 1, i = nearest.length - 1; y >= 0; y--) {
    for (let x = width - 1; x >= 0; x--, i--) {
      if (unknown[i] === 0) continue;
      if (x < width - 1) take(x, y, i, i + 1);
      if (y === height - 1) continue;
      take(x, y, i, i + width);
      if (x > 0) take(x, y, i, i + width - 1);
      if (x < width - 1) take(x, y, i, i + width + 1);
    }
    for (let x = 1, k = i + 2; x < width; x++, k++) if (unknown[k] === 1) take(x, y, k, k - 1);
  }
  // A picture that is all unknown has nothing to go on with.
  for (let i = 0; i < nearest.length; i++) if (nearest[i]! < 0) nearest[i] = i;
  return nearest;
}
