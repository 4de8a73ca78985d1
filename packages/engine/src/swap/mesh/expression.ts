import { smoothstep } from '../../pixels/scalar.ts';
import { innerLips, leftLids, meshPointCount, rightLids } from './features.ts';

/** A mouth or an eye whose state the guest's cannot keep in the template. */
interface Clash {
  outline: readonly number[];
  /** How far around the outline the face moves along, in heights of the face. */
  reach: number;
  /** Whether the template is open there and the guest has nothing to show inside. */
  showsTemplate: boolean;
}

/** The guest's shape with the template's expression where both clash. */
export interface FittedExpression {
  shape: Float32Array;
  /** Outlines inside of which the template's own teeth or eye shows. */
  shown: (readonly number[])[];
}

/** Gap between the lips in heights of the face: a smile with teeth has up to 0.09, a shout from 0.14 on. */
const closedMouth = 0.025;
const wideMouth = 0.13;

/** Height of an eye's opening over its width: 0.2 to 0.4 when open; 0.12 and less with closed lids. */
const closedEye = 0.12;
const openEye = 0.2;

/**
 * A smile stays the guest's. A jaw that hangs in one picture alone does not fit the other's chin, and closed lids show no
 * eyes: there the guest's lips or lids take the template's outline, and what only the template has is seen inside.
 */
export function fitExpression(
  guest: Float32Array,
  shape: Float32Array,
  template: Float32Array,
  height: number,
): FittedExpression {
  const clashes = [...mouthClash(guest, template), ...eyeClashes(guest, template)];
  const fitted = shape.slice();
  for (const { outline, reach } of clashes) moveOutline(fitted, outline, template, reach * height);
  return {
    shape: fitted,
    shown: clashes.filter((clash) => clash.showsTemplate).map((clash) => clash.outline),
  };
}

function mouthClash(guest: Float32Array, template: Float32Array): Clash[] {
  const [own, theirs] = [mouthGap(guest), mouthGap(template)];
  const differs = (own < closedMouth && theirs > wideMouth) || (own > wideMouth && theirs < closedMouth);
  return differs ? [{ outline: innerLips, reach: 0.2, showsTemplate: theirs > own }] : [];
}

function eyeClashes(guest: Float32Array, template: Float32Array): Clash[] {
  if (!areEyesClosed(guest)) return [];
  return [leftLids, rightLids]
    .filter((lids) => eyeGap(template, lids) > openEye)
    .map((outline) => ({ outline, reach: 0.08, showsTemplate: true }));
}

/** Both; one alone is a wink, which stays. */
export function areEyesClosed(points: Float32Array): boolean {
  return eyeGap(points, leftLids) < closedEye && eyeGap(points, rightLids) < closedEye;
}

function mouthGap(points: Float32Array): number {
  return distance(points, 13, 14) / distance(points, 10, 152);
}

/** The lids' outlines begin at the outer corner, go over the upper lid to the inner one, and back below. */
function eyeGap(points: Float32Array, lids: readonly number[]): number {
  const across = distance(points, lids[0]!, lids[8]!);
  return (distance(points, lids[4]!, lids[12]!) + distance(points, lids[5]!, lids[11]!)) / 2 / across;
}

function distance(points: Float32Array, i: number, j: number): number {
  return Math.hypot(...[0, 1, 2].map((k) => points[i * 3 + k]! - points[j * 3 + k]!));
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
