import type { Face } from '../faces/face.ts';
import { medianHeight, pointOf } from '../faces/face-outline.ts';
import type { Silhouette } from '../matting/silhouette.ts';
import type { Placement, Size } from '../pixels/plane.ts';
import { clamp } from '../pixels/scalar.ts';
import { cannotMake } from '../runtime/render-error.ts';

/** How large people are in a scene and where their heads are, in shares of the canvas' height. */
export interface Slot {
  /** Height of a face. */
  face: number;
  /** Row where the hair begins. */
  top: number;
  /** The lowest row where the hair may begin so that the body reaches the lower border. */
  lowest: number;
  /** The column of the middle of the people, as a share of the canvas' width. */
  across: number;
  /** The row of the eyes of people who stand side by side. */
  eyes: number;
  /** The rows of hair and feet of people who are shown from head to foot. */
  fullLength: { hair: number; feet: number };
}

/** More enlargement than this is visibly soft. */
const mostEnlargement = 3;

/** How much of the body below the chin is shown at most, in face heights: further down are gaps between legs, and feet. */
const bodyOfOne = 4.2;
const bodyInGroup = 2.3;
const mostBodyInGroup = 3.6;

/** So much larger than meant people are shown for their photo to reach the canvas' borders. */
const mostStretched = 1.05;

/** How much of the body below the chin a picture shows at least, in face heights. */
const leastBody = 0.85;

/**
 * The scale that gives faces the slot's size, as far as the photo can be enlarged. They are larger in a wide canvas,
 * whose height is less.
 */
export function slotScale(faces: readonly Face[], canvas: Size, slot: Slot): number {
  const wide = canvas.width > canvas.height ? 1.45 : canvas.width === canvas.height ? 1.25 : 1;
  return Math.min(mostEnlargement, (slot.face * wide * canvas.height) / medianHeight(faces));
}

/** About how much these people will be enlarged, told before they are cut out. */
export function likelyScale(faces: readonly Face[], canvas: Size, slot: Slot): number {
  const { left, right } = spreadOf(faces);
  return Math.min(slotScale(faces, canvas, slot), canvas.width / (right - left));
}

/** From the first to the last face, with what a head needs beside it. */
function spreadOf(faces: readonly Face[]): { left: number; right: number } {
  return {
    left: Math.min(...faces.map((face) => face.center.x - 0.85 * face.height)),
    right: Math.max(...faces.map((face) => face.center.x + 0.85 * face.height)),
  };
}

/**
 * Places the people of one photo so that the canvas' lower border, or the `end` row of what stands before them, cuts
 * them, wherever the photo did, and no border of the photo shows. Faces take the slot's size unless the photo forces
 * another.
 */
export function framePeople(
  people: Silhouette,
  faces: readonly Face[],
  canvas: Size,
  slot: Slot,
  end = canvas.height,
): Placement {
  const unit = medianHeight(faces);
  const { left: faceLeft, right: faceRight } = spreadOf(faces);
  const most = Math.min(canvas.width / (faceRight - faceLeft), mostEnlargement);
  // People in a long row cannot be larger, so that more of their bodies is shown.
  const needed = people.top + (end - slot.lowest * canvas.height) / most;
  const whole = Math.max(
    lastRow(people, faces, unit),
    faces.length > 1 ? Math.min(needed, lastWholeOfGroup(people, faces, unit)) : 0,
  );
  // A doubtful body is left below the canvas, as far as people can be enlarged for it.
  const last = Math.min(whole, Math.max(people.sureTo ?? Infinity, needed));
  const wanted = slotScale(faces, canvas, slot);
  const fills = faces.length > 1 && people.width * Math.min(wanted, most) >= canvas.width;
  const enough = lowestChin(faces) + (fills ? bodyInGroup : leastBody) * unit;
  const sides = sideCuts(people, last, enough);
  const isCutAbove = people.cut.top.share > 0.01;
  const usual = scaleFor(people, faces, { canvas, slot, end, wanted, most, ...sides });
  // A photo that cuts people above and below has to reach both borders, if that takes no more than a little.
  const reaching = isCutAbove ? (end + 2) / sides.bottom : 0;
  const scale = reaching <= mostStretched * usual ? Math.max(usual, reaching) : usual;

  const x = placeAcross(people, faces, { canvas, scale, across: slot.across, ...sides });
  const chinIn = end - (lowestChin(faces) + 0.6 * unit) * scale;
  const y = Math.max(
    Math.min(slot.top * canvas.height - people.top * scale, chinIn),
    end - sides.bottom * scale,
  );
  const hair = people.top * scale + y;
  if (
    hair > 0.78 * end ||
    faceLeft * scale + x < -0.3 * unit * scale ||
    faceRight * scale + x > canvas.width + 0.3 * unit * scale
  ) {
    throw cannotMake(
      'The people in the photo do not fit into this format. Step back from the camera, or use the landscape format.',
    );
  }
  // Of a forehead that the photo cuts itself, the rest has to be seen.
  const losesForehead = ({ center, height }: Face) =>
    Math.max(0, center.y - 0.45 * height) * scale + y < -0.1 * height * scale;
  if (faces.some(losesForehead)) {
    throw cannotMake(
      'The photo is too close for this format. Step back from the camera, or use the portrait format.',
    );
  }
  return { scale, x, y: isCutAbove ? Math.min(y, -1) : y };
}

