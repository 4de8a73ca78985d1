import type { Face } from '../faces/face.ts';
import { moveFace } from '../faces/face-outline.ts';
import { keepConnected } from '../matting/connected-parts.ts';
import type { PeoplePhoto } from '../matting/people.ts';
import { silhouetteOf } from '../matting/silhouette.ts';
import { reduce } from '../pixels/reduce.ts';
import { findRegions } from '../pixels/regions.ts';
import { clamp } from '../pixels/scalar.ts';

/**
 * The people of a photo as cut-outs that can be moved by themselves, from left to right: one for each connected part of
 * the matte that holds a face. People who touch stay together.
 */
export function separatePeople(people: PeoplePhoto): PeoplePhoto[] {
  const { matte, faces } = people;
  if (faces.length < 2) return [people];
  const half = reduce(matte, 2);
  const { labels } = findRegions(half, 0.5, 'above');
  const parts = new Map<number, Face[]>();
  for (const face of faces) {
    const x = clamp(Math.round(face.center.x / matte.factor / 2), 0, half.width - 1);
    const y = clamp(Math.round(face.center.y / matte.factor / 2), 0, half.height - 1);
    const label = labels[y * half.width + x]!;
    // A face outside of the matte belongs to nobody's part.
    if (label === 0) return [people];
    parts.set(label, [...(parts.get(label) ?? []), face]);
  }
  if (parts.size < 2) return [people];
  return [...parts.values()]
    .sort((a, b) => a[0]!.center.x - b[0]!.center.x)
    .map((own) => {
      const data = Float32Array.from(matte.data);
      const part = {
        ...matte,
        data,
        coverage: own.map((face) => matte.coverage[faces.indexOf(face)] ?? 1),
        confidence: own.map((face) => matte.confidence[faces.indexOf(face)]!),
      };
      keepConnected(
        part,
        own.map((face) => moveFace(face, { scale: 1 / matte.factor, x: 0, y: 0 })),
      );
      const { sureTo } = people.silhouette;
      const silhouette = { ...silhouetteOf(part), ...(sureTo === undefined ? {} : { sureTo }) };
      return { ...people, faces: own, matte: part, silhouette };
    });
}
