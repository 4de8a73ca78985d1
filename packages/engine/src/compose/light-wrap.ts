import type { Cutout } from '../matting/cutout.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import type { Planes } from '../pixels/picture.ts';
import { clamp } from '../pixels/scalar.ts';
import { allocate, withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

/** Light of what is behind spills over the edges of people, as it does in a lens. In place. */
export function wrapLight(cutout: Cutout, canvas: Planes, canvasWidth: number, canvasHeight: number): void {
  const { width, height, alpha, colour } = cutout;
  const sigma = Math.max(4, 0.01 * canvasHeight);
  withArena(() => {
    const open = allocate(alpha.length);
    for (let i = 0; i < alpha.length; i++) open[i] = 1 - alpha[i]!;
    const spill = gaussianBlur({ width, height, data: open }, sigma).data;
    forRows(shareRows, height, { alpha, width }, { spill });
    for (const [c, plane] of colour.entries()) {
      withArena(() => {
        const behind = gaussianBlur(
          { width, height, data: areaOf(canvas[c]!, canvasWidth, cutout) },
          1.6 * sigma,
        ).data;
        forRows(spillRows, height, { behind, spill, width }, { plane });
      });
    }
  });
}

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

function areaOf(plane: Float32Array, planeWidth: number, area: Cutout): Float32Array {
  const copy = allocate(area.width * area.height);
  for (let y = 0; y < area.height; y++) {
    const from = (area.y + y) * planeWidth + area.x;
    copy.set(plane.subarray(from, from + area.width), y * area.width);
  }
  return copy;
}
