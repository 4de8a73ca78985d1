import { meshDistance } from '../../faces/face-outline.ts';
import { smoothstep } from '../../pixels/scalar.ts';
import { type Alignment, alignFaces, alignPoints, poseAngleOf } from './alignment.ts';
import { closedMouth, mouthGap } from './expression.ts';
import { leftEye, leftLids, lips, meshPointCount, mirrorPoints, rightEye, rightLids } from './features.ts';
import { meshTriangles } from './mesh-triangles.ts';
import { isInPolygon } from './polygon.ts';

const degrees = Math.PI / 180;

/** One way to read the guest's photo: as it is, or every point of the face from its other side. */
export interface FaceView {
  /** Where in the photo each point of the mesh is. */
  places: Float32Array;
  alignment: Alignment;
  /** The face's points, laid onto the template's. */
  aligned: Float32Array;
  /** How squarely the photo shows each point: 1 from the front, 0 from the side or from behind. */
  facing: Float32Array;
}

/** The view that the face is drawn from, and the one that fills what the first does not show. */
export interface FaceViews {
  first: FaceView;
  second: FaceView;
}

/**
 * The mirrored face is the better one only where poses differ by more than the first, and when it needs the second less: moles
 * change sides.
 */
const mirrorFrom = 23 * degrees;
const mirrorGain = 12 * degrees;

/** Below the first angle a face is drawn as it is: the photo shows all that the template does. */
const poseFrom = 20 * degrees;
const poseTo = 26 * degrees;

/** How much of a face is drawn in the pose of the template, 0 to 1. */
function poseShare(alignment: Alignment): number {
  return smoothstep(poseFrom, poseTo, poseAngleOf(alignment));
}

export function viewsOf(source: Float32Array, template: Float32Array): FaceViews {
  const facing = facingOf(source);
  const view = (points: Float32Array, places: Float32Array, seen: Float32Array): FaceView => {
    const alignment = alignFaces(points, template);
    return { places, alignment, aligned: alignPoints(points, alignment), facing: seen };
  };
  const plain = view(source, source, facing);
  const places = exchangeSides(source);
  const reflected = places.map((value, i) => (i % 3 === 0 ? -value : value));
  const mirrored = view(
    reflected,
    places,
    facing.map((_, i) => facing[mirrorPoints[i]!]!),
  );
  const gain = poseAngleOf(plain.alignment) - poseAngleOf(mirrored.alignment);
  const differsInPose = poseAngleOf(plain.alignment) > mirrorFrom;
  return differsInPose && gain > mirrorGain
    ? { first: mirrored, second: plain }
    : { first: plain, second: mirrored };
}

/** Every point where its counterpart on the other side of the face is. */
function exchangeSides(points: Float32Array): Float32Array {
  return Float32Array.from(
    { length: meshPointCount * 3 },
    (_, i) => points[mirrorPoints[Math.floor(i / 3)]! * 3 + (i % 3)]!,
  );
}

/** For each point, how much of it comes from the second view, 0 to 1: there where the first hardly shows it. */
export function fillOf({ first, second }: FaceViews): Float32Array {
  const strength = poseShare(first.alignment);
  const fill = first.facing.map((seen, i) => {
    const gain = second.facing[i]! - seen;
    return strength * smoothstep(0.5, 0.25, seen) * smoothstep(0.05, 0.3, gain);
  });
  for (let round = 0; round < 2; round++) smoothOverMesh(fill, 1);
  // Half an eye or half a set of teeth from each side would not meet.
  setInside(fill, first.aligned, lips, 0);
  if (hasFarLips({ first, second })) fillFarLips(fill, { first, second });
  setInside(fill, first.aligned, leftEye, meanOf(fill, leftLids) > 0.5 ? strength : 0);
  setInside(fill, first.aligned, rightEye, meanOf(fill, rightLids) > 0.5 ? strength : 0);
  return fill;
}

/** The guest's points in the template, those that are filled from where the second view has them. */
export function joinedPoints({ first, second }: FaceViews, fill: Float32Array): Float32Array {
  return Float32Array.from({ length: meshPointCount * 3 }, (_, i) => {
    const own = first.aligned[i]!;
    return own + fill[Math.floor(i / 3)]! * (second.aligned[i]! - own);
  });
}

/** For each point, 0 where the photo shows so little of what the template would that it would be smeared, else 1. */
export function trustOf({ first, second }: FaceViews, fill: Float32Array, shape: Float32Array): Float32Array {
  const strength = poseShare(first.alignment);
  const trust = facingOf(shape).map((needed, i) => {
    const seen = first.facing[i]! + fill[i]! * (second.facing[i]! - first.facing[i]!);
    return 1 - strength * (1 - smoothstep(0.12, 0.32, seen / Math.max(needed, 0.2)));
  });
  // Another's eye or teeth would show through the guest's.
  for (const outline of [lips, leftEye, rightEye]) setInside(trust, shape, outline, 1);
  return trust;
}

