import type { Size } from '../../pixels/plane.ts';
import { type Affine, affineField, type Field, newField, samplePlane, smoothPlane } from './field.ts';

/** The points of one face in both frames: x, y after each other. */
export interface FacePair {
  from: Float32Array;
  to: Float32Array;
  /** Goes along as a whole: its features are not brought together. */
  stiff?: boolean;
}

export const reversedPair = (pair: FacePair): FacePair => ({ ...pair, from: pair.to, to: pair.from });

/** Every this many pixels the field around a head is worked out; between them it is smooth enough to interpolate. */
const step = 4;
/** In radii of the face: how far around it the frame goes along with the head. */
const headReach = 2.6;

/**
 * The motion of the whole frame, bent near each face so that its features come to lie on the other's. Around a face
 * its neighbourhood rotates and scales with it as one, hair included, and fades into `base` further out.
 */
export function headField(size: Size, base: Field | Affine, pairs: readonly FacePair[]): Field {
  const ground = 'x' in base ? base : affineField(size, base);
  if (pairs.length === 0) return ground;
  const coarse = { width: Math.ceil(size.width / step) + 1, height: Math.ceil(size.height / step) + 1 };
  const bend = newField(coarse);
  const heads = pairs.map(measure);
  for (let row = 0, i = 0; row < coarse.height; row++) {
    for (let column = 0; column < coarse.width; column++, i++) {
      const x = column * step;
      const y = row * step;
      const near = heads.map((head) => reachOf(head, x, y));
      const total = near.reduce((sum, one) => sum + one, 0);
      if (total < 0.002) continue;
      const at = Math.min(size.height - 1, y) * size.width + Math.min(size.width - 1, x);
      for (const [k, head] of heads.entries()) {
        const share = near[k]! / Math.max(1, total);
        if (share < 0.002) continue;
        const [dx, dy] = headMotion(head, x, y);
        bend.x[i] = bend.x[i]! + share * (dx - ground.x[at]!);
        bend.y[i] = bend.y[i]! + share * (dy - ground.y[at]!);
      }
    }
  }
  const soft = { x: smoothPlane(bend.x, coarse, 1), y: smoothPlane(bend.y, coarse, 1) };
  const field = newField(size);
  for (let row = 0, i = 0; row < size.height; row++) {
    for (let column = 0; column < size.width; column++, i++) {
      const u = column / step;
      const v = row / step;
      field.x[i] = ground.x[i]! + samplePlane(soft.x, coarse.width, coarse.height, u, v);
      field.y[i] = ground.y[i]! + samplePlane(soft.y, coarse.width, coarse.height, u, v);
    }
  }
  return field;
}

interface Head extends FacePair {
  similarity: Affine;
  x: number;
  y: number;
  /** Root mean square distance of the points from their centre. */
  radius: number;
  /** What each point's way differs from the head's as a whole. */
  rest: Float32Array;
}

function measure(pair: FacePair): Head {
  const similarity = fitSimilarity([pair]);
  const { from, to } = pair;
  const count = from.length / 2;
  const rest = new Float32Array(from.length);
  let x = 0;
  let y = 0;
  for (let i = 0; i < from.length; i += 2) {
    x += from[i]! / count;
    y += from[i + 1]! / count;
    if (pair.stiff) continue;
    const [u, v] = applyAffine(similarity, from[i]!, from[i + 1]!);
    rest[i] = to[i]! - u;
    rest[i + 1] = to[i + 1]! - v;
  }
  let square = 0;
  for (let i = 0; i < from.length; i += 2) square += (from[i]! - x) ** 2 + (from[i + 1]! - y) ** 2;
  return { ...pair, similarity, rest, x, y, radius: Math.sqrt(square / count) };
}

/** 1 on the head, falling to 0 around it. */
function reachOf({ x, y, radius }: Head, column: number, row: number): number {
  return 1 / (1 + (Math.hypot(column - x, row - y) / (radius * headReach)) ** 6);
}

/** The motion of the head as a whole, and near each point what that point does on its own. */
function headMotion(head: Head, x: number, y: number): [number, number] {
  const { from, rest, radius } = head;
  let dx = 0;
  let dy = 0;
  let total = 1 / (radius * radius * 0.12) ** 2;
  for (let i = 0; i < from.length; i += 2) {
    const distance = (x - from[i]!) ** 2 + (y - from[i + 1]!) ** 2 + 2;
    const weight = 1 / (distance * distance);
    dx += rest[i]! * weight;
    dy += rest[i + 1]! * weight;
    total += weight;
  }
  const [u, v] = applyAffine(head.similarity, x, y);
  return [u - x + dx / total, v - y + dy / total];
}

export function applyAffine([a, b, c, d, e, f]: Affine, x: number, y: number): [number, number] {
  return [a * x + b * y + c, d * x + e * y + f];
}

/** The rotation, scale and shift that bring the faces nearest to where they are in the other frame. */
export function fitSimilarity(pairs: readonly FacePair[]): Affine {
  const count = pairs.reduce((sum, { from }) => sum + from.length / 2, 0);
  const mean = (points: (pair: FacePair) => Float32Array, offset: number) =>
    pairs.reduce(
      (sum, pair) => sum + points(pair).reduce((s, v, i) => s + (i % 2 === offset ? v : 0), 0),
      0,
    ) / count;
  const [px, py] = [mean((pair) => pair.from, 0), mean((pair) => pair.from, 1)];
  const [qx, qy] = [mean((pair) => pair.to, 0), mean((pair) => pair.to, 1)];
  let along = 0;
  let across = 0;
  let spread = 0;
  for (const { from, to } of pairs) {
    for (let i = 0; i < from.length; i += 2) {
      const [ax, ay] = [from[i]! - px, from[i + 1]! - py];
      const [bx, by] = [to[i]! - qx, to[i + 1]! - qy];
      along += ax * bx + ay * by;
      across += ax * by - ay * bx;
      spread += ax * ax + ay * ay;
    }
  }
  const a = along / spread;
  const b = across / spread;
  return [a, -b, qx - a * px + b * py, b, a, qy - b * px - a * py];
}
