import type { Face } from '../faces/face.ts';
import { pointOf } from '../faces/face-outline.ts';
import type { Window } from '../pixels/resample.ts';
import { clamp, smoothstep } from '../pixels/scalar.ts';

/**
 * The network takes irises that look elsewhere in the next shot for two things, of which one fades while the other
 * appears; halfway eyes are pale or crossed. Eyes do not move like that: the gaze jumps within a frame. So each eye is
 * shown as it is in the nearer of the two shots, between lids that move from the one to the other.
 */

/** The points of the mesh around each eye, its outer corner first and its inner one ninth. */
const rings = [
  [33, 7, 163, 144, 145, 153, 154, 155, 133, 173, 157, 158, 159, 160, 161, 246],
  [263, 249, 390, 373, 374, 380, 381, 382, 362, 398, 384, 385, 386, 387, 388, 466],
] as const;
const innerCorner = 8;

/** The points around one eye, x and y in turns. */
export type EyeRing = Float32Array;

/** Of faces that are turned aside further than this, in radians, the far eye is guessed. */
const mostYaw = 0.6;

/** The eyes of everybody on a clip, in the order of their faces. Null for an eye that is not seen well. */
export function eyesOf(faces: readonly Face[]): (EyeRing | null)[] {
  return faces.flatMap((face) =>
    rings.map((ring) => {
      if (Math.abs(face.yaw) > mostYaw) return null;
      return Float32Array.from(
        ring.flatMap((index) => {
          const { x, y } = pointOf(face, index);
          return [x, y];
        }),
      );
    }),
  );
}

/** An eye between two shots. */
export interface MovingEye {
  /** The part of the clip that it reaches, in whole pixels. */
  area: Window;
  /** Whether it is shown as in the first shot. */
  fromFirst: boolean;
  center: { x: number; y: number };
  /** Along the eye, of length 1; and half its width and height. */
  axis: { x: number; y: number };
  half: { width: number; height: number };
  /** Where a point of the clip lies in the shot: across by the first three, down by the others. */
  toShot: readonly [number, number, number, number, number, number];
}

/** Where the share of the eye begins to fall, and where it ends, in halves of its size. */
const solid = 1.2;
const end = 2;

/** The least height of what moves with an eye, as a share of its width: a lid that closes takes lashes along. */
const leastHeight = 0.4;

/** The eyes that both shots show, at a time between them. */
export function eyesBetween(
  first: readonly (EyeRing | null)[],
  last: readonly (EyeRing | null)[],
  time: number,
): MovingEye[] {
  return first.flatMap((from, i) => {
    const to = last[i];
    if (!from || !to) return [];
    const ring = from.map((value, k) => value + (to[k]! - value) * time);
    return [moveEye(ring, time < 0.5 ? from : to, time < 0.5)];
  });
}

function moveEye(ring: EyeRing, shot: EyeRing, fromFirst: boolean): MovingEye {
  const center = { x: meanOf(ring, 0), y: meanOf(ring, 1) };
  const across = { x: ring[2 * innerCorner]! - ring[0]!, y: ring[2 * innerCorner + 1]! - ring[1]! };
  const width = Math.hypot(across.x, across.y);
  const axis = { x: across.x / width, y: across.y / width };
  let height = 0;
  for (let k = 0; k < ring.length; k += 2) {
    const away = Math.abs((ring[k + 1]! - center.y) * axis.x - (ring[k]! - center.x) * axis.y);
    height = Math.max(height, away);
  }
  const half = { width: width / 2, height: Math.max(height, (leastHeight * width) / 2) };
  const reach = Math.ceil(end * half.width);
  const area = {
    x: Math.floor(center.x) - reach,
    y: Math.floor(center.y) - reach,
    width: 2 * reach + 1,
    height: 2 * reach + 1,
  };
  return { area, fromFirst, center, axis, half, toShot: affineBetween(ring, shot) };
}

function meanOf(ring: EyeRing, offset: 0 | 1): number {
  let sum = 0;
  for (let k = offset; k < ring.length; k += 2) sum += ring[k]!;
  return (2 * sum) / ring.length;
}

/** The affine map that brings one ring nearest to another, by least squares. */
function affineBetween(from: EyeRing, to: EyeRing): MovingEye['toShot'] {
  const [fx, fy, tx, ty] = [meanOf(from, 0), meanOf(from, 1), meanOf(to, 0), meanOf(to, 1)];
  let [xx, xy, yy, xu, yu, xv, yv] = [0, 0, 0, 0, 0, 0, 0];
  for (let k = 0; k < from.length; k += 2) {
    const [x, y] = [from[k]! - fx, from[k + 1]! - fy];
    const [u, v] = [to[k]! - tx, to[k + 1]! - ty];
    xx += x * x;
    xy += x * y;
    yy += y * y;
    xu += x * u;
    yu += y * u;
    xv += x * v;
    yv += y * v;
  }
  // Of an eye that is nearly closed, hardly anything is known across its lids.
  const steady = 1e-3 * (xx + yy);
  const [p, q] = [xx + steady, yy + steady];
  const det = p * q - xy * xy;
  const [a, b] = [(q * (xu + steady) - xy * yu) / det, (p * yu - xy * (xu + steady)) / det];
  const [c, d] = [(q * xv - xy * (yv + steady)) / det, (p * (yv + steady) - xy * xv) / det];
  return [a, b, tx - a * fx - b * fy, c, d, ty - c * fx - d * fy];
}

/**
 * Lets a pixel near an eye move with it, in place: `flow` is where it lies in both shots, away from `x` and `y`, and the
 * share of the first. Returns whether the eye reaches it.
 */
export function moveWithEye(eye: MovingEye, x: number, y: number, flow: Float32Array): boolean {
  const { center, axis, half, toShot, fromFirst } = eye;
  const [dx, dy] = [x - center.x, y - center.y];
  const along = (dx * axis.x + dy * axis.y) / half.width;
  const across = (dy * axis.x - dx * axis.y) / half.height;
  const share = 1 - smoothstep(solid, end, Math.hypot(along, across));
  if (share <= 0) return false;
  const [a, b, c, d, e, f] = toShot;
  const at = fromFirst ? 0 : 2;
  flow[at] = flow[at]! + (a * x + b * y + c - x - flow[at]!) * share;
  flow[at + 1] = flow[at + 1]! + (d * x + e * y + f - y - flow[at + 1]!) * share;
  flow[4] = clamp(flow[4]! + ((fromFirst ? 1 : 0) - flow[4]!) * share, 0, 1);
  return true;
}
