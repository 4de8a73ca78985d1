import { medianHeight, pointOf } from '../faces/face-outline.ts';
import type { Silhouette } from '../matting/silhouette.ts';
import { bodyInGroup } from '../matting/torso-pass.ts';
import { clamp } from '../pixels/colour.ts';
import type { Face } from '../pixels/picture.ts';
import { cannotMake } from '../render-error.ts';

/** Where a photo lies on the canvas: a photo pixel p is at `x + p.x·scale`, `y + p.y·scale`. */
export interface Placement {
  scale: number;
  x: number;
  y: number;
}

/** How large people are in a scene and how high they stand, in shares of the canvas' height. */
export interface Slot {
  /** Height of a face. */
  face: number;
  /** Where the hair begins. */
  top: number;
  /** How far down the hair may slide so that the body reaches the lower border. */
  lowest: number;
}

export interface Size {
  width: number;
  height: number;
}

/** More enlargement than this shows. */
const mostEnlargement = 3;

/** How much of the body below the chin is shown, in face heights: lower, arms and legs end up with gaps and feet. */
const bodyOfOne = 4.2;
const mostBodyInGroup = 3.6;

/** As much of a body as a picture needs at least, in face heights; a group that fills the width can show more. */
const toChest = 0.85;

/**
 * Places the people of one photo so that the canvas' lower border cuts them, wherever the photo did, and no border of
 * the photo shows. Faces take the slot's size unless the photo forces another.
 */
export function framePeople(people: Silhouette, faces: readonly Face[], canvas: Size, slot: Slot): Placement {
  const unit = medianHeight(faces);
  const faceLeft = Math.min(...faces.map((face) => face.center.x - 0.85 * face.height));
  const faceRight = Math.max(...faces.map((face) => face.center.x + 0.85 * face.height));
  const most = Math.min(canvas.width / (faceRight - faceLeft), mostEnlargement);
  // People in a long row cannot be larger: more of their bodies then fills the height.
  const needed = people.top + ((1 - slot.lowest) * canvas.height) / most;
  const last = Math.max(
    lastRow(people, faces, unit),
    faces.length > 1 ? Math.min(needed, lastWholeOfGroup(people, faces, unit)) : 0,
  );
  const wide = canvas.width > canvas.height ? 1.45 : canvas.width === canvas.height ? 1.25 : 1;
  const wanted = (slot.face * wide * canvas.height) / unit;
  const fills = faces.length > 1 && people.width * Math.min(wanted, most) >= canvas.width;
  const enough = lowestChin(faces) + (fills ? bodyInGroup : toChest) * unit;
  const { bottom, meetLeft, meetRight } = sideCuts(people, last, enough);

  let least = ((1 - slot.lowest) * canvas.height) / (bottom - people.top);
  if (meetLeft && meetRight) least = Math.max(least, canvas.width / people.width);
  let scale = Math.min(wanted, most);
  if (faces.length > 1 && !meetLeft && !meetRight) {
    scale = Math.min(scale, Math.max((0.96 * canvas.width) / (people.right - people.left), 0.7 * most));
  }
  scale = Math.max(scale, Math.min(least, most));
  if (meetLeft && meetRight && people.width * scale < canvas.width - 1) scale = canvas.width / people.width;

  // From the hair to below the lowest chin, everything is inside the canvas.
  const tall = lowestChin(faces) + 0.6 * unit - people.top;
  scale = Math.min(scale, Math.max((0.94 * canvas.height) / tall, least));

  const x = across(people, faces, canvas, scale, unit, meetLeft, meetRight);
  const chinIn = canvas.height - (lowestChin(faces) + 0.6 * unit) * scale;
  const y = Math.max(
    Math.min(slot.top * canvas.height - people.top * scale, chinIn),
    canvas.height - bottom * scale,
  );
  const hair = people.top * scale + y;
  if (
    hair > 0.78 * canvas.height ||
    faceLeft * scale + x < -0.3 * unit * scale ||
    faceRight * scale + x > canvas.width + 0.3 * unit * scale
  ) {
    throw cannotMake(
      'The people in the photo do not fit into this format. Step back from the camera, or use the landscape format.',
    );
  }
  return { scale, x, y: people.cut.top.share > 0.01 ? Math.min(y, -1) : y };
}

