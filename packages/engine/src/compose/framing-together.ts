import { medianHeight, pointOf } from '../faces/face-outline.ts';
import type { PeoplePhoto } from '../matting/people.ts';
import type { Placement, Size } from '../pixels/plane.ts';
import { clamp } from '../pixels/scalar.ts';
import { cannotMake } from '../runtime/render-error.ts';
import type { Slot } from './framing.ts';

/** Distance of neighbours in shoulder widths: they overlap a little, as in photos of groups. */
const spacing = 0.86;

/** The same where every second one stands behind: heads of the back row are seen between those of the front row. */
const spacingInRows = 0.5;

/** The faces of neighbours are at least this many face heights apart, so that nobody in front hides one. */
const leastBetweenFaces = 1.2;

/** With faces smaller than this share of the slot's, people stand in two rows. */
const leastFit = 0.8;

/** How much smaller the back row is, and how much higher its faces are at least and at most, in face heights. */
const backRow = { scale: 0.93, leastRaised: 0.25, mostRaised: 0.8 };

/** What of the front row is seen from the middle of a face down, in face heights, however high the back row is. */
const frontShown = 1.6;

/** A child's face beside an adult's. */
const childFace = 0.86;

interface Member {
  people: PeoplePhoto;
  scale: number;
  /** Photo columns of the shoulders. */
  left: number;
  right: number;
  /** Photo columns of the outer faces' middles. */
  faceLeft: number;
  faceRight: number;
  faceHeight: number;
  centerY: number;
  /** How much lower the face is than the others of its photo, in face heights. */
  lower: number;
  inBack: boolean;
}

/** Cut-outs placed side by side. */
export interface PlacedGroup {
  placements: Placement[];
  /** The row of the eyes, as a share of the canvas' height. */
  eyes: number;
  rows: 1 | 2;
  /** The cut-outs from back to front. */
  order: number[];
}

/**
 * Places cut-outs of people, one or several in each, side by side in their order: faces of one size, eyes about on one
 * line, and every body reaching the `end` row. People of one photo keep their differences in size and height, as far as
 * these are not the camera's. A group that would become too small in one row stands in two.
 */
export function frameTogether(
  cutouts: readonly PeoplePhoto[],
  canvas: Size,
  slot: Slot,
  end = canvas.height,
): PlacedGroup {
  if (cutouts.length === 0) return { placements: [], eyes: 0, rows: 1, order: [] };
  const wide = canvas.width > canvas.height ? 1.6 : canvas.width === canvas.height ? 1.3 : 1;
  const faceHeight = slot.face * wide * canvas.height;
  const members = cutouts.map((people) => memberOf(people, cutouts, faceHeight));
  let across = spacing;
  let fit = fitOf(members, canvas, across);
  const rows = fit < leastFit && members.length > 3 ? 2 : 1;
  if (rows === 2) {
    across = spacingInRows;
    for (const [i, member] of members.entries()) {
      member.inBack = i % 2 === 1;
      if (member.inBack) member.scale *= backRow.scale;
    }
    fit = fitOf(members, canvas, across);
  }
  for (const member of members) member.scale *= fit;
  const unit = faceHeight * fit;
  const body = ({ people, scale, centerY }: Member) => (lastRow(people) - centerY) * scale;
  const leastBody = Math.min(...members.filter(({ inBack }) => inBack).map(body)) / unit;
  const raise = clamp(leastBody - frontShown, backRow.leastRaised, backRow.mostRaised);
  const raised = (member: Member, i: number) => {
    if (rows === 2) return (member.inBack ? raise : 0) * unit - 0.3 * member.lower * unit;
    return (i % 2 === 1 ? 0.12 : 0) * unit - member.lower * unit;
  };

  let eyes = slot.eyes * canvas.height;
  for (const member of members) {
    eyes = Math.max(eyes, end - body(member) + (member.inBack ? raise * unit : 0));
  }
  // Behind a barrier a row of heads may be low; at the canvas' border it would be cut at the chins.
  if (eyes > (end < canvas.height ? 0.86 : 0.8) * end) {
    throw cannotMake(
      'One of the photos shows too little of the person. Step back from the camera and try again.',
    );
  }
  const span = spanOf(members, across);
  const spare = Math.max(0, canvas.width - span);
  let x =
    span > canvas.width ? (canvas.width - span) / 2 : clamp(slot.across * canvas.width - span / 2, 0, spare);
  const placements = members.map((member, i) => {
    const { people, scale, left, right, centerY } = member;
    const width = (right - left) * scale;
    x -= overlapOf(members[i - 1], member, across);
    const placedX = x - left * scale;
    x += width;
    const y = Math.max(eyes - raised(member, i) - centerY * scale, end - lastRow(people) * scale);
    return { scale, x: placedX, y };
  });
  return {
    placements,
    eyes: eyes / canvas.height,
    rows,
    order: drawingOrder(members.length, (i) => members[i]!.inBack),
  };
}

