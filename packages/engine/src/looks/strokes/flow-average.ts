import { allocatePlane, type Plane } from '../../pixels/plane.ts';
import { allocate, allocateIntegers, withArena } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';
import type { Flow } from './tangent-flow.ts';

const forRows = rowsOf(import.meta.url);

export interface FlowAverage {
  /** Steps to each side, and pixels to a step. */
  steps: number;
  stride: number;
  /** Near steps count more than far ones. */
  taper: boolean;
  /** Pixels outside of this range stay as they are: no average along the flow can bring them back into it. */
  range?: readonly [number, number];
  /** Pixels with nothing below this value around them stay as they are, for callers that ignore values above it. */
  ceiling?: number;
}

/**
 * Averages a plane along the flow (line integral convolution). On lines it closes gaps that noise has made; from noise
 * it makes fibres. The plane has the size of the picture or of the flow; steps are in its own pixels.
 */
export function averageAlongFlow(source: Plane, flow: Flow, average: FlowAverage): Plane {
  const result = allocatePlane(source);
  withArena(() => {
    const { width, height } = flow;
    const shift = source.width > width ? 1 : 0;
    const steps: FlowSteps = { width, data: allocateIntegers(width * height * 2), shift };
    forRows(stepRows, height, { flow, stride: average.stride }, { steps: steps.data });
    const lowest =
      average.ceiling === undefined ? undefined : lowestAround(source, average.steps * average.stride);
    forRows(averageRows, source.height, { source, steps, average, lowest }, { out: result.data });
  });
  return result;
}

/**
 * One step of the flow from each of its places, x and y alternating, as fixed-point numbers of 1024ths of a pixel: integer
 * arithmetic takes half of the time.
 */
interface FlowSteps {
  width: number;
  data: Int32Array;
  /** 1 where four pixels of the plane share one value of the flow, 0 where each has its own. */
  shift: 0 | 1;
}

const fractionBits = 10;

export function stepRows(
  { flow, stride }: { flow: Flow; stride: number },
  { steps }: { steps: Int32Array },
  from: number,
  to: number,
): void {
  const { width, x, y } = flow;
  const scale = stride * (1 << fractionBits);
  for (let i = from * width; i < to * width; i++) {
    steps[2 * i] = Math.floor(x[i]! * scale + 0.5);
    steps[2 * i + 1] = Math.floor(y[i]! * scale + 0.5);
  }
}

/** The lowest value of each square of the plane and of the eight squares around it. */
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
  for (let row = 0; row < rows; row++) findLowest(source, side, row, squares);
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

/** The lowest value of each square in a row of squares. */
function findLowest({ width, height, data }: Plane, side: number, row: number, squares: Float32Array): void {
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

interface AverageInput {
  source: Plane;
  steps: FlowSteps;
  average: FlowAverage;
  lowest: Lowest | undefined;
}

export function averageRows(
  { source, steps, average, lowest }: AverageInput,
  { out }: { out: Float32Array },
  from: number,
  to: number,
): void {
  const { width, height, data } = source;
  const [low, high] = average.range ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const weights = new Float32Array(average.steps + 1);
  for (let step = 0; step <= average.steps; step++)
    weights[step] = average.taper ? 1 - step / (average.steps + 1) : 1;
  const share = 1 / (weights[0]! + 2 * weights.subarray(1).reduce((sum, weight) => sum + weight, 0));
  const margin = Math.ceil(average.steps * average.stride) + 1;
  const side = lowest?.side ?? width;
  for (let y = from; y < to; y++) {
    const inside = y >= margin && y < height - margin;
    for (let begin = 0; begin < width; begin += side) {
      const end = Math.min(width, begin + side);
      const square = lowest ? Math.floor(y / side) * lowest.columns + begin / side : 0;
      if (lowest && lowest.values[square]! >= average.ceiling!) {
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
              ? sumInside(source, steps, weights, x, y) * share
              : meanAtBorder(source, steps, weights, x, y);
      }
    }
  }
}

/** The sum along the flow where no step leaves the plane. Both sides in one loop: their reads overlap in time. */
function sumInside(
  { width, data }: Plane,
  { width: flowWidth, data: steps, shift }: FlowSteps,
  weights: Float32Array,
  x: number,
  y: number,
): number {
  const flowShift = fractionBits + shift;
  const start = (Math.imul(y >> shift, flowWidth) + (x >> shift)) << 1;
  let ax = (x << fractionBits) + (1 << (fractionBits - 1));
  let ay = (y << fractionBits) + (1 << (fractionBits - 1));
  let bx = ax;
  let by = ay;
  let adx = steps[start]!;
  let ady = steps[start + 1]!;
  let bdx = -adx | 0;
  let bdy = -ady | 0;
  let sum = data[y * width + x]!;
  for (let step = 1; step < weights.length; step++) {
    ax += adx;
    ay += ady;
    bx += bdx;
    by += bdy;
    const one = data[Math.imul(ay >> fractionBits, width) + (ax >> fractionBits)]!;
    const other = data[Math.imul(by >> fractionBits, width) + (bx >> fractionBits)]!;
    sum += (one + other) * weights[step]!;
    const a = (Math.imul(ay >> flowShift, flowWidth) + (ax >> flowShift)) << 1;
    const b = (Math.imul(by >> flowShift, flowWidth) + (bx >> flowShift)) << 1;
    const anx = steps[a]!;
    const any = steps[a + 1]!;
    const bnx = steps[b]!;
    const bny = steps[b + 1]!;
    // The flow is a line field without a sign: it may point back.
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
  { width: flowWidth, data: steps, shift }: FlowSteps,
  weights: Float32Array,
  x: number,
  y: number,
): number {
  const start = ((y >> shift) * flowWidth + (x >> shift)) * 2;
  let sum = data[y * width + x]!;
  let total = 1;
  for (let side = -1; side <= 1; side += 2) {
    let px = (x << fractionBits) + (1 << (fractionBits - 1));
    let py = (y << fractionBits) + (1 << (fractionBits - 1));
    let dx = steps[start]! * side;
    let dy = steps[start + 1]! * side;
    for (let step = 1; step < weights.length; step++) {
      px += dx;
      py += dy;
      const ix = px >> fractionBits;
      const iy = py >> fractionBits;
      if (ix < 0 || iy < 0 || ix >= width || iy >= height) break;
      sum += data[iy * width + ix]! * weights[step]!;
      total += weights[step]!;
      const at = ((iy >> shift) * flowWidth + (ix >> shift)) * 2;
      const sign = steps[at]! * dx + steps[at + 1]! * dy < 0 ? -1 : 1;
      dx = steps[at]! * sign;
      dy = steps[at + 1]! * sign;
    }
  }
  return sum / total;
}
