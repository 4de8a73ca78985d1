import { allocate, withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import { boxBlur, enlarge, reduce } from './blur.ts';
import { clamp } from './colour.ts';
import type { Planes } from './picture.ts';

const forRows = rowsOf(import.meta.url);

/**
 * Guided filter with a colour guide (He, Sun, Tang 2013), solved at half size: makes a soft plane follow the edges
 * of the picture. Per pixel the plane is a·colour + b, with a from the colours' 3×3 covariance in the window.
 */
export function guidedFilter(
  guide: Planes,
  plane: Float32Array,
  width: number,
  height: number,
  radius: number,
  epsilon: number,
): Float32Array {
  return withArena(() => {
    const factor = 2;
    const [red, green, blue] = guide.map((channel) => reduce(channel, width, height, factor).plane) as Planes;
    const { plane: p, width: w, height: h } = reduce(plane, width, height, factor);
    const r = Math.max(1, Math.round(radius / factor));
    const products = Array.from({ length: 9 }, () => allocate(w * h));
    forRows(multiplyRows, h, { red, green, blue, p, width: w }, { products });
    const mean = (values: Float32Array) => boxBlur(values, w, h, r);
    const input = { means: [red, green, blue, p].map(mean), products: products.map(mean), epsilon, width: w };
    const coefficients = [allocate(w * h), allocate(w * h), allocate(w * h), allocate(w * h)];
    forRows(solveRows, h, input, { coefficients });
    const full = coefficients.map((values) => enlarge(mean(values), w, h, width, height, factor));
    const filtered = allocate(width * height);
    forRows(applyRows, height, { guide, coefficients: full, width }, { filtered });
    return filtered;
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
