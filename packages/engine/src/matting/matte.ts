import type { Face } from '../faces/face.ts';
import { moveFace, scanFace } from '../faces/face-outline.ts';
import type { Picture } from '../pixels/picture.ts';
import type { Plane, Size } from '../pixels/plane.ts';
import { type ReducedPlane, reduce, reducePicture } from '../pixels/reduce.ts';
import { smoothstep } from '../pixels/scalar.ts';
import { withArena } from '../runtime/arena.ts';
import { dropBackgroundColours } from './background-colours.ts';
import { type BodyClasses, classifyBodies } from './body-classes.ts';
import { type Confidence, judgeCutouts } from './confidence.ts';
import { closeGaps, keepConnected } from './connected-parts.ts';
import { findHair } from './hair.ts';
import { mergeHair, mergePass } from './merge-passes.ts';
import { runPass } from './network-pass.ts';
import { addOutlineVote } from './outline-vote.ts';
import { hairWindow, headWindow } from './pass-windows.ts';
import { settleEdges } from './settle-edges.ts';
import { liftedShadows } from './tone-curve.ts';
import { decideTranslucent } from './translucency.ts';
import { disputedShare, dropFurniture, keepUnlessAgreed, personByClasses, voteForPeople } from './vote.ts';
import { joinBodies } from './whole-people.ts';

/** The people of a photo: 1 where they are, 0 where they are not. */
export interface Matte extends Plane {
  /** How many photo pixels one of its pixels is wide. */
  factor: number;
  /** For each face the share of it that the network found to be a person, before it was filled in. */
  coverage: number[];
}

/** The matte of people, and how sure it is of each of them, in the order of their faces. */
export interface PeopleMatte extends Matte {
  confidence: Confidence[];
  /** What the matting network alone found, before the body classes had their say. Its factor is to the photo. */
  byNetwork: ReducedPlane;
  /** Whether outlines of single people had a say. */
  outlined: boolean;
}

export interface MatteOptions {
  /** Everybody else in the photo. */
  others?: readonly Face[];
  /** What the photo's pixels are, where that is known already. */
  classes?: BodyClasses;
  /** Smaller inputs for the network: half of the time and memory, coarser hair. */
  fast?: boolean;
  /** Only where people are, for framing: fast, and without hair and closed gaps. */
  outline?: boolean;
  /** How much of each pixel is in somebody's outline, at a size; where there is a model that draws outlines. */
  outlined?: ((size: Size) => Promise<Plane>) | undefined;
  /** Outlines vote even where the networks hardly contradict each other: for people whose first matte was bad. */
  alwaysOutlined?: boolean;
  signal?: AbortSignal | undefined;
}

/** The matte's longest side at most: the network tells nothing finer apart, and the canvas refines it later. */
const longestSide = 1500;

/** MODNet's best short side: at 768 and 1024 it loses torsos. */
const shortSide = 512;

const fastShortSide = 384;

/**
 * The same for a pass over a head. In groups it also finds bodies that the first pass lost between others: with 320 and
 * 384 a dress beside an arm has holes. In larger groups heads are small on the canvas.
 */
const headSide = (people: number) => (people > 6 ? 320 : people > 2 ? 448 : 384);

/** The same for a fast pass that only adds hair: with 448 the mattes of six groups differ by 0.02 to 0.23 %. */
const hairSide = 256;

/** Another size makes the second pass err elsewhere than the first. */
const secondSide = 576;

/** The share of a person who is alone from which on a dispute is worth a second pass. */
const worthSecondPass = 0.025;

/** What the network alone found is kept this much smaller: it is compared, not drawn. */
const networkReduction = 4;

/** In larger groups outlines lack too many bodies to vote on what is a person. */
const mostOutlined = 6;

/**
 * The matte of the people with these faces. One pass over the whole photo misses people in groups, so every head gets
 * a pass of its own; the union of both, feathered at the windows' borders, raised the face coverage of group photos
 * from 0.29 to 0.99. The body classes then vote on what of it is people, and what else is.
 */
export async function mattePeople(
  photo: Picture,
  faces: readonly Face[],
  options: MatteOptions = {},
): Promise<PeopleMatte> {
  const { outline = false, fast = outline, signal } = options;
  const factor = Math.max(1, Math.ceil(Math.max(photo.width, photo.height) / longestSide));
  const small = reducePicture(photo, factor);
  const toSmall = { scale: 1 / factor, x: 0.5 / factor - 0.5, y: 0.5 / factor - 0.5 };
  const found = faces.map((face) => moveFace(face, toSmall));
  const matte = await runPass(small, { window: wholeOf(small), side: fast ? fastShortSide : shortSide });
  await addHeads(matte, small, found, { fast, outline, signal });
  const coverage = found.map((face) => coverageOf(matte, face));
  const classes = options.classes ?? (await classesOf(photo, faces, options));
  const byNetwork = { ...reduce(matte, networkReduction), factor: networkReduction * factor };
  const { confidence, outlined } = await vote({ ...matte, factor }, small, found, {
    ...{ ...options, fast, classes },
  });
  fillFaces(matte, found);
  decideTranslucent(matte, found);
  keepConnected(matte, found);
  if (!outline) closeGaps(matte, small, found, 0.5);
  return { ...matte, factor, coverage, confidence, byNetwork, outlined };
}

