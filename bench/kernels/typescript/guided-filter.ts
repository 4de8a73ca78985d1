import { channelsOf, type Picture, type Planes } from '@guise/engine/pixels/picture.ts';
import { allocatePlane, type Plane } from '@guise/engine/pixels/plane.ts';
import { type ReducedPlane, reduce, reducePicture, rowReader } from '@guise/engine/pixels/reduce.ts';
import { clamp } from '@guise/engine/pixels/scalar.ts';
import { allocate, withArena } from '@guise/engine/runtime/arena.ts';
import { rowsOf } from '@guise/engine/runtime/parallel-rows.ts';
import { boxMean } from './box-mean.ts';

/**
 * The guided filter of He, Sun and Tang (2013). In every window the plane is fitted by a linear function of the guide;
 * the means of those functions over all windows that hold a pixel are applied to the guide there. So the result is as
 * smooth as the guide and has its edges. Fitted at half size.
 */

const forRows = rowsOf(import.meta.url);

const factor = 2;

interface GuidedFilter {
  /** As large as the plane. */
  guide: Picture;
  plane: Plane;
  /** Half of a window's side. */
  radius: number;
  /** The variance below which a window counts as flat. */
  epsilon: number;
}

/** Makes a soft plane follow the edges of a picture, between colours of one lightness too. */
export function guidedFilter({ guide, plane, radius, epsilon }: GuidedFilter): Plane {
  return withArena(() => {
    const reach = reachOf(radius);
    const [red, green, blue] = channelsOf(reducePicture(guide, factor));
    const small = reduce(plane, factor);
    const means = [red, green, blue, small].map((values) => boxMean(values, reach).data);
    const products = [
      [red, small],
      [green, small],
      [blue, small],
      [red, red],
      [red, green],
      [red, blue],
      [green, green],
      [green, blue],
      [blue, blue],
    ].map(([a, b]) => meanProduct(a!, b!, reach).data);
    const slopes = [allocatePlane(small), allocatePlane(small), allocatePlane(small)];
    const offset = allocatePlane(small);
    forRows(
      fitColourRows,
      small.height,
      { width: small.width, means, products, epsilon },
      { slopes: slopes.map(({ data }) => data), offset: offset.data },
    );
    return applyFit(channelsOf(guide), { slopes, offset }, reach);
  });
}

/** Half of a window's side, at the size of the fit. */
function reachOf(radius: number): number {
  return Math.max(1, Math.round(radius / factor));
}

function meanProduct(a: Plane, b: Plane, reach: number): Plane {
  return withArena(() => {
    const product = allocatePlane(a);
    forRows(productRows, a.height, { width: a.width, a: a.data, b: b.data }, { product: product.data });
    return boxMean(product, reach);
  });
}

export function productRows(
  { width, a, b }: { width: number; a: Float32Array; b: Float32Array },
  { product }: { product: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) product[i] = a[i]! * b[i]!;
}

/** What the plane is in every window: the guide's channels times their slopes, plus the offset. */
interface Fit {
  slopes: readonly Plane[];
  offset: Plane;
}

interface ColourFitInput {
  width: number;
  epsilon: number;
  /** Of red, green, blue and the plane. */
  means: readonly Float32Array[];
  /** Means of products: of each channel with the plane, then of the channels with one another. */
  products: readonly Float32Array[];
}

/** The slopes solve the system of the channels' covariance matrix, by its inverse. */
export function fitColourRows(
  { width, means, products, epsilon }: ColourFitInput,
  { slopes, offset }: { slopes: readonly Float32Array[]; offset: Float32Array },
  from: number,
  to: number,
): void {
  const [meanRed, meanGreen, meanBlue, meanPlane] = means;
  const [rp, gp, bp, rr, rg, rb, gg, gb, bb] = products;
  const [ofRed, ofGreen, ofBlue] = slopes;
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
    offset[i] = mp - x * mr - y * mg - q * mb;
  }
}

/** Applies the mean of the windows around each pixel to the guide at its full size. */
function applyFit(guide: readonly Plane[], fit: Fit, reach: number): Plane {
  const { width, height } = guide[0]!;
  const mean = (values: Plane): ReducedPlane => ({ ...boxMean(values, reach), factor });
  return withArena(() => {
    const result = allocate(width * height);
    const channels = guide.map(({ data }) => data);
    const input = { width, channels, slopes: fit.slopes.map(mean), offset: mean(fit.offset) };
    forRows(applyColourRows, height, input, { result });
    return { width, height, data: result };
  });
}

interface ApplyInput {
  width: number;
  channels: readonly Float32Array[];
  slopes: readonly ReducedPlane[];
  offset: ReducedPlane;
}

export function applyColourRows(
  { width, channels, slopes, offset }: ApplyInput,
  { result }: { result: Float32Array },
  from: number,
  to: number,
): void {
  const [red, green, blue] = channels as Planes;
  const [readRed, readGreen, readBlue] = slopes.map((slope) => rowReader(slope, width));
  const readOffsets = rowReader(offset, width);
  for (let y = from; y < to; y++) {
    const a = readRed!(y);
    const b = readGreen!(y);
    const c = readBlue!(y);
    const offsets = readOffsets(y);
    for (let x = 0, i = y * width; x < width; x++, i++) {
      result[i] = clamp(a[x]! * red[i]! + b[x]! * green[i]! + c[x]! * blue[i]! + offsets[x]!, 0, 1);
    }
  }
}
