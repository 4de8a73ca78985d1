import type { Picture } from '../../pixels/picture.ts';
import { allocatePlane, type Plane, type Size } from '../../pixels/plane.ts';
import { allocate } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

/** What strokes are painted on. */
export interface PaintCanvas extends Size {
  /** Red, green, blue and thickness of each pixel side by side, since a stroke changes all four. */
  paint: Float32Array;
}

/** A canvas that shows the picture, without any thickness. */
export function primeCanvas({ width, height, planes }: Picture): PaintCanvas {
  const paint = allocate(width * height * 4);
  forRows(primeRows, height, { width, planes }, { paint });
  return { width, height, paint };
}

export function primeRows(
  { width, planes }: Pick<Picture, 'width' | 'planes'>,
  { paint }: { paint: Float32Array },
  from: number,
  to: number,
): void {
  const [red, green, blue] = planes;
  for (let i = from * width, at = i * 4; i < to * width; i++, at += 4) {
    paint[at] = red[i]!;
    paint[at + 1] = green[i]!;
    paint[at + 2] = blue[i]!;
    paint[at + 3] = 0;
  }
}

export function paintThickness({ width, height, paint }: PaintCanvas): Plane {
  const plane = allocatePlane({ width, height });
  forRows(thicknessRows, height, { width, paint }, { thickness: plane.data });
  return plane;
}

export function thicknessRows(
  { width, paint }: Pick<PaintCanvas, 'width' | 'paint'>,
  { thickness }: { thickness: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) thickness[i] = paint[i * 4 + 3]!;
}