/**
 * Places people as a whole, from head to foot, on the floor near the canvas' end; where the photo cuts them at the
 * feet, so does the canvas. Not where it cuts them at the sides.
 */
export function frameFullLength(
  people: Silhouette,
  canvas: Size,
  { fullLength, across }: Pick<Slot, 'fullLength' | 'across'>,
): Placement | null {
  if (people.cut.left.share >= 0.015 || people.cut.right.share >= 0.015) return null;
  // Legs of which the matte is not sure are not shown.
  if (people.sureTo !== undefined && people.sureTo < people.bottom) return null;
  const isCut = people.cut.bottom.share > 0.02;
  const bottom = isCut ? people.height - 1 : people.bottom;
  const feet = isCut ? 1 : fullLength.feet;
  const scale = Math.min(
    mostEnlargement,
    (0.95 * canvas.width) / (people.right - people.left),
    ((feet - fullLength.hair) * canvas.height) / (bottom - people.top),
  );
  const half = ((people.right - people.left) / 2) * scale;
  const middle = clamp(across * canvas.width, half, Math.max(half, canvas.width - half));
  const x = middle - ((people.left + people.right) / 2) * scale;
  return { scale, x, y: feet * canvas.height - bottom * scale };
}

/** A close portrait, in shares of the canvas' height: its face where the photo allows it, and the limits of face and hair. */
const closePortrait = { face: 0.29, mostFace: 0.37, highestHair: 0.18, lowestHair: 0.27 };

/**
 * Places one person whom the photo cuts below, larger than the slot says, so that the canvas' lower border cuts the
 * person where the photo does. Null where the face would become too large.
 */
export function frameClose(
  people: Silhouette,
  face: Face,
  canvas: Size,
  { across }: Pick<Slot, 'across'>,
): Placement | null {
  const { cut, top } = people;
  if (cut.bottom.share <= 0.02) return null;
  const [meetLeft, meetRight] = [cut.left.share >= 0.015, cut.right.share >= 0.015];
  const bottom = Math.min(lastRow(people, [face], face.height), people.sureTo ?? Infinity);
  const reaching = (hair: number) => ((1 - hair) * canvas.height + 2) / (bottom - top);
  const scale = Math.max(
    reaching(closePortrait.lowestHair),
    Math.min(reaching(closePortrait.highestHair), (closePortrait.face * canvas.height) / face.height),
    meetLeft && meetRight ? canvas.width / people.width : 0,
  );
  if (scale > mostEnlargement || scale * face.height > closePortrait.mostFace * canvas.height) return null;
  const x = placeAcross(people, [face], { canvas, scale, across, bottom, meetLeft, meetRight });
  const y = Math.max(
    canvas.height + 2 - bottom * scale,
    closePortrait.highestHair * canvas.height - top * scale,
  );
  return { scale, x, y: cut.top.share > 0.01 ? Math.min(y, -1) : y };
}