/**
 * Where poses differ by an angle between these the far half of closed lips, with the skin around it, is the near half mirrored: before, both are
 * seen well; beyond, the mirrored view's points lie too far off.
 */
const mirrorLipsFrom = 10 * degrees;
const mirrorLipsTo = 30 * degrees;

function hasFarLips({ first, second }: FaceViews): boolean {
  const differsInPose = poseAngleOf(first.alignment) > mirrorLipsFrom;
  return (
    differsInPose && poseAngleOf(second.alignment) < mirrorLipsTo && mouthGap(first.places) < closedMouth
  );
}

/** How far around the lips the skin is taken along, in heights of the face. */
const lipsReach = 0.14;

/** Closed lips of both views meet in the middle of the face, where each is the other mirrored. */
function fillFarLips(fill: Float32Array, { first, second }: FaceViews): void {
  const points = first.aligned;
  const reach = lipsReach * meshDistance(points, 10, 152);
  for (let i = 0; i < meshPointCount; i++) {
    const isInside = isInPolygon(points, lips, points[i * 3]!, points[i * 3 + 1]!);
    const apart = isInside ? 0 : Math.min(...lips.map((k) => meshDistance(points, i, k)));
    const far = smoothstep(-0.1, 0.1, second.facing[i]! - first.facing[i]!);
    fill[i] = Math.max(fill[i]!, far * smoothstep(reach, 0.5 * reach, apart));
  }
}

/** Sets the value of all points on an outline and inside of it. */
function setInside(
  values: Float32Array,
  points: Float32Array,
  outline: readonly number[],
  value: number,
): void {
  for (let i = 0; i < meshPointCount; i++) {
    if (isInPolygon(points, outline, points[i * 3]!, points[i * 3 + 1]!)) values[i] = value;
  }
  for (const i of outline) values[i] = value;
}

/** Cosine of the angle between the line of sight and the face's surface at each point, 0 for what looks away. */
export function facingOf(points: Float32Array): Float32Array {
  // Between the ears; the face lies all around it.
  const [cx, cy, cz] = [0, 1, 2].map((k) => (points[234 * 3 + k]! + points[454 * 3 + k]!) / 2) as [
    number,
    number,
    number,
  ];
  const normals = new Float64Array(meshPointCount * 3);
  for (let t = 0; t < meshTriangles.length; t += 3) {
    const [a, b, c] = [meshTriangles[t]! * 3, meshTriangles[t + 1]! * 3, meshTriangles[t + 2]! * 3];
    const ux = points[b]! - points[a]!;
    const uy = points[b + 1]! - points[a + 1]!;
    const uz = points[b + 2]! - points[a + 2]!;
    const vx = points[c]! - points[a]!;
    const vy = points[c + 1]! - points[a + 1]!;
    const vz = points[c + 2]! - points[a + 2]!;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const out = nx * (points[a]! - cx) + ny * (points[a + 1]! - cy) + nz * (points[a + 2]! - cz);
    const sign = out < 0 ? -1 : 1;
    for (const at of [a, b, c]) {
      normals[at]! += sign * nx;
      normals[at + 1]! += sign * ny;
      normals[at + 2]! += sign * nz;
    }
  }
  // Single folds, as between the lips and under the nose, say nothing of how the face is seen.
  for (let round = 0; round < 2; round++) smoothOverMesh(normals, 3);
  return Float32Array.from({ length: meshPointCount }, (_, i) => {
    const length = Math.hypot(normals[i * 3]!, normals[i * 3 + 1]!, normals[i * 3 + 2]!);
    return length === 0 ? 0 : Math.max(0, -normals[i * 3 + 2]! / length);
  });
}

/** Replaces the values of each point, `size` of them, by the mean over the triangles around it. */
function smoothOverMesh(values: Float64Array | Float32Array, size: number): void {
  const sums = new Float64Array(values.length);
  const counts = new Float64Array(meshPointCount);
  for (let t = 0; t < meshTriangles.length; t += 3) {
    for (let corner = 0; corner < 3; corner++) {
      const to = meshTriangles[t + corner]!;
      counts[to]! += 3;
      for (let other = 0; other < 3; other++) {
        const from = meshTriangles[t + other]!;
        for (let k = 0; k < size; k++) sums[to * size + k]! += values[from * size + k]!;
      }
    }
  }
  for (let i = 0; i < values.length; i++) values[i] = sums[i]! / counts[Math.floor(i / size)]!;
}

function meanOf(values: Float32Array, indices: readonly number[]): number {
  return indices.reduce((sum, i) => sum + values[i]!, 0) / indices.length;
}
