import { rowsOf } from '../rows.ts';
import { scratch } from '../scratch.ts';
import { gaussian, openPlane, type Plane, shrink } from './plane.ts';

const forRows = rowsOf(import.meta.url);

/** Which way the forms of a picture run, at half its size: unit vectors along edges, hair and folds. */
export interface Flow {
  width: number;
  height: number;
  x: Float32Array;
  y: Float32Array;
  /** 0 where nothing has a direction, 1 where everything runs one way. */
  clearness: Float32Array;
}

/** The smoothed structure tensor's minor eigenvector; `reach` is the smoothing in picture pixels. */
export function tangentFlow(lightness: Plane, reach: number): Flow {
  return scratch(() => {
    const small = gaussian(shrink(lightness, 2), 0.8);
    const { width, height } = small;
    const [xx, xy, yy] = [openPlane(width, height), openPlane(width, height), openPlane(width, height)];
    forRows(tensorRows, height, small, { xx: xx.data, xy: xy.data, yy: yy.data });
    const x = gaussian(xx, reach / 2).data;
    const clearness = gaussian(xy, reach / 2).data;
    const y = gaussian(yy, reach / 2).data;
    forRows(directionRows, height, { width }, { x, y, clearness });
    return { width, height, x, y, clearness };
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

/** From the tensor (xx in x, yy in y, xy in clearness) to the flow, in place; half angles without trigonometry. */
export function directionRows(
  { width }: { width: number },
  { x, y, clearness }: Pick<Flow, 'x' | 'y' | 'clearness'>,
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) {
    const e = x[i]!;
    const f = clearness[i]!;
    const g = y[i]!;
    const difference = e - g;
    const spread = Math.sqrt(difference * difference + 4 * f * f);
    const cosine = spread > 0 ? difference / spread : 1;
    const sine = Math.sqrt(Math.max(0, 0.5 - 0.5 * cosine));
    x[i] = f < 0 ? sine : -sine;
    y[i] = Math.sqrt(Math.max(0, 0.5 + 0.5 * cosine));
    clearness[i] = spread / (e + g + 1e-5);
  }
}

export interface Smear {
  /** Steps to each side, and pixels to a step. */
  steps: number;
  stride: number;
  /** Near steps count more than far ones. */
  taper: boolean;
  /** Pixels outside of this range are left as they are: nothing along the flow could bring them back into it. */
  within?: readonly [number, number];
}

/** Averages a plane along the flow. Along a line it joins what noise has broken; over noise it draws fibres. */
export function smearAlong(source: Plane, flow: Flow, smear: Smear): Plane {
  const result = openPlane(source.width, source.height);
  forRows(smearRows, source.height, { source, flow, smear }, { out: result.data });
  return result;
}

export function smearRows(
  { source, flow, smear }: { source: Plane; flow: Flow; smear: Smear },
  { out }: { out: Float32Array },
  from: number,
  to: number,
): void {
  const { width, height, data } = source;
  const { steps, stride } = smear;
  const [low, high] = smear.within ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const weights = new Float32Array(steps + 1);
  for (let step = 0; step <= steps; step++) weights[step] = smear.taper ? 1 - step / (steps + 1) : 1;
  const fx = flow.x;
  const fy = flow.y;
  const flowWidth = flow.width;
  for (let y = from; y < to; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const value = data[i]!;
      if (value < low || value > high) {
        out[i] = value;
        continue;
      }
      const start = (y >> 1) * flowWidth + (x >> 1);
      const startX = fx[start]! * stride;
      const startY = fy[start]! * stride;
      let sum = value;
      let total = 1;
      for (let side = -1; side <= 1; side += 2) {
        let px = x + 0.5;
        let py = y + 0.5;
        let dx = startX * side;
        let dy = startY * side;
        for (let step = 1; step <= steps; step++) {
          px += dx;
          py += dy;
          if (px < 0 || py < 0 || px >= width || py >= height) break;
          const ix = px | 0;
          const iy = py | 0;
          const weight = weights[step]!;
          sum += data[iy * width + ix]! * weight;
          total += weight;
          if (step === steps) break;
          const at = (iy >> 1) * flowWidth + (ix >> 1);
          const nx = fx[at]! * stride;
          const ny = fy[at]! * stride;
          if (nx * dx + ny * dy < 0) {
            dx = -nx;
            dy = -ny;
          } else {
            dx = nx;
            dy = ny;
          }
        }
      }
      out[i] = sum / total;
    }
  }
}
