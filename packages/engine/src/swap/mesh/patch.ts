import type { Face } from '../../faces/face.ts';
import { ovalBounds } from '../../faces/face-outline.ts';
import { mapPlanes, type Picture } from '../../pixels/picture.ts';
import { mix } from '../../pixels/scalar.ts';

/** The part of a picture that holds a face, cut out to be worked on and put back. */
export interface Patch {
  picture: Picture;
  /** Where its corner lies in the whole picture. */
  left: number;
  top: number;
}

/** Skin, light and masks are worked out on a face of about this height; they are smooth, so nothing is lost. */
const analysisHeight = 160;

/** By how much a patch is reduced to work out skin, light and masks of its face. */
export function analysisFactor({ height }: Pick<Face, 'height'>): number {
  return Math.max(1, Math.round(height / analysisHeight));
}

/** The face with a margin, as far as the picture reaches. */
export function cutPatch(picture: Picture, face: Face, margin: number): Patch {
  const bounds = ovalBounds(face);
  const left = Math.max(0, Math.floor(bounds.left - margin));
  const top = Math.max(0, Math.floor(bounds.top - margin));
  const width = Math.min(picture.width, Math.ceil(bounds.right + margin)) - left;
  const height = Math.min(picture.height, Math.ceil(bounds.bottom + margin)) - top;
  const planes = mapPlanes(picture.planes, (plane) => {
    const cut = new Float32Array(width * height);
    for (let y = 0; y < height; y++) {
      const from = (y + top) * picture.width + left;
      cut.set(plane.subarray(from, from + width), y * width);
    }
    return cut;
  });
  return { picture: { width, height, planes }, left, top };
}

/** A copy of the picture with the patch put back, and `drawn`, of the patch's size, laid over it by `alpha`. */
export function putPatch(picture: Picture, patch: Patch, drawn: Picture, alpha: Float32Array): Picture {
  const { width, height, planes } = patch.picture;
  const result = mapPlanes(picture.planes, (plane, channel) => {
    const copy = plane.slice();
    const [under, over] = [planes[channel], drawn.planes[channel]];
    for (let y = 0, i = 0; y < height; y++) {
      let at = (y + patch.top) * picture.width + patch.left;
      for (let x = 0; x < width; x++, i++, at++) copy[at] = mix(under[i]!, over[i]!, alpha[i]!);
    }
    return copy;
  });
  return { width: picture.width, height: picture.height, planes: result };
}

/** Points of the whole picture as points of a patch of it that is shown at 1/factor of its size. */
export function pointsInPatch(points: Float32Array, patch: Patch, factor: number): Float32Array {
  const moved = new Float32Array(points.length);
  for (let i = 0; i < points.length; i += 3) {
    moved[i] = (points[i]! - patch.left + 0.5) / factor - 0.5;
    moved[i + 1] = (points[i + 1]! - patch.top + 0.5) / factor - 0.5;
    moved[i + 2] = points[i + 2]! / factor;
  }
  return moved;
}
