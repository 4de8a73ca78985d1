import type { Face } from '../../faces/face.ts';
import { clamp, smoothstep } from '../../pixels/scalar.ts';
import type { FaceMotion } from './gesture-course.ts';

/** How far each part of a head goes when a motion is done, in pixels, on a lattice over the frame at rest. */
export interface Displacement {
  left: number;
  top: number;
  step: number;
  columns: number;
  rows: number;
  x: Float32Array;
  y: Float32Array;
}

/** Reads a displacement into `out`; beyond its lattice nothing moves. */
export function readDisplacement(field: Displacement, x: number, y: number, out: Float32Array): boolean {
  const { left, top, step, columns, rows } = field;
  const u = (x - left) / step;
  const v = (y - top) / step;
  if (!(u >= 0 && v >= 0 && u < columns - 1 && v < rows - 1)) return false;
  const i = Math.floor(u);
  const j = Math.floor(v);
  const at = j * columns + i;
  const [a, b] = [u - i, v - j];
  out[0] = bilinear(field.x, at, columns, a, b);
  out[1] = bilinear(field.y, at, columns, a, b);
  return true;
}

function bilinear(values: Float32Array, at: number, columns: number, a: number, b: number): number {
  const upper = values[at]! + (values[at + 1]! - values[at]!) * a;
  const lower = values[at + columns]! + (values[at + columns + 1]! - values[at + columns]!) * a;
  return upper + (lower - upper) * b;
}

/** Nodes of the lattice for one height of a face: features of a mouth are a few of them wide. */
const fineness = 24;

/** How far a head goes round, in radians; more would uncover what the photo does not show. */
const nodAngle = 0.13;
const headTurnAngle = 0.13;

/** Share of its way to the cheek that a corner of the mouth goes. */
const smilePull = 0.2;

interface Point3 {
  x: number;
  y: number;
  z: number;
}

const pointAt = ({ points }: Face, index: number): Point3 => ({
  x: points[3 * index]!,
  y: points[3 * index + 1]!,
  z: points[3 * index + 2]!,
});

const meshPoints = 468;

/** What each point of a mesh does, and what a place far from all of them does. */
interface MeshMotion {
  points: Float32Array;
  /** In face heights: how far around itself a point is followed. */
  reach: number;
  elsewhere(u: number, v: number, out: Float32Array): void;
}

/** How the parts of a head go in a motion; `amount` is signed for a head turn: positive goes to the picture's right. */
export function displacementOf(face: Face, motion: FaceMotion, amount: number): Displacement {
  const { center, height } = face;
  const step = height / fineness;
  const columns = Math.round(2.6 * fineness) + 1;
  const rows = Math.round(2.9 * fineness) + 1;
  const left = center.x - 1.3 * height;
  const top = center.y - 1.6 * height;
  const field = {
    left,
    top,
    step,
    columns,
    rows,
    x: new Float32Array(columns * rows),
    y: new Float32Array(columns * rows),
  };
  const { points, reach, elsewhere } =
    motion === 'smile' ? smiling(face, amount) : rotating(face, motion, amount);
  const scale = 1 / (reach * height);
  const [cos, sin] = [Math.cos(face.roll), Math.sin(face.roll)];
  const rest = new Float32Array(2);
  for (let row = 0, n = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, n++) {
      const x = left + column * step;
      const y = top + row * step;
      const [dx, dy] = [(x - center.x) / height, (y - center.y) / height];
      elsewhere(cos * dx + sin * dy, cos * dy - sin * dx, rest);
      let [sumX, sumY, total] = [spare * rest[0]!, spare * rest[1]!, spare];
      for (let i = 0; i < meshPoints; i++) {
        const a = (face.points[3 * i]! - x) * scale;
        const b = (face.points[3 * i + 1]! - y) * scale;
        const distance = a * a + b * b;
        if (distance > 9) continue;
        const weight = Math.exp(-distance);
        sumX += weight * points[2 * i]!;
        sumY += weight * points[2 * i + 1]!;
        total += weight;
      }
      field.x[n] = sumX / total;
      field.y[n] = sumY / total;
    }
  }
  return field;
}

