import { ratioOf } from '@guise/contract/families/canvas.ts';
import type { Note } from '@guise/contract/notes.ts';
import { medianHeight, pointOf } from '../faces/face-outline.ts';
import type { PeoplePhoto } from '../matting/people.ts';
import { findBodyEnds } from '../matting/silhouette.ts';
import type { Placement, Size } from '../pixels/plane.ts';
import { cannotMake, RenderError } from '../runtime/render-error.ts';
import type { Scene } from '../scenes/scenes.ts';
import type { Barrier } from './barrier.ts';
import { coverCanvas, frameClose, frameFullLength, framePeople, type Slot, slotScale } from './framing.ts';
import { frameTogether } from './framing-together.ts';
import type { Harmony } from './harmonise.ts';
import { separatePeople } from './separate-people.ts';

/** A cut-out of people and where it goes on the canvas. */
export interface PlacedPeople {
  people: PeoplePhoto;
  placement: Placement;
  /** How another shot of these people was brought into the scene's light; else it is measured. */
  harmony?: Harmony;
}

/** Everybody in their place, from back to front, and what stands before them. */
export interface Arrangement {
  placed: PlacedPeople[];
  barrier: Barrier | null;
  /** What the caller is told of it. */
  applied: Note[];
}

/** A way to place people, and whether it had to enlarge, lower or cut them more than looks good. */
interface Framing {
  placed: PlacedPeople[];
  strained: boolean;
  applied: Note[];
}

export interface PlaceOptions {
  /** People stand where and as large as in their photo. */
  keepFrame?: boolean;
  /** Reads what the scene has for people to stand behind; asked only where it is needed. */
  barrier: () => Promise<Barrier | null>;
}

/** People of one photo are arranged already; those of several stand in a row, in which more become too small. */
const mostOfSeveralPhotos = 8;

/**
 * Where people go on the canvas, and how large they become. Where their bodies end inside the picture, or had to be
 * enlarged much or put low so that they do not, a guest alone becomes a close portrait, and others stand behind the
 * scene's barrier; so do those whose feet would be shown beside its floor.
 */
export async function placePeople(
  photos: readonly PeoplePhoto[],
  scene: Scene,
  canvas: Size,
  { keepFrame = false, barrier: readBarrier }: PlaceOptions,
): Promise<Arrangement> {
  const count = photos.reduce((sum, photo) => sum + photo.faces.length, 0);
  if (count === 0) return { placed: [], barrier: null, applied: [] };
  if (photos.length > 1 && count > mostOfSeveralPhotos) {
    throw cannotMake(
      `${count} people were found in the photos. Several photos become one picture of up to ${mostOfSeveralPhotos} people. Send fewer photos.`,
    );
  }
  const slot = slotFor(scene, count, canvas);
  const frame =
    keepFrame && photos.length === 1
      ? () => frameAsPhotographed(photos[0]!, canvas)
      : (end: number) => frameGroup(photos, canvas, slot, end);
  const plain = attempt(() => frame(canvas.height));
  if (plain instanceof RenderError || plain.strained) {
    const portrait = keepFrame ? null : frameClosePortrait(photos, canvas, slot);
    if (portrait) return portrait;
    const barrier = await readBarrier();
    const behind = barrier && frameBehind(barrier, canvas, frame);
    if (behind) return behind;
    const close = isCloseUp(plain, canvas) ? frameCloseUp(photos, canvas) : null;
    if (close) return close;
    if (plain instanceof RenderError) throw plain;
  } else if (plain.placed.some((one) => standsBeside(one, canvas, scene.floor))) {
    const barrier = await readBarrier();
    const behind = barrier && standBehind(plain, barrier, canvas, 'the scene has no floor below everybody');
    if (behind) return behind;
  }
  return { ...plain, barrier: null };
}

/** People framed for a barrier, or null where it would not hide the ends of all bodies, or push a head out above. */
function frameBehind(barrier: Barrier, canvas: Size, frame: (end: number) => Framing): Arrangement | null {
  const framing = attempt(() => frame(barrier.hidesFrom + 8));
  if (framing instanceof RenderError) return null;
  return standBehind(framing, barrier, canvas, 'the photo shows too little of the bodies');
}