const wholeOf = ({ width, height }: Picture) => ({ x: 0, y: 0, width, height });

/** What the pixels of a photo are, as fine as the matte is to be. */
export function classesOf(
  photo: Picture,
  faces: readonly Face[],
  { outline = false, fast = outline, others = [], signal }: MatteOptions,
): Promise<BodyClasses> {
  const detail = outline ? 'outline' : fast ? 'fast' : 'full';
  return classifyBodies(photo, [...faces, ...others], { detail, signal });
}

/** A pass over each head. */
async function addHeads(
  matte: Plane,
  photo: Picture,
  faces: readonly Face[],
  { fast, outline, signal }: MatteOptions,
): Promise<void> {
  for (const face of faces) {
    signal?.throwIfAborted();
    // Where the fast first pass found somebody, it may still have lost hair; the body is as it found it.
    const covered = fast === true && coverageOf(matte, face) >= 0.9;
    if (covered && outline) continue;
    if (faces.length === 1 && showsHead(matte, face, fast ? fastShortSide : shortSide)) continue;
    const window = covered ? hairWindow(face, photo) : headWindow(face, photo);
    const head = await runPass(photo, { window, side: covered ? hairSide : headSide(faces.length) });
    mergePass(matte, head, window);
    mergeHair(matte, head, window, face, faces.length > 1);
  }
}

/** Lets the body classes and the matte vote on what is people, and settles the matte by that, in place. */
async function vote(
  matte: ReducedPlane,
  photo: Picture,
  faces: readonly Face[],
  {
    others = [],
    classes,
    fast = false,
    outlined,
    alwaysOutlined = false,
    signal,
  }: MatteOptions & { classes: BodyClasses },
): Promise<Pick<PeopleMatte, 'confidence' | 'outlined'>> {
  signal?.throwIfAborted();
  const person = personByClasses(matte, photo, faces, classes);
  const people = faces.length + others.length;
  const isDisputed = !fast && disputedShare(matte, person, faces) > worthSecondPass;
  // One guest of a group is outlined anyway.
  const isOutlined = people <= mostOutlined && (isDisputed || alwaysOutlined || others.length > 0);
  const outlines = isOutlined && outlined ? await outlined(matte) : null;
  if (people === 1) {
    const second = isDisputed && !outlines ? await passOnceMore(photo, person, matte, faces[0]) : null;
    keepUnlessAgreed(person, matte, outlines ?? second);
  } else if (outlines) addOutlineVote(person, matte, outlines);
  return withArena(() => {
    const solid = voteForPeople(matte, person, faces);
    joinBodies(solid, person, faces, classes);
    const confidence = judgeCutouts(matte, person, faces);
    const hair = findHair({ ...classes, factor: classes.factor / matte.factor }, faces);
    settleEdges(matte, photo, faces, { solid, hair, fast });
    const background = { ...classes, data: classes.shares.background, factor: classes.factor / matte.factor };
    dropBackgroundColours(matte, photo, faces, background);
    return { confidence, outlined: outlines !== null };
  });
}

/** What a pass with lifted shadows finds as well, without furniture. */
async function passOnceMore(
  photo: Picture,
  person: Plane,
  matte: Plane,
  face: Face | undefined,
): Promise<Plane> {
  const second = await runPass(photo, { window: wholeOf(photo), side: secondSide, curve: liftedShadows });
  dropFurniture(second, person, matte, face);
  return second;
}

/** Whether the pass over the whole photo, of this short side, showed a head as large as a pass over that head would. */
function showsHead(matte: Plane, face: Face, side: number): boolean {
  const window = headWindow(face, matte);
  const ofHead = headSide(1) / Math.min(window.width, window.height);
  const ofPhoto = side / Math.min(matte.width, matte.height);
  return ofHead < 1.15 * ofPhoto && coverageOf(matte, face) >= 0.95;
}

function fillFaces({ width, height, data }: Plane, faces: readonly Face[]): void {
  for (const face of faces) {
    scanFace(face, certainShare(face), { width, height }, (y, from, to) =>
      data.fill(1, y * width + from, y * width + to + 1),
    );
  }
}

function coverageOf({ width, height, data }: Plane, face: Face): number {
  let covered = 0;
  let all = 0;
  scanFace(face, certainShare(face), { width, height }, (y, from, to) => {
    for (let x = from; x <= to; x++) if (data[y * width + x]! > 0.9) covered++;
    all += to - from + 1;
  });
  return all === 0 ? 0 : covered / all;
}

/** How much of the mesh's oval is certainly face: in profile it reaches over the nose into the room. */
function certainShare({ yaw }: Face): number {
  return 0.94 - 0.34 * smoothstep(0.45, 0.62, Math.abs(yaw));
}