/** From back to front: the back row, then the outer ones, so that the middle ones stand in front. */
export function drawingOrder(count: number, inBack: (i: number) => boolean): number[] {
  const middle = (count - 1) / 2;
  return Array.from({ length: count }, (_, i) => i).sort(
    (a, b) => Number(inBack(b)) - Number(inBack(a)) || Math.abs(b - middle) - Math.abs(a - middle),
  );
}

function spanOf(members: readonly Member[], across: number): number {
  return members.reduce(
    (sum, member, i) =>
      sum + (member.right - member.left) * member.scale - overlapOf(members[i - 1], member, across),
    0,
  );
}

/** How far somebody stands before or behind the neighbour on the left, in canvas pixels. */
function overlapOf(neighbour: Member | undefined, member: Member, across: number): number {
  if (!neighbour) return 0;
  const { left, right, scale, faceLeft, faceHeight } = member;
  const between = (neighbour.right - neighbour.faceRight) * neighbour.scale + (faceLeft - left) * scale;
  return Math.min((1 - across) * (right - left) * scale, between - leastBetweenFaces * faceHeight * scale);
}

const fitOf = (members: readonly Member[], canvas: Size, across: number) =>
  Math.min(1.25, (0.95 * canvas.width) / spanOf(members, across));

function memberOf(people: PeoplePhoto, all: readonly PeoplePhoto[], faceHeight: number): Member {
  const { faces, matte, silhouette } = people;
  const unit = medianHeight(faces);
  const chin = Math.max(...faces.map((face) => pointOf(face, 152).y));
  const row = Math.min(silhouette.height - 1, Math.round(chin + 0.9 * unit));
  let left = silhouette.right;
  let right = silhouette.left;
  const matteRow = Math.min(matte.height - 1, Math.floor(row / matte.factor)) * matte.width;
  for (let x = silhouette.left; x < silhouette.right; x += matte.factor) {
    if (matte.data[matteRow + Math.floor(x / matte.factor)]! <= 0.5) continue;
    left = Math.min(left, x);
    right = Math.max(right, x);
  }
  for (const face of faces) {
    left = Math.min(left, face.center.x - 0.6 * face.width);
    right = Math.max(right, face.center.x + 0.6 * face.width);
  }
  const centerY = middleOf(people);
  const columns = faces.map(({ center }) => center.x);
  const faceLeft = Math.min(...columns);
  const faceRight = Math.max(...columns);
  // Beside others of the same photo a child is smaller and somebody who sits is lower. What is more than that is the
  // camera's: who stands nearer to it has a larger face.
  const beside = all.filter(({ photo }) => photo === people.photo);
  const common = medianHeight(beside.flatMap((one) => one.faces));
  const line = beside.reduce((sum, one) => sum + middleOf(one), 0) / beside.length;
  const isChild = faces.every(({ ageGroup }) => ageGroup === 'child');
  const size = beside.length > 1 ? clamp(unit / common, 0.82, 1.1) : isChild ? childFace : 1;
  const lower = beside.length > 1 ? clamp((centerY - line) / unit, -0.5, 0.9) : isChild ? 0.6 : 0;
  const scale = (faceHeight * size) / unit;
  const across = { left, right, faceLeft, faceRight };
  return { people, scale, ...across, faceHeight: unit, centerY, lower, inBack: false };
}

const middleOf = ({ faces }: PeoplePhoto) =>
  faces.reduce((sum, face) => sum + face.center.y, 0) / faces.length;

function lastRow({ silhouette }: PeoplePhoto): number {
  const { cut, height, bottom, sureTo = Infinity } = silhouette;
  return Math.min(cut.bottom.share > 0.02 ? height - 1 : bottom, sureTo);
}
