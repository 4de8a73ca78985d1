import type { Face } from '../../faces/face.ts';
import { medianHeight } from '../../faces/face-outline.ts';
import { boxMean } from '../../pixels/box-mean.ts';
import type { Picture } from '../../pixels/picture.ts';
import { planeOf, type Size } from '../../pixels/plane.ts';
import { enlarge, reduce } from '../../pixels/reduce.ts';
import { findRegions } from '../../pixels/regions.ts';
import type { Window } from '../../pixels/resample.ts';
import { clamp, smoothstep } from '../../pixels/scalar.ts';

/** Gaps are looked for on a plane this much smaller. */
const factor = 4;

/** The widest gap that is closed, in face heights: a waist between two arms, not the room between two people. */
const widest = 2;

/**
 * Closes what people enclose, alone or with the plate's lower border: clothes that the matte takes for background tear
 * when they do not move with the rest of them, and a bit of wall in the crook of an arm that does is not noticed. In
 * place; faces are in the plate's pixels.
 */
export function closeGaps(alpha: Float32Array, area: Window, plate: Size, faces: readonly Face[]): void {
  const { width, height } = area;
  const small = reduce({ width, height, data: alpha }, factor);
  const { labels, areas } = findRegions(small, 0.5, 'below');
  const cut = area.y + height >= plate.height;
  const most = (widest * medianHeight(faces)) / factor;
  const enclosed = areas.map(() => true);
  const left = areas.map(() => small.width);
  const right = areas.map(() => 0);
  for (let y = 0, i = 0; y < small.height; y++) {
    for (let x = 0; x < small.width; x++, i++) {
      const label = labels[i]!;
      left[label] = Math.min(left[label]!, x);
      right[label] = Math.max(right[label]!, x);
      if (x === 0 || x === small.width - 1 || y === 0 || (y === small.height - 1 && !cut))
        enclosed[label] = false;
    }
  }
  const gap = new Float32Array(labels.length);
  for (let i = 0; i < gap.length; i++) {
    const label = labels[i]!;
    if (label !== 0 && enclosed[label]! && right[label]! - left[label]! < most) gap[i] = 1;
  }
  // A little more, so that the soft edges around a gap are closed too.
  const wide = boxMean(planeOf(gap, small), 2);
  const filled = enlarge(wide, { width, height }, factor).data;
  for (let i = 0; i < alpha.length; i++) alpha[i] = Math.max(alpha[i]!, clamp(6 * filled[i]!, 0, 1));
}

/**
 * Widens the matte by a soft rim: the glow of an edge and strands that the matte does not know of go with people, where
 * nobody sees them; left behind, they are a line along where people were. Around heads it is wider, for hair.
 */
export function addRim(alpha: Float32Array, area: Window, faces: readonly Face[]): void {
  const { width, height } = area;
  const unit = medianHeight(faces);
  const near = boxMean({ width, height, data: alpha }, clamp(0.016 * unit, 5, 10)).data;
  const hair = boxMean({ width, height, data: alpha }, clamp(0.03 * unit, 4, 13)).data;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (alpha[i] === 1 || (near[i] === 0 && hair[i] === 0)) continue;
      let rim = smoothstep(0.02, 0.3, near[i]!);
      if (rim < 1) rim = Math.max(rim, smoothstep(0.04, 0.45, hair[i]!) * besideHead(area, faces, x, y));
      alpha[i] = Math.max(alpha[i]!, rim);
    }
  }
}

/** How different a colour has to be from what would be behind it to be of people: not at all, certainly. */
const unlike = [0.03, 0.1] as const;

/**
 * Takes back the rim where it holds nothing but what goes on behind it: carried along, a bright room would be a bright
 * line around a dark suit. Pictures are of the whole plate; `alpha` has the rim, `core` is what it was before. In place.
 */
export function settleRim(
  { x: left, y: top, width, height }: Window,
  alpha: Float32Array,
  core: Float32Array,
  plate: Picture,
  behind: Picture,
): void {
  const off = new Float32Array(alpha.length);
  const [red, green, blue] = plate.planes;
  const [redBehind, greenBehind, blueBehind] = behind.planes;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0, at = (y + top) * plate.width + left; x < width; x++, i++, at++) {
      if (alpha[i]! <= core[i]!) continue;
      off[i] = Math.max(
        Math.abs(red[at]! - redBehind[at]!),
        Math.abs(green[at]! - greenBehind[at]!),
        Math.abs(blue[at]! - blueBehind[at]!),
      );
    }
  }
  const around = boxMean({ width, height, data: off }, 1).data;
  for (let i = 0; i < alpha.length; i++) {
    if (alpha[i]! <= core[i]!) continue;
    const own = smoothstep(unlike[0], unlike[1], Math.max(around[i]!, 0.7 * off[i]!));
    alpha[i] = core[i]! + (alpha[i]! - core[i]!) * own;
  }
}

function besideHead({ x: left, y: top }: Window, faces: readonly Face[], x: number, y: number): number {
  let nearest = Infinity;
  for (const { center, height } of faces) {
    nearest = Math.min(nearest, Math.hypot(x + left - center.x, y + top - center.y) / height);
  }
  return smoothstep(1.8, 1.3, nearest);
}