function standBehind(
  { placed: free, applied }: Framing,
  barrier: Barrier,
  canvas: Size,
  reason: string,
): Arrangement | null {
  const placed = lowerBehind(free, barrier, canvas);
  if (!placed || placed.some(losesHair) || placed.some(losesForehead)) return null;
  const note: Note = { kind: 'barrier', value: barrier.name, reason };
  return { placed, barrier, applied: [...applied, note] };
}

/** Whether a head is cut above that its photo shows whole: a close portrait does not fit above a barrier. */
function losesHair({ people: { silhouette }, placement: { scale, y } }: PlacedPeople): boolean {
  return silhouette.cut.top.share <= 0.01 && silhouette.top * scale + y < 0;
}

/** Whether a face is cut above: a photo that cuts a head already has nothing to spare of it. */
function losesForehead({ people: { faces }, placement: { scale, y } }: PlacedPeople): boolean {
  return faces.some((face) => pointOf(face, 10).y * scale + y < 0);
}

/** Lowers everybody until no body ends above the barrier; null where a chin would come behind it. */
function lowerBehind(
  placed: readonly PlacedPeople[],
  { hidesFrom }: Barrier,
  canvas: Size,
): PlacedPeople[] | null {
  const highest = Math.min(...placed.flatMap((one) => endsOf(one, canvas)).map(({ row }) => row));
  const down = Number.isFinite(highest) ? Math.max(0, hidesFrom + 8 - highest) : 0;
  const tooLow = placed.some(({ people, placement: { scale, y } }) =>
    people.faces.some((face) => (face.center.y + 0.9 * face.height) * scale + y + down > hidesFrom),
  );
  // A head that the photo cuts stays at the upper border.
  const isCutAbove = ({ people }: PlacedPeople) => people.silhouette.cut.top.share > 0.01;
  if (tooLow || down > 0.25 * canvas.height || (down > 0 && placed.some(isCutAbove))) return null;
  return placed.map(({ people, placement }) => ({
    people,
    placement: { ...placement, y: placement.y + down },
  }));
}

/** How far below the canvas a body has to end that its photo does not cut, in face heights. */
const hiddenEnd = 0.5;

/**
 * Whether a body ends inside the picture, and not with feet. Of people whose laps a table hides the photo shows the end,
 * which is ragged: it may not even lie on the canvas' lower border.
 */
function endsInside({ people, placement: { scale, y } }: PlacedPeople, canvas: Size): boolean {
  const unit = medianHeight(people.faces);
  return findBodyEnds(people.matte, people.faces).some(({ row, standing }) => {
    const margin = row < people.silhouette.height ? hiddenEnd : -0.06;
    return !standing && row * scale + y < canvas.height + margin * unit * scale;
  });
}

/** Whether somebody is shown down to the feet beside a floor of this width, a share of the canvas'. */
function standsBeside(
  { people, placement: { scale, x, y } }: PlacedPeople,
  canvas: Size,
  floor: number | undefined,
): boolean {
  if (floor === undefined) return false;
  const ends = findBodyEnds(people.matte, people.faces);
  return people.faces.some(({ center, height }, i) => {
    const { row, long } = ends[i]!;
    const showsFeet = long && row * scale + y < canvas.height + 0.3 * height * scale;
    return showsFeet && Math.abs(center.x * scale + x - canvas.width / 2) > (floor / 2) * canvas.width;
  });
}

/** Where on the canvas the bodies end that do not reach its lower border. */
function endsOf({ people, placement: { scale, y } }: PlacedPeople, canvas: Size) {
  const tolerance = 0.06 * medianHeight(people.faces) * scale;
  return findBodyEnds(people.matte, people.faces)
    .map(({ row, standing }) => ({ row: row * scale + y, standing }))
    .filter(({ row }) => row < canvas.height - tolerance);
}

/** A guest alone, shown closer than the scene's slot says, rather than smaller behind its barrier. */
function frameClosePortrait(photos: readonly PeoplePhoto[], canvas: Size, slot: Slot): Arrangement | null {
  const [only] = photos;
  if (photos.length !== 1 || only?.faces.length !== 1) return null;
  const placement = frameClose(only.silhouette, only.faces[0]!, canvas, slot);
  const portrait = placement && { people: only, placement };
  if (!portrait || !showsFaces(portrait, canvas) || endsInside(portrait, canvas)) return null;
  const reason = 'the photo shows too little of the body for a smaller one';
  return {
    placed: [portrait],
    barrier: null,
    applied: [{ kind: 'framing', value: 'close portrait', reason }],
  };
}

