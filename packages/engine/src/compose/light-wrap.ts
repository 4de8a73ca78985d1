import type { Cutout } from '../matting/cutout.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import type { Canvas } from '../pixels/layer.ts';
import { allocatePlane, type Plane, planeOf } from '../pixels/plane.ts';
import type { Window } from '../pixels/resample.ts';
import { clamp } from '../pixels/scalar.ts';
import { allocate, withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

/** Spills light of the canvas behind over the edges of people, as a lens does. In place. */
export function wrapLight(cutout: Cutout, canvas: Canvas): void {
  const { width, height, alpha } = cutout;
  const sigma = Math.max(4, 0.01 * canvas.height);
  withArena(() => {
    const open = allocate(alpha.length);
    for (let i = 0; i < alpha.length; i++) open[i] = 1 - alpha[i]!;
    const spill = gaussianBlur(planeOf(open, cutout), sigma).data;
    forRows(shareRows, height, { alpha, width }, { spill });
    for (const [c, plane] of cutout.colour.entries()) {
      withArena(() => {
        const channel = planeOf(canvas.colour[c]!, canvas);
        const behind = gaussianBlur(cropPlane(channel, cutout), 1.6 * sigma).data;
        forRows(spillRows, height, { behind, spill, width }, { plane });
      });
    }
  });
}

/** From how open the surroundings of a pixel are to the share of light that it takes from them. */
export function shareRows(
  { alpha, width }: { alpha: Float32Array; width: number },
  { spill }: { spill: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) {
    const share = alpha[i]! < 0.004 ? 0 : clamp(1.6 * spill[i]!, 0, 1);
    spill[i] = share < 0.01 ? 0 : 0.224 * share * Math.sqrt(share);
  }
}

export function spillRows(
  { behind, spill, width }: { behind: Float32Array; spill: Float32Array; width: number },
  { plane }: { plane: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) {
    if (spill[i] === 0) continue;
    const own = plane[i]!;
    plane[i] = own + spill[i]! * Math.max(0, behind[i]! - 0.6 * own);
  }
}

function cropPlane(plane: Plane, window: Window): Plane {
  const crop = allocatePlane(window);
  for (let y = 0; y < window.height; y++) {
    const from = (window.y + y) * plane.width + window.x;
    crop.data.set(plane.data.subarray(from, from + window.width), y * window.width);
  }
  return crop;
}
