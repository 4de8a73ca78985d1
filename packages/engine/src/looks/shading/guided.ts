import { type SoftPlane, softRow } from '../../pixels/blur.ts';
import type { Picture } from '../../pixels/picture.ts';
import { withArena } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';
import { boxMean, channel, luma, openPicture, openPlane, type Plane, shrink } from './plane.ts';
import { within } from './tone.ts';

const forRows = rowsOf(import.meta.url);

/**
 * Edge-preserving smoothing: a guided filter (He et al.) with lightness as the guide of all three channels, its
 * coefficients found at half size. `contrast` is how strong an edge has to be to stay. A colour guide would also keep
 * edges between colours of one lightness, for a 3 × 3 system at every pixel.
 */
export function smoothKeepingEdges(picture: Picture, radius: number, contrast: number): Picture {
  const { width, height } = picture;
  return withArena(() => {
    const fullGuide = luma(picture);
    const guide = shrink(fullGuide, 2);
    const reach = Math.max(1, Math.round(radius / 2));
    const mean = boxMean(guide, reach);
    const square = boxMean(product(guide, guide), reach);
    const result = openPicture(width, height);
    for (const index of [0, 1, 2] as const) {
      withArena(() => {
        const small = shrink(channel(picture, index), 2);
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
    const small = shrink(plane, 2);
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
    const result = openPlane(width, height);
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
  }: { width: number; slope: SoftPlane; offset: SoftPlane; guide: Float32Array },
  { out }: { out: Float32Array },
  from: number,
  to: number,
): void {
  const slopes = new Float32Array(width);
  const offsets = new Float32Array(width);
  for (let y = from; y < to; y++) {
    softRow(slope, y, slopes, 0, width);
    softRow(offset, y, offsets, 0, width);
    for (let x = 0, i = y * width; x < width; x++, i++) out[i] = within(slopes[x]! * guide[i]! + offsets[x]!);
  }
}

function halved({ width, height, data }: Plane): SoftPlane {
  return { plane: data, width, height, factor: 2 };
}

function product(a: Plane, b: Plane): Plane {
  const result = openPlane(a.width, a.height);
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
