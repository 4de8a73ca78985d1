import type { Face } from '../faces/face.ts';
import { distanceToFace, medianHeight } from '../faces/face-outline.ts';
import { selfieMulticlass } from '../models/models.ts';
import { boxMean } from '../pixels/box-mean.ts';
import { guidedFilter } from '../pixels/guided-filter.ts';
import type { Picture } from '../pixels/picture.ts';
import { type Plane, planeOf } from '../pixels/plane.ts';
import { type ReducedPlane, readReduced } from '../pixels/reduce.ts';
import { mix, smoothstep } from '../pixels/scalar.ts';
import { allocate, withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

interface Voted {
  /** 1 where the networks' vote is a person. */
  solid: Plane;
  /** How near hair is, from 0 to 1. */
  hair: ReducedPlane;
  /** Without the filter that follows the photo's own edges. */
  fast: boolean;
}

/**
 * Settles a matte by the vote, in place. Well inside of what was voted everything is person, well outside nothing is.
 * Between them the matte keeps its soft edge where it has one there; where it has none, it gets the photo's own edge.
 * Around heads the matte is right about hair.
 */
export function settleEdges(
  matte: Plane,
  photo: Picture,
  faces: readonly Face[],
  { solid, hair, fast }: Voted,
): void {
  const { width, height, data: alpha } = matte;
  const unit = medianHeight(faces);
  // As uncertain as the classes' own pixels are wide.
  const radius = Math.max((0.9 * Math.max(width, height)) / selfieMulticlass.input.size![0], 0.04 * unit);
  withArena(() => {
    const share = boxMean(solid, radius).data;
    const apart = allocate(alpha.length);
    forRows(apartRows, height, { alpha, solid: solid.data, width }, { apart });
    const dissent = boxMean(planeOf(apart, matte), 1.5 * radius).data;
    const edge = fast
      ? share
      : guidedFilter({ guide: photo, plane: solid, radius: 1.5 * radius, epsilon: 1e-4 }).data;
    const settled = allocate(alpha.length);
    forRows(settleRows, height, { alpha, share, dissent, edge, hair, faces, width }, { settled });
    alpha.set(settled);
  });
}

export function apartRows(
  { alpha, solid, width }: { alpha: Float32Array; solid: Float32Array; width: number },
  { apart }: { apart: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) apart[i] = Math.abs(alpha[i]! - solid[i]!);
}

interface Edges {
  alpha: Float32Array;
  /** The share of the vote around each pixel. */
  share: Float32Array;
  /** How far the matte is from the vote there. */
  dissent: Float32Array;
  /** The vote's border along the photo's own edges. */
  edge: Float32Array;
  hair: ReducedPlane;
  faces: readonly Face[];
  width: number;
}

export function settleRows(
  { alpha, share, dissent, edge, hair, faces, width }: Edges,
  { settled }: { settled: Float32Array },
  from: number,
  to: number,
): void {
  for (let y = from, i = from * width; y < to; y++) {
    for (let x = 0; x < width; x++, i++) {
      const inner = smoothstep(0.75, 0.97, share[i]!);
      if (inner === 1) {
        settled[i] = 1;
        continue;
      }
      if (share[i]! < 0.03 && alpha[i]! < 0.004) {
        settled[i] = 0;
        continue;
      }
      const head = Math.max(smoothstep(1.1, 0.8, distanceToFace(faces, x, y)), readReduced(hair, x, y));
      // Hair flies further than the classes tell. What is joined to nobody is dropped later.
      const outer = Math.max(smoothstep(0.03, 0.25, share[i]!), head);
      const sharp = smoothstep(0.1, 0.3, dissent[i]!) * (1 - head);
      // The filter's answer is soft where colours are alike on both sides; there is no soft edge on cloth.
      const rim = mix(alpha[i]!, smoothstep(0.2, 0.8, edge[i]!), sharp);
      settled[i] = Math.max(inner, rim * outer);
    }
  }
}
