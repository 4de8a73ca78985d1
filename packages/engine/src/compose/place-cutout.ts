import type { Cutout } from '../matting/cutout.ts';
import type { Canvas } from '../pixels/layer.ts';
import type { Planes } from '../pixels/picture.ts';
import type { Plane } from '../pixels/plane.ts';
import { type ReducedPlane, readReduced } from '../pixels/reduce.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

/** Draws people over the canvas and raises `people` to their alpha, in place. */
export function placeCutout({ width, colour }: Canvas, people: Plane, cutout: Cutout): void {
  forRows(placeRows, cutout.height, { cutout, width }, { canvas: colour, people: people.data });
}

export function placeRows(
  { cutout, width }: { cutout: Cutout; width: number },
  { canvas, people }: { canvas: Planes; people: Float32Array },
  from: number,
  until: number,
): void {
  for (let y = from; y < until; y++) {
    let to = (cutout.y + y) * width + cutout.x;
    for (let i = y * cutout.width; i < (y + 1) * cutout.width; i++, to++) {
      const a = cutout.alpha[i]!;
      if (a <= 0) continue;
      for (let c = 0; c < 3; c++) {
        const plane = canvas[c]!;
        plane[to] = plane[to]! + (cutout.colour[c]![i]! - plane[to]!) * a;
      }
      if (a > people[to]!) people[to] = a;
    }
  }
}

/** Takes parts of the canvas out of a cutout, in place. */
export function leaveOut({ x, y, width, height, alpha }: Cutout, without: ReducedPlane): void {
  for (let row = 0, i = 0; row < height; row++) {
    for (let column = 0; column < width; column++, i++) {
      if (alpha[i]! > 0) alpha[i]! *= 1 - readReduced(without, x + column, y + row);
    }
  }
}
