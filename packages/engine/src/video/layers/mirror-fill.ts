import { gaussianBlur } from '../../pixels/gaussian-blur.ts';
import { mapPlanes, type Picture, type Planes } from '../../pixels/picture.ts';
import type { Size } from '../../pixels/plane.ts';
import { clamp, smoothstep } from '../../pixels/scalar.ts';

/**
 * How deep the image reaches back for each pixel that it goes on: a true mirror (1) shows what stands beside people
 * twice, and bends slanted lines into a V.
 */
const depth = 0.35;

/** How soft the image becomes (σ), and from and to how many pixels off the border. */
const softness = [
  { sigma: 3, from: 4, to: 16 },
  { sigma: 9, from: 10, to: 40 },
] as const;

/**
 * What is above or below counts as this much further away: rooms and landscapes have more level lines than others, and
 * the camera uncovers more beside people than above them.
 */
const upright = 3;

/**
 * Goes on with the picture into what is unknown by a flattened mirror image: texture and lines that meet the border
 * squarely continue. For strips as narrow as the ones that people uncover when they move, that is as good as a
 * network's painting, at a hundredth of its time and memory.
 */
export function mirrorFill(picture: Picture, unknown: Uint8Array): Planes {
  const { width, height } = picture;
  const nearest = nearestKnown(unknown, picture);
  const from = new Int32Array(unknown.length);
  const off = new Float32Array(unknown.length);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      from[i] = i;
      if (unknown[i] === 0) continue;
      const border = nearest[i]!;
      const bx = border % width;
      const by = (border - bx) / width;
      const mx = clamp(Math.round(bx + depth * (bx - x)), 0, width - 1);
      const my = clamp(Math.round(by + depth * (by - y)), 0, height - 1);
      const mirrored = my * width + mx;
      from[i] = unknown[mirrored] === 0 ? mirrored : border;
      off[i] = Math.hypot(x - bx, y - by);
    }
  }
  return mapPlanes(picture.planes, (plane) => {
    const filled = new Float32Array(plane.length);
    for (let i = 0; i < filled.length; i++) filled[i] = plane[from[i]!]!;
    for (const { sigma, from: near, to: far } of softness) {
      const smooth = gaussianBlur({ width, height, data: filled }, sigma).data;
      for (let i = 0; i < filled.length; i++) {
        if (off[i]! > near)
          filled[i] = filled[i]! + (smooth[i]! - filled[i]!) * smoothstep(near, far, off[i]!);
      }
    }
    return filled;
  });
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