/** The lowest photo row that may be shown: the photo's end, or the last row where the torso is still whole. */
function lastRow(people: Silhouette, faces: readonly Face[], unit: number): number {
  const chin = lowestChin(faces);
  const reach = chin + (faces.length === 1 ? bodyOfOne : bodyInGroup) * unit;
  const cut = people.cut.bottom.share > 0.02;
  if (cut && faces.length > 1) return Math.min(people.height - 1, reach);
  const torso = torsoWidth(people, chin, unit);
  let row = lastWhole(people, chin, unit, 0.42 * torso);
  const whole = row === people.bottom;
  while (row > chin + 1.1 * unit && people.rowWidths[row]! < (cut ? 0.72 : 0.6) * torso) row--;
  if (cut && whole && row > people.bottom - 0.1 * unit) return Math.min(people.height - 1, reach);
  return Math.min(row - 0.1 * unit, chin + 3.6 * unit, reach);
}

/**
 * An arm held out makes one row wide, so the torso's width is the middle one of the rows below the shoulders; but not
 * less than the shoulders', where nothing but an arm is left of what is below.
 */
function torsoWidth({ rowWidths, bottom }: Silhouette, chin: number, unit: number): number {
  const middle = (from: number, to: number) => {
    const widths = rowWidths.slice(
      Math.round(chin + from * unit),
      Math.min(bottom, Math.round(chin + to * unit)),
    );
    return widths.sort()[widths.length >> 1] ?? 0;
  };
  return Math.max(middle(0.6, 3), Math.min(middle(0.4, 1.2), 1.6 * unit));
}

/** The last row before the body is missing: a neighbour stood before it, or it was not told from the room. */
function lastWhole({ rowWidths, bottom }: Silhouette, chin: number, unit: number, least: number): number {
  const most = 0.25 * unit;
  let missing = 0;
  for (let row = Math.round(chin + 1.1 * unit); row < bottom; row++) {
    missing = rowWidths[row]! < least ? missing + 1 : 0;
    if (missing > most) return row - missing;
  }
  return bottom;
}

/** The lowest row, within reason, where a group is about as wide as it is at its chests. */
function lastWholeOfGroup({ rowWidths, bottom }: Silhouette, faces: readonly Face[], unit: number): number {
  const chin = lowestChin(faces);
  const chest = rowWidths[Math.min(bottom, Math.round(chin + unit))]!;
  let row = Math.round(chin + bodyInGroup * unit);
  const end = Math.min(bottom - 0.1 * unit, chin + mostBodyInGroup * unit);
  while (row < end && rowWidths[row]! > 0.75 * chest) row++;
  return Math.min(row - 1, bottom);
}

/** A cut at the side below what is enough is left under the canvas; a higher one must lie on the canvas' own border. */
function sideCuts(people: Silhouette, last: number, enough: number) {
  let bottom = last;
  let meetLeft = false;
  let meetRight = false;
  for (const side of ['left', 'right'] as const) {
    const { share, first } = people.cut[side];
    if (share < 0.015 || first >= bottom) continue;
    if (first > enough) bottom = first;
    else if (side === 'left') meetLeft = true;
    else meetRight = true;
  }
  return { bottom, meetLeft, meetRight };
}

function across(
  people: Silhouette,
  faces: readonly Face[],
  canvas: Size,
  scale: number,
  unit: number,
  meetLeft: boolean,
  meetRight: boolean,
): number {
  const left = Math.max(people.left, Math.min(...faces.map((face) => face.center.x)) - 1.65 * unit);
  const right = Math.min(people.right, Math.max(...faces.map((face) => face.center.x)) + 1.65 * unit);
  const center =
    faces.length === 1
      ? 0.65 * faces[0]!.center.x + (0.35 * (people.left + people.right)) / 2
      : (left + right) / 2;
  const x = canvas.width / 2 - center * scale;
  const end = canvas.width - people.width * scale;
  if (meetLeft && meetRight) return clamp(x, end, 0);
  if (meetLeft) return Math.min(x, 0);
  if (meetRight) return Math.max(x, end);
  return x;
}

function lowestChin(faces: readonly Face[]): number {
  return Math.max(...faces.map((face) => Math.max(pointOf(face, 152).y, pointOf(face, 10).y)));
}

/** Fills the canvas with the photo as it is, cropped where their shapes differ so that the people stay in. */
export function coverCanvas(
  people: Pick<Silhouette, 'width' | 'height' | 'top'>,
  faces: readonly Face[],
  canvas: Size,
): Placement {
  const scale = Math.max(canvas.width / people.width, canvas.height / people.height);
  const left = Math.min(...faces.map((face) => face.center.x - face.height));
  const right = Math.max(...faces.map((face) => face.center.x + face.height));
  const x = clamp(canvas.width / 2 - ((left + right) / 2) * scale, canvas.width - people.width * scale, 0);
  // Hair keeps a twentieth of the canvas above it; what has to go, goes at the bottom.
  const y = clamp(0.05 * canvas.height - people.top * scale, canvas.height - people.height * scale, 0);
  return { scale, x, y };
}
