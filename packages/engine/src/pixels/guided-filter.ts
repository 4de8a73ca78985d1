import { allocate, withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import { boxMean } from './box-mean.ts';
import { clamp } from './colour.ts';
import { allocatePicture, channelOf, lumaPlane, type Picture, type Planes } from './picture.ts';
import { allocatePlane, type Plane, planeOf } from './plane.ts';
import { enlarge, type ReducedPlane, reduce, reducePicture, rowReader } from './reduce.ts';

const forRows = rowsOf(import.meta.url);

export interface GuidedFilter {
  /** What the result follows the edges of; as large as the plane. */
  guide: Picture;
  plane: Plane;
  radius: number;
  epsilon: number;
}

/**
 * Guided filter with a colour guide (He, Sun, Tang 2013), solved at half size: makes a soft plane follow the edges
 * of the picture. Per pixel the plane is a·colour + b, with a from the colours' 3×3 covariance in the window.
 */
export function guidedFilter({ guide, plane, radius, epsilon }: GuidedFilter): Plane {
  const { width, height } = plane;
  return withArena(() => {
    const factor = 2;
    const [red, green, blue] = reducePicture(guide, factor).planes;
    const small = reduce(plane, factor);
    const r = Math.max(1, Math.round(radius / factor));
    const count = small.width * small.height;
    const products = Array.from({ length: 9 }, () => allocate(count));
    const p = small.data;
    forRows(multiplyRows, small.height, { red, green, blue, p, width: small.width }, { products });
    const mean = (values: Float32Array) => boxMean(planeOf(values, small), r);
    const means = [red, green, blue, p].map((values) => mean(values).data);
    const input = {
      means,
      products: products.map((values) => mean(values).data),
      epsilon,
      width: small.width,
    };
    const coefficients = [allocate(count), allocate(count), allocate(count), allocate(count)];
    forRows(solveRows, small.height, input, { coefficients });
    const full = coefficients.map((values) => enlarge(mean(values), plane, factor).data);
    const filtered = allocate(width * height);
    forRows(applyRows, height, { guide: guide.planes, coefficients: full, width }, { filtered });
    return { width, height, data: filtered };
  });
}

interface Small {
  red: Float32Array;
  green: Float32Array;
  blue: Float32Array;
  p: Float32Array;
  width: number;
}

export function multiplyRows(
  { red, green, blue, p, width }: Small,
  { products }: { products: Float32Array[] },
  from: number,
  to: number,
): void {
  const [rp, gp, bp, rr, rg, rb, gg, gb, bb] = products;
  for (let i = from * width; i < to * width; i++) {
    const r = red[i]!;
    const g = green[i]!;
    const b = blue[i]!;
    const target = p[i]!;
    rp![i] = r * target;
    gp![i] = g * target;
    bp![i] = b * target;
    rr![i] = r * r;
    rg![i] = r * g;
    rb![i] = r * b;
    gg![i] = g * g;
    gb![i] = g * b;
    bb![i] = b * b;
  }
}

export function solveRows(
  {
    means,
    products,
    epsilon,
    width,
  }: { means: Float32Array[]; products: Float32Array[]; epsilon: number; width: number },
  { coefficients }: { coefficients: Float32Array[] },
  from: number,
  to: number,
): void {
  const [meanRed, meanGreen, meanBlue, meanPlane] = means;
  const [rp, gp, bp, rr, rg, rb, gg, gb, bb] = products;
  const [ofRed, ofGreen, ofBlue, offset] = coefficients;
  for (let i = from * width; i < to * width; i++) {
    const mr = meanRed![i]!;
    const mg = meanGreen![i]!;
    const mb = meanBlue![i]!;
    const mp = meanPlane![i]!;
    const a = rr![i]! - mr * mr + epsilon;
    const b = rg![i]! - mr * mg;
    const c = rb![i]! - mr * mb;
    const d = gg![i]! - mg * mg + epsilon;
    const e = gb![i]! - mg * mb;
    const f = bb![i]! - mb * mb + epsilon;
    const u = rp![i]! - mr * mp;
    const v = gp![i]! - mg * mp;
    const z = bp![i]! - mb * mp;
    const c00 = d * f - e * e;
    const c01 = c * e - b * f;
    const c02 = b * e - c * d;
    const c11 = a * f - c * c;
    const c12 = b * c - a * e;
    const c22 = a * d - b * b;
    const inverse = 1 / (a * c00 + b * c01 + c * c02);
    const x = (c00 * u + c01 * v + c02 * z) * inverse;
    const y = (c01 * u + c11 * v + c12 * z) * inverse;
    const q = (c02 * u + c12 * v + c22 * z) * inverse;
    ofRed![i] = x;
    ofGreen![i] = y;
    ofBlue![i] = q;
    offset![i] = mp - x * mr - y * mg - q * mb;
  }
}

export function applyRows(
  { guide, coefficients, width }: { guide: Planes; coefficients: Float32Array[]; width: number },
  { filtered }: { filtered: Float32Array },
  from: number,
  to: number,
): void {
  const [red, green, blue] = guide;
  const [x, y, q, offset] = coefficients;
  for (let i = from * width; i < to * width; i++) {
    filtered[i] = clamp(x![i]! * red[i]! + y![i]! * green[i]! + q![i]! * blue[i]! + offset![i]!, 0, 1);
  }
}

/**
 * Edge-preserving smoothing: a guided filter (He et al.) with lightness as the guide of all three channels, its
 * coefficients found at half size. `contrast` is how strong an edge has to be to stay. A colour guide would also keep
 * edges between colours of one lightness, for a 3 × 3 system at every pixel.
 */
export function smoothKeepingEdges(picture: Picture, radius: number, contrast: number): Picture {
  const { width, height } = picture;
  return withArena(() => {
    const fullGuide = lumaPlane(picture);
    const guide = reduce(fullGuide, 2);
    const reach = Math.max(1, Math.round(radius / 2));
    const mean = boxMean(guide, reach);
    const square = boxMean(product(guide, guide), reach);
    const result = allocatePicture({ width, height });
    for (const index of [0, 1, 2] as const) {
      withArena(() => {
        const small = reduce(channelOf(picture, index), 2);
        const level = boxMean(small, reach);
        const both = boxMean(product(guide, small), reach);
        forRows(
          coefficientRows,
          guide.height,
          { width: guide.width, mean: mean.data, square: square.data, epsilon: contrast * contrast },
          { slope: both.data, offset: level.data },
        );
        const slope = halved(boxMean(both, reach));
        const offset = halved(boxMean(level, reach));
        const out = result.planes[index];
        forRows(lineRows, height, { width, slope, offset, guide: fullGuide.data }, { out });
      });
    }
    return result;
  });
}

/** The same for one plane, guided by itself. */
export function smoothPlane(plane: Plane, radius: number, contrast: number): Plane {
  const { width, height } = plane;
  return withArena(() => {
    const small = reduce(plane, 2);
    const reach = Math.max(1, Math.round(radius / 2));
    const mean = boxMean(small, reach);
    const square = boxMean(product(small, small), reach);
    // Guide and plane are one, and each value is read before its place is taken.
    forRows(
      coefficientRows,
      small.height,
      { width: small.width, mean: mean.data, square: square.data, epsilon: contrast * contrast },
      { slope: square.data, offset: mean.data },
    );
    const slope = halved(boxMean(square, reach));
    const offset = halved(boxMean(mean, reach));
    const result = allocatePlane({ width, height });
    forRows(lineRows, height, { width, slope, offset, guide: plane.data }, { out: result.data });
    return result;
  });
}

/** From the means of guide × plane (in slope) and plane (in offset) to the line through each window, in place. */
export function coefficientRows(
  {
    width,
    mean,
    square,
    epsilon,
  }: { width: number; mean: Float32Array; square: Float32Array; epsilon: number },
  { slope, offset }: { slope: Float32Array; offset: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) {
    const m = mean[i]!;
    const level = offset[i]!;
    const variance = Math.max(0, square[i]! - m * m);
    const a = (slope[i]! - m * level) / (variance + epsilon);
    slope[i] = a;
    offset[i] = level - a * m;
  }
}

export function lineRows(
  {
    width,
    slope,
    offset,
    guide,
  }: { width: number; slope: ReducedPlane; offset: ReducedPlane; guide: Float32Array },
  { out }: { out: Float32Array },
  from: number,
  to: number,
): void {
  const readSlopes = rowReader(slope, width);
  const readOffsets = rowReader(offset, width);
  for (let y = from; y < to; y++) {
    const slopes = readSlopes(y);
    const offsets = readOffsets(y);
    for (let x = 0, i = y * width; x < width; x++, i++) {
      out[i] = clamp(slopes[x]! * guide[i]! + offsets[x]!, 0, 1);
    }
  }
}

function halved({ width, height, data }: Plane): ReducedPlane {
  return { width, height, data, factor: 2 };
}

function product(a: Plane, b: Plane): Plane {
  const result = allocatePlane(a);
  forRows(productRows, a.height, { width: a.width, a: a.data, b: b.data }, { out: result.data });
  return result;
}

export function productRows(
  { width, a, b }: { width: number; a: Float32Array; b: Float32Array },
  { out }: { out: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) out[i] = a[i]! * b[i]!;
}
