import { boxMean } from '../pixels/box-mean.ts';
import { planeOf } from '../pixels/plane.ts';
import type { ReducedPlane } from '../pixels/reduce.ts';
import { findRegions } from '../pixels/regions.ts';
import { clamp } from '../pixels/scalar.ts';
import type { Check } from './check.ts';
import { findMarkedParts } from './find-parts.ts';
import type { JudgedPicture } from './judged-picture.ts';

/** Parts of people that are joined to no face: a knee beside a barrier, a scrap of a chair. By area, together. */
export const looseParts: Check = {
  name: 'loose part',
  limit: 0.05,
  measure(picture) {
    const loose = findLoose(picture);
    const parts = findMarkedParts(picture, (_, i) => loose[i] === 1);
    return {
      measure: parts.reduce((sum, { size }) => sum + size, 0),
      regions: parts.map(({ region }) => region),
    };
  },
};

/** 1 in the parts that are joined to no face, and a little around them, where their edges are. */
export function markLooseParts(picture: JudgedPicture): ReducedPlane {
  const near = boxMean(planeOf(findLoose(picture), picture), 1);
  return {
    ...planeOf(
      near.data.map((share) => (share > 0 ? 1 : 0)),
      near,
    ),
    factor: picture.factor,
  };
}

function findLoose({ width, height, people, faces }: JudgedPicture): Float32Array {
  const { labels, areas } = findRegions(people, 0.5, 'above');
  const joined = new Set(
    faces.map(({ center }) => {
      const x = clamp(Math.round(center.x), 0, width - 1);
      const y = clamp(Math.round(center.y), 0, height - 1);
      return labels[y * width + x]!;
    }),
  ).add(0);
  const loose = new Float32Array(labels.length);
  if (areas.every((_, label) => joined.has(label))) return loose;
  for (let i = 0; i < labels.length; i++) if (!joined.has(labels[i]!)) loose[i] = 1;
  return loose;
}