/** The weight of what a place does by itself, against those of the points around it. */
const spare = 0.5;

/**
 * A head that goes round: what is further in front of the ears goes further, and the head's outline stays. Hair goes
 * with the ball that the head is; the neck gives way. The whole head goes a little along, as necks bend too.
 */
function rotating(face: Face, motion: 'nod' | 'head turn', amount: number): MeshMotion {
  const { height } = face;
  const angle = amount * (motion === 'nod' ? nodAngle : headTurnAngle);
  const along = amount * (motion === 'nod' ? 0.02 : 0.012) * height;
  const [cos, sin] = [Math.cos(face.roll), Math.sin(face.roll)];
  const [axisX, axisY] = motion === 'nod' ? [-sin, cos] : [cos, sin];
  const ears = (pointAt(face, 234).z + pointAt(face, 454).z) / 2;
  const points = new Float32Array(2 * meshPoints);
  for (let i = 0; i < meshPoints; i++) {
    const front = clamp(ears - pointAt(face, i).z, -0.1 * height, 0.65 * height);
    const way = angle * front + along;
    points[2 * i] = axisX * way;
    points[2 * i + 1] = axisY * way;
  }
  // A head seen from one side has its back on the other.
  const back = -0.3 * Math.sin(face.yaw);
  return {
    points,
    reach: 0.11,
    elsewhere(u, v, out) {
      const off = ((u - back) / 0.74) ** 2 + ((v + 0.12) / 0.95) ** 2;
      const ball = off < 1 ? 0.42 * height * (1 - off) : 0;
      const head = smoothstep(1.0, 0.4, v) * smoothstep(-1.55, -1.15, v) * smoothstep(1.2, 0.8, Math.abs(u));
      const way = angle * ball + along * head;
      out[0] = axisX * way;
      out[1] = axisY * way;
    },
  };
}

/** Mesh points of the corners of a mouth, the cheeks that they are drawn to, and the lower lids above these. */
const sides = [
  { corner: 61, cheek: 50, lid: 145 },
  { corner: 291, cheek: 280, lid: 374 },
] as const;

/** A smile with closed lips: muscles draw the corners towards the cheeks, which rise and lift the lower lids. */
function smiling(face: Face, amount: number): MeshMotion {
  const { height } = face;
  const points = new Float32Array(2 * meshPoints);
  const [upX, upY] = [Math.sin(face.roll), -Math.cos(face.roll)];
  for (const { corner, cheek, lid } of sides) {
    const [from, to, eye] = [pointAt(face, corner), pointAt(face, cheek), pointAt(face, lid)];
    const pull = amount * smilePull;
    for (let i = 0; i < meshPoints; i++) {
      const point = pointAt(face, i);
      const drawn = pull * around(point, from, 0.085 * height);
      const raised =
        amount *
        height *
        (0.012 * around(point, to, 0.1 * height) + 0.007 * around(point, eye, 0.04 * height));
      points[2 * i] = points[2 * i]! + drawn * (to.x - from.x) + raised * upX;
      points[2 * i + 1] = points[2 * i + 1]! + drawn * (to.y - from.y) + raised * upY;
    }
  }
  return {
    points,
    reach: 0.055,
    elsewhere(_u, _v, out) {
      out[0] = 0;
      out[1] = 0;
    },
  };
}

/** 1 at a point of the face, less around it: distances are in space, so that a cheek seen from the side counts whole. */
function around(point: Point3, middle: Point3, reach: number): number {
  const squares = (point.x - middle.x) ** 2 + (point.y - middle.y) ** 2 + (point.z - middle.z) ** 2;
  return Math.exp(-squares / (2 * reach * reach));
}
