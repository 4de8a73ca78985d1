import { boxMean } from '../pixels/box-mean.ts';
import { planeOf } from '../pixels/plane.ts';
import type { Check } from './check.ts';
import { findRuns } from './find-parts.ts';
import type { JudgedPicture } from './judged-picture.ts';
import type { OutlinePoint } from './outline.ts';

/** How far from the outline colours are compared, and the radius of what is averaged there, in face heights. */
const reach = 0.05;
const radius = 0.02;

/** Colours that differ by less, in CIE Lab, are the same: there is no edge between them. */
const leastEdge = 8;

/**
 * Where people end in the picture without an edge in the photo: the outline goes through a sleeve, or through background
 * that stayed with it. Hair has no edge of its own and is not looked at. By length, together.
 */
export const unsureOutline: Check = {
  name: 'unsure outline',
  limit: 3,
  measure(picture) {
    const points = findWithoutEdge(picture);
    const [longest] = findRuns(picture, points);
    return { measure: points.length / picture.unit, regions: longest ? [longest.region] : [] };
  },
};

function findWithoutEdge(picture: JudgedPicture): OutlinePoint[] {
  const { width, height, unit, hair, inPhoto, photo } = picture;
  const soften = (plane: Float32Array) =>
    boxMean(planeOf(plane, picture), Math.max(1, Math.round(radius * unit))).data.slice();
  const [lightness, a, b] = [soften(photo.lightness), soften(photo.a), soften(photo.b)];
  const at = ({ x, y, out }: OutlinePoint, by: number) => {
    const column = Math.round(x + by * unit * out.x);
    const row = Math.round(y + by * unit * out.y);
    return column < 0 || row < 0 || column >= width || row >= height ? -1 : row * width + column;
  };
  return picture.outline.filter((point) => {
    if (hair[point.y * width + point.x]! >= 0.3) return false;
    const [inside, outside] = [at(point, -reach), at(point, reach)];
    if (inside < 0 || outside < 0 || inPhoto[outside] === 0) return false;
    const difference = Math.hypot(
      lightness[inside]! - lightness[outside]!,
      a[inside]! - a[outside]!,
      b[inside]! - b[outside]!,
    );
    return difference < leastEdge;
  });
}
