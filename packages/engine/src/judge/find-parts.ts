import { boxMean } from '../pixels/box-mean.ts';
import { type Plane, planeOf, type Size } from '../pixels/plane.ts';
import { findRegions } from '../pixels/regions.ts';
import type { Window } from '../pixels/resample.ts';
import type { OutlinePoint } from './outline.ts';

/** A connected part of a picture: its area in squared face heights, or a run of an outline in face heights. */
export interface Part {
  size: number;
  region: Window;
}

/** People in a picture, or a part of one: the unit of every length is a face height. */
interface ShownPeople extends Size {
  unit: number;
  people: Plane;
}

/** Parts as thin as the edge of a network's mask, in face heights to both sides, are none. */
const thinness = 0.03;
/** The share of such a square that has to be marked. */
const leastMarked = 0.7;

/** The connected parts of what is marked, the largest first. */
export function findMarkedParts(
  picture: ShownPeople,
  isMarked: (alpha: number, i: number) => boolean,
): Part[] {
  const { people, unit } = picture;
  const marked = people.data.map((alpha, i) => (isMarked(alpha, i) ? 1 : 0));
  if (!marked.includes(1)) return [];
  const broad = boxMean(planeOf(marked, picture), Math.max(1, thinness * unit));
  const { labels, areas } = findRegions(broad, leastMarked, 'above');
  const sizes = areas.map((area) => area / (unit * unit));
  return partsOf(labels, sizes, picture);
}

/** Points of an outline this near to each other are one run, in face heights. */
const nearness = 0.08;

/** Runs of points of an outline, the longest first. */
export function findRuns(picture: ShownPeople, points: readonly OutlinePoint[]): Part[] {
  if (points.length === 0) return [];
  const { width, height, unit } = picture;
  const marked = new Float32Array(width * height);
  for (const { x, y } of points) marked[y * width + x] = 1;
  const near = boxMean(planeOf(marked, picture), Math.max(1, nearness * unit));
  const { labels, areas } = findRegions(near, 1e-4, 'above');
  const counts = areas.map(() => 0);
  for (const { x, y } of points) counts[labels[y * width + x]!]!++;
  const lengths = counts.map((count) => count / unit);
  return partsOf(labels, lengths, picture);
}

function partsOf(labels: Int32Array, sizes: readonly number[], { width }: Size): Part[] {
  const bounds = sizes.map(() => ({ left: Infinity, right: -1, top: Infinity, bottom: -1 }));
  for (const [i, label] of labels.entries()) {
    if (label === 0) continue;
    const bound = bounds[label]!;
    const x = i % width;
    const y = Math.floor(i / width);
    bound.left = Math.min(bound.left, x);
    bound.right = Math.max(bound.right, x);
    bound.top = Math.min(bound.top, y);
    bound.bottom = Math.max(bound.bottom, y);
  }
  return bounds
    .map(({ left, right, top, bottom }, label) => ({
      size: sizes[label]!,
      region: { x: left, y: top, width: right - left + 1, height: bottom - top + 1 },
    }))
    .slice(1)
    .sort((a, b) => b.size - a.size);
}
