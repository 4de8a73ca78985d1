import type { Face } from '../faces/face.ts';
import { meshDistance, pointOf } from '../faces/face-outline.ts';
import type { Placement, Size } from '../pixels/plane.ts';

/** Corners of the eyes and the bridge of the nose: they hardly move with an expression. */
const steadyPoints = [33, 133, 362, 263, 168] as const;

/** Guests move their heads by less than this between two shots, in face heights; more is the camera's doing. */
const mostMoved = 0.35;

/** The same for how much nearer they come. */
const mostScaled = 0.08;

/** Photos of one shape, whatever their size. */
const mostStretched = 0.02;

interface ShotFaces {
  photo: Size;
  faces: readonly Face[];
}

function haveOneShape(a: Size, b: Size): boolean {
  return Math.abs((a.width * b.height) / (a.height * b.width) - 1) <= mostStretched;
}

/**
 * Where a further shot lies on the first one. The camera stands still unless the photo has another shape or everybody is
 * elsewhere at once: then the shot is moved and scaled until the faces are where they were.
 */
export function alignShot(first: ShotFaces, other: ShotFaces): Placement {
  const scale = first.photo.width / other.photo.width;
  const from = steadyCentre(other.faces);
  const to = steadyCentre(first.faces);
  const size = sizeOf(first.faces) / (sizeOf(other.faces) * scale);
  const unit = first.faces.reduce((sum, face) => sum + face.height, 0) / first.faces.length;
  const moved = Math.hypot(from.x * scale - to.x, from.y * scale - to.y) / unit;
  const isSteady = moved <= mostMoved && Math.abs(size - 1) <= mostScaled;
  if (isSteady && haveOneShape(first.photo, other.photo)) return { scale, x: 0, y: 0 };
  const aligned = scale * size;
  return { scale: aligned, x: to.x - from.x * aligned, y: to.y - from.y * aligned };
}

/** The middle of everybody's steady points. */
export function steadyCentre(faces: readonly Face[]): { x: number; y: number } {
  const points = faces.flatMap((face) => steadyPoints.map((index) => pointOf(face, index)));
  return {
    x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
    y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
  };
}

/** How large faces are, by how far apart their eyes are in space: a head that turns stays as large. */
function sizeOf(faces: readonly Face[]): number {
  return faces.reduce((sum, { points }) => sum + meshDistance(points, 33, 263), 0) / faces.length;
}

/** Where something goes that goes through one placement and then another. */
export function placeThrough(first: Placement, then: Placement): Placement {
  return {
    scale: first.scale * then.scale,
    x: first.x * then.scale + then.x,
    y: first.y * then.scale + then.y,
  };
}