/** Covers the canvas with the photo, cropped where their shapes differ so that the people stay inside. */
export function coverCanvas(
  people: Pick<Silhouette, 'width' | 'height' | 'top'>,
  faces: readonly Face[],
  canvas: Size,
): Placement {
  const scale = Math.max(canvas.width / people.width, canvas.height / people.height);
  const left = Math.min(...faces.map((face) => face.center.x - face.height));
  const right = Math.max(...faces.map((face) => face.center.x + face.height));
  const x = clamp(canvas.width / 2 - ((left + right) / 2) * scale, canvas.width - people.width * scale, 0);
  // Hair keeps a twentieth of the canvas above it; the photo is cropped at the bottom.
  const y = clamp(0.05 * canvas.height - people.top * scale, canvas.height - people.height * scale, 0);
  return { scale, x, y };
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
 * The median width of the rows below the shoulders, as an arm held out makes single rows wide; but not less than the
 * shoulders' own, for a body of which only an arm is left below them.
 */
function torsoWidth({ rowWidths, bottom }: Silhouette, chin: number, unit: number): number {
  const median = (from: number, to: number) => {
    const widths = rowWidths.slice(
      Math.round(chin + from * unit),
      Math.min(bottom, Math.round(chin + to * unit)),
    );
    return widths.sort()[widths.length >> 1] ?? 0;
  };
  return Math.max(median(0.6, 3), Math.min(median(0.4, 1.2), 1.6 * unit));
}

/** The last row before a gap in the body, where a neighbour stood before it or the matte missed it. */
function lastWhole(
  { rowWidths, bottom }: Silhouette,
  chin: number,
  unit: number,
  leastWidth: number,
): number {
  const mostMissing = 0.25 * unit;
  let missing = 0;
  for (let row = Math.round(chin + 1.1 * unit); row < bottom; row++) {
    missing = rowWidths[row]! < leastWidth ? missing + 1 : 0;
    if (missing > mostMissing) return row - missing;
  }
  return bottom;
}

/** The lowest row where a group is at least three quarters as wide as at its chests. */
function lastWholeOfGroup({ rowWidths, bottom }: Silhouette, faces: readonly Face[], unit: number): number {
  const chin = lowestChin(faces);
  const chest = rowWidths[Math.min(bottom, Math.round(chin + unit))]!;
  let row = Math.round(chin + bodyInGroup * unit);
  const end = Math.min(bottom - 0.1 * unit, chin + mostBodyInGroup * unit);
  while (row < end && rowWidths[row]! > 0.75 * chest) row++;
  return Math.min(row - 1, bottom);
}

interface SideCuts {
  /** The last photo row that is shown. */
  bottom: number;
  /** Whether the photo's left and right border must lie on or beyond the canvas' own. */
  meetLeft: boolean;
  meetRight: boolean;
}

/**
 * Where the photo's side borders cut people. A cut below the `enough`th row is left below the canvas; a higher one has
 * to lie on the canvas' own border.
 */
function sideCuts(people: Silhouette, last: number, enough: number): SideCuts {
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

interface ScaleLimits extends SideCuts {
  canvas: Size;
  slot: Slot;
  /** The canvas row where people end. */
  end: number;
  /** The scale that gives faces the slot's size, and the largest possible one. */
  wanted: number;
  most: number;
}

function scaleFor(
  people: Silhouette,
  faces: readonly Face[],
  { canvas, slot, end, wanted, most, bottom, meetLeft, meetRight }: ScaleLimits,
): number {
  let least = (end - slot.lowest * canvas.height) / (bottom - people.top);
  if (meetLeft && meetRight) least = Math.max(least, canvas.width / people.width);
  let scale = Math.min(wanted, most);
  if (faces.length > 1 && !meetLeft && !meetRight) {
    scale = Math.min(scale, Math.max((0.96 * canvas.width) / (people.right - people.left), 0.7 * most));
  }
  scale = Math.max(scale, Math.min(least, most));
  if (meetLeft && meetRight && people.width * scale < canvas.width - 1) scale = canvas.width / people.width;
  // Everything from the hair to below the lowest chin has to fit into the canvas.
  const tall = lowestChin(faces) + 0.6 * medianHeight(faces) - people.top;
  return Math.min(scale, Math.max((0.94 * end) / tall, least));
}

/** Where the photo's left border lies on the canvas, for people in the slot's column or as near to it as they fit. */
function placeAcross(
  people: Silhouette,
  faces: readonly Face[],
  { canvas, scale, across, meetLeft, meetRight }: { canvas: Size; scale: number; across: number } & SideCuts,
): number {
  const unit = medianHeight(faces);
  const left = Math.max(people.left, Math.min(...faces.map((face) => face.center.x)) - 1.65 * unit);
  const right = Math.min(people.right, Math.max(...faces.map((face) => face.center.x)) + 1.65 * unit);
  const center =
    faces.length === 1
      ? 0.65 * faces[0]!.center.x + (0.35 * (people.left + people.right)) / 2
      : (left + right) / 2;
  const reach = Math.max(center - left, right - center) * scale;
  const half = canvas.width / 2;
  const middle = clamp(across * canvas.width, Math.min(reach, half), Math.max(canvas.width - reach, half));
  const x = middle - center * scale;
  const end = canvas.width - people.width * scale;
  if (meetLeft && meetRight) return clamp(x, end, 0);
  if (meetLeft) return Math.min(x, 0);
  if (meetRight) return Math.max(x, end);
  return x;
}

function lowestChin(faces: readonly Face[]): number {
  return Math.max(...faces.map((face) => Math.max(pointOf(face, 152).y, pointOf(face, 10).y)));
}
