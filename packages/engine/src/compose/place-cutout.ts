import type { Cutout } from '../matting/cutout.ts';
import type { Planes } from '../pixels/picture.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

/** Lays people over the canvas and adds them to what of it is people. In place. */
export function layCutout(canvas: Planes, people: Float32Array, width: number, cutout: Cutout): void {
  forRows(layRows, cutout.height, { cutout, width }, { canvas, people });
}

export function layRows(
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
