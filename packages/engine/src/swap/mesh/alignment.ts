import { meshPointCount } from './features.ts';

/** Rotates, scales and moves points of one face onto another: `to + scale · rotation · (point − from)`. */
export interface Alignment {
  /** Three rows of three. */
  rotation: readonly number[];
  scale: number;
  from: readonly [number, number, number];
  to: readonly [number, number, number];
}

/**
 * The 3D similarity that lays the points of one face onto another's with the least squared distance (Horn 1987).
 * Points count by how little an expression moves them: the mouth and the jaw would tip the whole face.
 */
export function alignFaces(source: Float32Array, target: Float32Array): Alignment {
  const weights = stillness(source);
  const from = centre(source, weights);
  const to = centre(target, weights);
  const products = new Float64Array(9);
  let spread = 0;
  for (let i = 0; i < meshPointCount; i++) {
    for (let r = 0; r < 3; r++) {
      const a = (source[i * 3 + r]! - from[r]!) * weights[i]!;
      spread += a * (source[i * 3 + r]! - from[r]!);
      for (let c = 0; c < 3; c++) products[r * 3 + c]! += a * (target[i * 3 + c]! - to[c]!);
    }
  }
  const rotation = rotationFrom(products);
  let along = 0;
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) along += rotation[r * 3 + c]! * products[c * 3 + r]!;
  }
  return { rotation, scale: along / spread, from, to };
}

export function alignPoints(points: Float32Array, { rotation, scale, from, to }: Alignment): Float32Array {
  const aligned = new Float32Array(points.length);
  for (let i = 0; i < points.length; i += 3) {
    const x = points[i]! - from[0];
    const y = points[i + 1]! - from[1];
    const z = points[i + 2]! - from[2];
    for (let r = 0; r < 3; r++) {
      const rotated = rotation[r * 3]! * x + rotation[r * 3 + 1]! * y + rotation[r * 3 + 2]! * z;
      aligned[i + r] = to[r]! + scale * rotated;
    }
  }
  return aligned;
}

/** How far apart two poses are, out of the picture's plane, in radians; a lean alone counts nothing. */
export function poseAngleOf({ rotation }: Alignment): number {
  return Math.acos(Math.min(1, Math.max(-1, rotation[8]!)));
}

/** From 1 on the forehead, the eyes and the nose down to 0.15 at the chin. */
function stillness(points: Float32Array): Float32Array {
  const top = 10 * 3;
  const chin = 152 * 3;
  const down = [0, 1, 2].map((k) => points[chin + k]! - points[top + k]!);
  const length = down.reduce((sum, d) => sum + d * d, 0);
  return Float32Array.from({ length: meshPointCount }, (_, i) => {
    const along = down.reduce((sum, d, k) => sum + d * (points[i * 3 + k]! - points[top + k]!), 0) / length;
    return Math.min(1, Math.max(0.15, 1 - 2.4 * (along - 0.6)));
  });
}

function centre(points: Float32Array, weights: Float32Array): [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0];
  let total = 0;
  for (let i = 0; i < meshPointCount; i++) {
    for (let k = 0; k < 3; k++) sum[k]! += points[i * 3 + k]! * weights[i]!;
    total += weights[i]!;
  }
  return [sum[0] / total, sum[1] / total, sum[2] / total];
}

/** Horn's quaternion: the eigenvector of the largest eigenvalue, by power iteration on a shifted matrix. */
function rotationFrom(products: Float64Array): number[] {
  const [xx = 0, xy = 0, xz = 0, yx = 0, yy = 0, yz = 0, zx = 0, zy = 0, zz = 0] = products;
  const matrix = [
    [xx + yy + zz, yz - zy, zx - xz, xy - yx],
    [yz - zy, xx - yy - zz, xy + yx, zx + xz],
    [zx - xz, xy + yx, yy - xx - zz, yz + zy],
    [xy - yx, zx + xz, yz + zy, zz - xx - yy],
  ];
  const shift = Math.hypot(...matrix.flat());
  let quaternion = [1, 0.01, 0.01, 0.01];
  for (let step = 0; step < 500; step++) {
    const next = matrix.map(
      (row, i) => row.reduce((sum, value, k) => sum + value * quaternion[k]!, 0) + shift * quaternion[i]!,
    );
    const length = Math.hypot(...next);
    quaternion = next.map((value) => value / length);
  }
  const [w, x, y, z] = quaternion as [number, number, number, number];
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
  ];
}
