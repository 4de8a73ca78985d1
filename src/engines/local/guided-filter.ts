import { boxBlur, enlarge, reduce } from './blur.ts';
import { clamp, type Planes } from './colour.ts';

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
  const factor = 2;
  const half = guide.map((channel) => reduce(channel, width, height, factor));
  const target = reduce(plane, width, height, factor);
  const w = target.width;
  const h = target.height;
  const count = w * h;
  const r = Math.max(1, Math.round(radius / factor));
  const product = new Float32Array(count);
  const mean = (values: Float32Array) => boxBlur(values, w, h, r);
  const meanOfProduct = (a: Float32Array, b: Float32Array) => {
    for (let i = 0; i < count; i++) product[i] = a[i]! * b[i]!;
    return mean(product);
  };
  const [red, green, blue] = half.map((channel) => channel.plane) as Planes;
  const p = target.plane;
  const meanRed = mean(red);
  const meanGreen = mean(green);
  const meanBlue = mean(blue);
  const meanPlane = mean(p);
  const redPlane = meanOfProduct(red, p);
  const greenPlane = meanOfProduct(green, p);
  const bluePlane = meanOfProduct(blue, p);
  const rr = meanOfProduct(red, red);
  const rg = meanOfProduct(red, green);
  const rb = meanOfProduct(red, blue);
  const gg = meanOfProduct(green, green);
  const gb = meanOfProduct(green, blue);
  const bb = meanOfProduct(blue, blue);
  for (let i = 0; i < count; i++) {
    const mr = meanRed[i]!;
    const mg = meanGreen[i]!;
    const mb = meanBlue[i]!;
    const mp = meanPlane[i]!;
    const a = rr[i]! - mr * mr + epsilon;
    const b = rg[i]! - mr * mg;
    const c = rb[i]! - mr * mb;
    const d = gg[i]! - mg * mg + epsilon;
    const e = gb[i]! - mg * mb;
    const f = bb[i]! - mb * mb + epsilon;
    const u = redPlane[i]! - mr * mp;
    const v = greenPlane[i]! - mg * mp;
    const z = bluePlane[i]! - mb * mp;
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
    // The inputs are spent: the coefficients take their places.
    redPlane[i] = x;
    greenPlane[i] = y;
    bluePlane[i] = q;
    meanPlane[i] = mp - x * mr - y * mg - q * mb;
  }
  const [ax, ay, aq, b] = [redPlane, greenPlane, bluePlane, meanPlane].map((coefficient) =>
    enlarge(mean(coefficient), w, h, width, height, factor),
  ) as [Float32Array, Float32Array, Float32Array, Float32Array];
  const filtered = new Float32Array(width * height);
  for (let i = 0; i < filtered.length; i++) {
    filtered[i] = clamp(ax[i]! * guide[0][i]! + ay[i]! * guide[1][i]! + aq[i]! * guide[2][i]! + b[i]!, 0, 1);
  }
  return filtered;
}
