import type { Blur, Guided, LayerRemap, Photo, Remap, Resample } from './operations.ts';

/** Each operation as it is defined, in float64, without a thought for time: what errors are measured against. */

type Plane = Float64Array;
interface Sized {
  data: ArrayLike<number>;
  width: number;
  height: number;
}

function limit(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** Every row, then every column, as a weighed sum of the pixels around a place; the border repeats. */
function filterSeparably(
  source: Sized,
  to: { width: number; height: number },
  weightsAt: (place: number, length: number, count: number) => { first: number; weights: number[] },
): Plane {
  const rows = new Float64Array(to.width * source.height);
  for (let x = 0; x < to.width; x++) {
    const { first, weights } = weightsAt(x, source.width, to.width);
    for (let y = 0; y < source.height; y++) {
      let sum = 0;
      for (let k = 0; k < weights.length; k++)
        sum += weights[k]! * source.data[y * source.width + limit(first + k, 0, source.width - 1)]!;
      rows[y * to.width + x] = sum;
    }
  }
  const made = new Float64Array(to.width * to.height);
  for (let y = 0; y < to.height; y++) {
    const { first, weights } = weightsAt(y, source.height, to.height);
    for (let k = 0; k < weights.length; k++) {
      const from = limit(first + k, 0, source.height - 1) * to.width;
      for (let x = 0; x < to.width; x++) made[y * to.width + x]! += weights[k]! * rows[from + x]!;
    }
  }
  return made;
}

function normalised(weights: number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

function catmullRom(distance: number): number {
  const x = Math.abs(distance);
  if (x >= 2) return 0;
  return x < 1 ? 1 + x * x * (1.5 * x - 2.5) : 2 + x * (-4 + x * (2.5 - 0.5 * x));
}

/** Catmull-Rom, as wide as the step where it shrinks. */
export function computeResample({ photo, to }: Resample): Plane[] {
  const { width, height } = photo;
  return photo.planes.map((data) =>
    filterSeparably({ data, width, height }, to, (place, length, count) => {
      const step = length / count;
      const reach = step < 1.35 ? 1 : step;
      const center = (place + 0.5) * step - 0.5;
      const first = Math.floor(center - 2 * reach) + 1;
      const taps = Array.from({ length: Math.ceil(4 * reach) }, (_, k) => (first + k - center) / reach);
      return { first, weights: normalised(taps.map(catmullRom)) };
    }),
  );
}

export function computeGaussian({ photo, radius: sigma }: Blur): Plane[] {
  const reach = Math.ceil(6 * sigma);
  const weights = normalised(
    Array.from({ length: 2 * reach + 1 }, (_, k) => Math.exp(-((k - reach) ** 2) / (2 * sigma * sigma))),
  );
  return [
    filterSeparably({ ...photo, data: photo.planes[1] }, photo, (place) => ({
      first: place - reach,
      weights,
    })),
  ];
}

/** Means of what lies inside of the plane. */
function boxMean(source: Sized, radius: number): Plane {
  return filterSeparably(source, source, (place, length) => {
    const first = Math.max(0, place - radius);
    const count = Math.min(length - 1, place + radius) - first + 1;
    return { first, weights: new Array<number>(count).fill(1 / count) };
  });
}

export function computeBox({ photo, radius }: Blur): Plane[] {
  return [boxMean({ ...photo, data: photo.planes[1] }, radius)];
}

/** At half size, like the engine's. */
export function computeGuided({ photo, plane, radius, epsilon }: Guided): Plane[] {
  const [width, height] = [photo.width / 2, photo.height / 2];
  const halve = (data: Float32Array) =>
    Float64Array.from({ length: width * height }, (_, i) => {
      const at = 2 * Math.floor(i / width) * photo.width + 2 * (i % width);
      return (data[at]! + data[at + 1]! + data[at + photo.width]! + data[at + photo.width + 1]!) / 4;
    });
  const mean = (data: Plane) => boxMean({ data, width, height }, Math.round(radius / 2));
  const product = (one: Plane, other: Plane) => mean(one.map((value, i) => value * other[i]!));
  const colours = photo.planes.map(halve);
  const p = halve(plane);
  const [mr, mg, mb, mp] = [...colours, p].map(mean) as [Plane, Plane, Plane, Plane];
  const [rp, gp, bp] = colours.map((colour) => product(colour, p)) as [Plane, Plane, Plane];
  const [red, green, blue] = colours as [Plane, Plane, Plane];
  const [rr, rg, rb] = [product(red, red), product(red, green), product(red, blue)];
  const [gg, gb, bb] = [product(green, green), product(green, blue), product(blue, blue)];
  const coefficients = [0, 1, 2, 3].map(() => new Float64Array(width * height));
  for (let i = 0; i < width * height; i++) {
    const means = [mr[i]!, mg[i]!, mb[i]!];
    const [x, y, z] = solve(
      [
        [rr[i]! - mr[i]! ** 2 + epsilon, rg[i]! - mr[i]! * mg[i]!, rb[i]! - mr[i]! * mb[i]!],
        [rg[i]! - mr[i]! * mg[i]!, gg[i]! - mg[i]! ** 2 + epsilon, gb[i]! - mg[i]! * mb[i]!],
        [rb[i]! - mr[i]! * mb[i]!, gb[i]! - mg[i]! * mb[i]!, bb[i]! - mb[i]! ** 2 + epsilon],
      ],
      [rp[i]! - mr[i]! * mp[i]!, gp[i]! - mg[i]! * mp[i]!, bp[i]! - mb[i]! * mp[i]!],
    );
    const offset = mp[i]! - x * means[0]! - y * means[1]! - z * means[2]!;
    for (const [k, value] of [x, y, z, offset].entries()) coefficients[k]![i] = value;
  }
  const full = coefficients.map((values) =>
    filterSeparably({ data: mean(values), width, height }, photo, (place) => {
      const at = Math.max(0, (place + 0.5) / 2 - 0.5);
      const first = Math.floor(at);
      return { first, weights: [1 - (at - first), at - first] };
    }),
  );
  return [
    Float64Array.from({ length: photo.width * photo.height }, (_, i) => {
      const [red, green, blue] = photo.planes;
      const sum = full[0]![i]! * red[i]! + full[1]![i]! * green[i]! + full[2]![i]! * blue[i]! + full[3]![i]!;
      return limit(sum, 0, 1);
    }),
  ];
}

/** Three equations, by Cramer's rule. */
function solve(m: number[][], right: number[]): [number, number, number] {
  const determinant = (a: number[], b: number[], c: number[]) =>
    a[0]! * (b[1]! * c[2]! - b[2]! * c[1]!) -
    b[0]! * (a[1]! * c[2]! - a[2]! * c[1]!) +
    c[0]! * (a[1]! * b[2]! - a[2]! * b[1]!);
  const [a, b, c] = m as [number[], number[], number[]];
  const whole = determinant(a, b, c);
  return [
    determinant(right, b, c) / whole,
    determinant(a, right, c) / whole,
    determinant(a, b, right) / whole,
  ];
}

const white = [0.95047, 1, 1.08883];
const toXyz = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
];
const toRgb = [
  [3.2404542, -1.5371385, -0.4985314],
  [-0.969266, 1.8760108, 0.041556],
  [0.0556434, -0.2040259, 1.0572252],
];
const times = (matrix: number[][], [x, y, z]: number[]) =>
  matrix.map((row) => row[0]! * x! + row[1]! * y! + row[2]! * z!);

function convertPixels(planes: readonly Float32Array[], convert: (values: number[]) => number[]): Plane[] {
  const made = planes.map((plane) => new Float64Array(plane.length));
  for (let i = 0; i < planes[0]!.length; i++) {
    for (const [c, value] of convert(planes.map((plane) => plane[i]!)).entries()) made[c]![i] = value;
  }
  return made;
}

export function computeToLab({ planes }: Photo): Plane[] {
  return convertPixels(planes, (rgb) => {
    const light = rgb.map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    const [x, y, z] = times(toXyz, light).map((value, c) => {
      const t = value / white[c]!;
      return t <= 0.008856 ? 7.787 * t + 16 / 116 : Math.cbrt(t);
    }) as [number, number, number];
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
  });
}

export function computeFromLab({ planes }: Photo): Plane[] {
  return convertPixels(planes, ([lightness, a, b]) => {
    const y = (lightness! + 16) / 116;
    const xyz = [y + a! / 500, y, y - b! / 200].map(
      (f, c) => (f > 0.206893 ? f ** 3 : (f - 16 / 116) / 7.787) * white[c]!,
    );
    return times(toRgb, xyz).map((v) =>
      limit(v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055, 0, 1),
    );
  });
}

/** Catmull-Rom. */
export function computeRemap({ photo, x, y }: Remap): Plane[] {
  const { width, height } = photo;
  return photo.planes.map((plane) =>
    Float64Array.from(x, (place, i) => {
      const [left, top] = [Math.floor(place), Math.floor(y[i]!)];
      let sum = 0;
      for (let j = -1; j < 3; j++) {
        for (let k = -1; k < 3; k++) {
          const at = limit(top + j, 0, height - 1) * width + limit(left + k, 0, width - 1);
          sum += plane[at]! * catmullRom(left + k - place) * catmullRom(top + j - y[i]!);
        }
      }
      return limit(sum, 0, 1);
    }),
  );
}

/** Bilinear, through places that are bilinear between the nodes. */
export function computeLayerRemap({ layer, density, to, step, columns, x, y }: LayerRemap): Plane[] {
  return layer.planes.map((plane, p) => {
    const reduction = p === 0 ? 1 : 2;
    const width = layer.width / reduction;
    const side = step / reduction;
    // Pixels are told by their middles; colour lies on even columns, and between two rows.
    const shiftX = (0.5 * density - 0.5) / reduction;
    const shiftY = 0.5 * density - 0.5;
    const across = to.width / reduction;
    return Float64Array.from({ length: across * (to.height / reduction) }, (_, i) => {
      const [u, v] = [(i % across) / side, Math.floor(i / across) / side];
      const n = Math.floor(v) * columns + Math.floor(u);
      const place = (nodes: Float32Array) =>
        interpolate(nodes, n, columns, u % 1, v % 1) * (density / reduction);
      const [px, py] = [place(x) + shiftX, place(y) + shiftY];
      return interpolate(plane, Math.floor(py) * width + Math.floor(px), width, px % 1, py % 1);
    });
  });
}

function interpolate(values: ArrayLike<number>, at: number, below: number, u: number, v: number): number {
  const upper = values[at]! + (values[at + 1]! - values[at]!) * u;
  const lower = values[at + below]! + (values[at + below + 1]! - values[at + below]!) * u;
  return upper + (lower - upper) * v;
}
