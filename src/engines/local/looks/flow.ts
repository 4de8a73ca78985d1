import { rowsOf } from '../rows.ts';
import { floats, scratch } from '../scratch.ts';
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
  /** Where nothing near is below this, pixels are left too: whoever asks does not tell values above it apart. */
  paper?: number;
}

/** Averages a plane along the flow. Along a line it joins what noise has broken; over noise it draws fibres. */
export function smearAlong(source: Plane, flow: Flow, smear: Smear): Plane {
  const result = openPlane(source.width, source.height);
  scratch(() => {
    const lowest = smear.paper === undefined ? undefined : lowestAround(source, smear.steps * smear.stride);
    forRows(smearRows, source.height, { source, flow, smear, lowest }, { out: result.data });
  });
  return result;
}

/** The lowest value in and around squares of the plane. */
interface Lowest {
  side: number;
  columns: number;
  values: Float32Array;
}

function lowestAround(source: Plane, reach: number): Lowest {
  const side = Math.ceil(reach) + 1;
  const columns = Math.ceil(source.width / side);
  const rows = Math.ceil(source.height / side);
  const squares = floats(columns * rows);
  // Squares are few, but each looks at all of its pixels.
  for (let row = 0; row < rows; row++) lowestOf(source, side, row, squares);
  const values = floats(columns * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      let low = Number.POSITIVE_INFINITY;
      for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) {
        for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++)
          low = Math.min(low, squares[y * columns + x]!);
      }
      values[row * columns + column] = low;
    }
  }
  return { side, columns, values };
}

function lowestOf({ width, height, data }: Plane, side: number, row: number, squares: Float32Array): void {
  const columns = Math.ceil(width / side);
  squares.fill(Number.POSITIVE_INFINITY, row * columns, (row + 1) * columns);
  for (let y = row * side; y < Math.min(height, (row + 1) * side); y++) {
    for (let column = 0, i = y * width; column < columns; column++) {
      const end = y * width + Math.min(width, (column + 1) * side);
      let low = squares[row * columns + column]!;
      for (; i < end; i++) if (data[i]! < low) low = data[i]!;
      squares[row * columns + column] = low;
    }
  }
}

export function smearRows(
  { source, flow, smear, lowest }: { source: Plane; flow: Flow; smear: Smear; lowest: Lowest | undefined },
  { out }: { out: Float32Array },
  from: number,
  to: number,
): void {
  const { width, height, data } = source;
  const [low, high] = smear.within ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const weights = new Float32Array(smear.steps + 1);
  for (let step = 0; step <= smear.steps; step++)
    weights[step] = smear.taper ? 1 - step / (smear.steps + 1) : 1;
  const margin = Math.ceil(smear.steps * smear.stride) + 1;
  const side = lowest?.side ?? width;
  for (let y = from; y < to; y++) {
    const inside = y >= margin && y < height - margin;
    for (let begin = 0; begin < width; begin += side) {
      const end = Math.min(width, begin + side);
      const square = lowest ? Math.floor(y / side) * lowest.columns + begin / side : 0;
      if (lowest && lowest.values[square]! >= smear.paper!) {
        out.set(data.subarray(y * width + begin, y * width + end), y * width + begin);
        continue;
      }
      for (let x = begin; x < end; x++) {
        const i = y * width + x;
        const value = data[i]!;
        out[i] =
          value < low || value > high
            ? value
            : inside && x >= margin && x < width - margin
              ? meanInside(data, width, flow, weights, smear.stride, x, y)
              : meanAtBorder(source, flow, weights, smear.stride, x, y);
      }
    }
  }
}

/** The mean along the flow where no step leaves the plane: both sides at once, so that neither waits for its look-up. */
function meanInside(
  data: Float32Array,
  width: number,
  flow: Flow,
  weights: Float32Array,
  stride: number,
  x: number,
  y: number,
): number {
  const { x: fx, y: fy, width: flowWidth } = flow;
  const steps = weights.length - 1;
  const start = (y >> 1) * flowWidth + (x >> 1);
  let ax = x + 0.5;
  let ay = y + 0.5;
  let bx = ax;
  let by = ay;
  let adx = fx[start]! * stride;
  let ady = fy[start]! * stride;
  let bdx = -adx;
  let bdy = -ady;
  let sum = data[y * width + x]!;
  let total = 1;
  for (let step = 1; step <= steps; step++) {
    ax += adx;
    ay += ady;
    bx += bdx;
    by += bdy;
    const weight = weights[step]!;
    const iax = ax | 0;
    const iay = ay | 0;
    const ibx = bx | 0;
    const iby = by | 0;
    sum += (data[iay * width + iax]! + data[iby * width + ibx]!) * weight;
    total += 2 * weight;
    const a = (iay >> 1) * flowWidth + (iax >> 1);
    const b = (iby >> 1) * flowWidth + (ibx >> 1);
    const anx = fx[a]! * stride;
    const any = fy[a]! * stride;
    const bnx = fx[b]! * stride;
    const bny = fy[b]! * stride;
    const aSign = anx * adx + any * ady < 0 ? -1 : 1;
    const bSign = bnx * bdx + bny * bdy < 0 ? -1 : 1;
    adx = anx * aSign;
    ady = any * aSign;
    bdx = bnx * bSign;
    bdy = bny * bSign;
  }
  return sum / total;
}

function meanAtBorder(
  { width, height, data }: Plane,
  flow: Flow,
  weights: Float32Array,
  stride: number,
  x: number,
  y: number,
): number {
  const start = (y >> 1) * flow.width + (x >> 1);
  let sum = data[y * width + x]!;
  let total = 1;
  for (let side = -1; side <= 1; side += 2) {
    let px = x + 0.5;
    let py = y + 0.5;
    let dx = flow.x[start]! * stride * side;
    let dy = flow.y[start]! * stride * side;
    for (let step = 1; step < weights.length; step++) {
      px += dx;
      py += dy;
      if (px < 0 || py < 0 || px >= width || py >= height) break;
      const ix = px | 0;
      const iy = py | 0;
      sum += data[iy * width + ix]! * weights[step]!;
      total += weights[step]!;
      const at = (iy >> 1) * flow.width + (ix >> 1);
      const nx = flow.x[at]! * stride;
      const ny = flow.y[at]! * stride;
      const sign = nx * dx + ny * dy < 0 ? -1 : 1;
      dx = nx * sign;
      dy = ny * sign;
    }
  }
  return sum / total;
}
