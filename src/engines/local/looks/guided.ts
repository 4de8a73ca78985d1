import type { Picture } from '../picture.ts';
import { boxMean, channel, enlarge, luma, newPicture, newPlane, type Plane, shrink } from './plane.ts';
import { within } from './tone.ts';

/**
 * Edge-preserving smoothing: a guided filter (He et al.) with lightness as the guide of all three channels, its
 * coefficients found at half size. `contrast` is how strong an edge has to be to stay. A colour guide would also keep
 * edges between colours of one lightness, for a 3 × 3 system at every pixel.
 */
export function smoothKeepingEdges(picture: Picture, radius: number, contrast: number): Picture {
  const epsilon = contrast * contrast;
  const { width, height } = picture;
  const fullGuide = luma(picture);
  const guide = shrink(fullGuide, 2);
  const reach = Math.max(1, Math.round(radius / 2));
  const mean = boxMean(guide, reach);
  const square = boxMean(product(guide, guide), reach);
  const result = newPicture(width, height);
  for (const index of [0, 1, 2] as const) {
    const full = channel(picture, index);
    const small = shrink(full, 2);
    const level = boxMean(small, reach);
    const both = boxMean(product(guide, small), reach);
    const slope = newPlane(guide.width, guide.height);
    const offset = newPlane(guide.width, guide.height);
    for (let i = 0; i < slope.data.length; i++) {
      const m = mean.data[i]!;
      const variance = Math.max(0, square.data[i]! - m * m);
      const a = (both.data[i]! - m * level.data[i]!) / (variance + epsilon);
      slope.data[i] = a;
      offset.data[i] = level.data[i]! - a * m;
    }
    const a = enlarge(boxMean(slope, reach), width, height, 2).data;
    const b = enlarge(boxMean(offset, reach), width, height, 2).data;
    const out = result.planes[index];
    const light = fullGuide.data;
    for (let i = 0; i < out.length; i++) out[i] = within(a[i]! * light[i]! + b[i]!);
  }
  return result;
}

/** The same for one plane, guided by itself. */
export function smoothPlane(plane: Plane, radius: number, contrast: number): Plane {
  const { width, height } = plane;
  const small = shrink(plane, 2);
  const reach = Math.max(1, Math.round(radius / 2));
  const mean = boxMean(small, reach);
  const square = boxMean(product(small, small), reach);
  const slope = square;
  const offset = newPlane(small.width, small.height);
  for (let i = 0; i < offset.data.length; i++) {
    const m = mean.data[i]!;
    const variance = Math.max(0, square.data[i]! - m * m);
    const a = variance / (variance + contrast * contrast);
    slope.data[i] = a;
    offset.data[i] = m * (1 - a);
  }
  const result = enlarge(boxMean(slope, reach), width, height, 2);
  const b = enlarge(boxMean(offset, reach), width, height, 2).data;
  const { data } = result;
  for (let i = 0; i < data.length; i++) data[i] = within(data[i]! * plane.data[i]! + b[i]!);
  return result;
}

function product(a: Plane, b: Plane): Plane {
  const result = newPlane(a.width, a.height);
  for (let i = 0; i < result.data.length; i++) result.data[i] = a.data[i]! * b.data[i]!;
  return result;
}