/** Whether a framing leaves an end of a body in the picture, or there is none: the photo shows little below the face. */
const isCloseUp = (framing: Framing | RenderError, canvas: Size) =>
  framing instanceof RenderError || framing.placed.some((one) => endsInside(one, canvas));

/** A guest alone who stood near the camera, as large as in the photo; null where that loses part of the face, too. */
function frameCloseUp(photos: readonly PeoplePhoto[], canvas: Size): Arrangement | null {
  const [only] = photos;
  if (photos.length !== 1 || only?.faces.length !== 1) return null;
  const { placed, strained } = frameAsPhotographed(only, canvas);
  if (strained || !placed.every((one) => showsFaces(one, canvas))) return null;
  const reason = 'the photo shows too little below the face for another framing';
  return { placed, barrier: null, applied: [{ kind: 'framing', value: 'as photographed', reason }] };
}

/** Of a face's width a photo may cut so much at a side, such as an ear. */
const mostCutAside = 0.1;

/** Whether faces are within the canvas, but for a forehead or chin that the photo cuts. */
function showsFaces(
  { people: { faces, photo }, placement: { scale, x, y } }: PlacedPeople,
  canvas: Size,
): boolean {
  return faces.every(({ center, width, height }) => {
    const half = (0.5 - mostCutAside) * width;
    const left = (center.x - half) * scale + x;
    const right = (center.x + half) * scale + x;
    const top = Math.max(0, center.y - height / 2) * scale + y;
    const bottom = Math.min(photo.height, center.y + height / 2) * scale + y;
    return left >= -1 && right <= canvas.width + 1 && top >= -1 && bottom <= canvas.height + 1;
  });
}

function frameAsPhotographed(people: PeoplePhoto, canvas: Size): Framing {
  const placed = [{ people, placement: coverCanvas(people.silhouette, people.faces, canvas) }];
  return { placed, strained: endsInside(placed[0]!, canvas), applied: [] };
}

/**
 * Faces more than this much larger than the slot's are strained; so are hair and eyes this far below their row. A
 * portrait of one person may be a close one.
 */
const mostEnlarged = { one: 1.5, group: 1.25 };
const mostLowered = 0.05;
const lowestEyes = 0.52;

/** With smaller faces than this share of the slot's a group is too wide, with wider gaps in face heights too loose. */
const leastFaces = 0.8;
const widestGap = 1;

function frameGroup(photos: readonly PeoplePhoto[], canvas: Size, slot: Slot, end: number): Framing {
  const [only, ...others] = photos as [PeoplePhoto, ...PeoplePhoto[]];
  if (others.length > 0) return frameCutouts(photos, canvas, slot, end);
  const whole = attempt(() => frameWhole(only, canvas, slot, end));
  const isRefused = whole instanceof RenderError;
  const tooSmall =
    isRefused || whole.placed[0]!.placement.scale < leastFaces * slotScale(only.faces, canvas, slot);
  const tooWide = isRefused || (tooSmall && whole.strained) || losesSides(whole.placed[0]!, canvas);
  const standing = tooWide && end === canvas.height ? frameStanding(only, canvas, slot) : null;
  if (standing) return standing;
  const cutouts = separatePeople(only);
  const tooLoose = widestGapOf(cutouts) > widestGap;
  if (cutouts.length > 1 && (tooSmall || tooLoose)) {
    const apart = attempt(() => frameCutouts(cutouts, canvas, slot, end));
    if (!(apart instanceof RenderError)) {
      const reason = tooSmall ? 'the group is wider than the picture' : 'people stood far apart';
      const note: Note = { kind: 'arrangement', value: 'moved together', reason };
      return apart.applied.length > 0 ? apart : { ...apart, applied: [note] };
    }
  }
  if (isRefused) throw whole;
  return whole;
}

