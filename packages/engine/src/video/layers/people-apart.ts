import type { Face } from '../../faces/face.ts';
import type { ReducedPlane } from '../../pixels/reduce.ts';
import { findRegions } from '../../pixels/regions.ts';
import type { Layer } from './layer-warp.ts';

/** People who do not touch, told apart by the pieces of their matte. */
export interface PeopleApart {
  /** How many pieces have a face. */
  pieces: number;
  /** The faces of the piece at a point of the reduced matte, or of the one next to it. */
  facesAt(x: number, y: number): readonly Face[];
}

/** Less of a matte than this is no bridge between two people. */
const leastBridge = 0.08;

/**
 * Tells people apart where there is some background between them all the way; who touches somebody stays one piece
 * with them. Faces are in the frame's pixels, the matte is the layer's, reduced.
 */
export function peopleApart(
  matte: ReducedPlane,
  { left, top, density }: Pick<Layer, 'left' | 'top' | 'density'>,
  faces: readonly Face[],
): PeopleApart {
  const { width, height } = matte;
  const { labels } = findRegions(matte, leastBridge, 'above');
  const byLabel = new Map<number, Face[]>();
  for (const face of faces) {
    const x = Math.floor(((face.center.x + left) * density) / matte.factor);
    const y = Math.floor(((face.center.y + top) * density) / matte.factor);
    const label = x >= 0 && y >= 0 && x < width && y < height ? labels[y * width + x]! : 0;
    byLabel.set(label, [...(byLabel.get(label) ?? []), face]);
  }
  // A face outside of the matte cannot be told from anybody.
  if (byLabel.size < 2 || byLabel.has(0)) return { pieces: 1, facesAt: () => faces };
  const owners = spreadLabels(labels, width, (label) => byLabel.has(label));
  return { pieces: byLabel.size, facesAt: (x, y) => byLabel.get(owners[y * width + x]!)! };
}

/** Every pixel gets the label of the nearest pixel that has one of the given, step by step. */
function spreadLabels(labels: Int32Array, width: number, counts: (label: number) => boolean): Int32Array {
  const owners = labels.map((label) => (label !== 0 && counts(label) ? label : 0));
  let front: number[] = [];
  for (let i = 0; i < owners.length; i++) if (owners[i] !== 0) front.push(i);
  while (front.length > 0) {
    const next: number[] = [];
    const take = (i: number, owner: number) => {
      if (owners[i] !== 0) return;
      owners[i] = owner;
      next.push(i);
    };
    for (const i of front) {
      const owner = owners[i]!;
      const x = i % width;
      if (x > 0) take(i - 1, owner);
      if (x < width - 1) take(i + 1, owner);
      if (i >= width) take(i - width, owner);
      if (i + width < owners.length) take(i + width, owner);
    }
    front = next;
  }
  return owners;
}
