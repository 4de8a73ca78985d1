import { gaussianBlur } from '../../pixels/gaussian-blur.ts';
import { allocatePlane, type Plane, type Size } from '../../pixels/plane.ts';
import { reduce } from '../../pixels/reduce.ts';
import { withArena } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

/** The direction of the forms of a picture, at half its size: unit vectors along edges, hair and folds. */
export interface Flow extends Size {
  x: Float32Array;
  y: Float32Array;
  /** 0 where there is no direction, 1 where there is only one. */
  coherence: Float32Array;
}

/** The minor eigenvector of the structure tensor, which is blurred by `sigma` pixels of the picture. */
export function tangentFlow(lightness: Plane, sigma: number): Flow {
  return withArena(() => {
    const small = gaussianBlur(reduce(lightness, 2), 0.8);
    const { width, height } = small;
    const [xx, xy, yy] = [allocatePlane(small), allocatePlane(small), allocatePlane(small)];
    forRows(tensorRows, height, small, { xx: xx.data, xy: xy.data, yy: yy.data });
    const x = gaussianBlur(xx, sigma / 2).data;
    const coherence = gaussianBlur(xy, sigma / 2).data;
    const y = gaussianBlur(yy, sigma / 2).data;
    forRows(directionRows, height, { width }, { x, y, coherence });
    return { width, height, x, y, coherence };
  });
}

interface Tensor {
  xx: Float32Array;
  xy: Float32Array;
  yy: Float32Array;
}

export function tensorRows(
  { width, height, data }: Plane,
  { xx, xy, yy }: Tensor,
  from: number,
  to: number,
): void {
  for (let y = from; y < to; y++) {
    const above = Math.max(0, y - 1) * width;
    const here = y * width;
    const below = Math.min(height - 1, y + 1) * width;
    for (let x = 0; x < width; x++) {
      const left = x > 0 ? x - 1 : 0;
      const right = x < width - 1 ? x + 1 : x;
      const dx =
        data[above + right]! +
        2 * data[here + right]! +
        data[below + right]! -
        data[above + left]! -
        2 * data[here + left]! -
        data[below + left]!;
      const dy =
        data[below + left]! +
        2 * data[below + x]! +
        data[below + right]! -
        data[above + left]! -
        2 * data[above + x]! -
        data[above + right]!;
      xx[here + x] = dx * dx;
      xy[here + x] = dx * dy;
      yy[here + x] = dy * dy;
    }
  }
}

/** From the tensor (xx in `x`, yy in `y`, xy in `coherence`) to the flow, in place, by half-angle formulas. */
export function directionRows(
  { width }: { width: number },
  { x, y, coherence }: Pick<Flow, 'x' | 'y' | 'coherence'>,
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) {
    const e = x[i]!;
    const f = coherence[i]!;
    const g = y[i]!;
    const difference = e - g;
    const spread = Math.sqrt(difference * difference + 4 * f * f);
    const cosine = spread > 0 ? difference / spread : 1;
    const sine = Math.sqrt(Math.max(0, 0.5 - 0.5 * cosine));
    x[i] = f < 0 ? sine : -sine;
    y[i] = Math.sqrt(Math.max(0, 0.5 + 0.5 * cosine));
    coherence[i] = spread / (e + g + 1e-5);
  }
}
