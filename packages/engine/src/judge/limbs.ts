import type { Face } from '../faces/face.ts';
import type { Placement } from '../pixels/plane.ts';
import { clamp } from '../pixels/scalar.ts';
import type { Joint, JointName } from './joints.ts';

/** A straight part of a body between two joints, in pixels of the judged picture. */
export interface Limb {
  name: 'shoulders' | 'upper arm' | 'forearm' | 'hand' | 'side';
  from: { x: number; y: number };
  to: { x: number; y: number };
  /** How sure the network is of both ends. */
  score: number;
}

/** Ends that the network is less sure of are taken for guesses. */
const leastScore = 0.3;

/** A hand reaches this far beyond the wrist, as a share of the forearm. */
const handLength = 0.35;

/** No limb is longer than this many face heights: a joint of somebody else was taken for this person's. */
const longestLimb = 2.6;

const pairs: readonly [Limb['name'], JointName, JointName][] = [
  ['shoulders', 'left shoulder', 'right shoulder'],
  ['upper arm', 'left shoulder', 'left elbow'],
  ['upper arm', 'right shoulder', 'right elbow'],
  ['forearm', 'left elbow', 'left wrist'],
  ['forearm', 'right elbow', 'right wrist'],
  ['side', 'left shoulder', 'left hip'],
  ['side', 'right shoulder', 'right hip'],
];

/** The limbs of somebody with these joints, where a photo is placed like this. */
export function limbsOf(joints: readonly Joint[], face: Face, { scale, x, y }: Placement): Limb[] {
  const byName = new Map(joints.map((joint) => [joint.name, joint]));
  const limbs: Limb[] = [];
  const place = (point: { x: number; y: number }) => ({ x: point.x * scale + x, y: point.y * scale + y });
  for (const [name, first, second] of pairs) {
    const [a, b] = [byName.get(first), byName.get(second)];
    if (!a || !b) continue;
    const score = Math.min(a.score, b.score);
    const longest = (name === 'side' ? 1.8 : 1) * longestLimb * face.height;
    if (score < leastScore || Math.hypot(a.x - b.x, a.y - b.y) > longest) continue;
    limbs.push({ name, from: place(a), to: place(b), score });
    if (name !== 'forearm') continue;
    const tip = { x: b.x + handLength * (b.x - a.x), y: b.y + handLength * (b.y - a.y) };
    limbs.push({ name: 'hand', from: place(b), to: place(tip), score });
  }
  return limbs;
}

/** How far a point is from a limb. */
export function distanceTo({ from, to }: Limb, { x, y }: { x: number; y: number }): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const along = ((x - from.x) * dx + (y - from.y) * dy) / Math.max(1e-6, dx * dx + dy * dy);
  const share = clamp(along, 0, 1);
  return Math.hypot(x - from.x - share * dx, y - from.y - share * dy);
}
