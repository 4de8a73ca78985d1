import { gaussianBlur } from '../../pixels/gaussian-blur.ts';
import { allocatePlane, type Plane, type Size } from '../../pixels/plane.ts';
import { reduce } from '../../pixels/reduce.ts';
import { allocate, allocateIntegers, withArena } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

/** Which way the forms of a picture run, at half its size: unit vectors along edges, hair and folds. */
export interface Flow extends Size {
  x: Float32Array;
  y: Float32Array;
  /** 0 where nothing has a direction, 1 where everything runs one way. */
  clearness: Float32Array;
}

/** The smoothed structure tensor's minor eigenvector; `reach` is the smoothing in picture pixels. */
export function tangentFlow(lightness: Plane, reach: number): Flow {
  return withArena(() => {
    const small = gaussianBlur(reduce(lightness, 2), 0.8);
    const { width, height } = small;
    const [xx, xy, yy] = [allocatePlane(small), allocatePlane(small), allocatePlane(small)];
    forRows(tensorRows, height, small, { xx: xx.data, xy: xy.data, yy: yy.data });
    const x = gaussianBlur(xx, reach / 2).data;
    const clearness = gaussianBlur(xy, reach / 2).data;
    const y = gaussianBlur(yy, reach / 2).data;
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

/** Averages a plane of the picture's size, or of the flow's, along the flow; steps are in its own pixels. Along a line it joins what noise has broken; over noise it draws fibres. */
export function smearAlong(source: Plane, flow: Flow, smear: Smear): Plane {
  const result = allocatePlane(source);
  withArena(() => {
    const { width, height } = flow;
    const finer = source.width > width ? 1 : 0;
    const ways: Ways = { width, data: allocateIntegers(width * height * 2), finer };
    forRows(wayRows, height, { flow, stride: smear.stride }, { ways: ways.data });
    const lowest = smear.paper === undefined ? undefined : lowestAround(source, smear.steps * smear.stride);
    forRows(smearRows, source.height, { source, ways, smear, lowest }, { out: result.data });
  });
  return result;
}

/**
 * One step of the flow from each of its places, x and y in turn, in 1024ths of a pixel: the next step is known as soon as
 * its place is, which takes half as long in whole numbers.
 */
interface Ways {
  width: number;
  data: Int32Array;
  /** 1 where four pixels share one value of the flow, 0 where each has its own. */
  finer: 0 | 1;
}

const wayBits = 10;

export function wayRows(
  { flow, stride }: { flow: Flow; stride: number },
  { ways }: { ways: Int32Array },
  from: number,
  to: number,
): void {
  const { width, x, y } = flow;
  const scale = stride * (1 << wayBits);
  for (let i = from * width; i < to * width; i++) {
    ways[2 * i] = Math.floor(x[i]! * scale + 0.5);
    ways[2 * i + 1] = Math.floor(y[i]! * scale + 0.5);
  }
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
  const squares = allocate(columns * rows);
  // Squares are few, but each looks at all of its pixels.
  for (let row = 0; row < rows; row++) lowestOf(source, side, row, squares);
  const values = allocate(columns * rows);
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
  { source, ways, smear, lowest }: { source: Plane; ways: Ways; smear: Smear; lowest: Lowest | undefined },
  { out }: { out: Float32Array },
  from: number,
  to: number,
): void {
  const { width, height, data } = source;
  const [low, high] = smear.within ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const weights = new Float32Array(smear.steps + 1);
  for (let step = 0; step <= smear.steps; step++)
    weights[step] = smear.taper ? 1 - step / (smear.steps + 1) : 1;
  const share = 1 / (weights[0]! + 2 * weights.subarray(1).reduce((sum, weight) => sum + weight, 0));
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
              ? sumInside(data, width, ways, weights, x, y) * share
              : meanAtBorder(source, ways, weights, x, y);
      }
    }
  }
}

/** The sum along the flow where no step leaves the plane: both sides at once, so that neither waits for its look-up. */
function sumInside(
  data: Float32Array,
  width: number,
  { width: flowWidth, data: ways, finer }: Ways,
  weights: Float32Array,
  x: number,
  y: number,
): number {
  const steps = weights.length;
  const wayShift = wayBits + finer;
  const start = (Math.imul(y >> finer, flowWidth) + (x >> finer)) << 1;
  let ax = (x << wayBits) + (1 << (wayBits - 1));
  let ay = (y << wayBits) + (1 << (wayBits - 1));
  let bx = ax;
  let by = ay;
  let adx = ways[start]!;
  let ady = ways[start + 1]!;
  let bdx = -adx | 0;
  let bdy = -ady | 0;
  let sum = data[y * width + x]!;
  for (let step = 1; step < steps; step++) {
    ax += adx;
    ay += ady;
    bx += bdx;
    by += bdy;
    const one = data[Math.imul(ay >> wayBits, width) + (ax >> wayBits)]!;
    const other = data[Math.imul(by >> wayBits, width) + (bx >> wayBits)]!;
    sum += (one + other) * weights[step]!;
    const a = (Math.imul(ay >> wayShift, flowWidth) + (ax >> wayShift)) << 1;
    const b = (Math.imul(by >> wayShift, flowWidth) + (bx >> wayShift)) << 1;
    const anx = ways[a]!;
    const any = ways[a + 1]!;
    const bnx = ways[b]!;
    const bny = ways[b + 1]!;
    // The flow has no front: it may point back where it came from.
    const aBack = ((Math.imul(anx, adx) + Math.imul(any, ady)) | 0) < 0;
    const bBack = ((Math.imul(bnx, bdx) + Math.imul(bny, bdy)) | 0) < 0;
    adx = aBack ? -anx | 0 : anx;
    ady = aBack ? -any | 0 : any;
    bdx = bBack ? -bnx | 0 : bnx;
    bdy = bBack ? -bny | 0 : bny;
  }
  return sum;
}

function meanAtBorder(
  { width, height, data }: Plane,
  { width: flowWidth, data: ways, finer }: Ways,
  weights: Float32Array,
  x: number,
  y: number,
): number {
  const start = ((y >> finer) * flowWidth + (x >> finer)) * 2;
  let sum = data[y * width + x]!;
  let total = 1;
  for (let side = -1; side <= 1; side += 2) {
    let px = (x << wayBits) + (1 << (wayBits - 1));
    let py = (y << wayBits) + (1 << (wayBits - 1));
    let dx = ways[start]! * side;
    let dy = ways[start + 1]! * side;
    for (let step = 1; step < weights.length; step++) {
      px += dx;
      py += dy;
      const ix = px >> wayBits;
      const iy = py >> wayBits;
      if (ix < 0 || iy < 0 || ix >= width || iy >= height) break;
      sum += data[iy * width + ix]! * weights[step]!;
      total += weights[step]!;
      const at = ((iy >> finer) * flowWidth + (ix >> finer)) * 2;
      const sign = ways[at]! * dx + ways[at + 1]! * dy < 0 ? -1 : 1;
      dx = ways[at]! * sign;
      dy = ways[at + 1]! * sign;
    }
  }
  return sum / total;
}