/** The people of one photo as they stand in it. */
function frameWhole(people: PeoplePhoto, canvas: Size, slot: Slot, end: number): Framing {
  const { silhouette, faces } = people;
  const placement = framePeople(silhouette, faces, canvas, slot, end);
  const placed = [{ people, placement }];
  const hair = (silhouette.top * placement.scale + placement.y) / canvas.height;
  const strained =
    placement.scale > mostEnlarged[faces.length === 1 ? 'one' : 'group'] * slotScale(faces, canvas, slot) ||
    hair > slot.lowest + mostLowered ||
    endsInside(placed[0]!, canvas);
  return { placed, strained, applied: [] };
}

/** From this number of people on, elbows at the sides count more than the size of faces, which are small anyway. */
const longRow = 5;

/** Whether the canvas cuts a long row of people at a side where its photo does not. */
function losesSides({ people, placement: { scale, x } }: PlacedPeople, canvas: Size): boolean {
  const { left, right, cut } = people.silhouette;
  const most = 0.02 * canvas.width;
  return (
    people.faces.length >= longRow &&
    ((cut.left.share < 0.015 && left * scale + x < -most) ||
      (cut.right.share < 0.015 && right * scale + x > canvas.width + most))
  );
}

/** A wide group that its photo shows from head to foot is shown so too, rather than as a row of small heads. */
function frameStanding(people: PeoplePhoto, canvas: Size, slot: Slot): Framing | null {
  if (!findBodyEnds(people.matte, people.faces).every(({ long }) => long)) return null;
  const placement = frameFullLength(people.silhouette, canvas, slot);
  if (!placement) return null;
  const note: Note = {
    kind: 'arrangement',
    value: 'full length',
    reason: 'the group is wider than the picture',
  };
  return { placed: [{ people, placement }], strained: false, applied: [note] };
}

export const standInTwoRows: Note = {
  kind: 'arrangement',
  value: 'two rows',
  reason: 'the group is wider than the picture',
};

function frameCutouts(cutouts: readonly PeoplePhoto[], canvas: Size, slot: Slot, end: number): Framing {
  const { placements, order, rows, eyes } = frameTogether(cutouts, canvas, slot, end);
  const placed = order.map((i) => ({ people: cutouts[i]!, placement: placements[i]! }));
  return {
    placed,
    strained: eyes > lowestEyes || placed.some((one) => endsInside(one, canvas)),
    applied: rows === 2 ? [standInTwoRows] : [],
  };
}

/** The widest gap between neighbours, in face heights. */
function widestGapOf(cutouts: readonly PeoplePhoto[]): number {
  const unit = medianHeight(cutouts.flatMap(({ faces }) => faces));
  let right = Infinity;
  let widest = 0;
  for (const { silhouette } of cutouts) {
    widest = Math.max(widest, silhouette.left - right);
    right = Math.max(right === Infinity ? -Infinity : right, silhouette.right);
  }
  return widest / unit;
}

/** What cannot be framed is answered with the reason, because another way may still do. */
function attempt<T>(work: () => T): T | RenderError {
  try {
    return work();
  } catch (error) {
    if (error instanceof RenderError) return error;
    throw error;
  }
}

const defaultSlots: Record<'one' | 'few' | 'many', Pick<Slot, 'face' | 'top' | 'lowest'>> = {
  one: { face: 0.165, top: 0.13, lowest: 0.34 },
  few: { face: 0.135, top: 0.18, lowest: 0.44 },
  many: { face: 0.115, top: 0.2, lowest: 0.46 },
};
const inTheMiddle = { across: 0.5, eyes: 0.36, fullLength: { hair: 0.2, feet: 0.95 } };

/** How large this many people are on a canvas of a scene, and where. */
export function slotFor(scene: Scene, people: number, canvas: Size): Slot {
  const size = people === 1 ? 'one' : people <= 3 ? 'few' : 'many';
  const { across, eyes, fullLength, ...slots } = scene.framing?.[ratioOf(canvas.width, canvas.height)] ?? {};
  return {
    ...inTheMiddle,
    ...(across !== undefined && { across }),
    ...(eyes !== undefined && { eyes }),
    ...(fullLength && { fullLength }),
    ...defaultSlots[size],
    ...(slots[size] ?? scene.slots?.[size]),
  };
}
