import { gaussian, newPlane, type Plane, shrink } from './plane.ts';

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
  const small = gaussian(shrink(lightness, 2), 0.8);
  const { width, height, data } = small;
  const xx = newPlane(width, height);
  const xy = newPlane(width, height);
  const yy = newPlane(width, height);
  for (let y = 0; y < height; y++) {
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
      xx.data[here + x] = dx * dx;
      xy.data[here + x] = dx * dy;
      yy.data[here + x] = dy * dy;
    }
  }
  const sigma = reach / 2;
  const e = gaussian(xx, sigma).data;
  const f = gaussian(xy, sigma).data;
  const g = gaussian(yy, sigma).data;
  const flow: Flow = { width, height, x: xx.data, y: yy.data, clearness: xy.data };
  for (let i = 0; i < e.length; i++) {
    const difference = e[i]! - g[i]!;
    const spread = Math.sqrt(difference * difference + 4 * f[i]! * f[i]!);
    const angle = 0.5 * Math.atan2(2 * f[i]!, difference);
    flow.x[i] = -Math.sin(angle);
    flow.y[i] = Math.cos(angle);
    flow.clearness[i] = spread / (e[i]! + g[i]! + 1e-5);
  }
  return flow;
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
  const { width, height, data } = source;
  const { steps, stride } = smear;
  const [low, high] = smear.within ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const result = newPlane(width, height);
  const out = result.data;
  const weights = new Float32Array(steps + 1);
  for (let step = 0; step <= steps; step++) weights[step] = smear.taper ? 1 - step / (steps + 1) : 1;
  const fx = flow.x;
  const fy = flow.y;
  const flowWidth = flow.width;
  for (let y = 0; y < height; y++) {
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
  return result;
}
