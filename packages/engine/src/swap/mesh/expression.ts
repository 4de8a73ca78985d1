import type { Face } from '../../faces/face.ts';
import { meshDistance } from '../../faces/face-outline.ts';
import { smoothstep } from '../../pixels/scalar.ts';
import { innerLips, meshPointCount } from './features.ts';

/** The guest's shape with the template's mouth where both clash. */
export interface FittedExpression {
  shape: Float32Array;
  /** Outlines inside of which the template's own teeth show. */
  shown: (readonly number[])[];
}

/** Gap between the lips in heights of the face: a laugh with teeth has up to 0.1. */
export const closedMouth = 0.025;
const wideMouth = 0.13;

/**
 * In a template that looks aside, half of the mouth is so near the face's edge that its teeth would show beside the
 * guest's lips: there every open mouth is one that clashes with closed lips.
 */
const asideYaw = (25 * Math.PI) / 180;
const openMouthAside = 0.06;

/** How far around the lips the face moves along, in heights of the face. */
const reach = 0.2;

/**
 * A smile stays the guest's. A jaw that hangs in one picture alone does not fit the other's chin: there the guest's lips
 * take the template's outline, and teeth that only the template has are seen inside. So they do where both mouths are
 * open, but the guest's pose was changed far to look aside like the template: half of the guest's teeth would lie on the cheek.
 */
export function fitExpression(
  guest: Float32Array,
  shape: Float32Array,
  template: Float32Array,
  { height, yaw }: Pick<Face, 'height' | 'yaw'>,
  differsInPose: boolean,
): FittedExpression {
  const own = mouthGap(guest);
  const theirs = mouthGap(template);
  const isAside = Math.abs(yaw) > asideYaw;
  const open = isAside ? openMouthAside : wideMouth;
  const clashes = (own < closedMouth && theirs > open) || (own > wideMouth && theirs < closedMouth);
  const bothOpen = differsInPose && isAside && Math.min(own, theirs) > openMouthAside;
  if (!clashes && !bothOpen) return { shape, shown: [] };
  const fitted = shape.slice();
  const opens = bothOpen || theirs > own;
  moveOutline(fitted, innerLips, opens ? template : withLipsMet(template), reach * height);
  return { shape: fitted, shown: opens ? [innerLips] : [] };
}

/** The template with its lips on one line: in the slit between them the guest's teeth would be a white line. */
function withLipsMet(template: Float32Array): Float32Array {
  const met = template.slice();
  for (let k = 1; k < innerLips.length / 2; k++) {
    const upper = innerLips[k]! * 3;
    const lower = innerLips[innerLips.length - k]! * 3;
    for (let c = 0; c < 3; c++) {
      met[upper + c] = (template[upper + c]! + template[lower + c]!) / 2;
      met[lower + c] = met[upper + c]!;
    }
  }
  return met;
}

export function mouthGap(points: Float32Array): number {
  return meshDistance(points, 13, 14) / meshDistance(points, 10, 152);
}

/** Moves an outline onto the template's, and what is around it by as much as its nearest points, less and less. */
function moveOutline(
  shape: Float32Array,
  outline: readonly number[],
  template: Float32Array,
  reach: number,
): void {
  const before = shape.slice();
  for (let i = 0; i < meshPointCount; i++) {
    let nearest = Infinity;
    let total = 0;
    const move = [0, 0, 0];
    for (const j of outline) {
      const apart = Math.hypot(before[i * 3]! - before[j * 3]!, before[i * 3 + 1]! - before[j * 3 + 1]!);
      const weight = 1 / (apart * apart + 1e-3);
      nearest = Math.min(nearest, apart);
      total += weight;
      for (let k = 0; k < 3; k++) move[k]! += weight * (template[j * 3 + k]! - before[j * 3 + k]!);
    }
    const share = smoothstep(reach, 0, nearest) / total;
    for (let k = 0; k < 3; k++) shape[i * 3 + k]! += share * move[k]!;
  }
}
