import type { Face } from '../faces/face.ts';
import { moveFace, pointOf, scanFace } from '../faces/face-outline.ts';
import type { Picture } from '../pixels/picture.ts';
import type { Plane, Size } from '../pixels/plane.ts';
import { type ReducedPlane, reducePicture } from '../pixels/reduce.ts';
import { resample } from '../pixels/resample.ts';
import { clamp } from '../pixels/scalar.ts';

/** Solved at this longest side: the border between two people is a line, not a strand of hair. */
const longestSide = 360;

/**
 * How much further a step is across a change of colour, into hair, across what is nobody, above the hair, and where
 * another face is nearer to straight above: for each face height by which it is, less the first 0.8, as people lean.
 */
const colourCost = 45;
const hairCost = 150;
const backgroundCost = 8;
const overheadCost = 40;
const strayCost = 16;
const freeStray = 0.8;
const mostStray = 1.5;

/** Where bodies begin, end and are wide for sure, in face heights below the chin and face widths beside it. */
const body = { from: 0.35, chest: 1.2, to: 3, beside: 0.3 };

/** Which face each pixel of a small photo belongs to. */
export interface NearestFaces extends Size {
  /** How many photo pixels one of its pixels is wide. */
  factor: number;
  /** An index of the faces, or -1 where none was reached. */
  nearest: Int8Array;
  /** The matte at this size. */
  people: Float32Array;
}

/** Where somebody is known to be, at any size over the whole photo: above 0. */
export interface KnownOutline extends Plane {
  /** Whether it may be believed. */
  trusted: boolean;
}

/** What is known of a photo besides its faces. */
export interface SharingHints {
  /** In the order of the faces. */
  outlines?: readonly (KnownOutline | null)[];
  /** How much of each pixel is hair: beyond a gap it is another head's. */
  hair?: ReducedPlane | null;
}

/**
 * Shares a photo among the faces in it. Every pixel belongs to the face with the shortest path to it; steps across
 * edges of colour and across background are long, so two people who touch are separated where their colours change.
 * Bodies hang below their heads, so paths start there too, and steps below somebody else's head are longer: an arm that
 * a neighbour holds before a waist does not give the legs below it to the neighbour. With outlines that is not needed.
 * Paths of somebody whose outline is known start everywhere in it: bare legs that an outline lacks are then reached from
 * the skirt above them, and not from whichever face is nearest.
 */
export function shareByNearestFace(
  matte: ReducedPlane,
  photo: Picture,
  faces: readonly Face[],
  { outlines = [], hair = null }: SharingHints = {},
): NearestFaces {
  const factor = Math.max(1, Math.round(Math.max(photo.width, photo.height) / longestSide));
  const picture = reducePicture(photo, factor);
  const { width, height } = picture;
  const people = pickAt(matte, picture, factor);
  const small = faces.map((face) => moveFace(face, { scale: 1 / factor, x: 0, y: 0 }));
  const known = peopleByOutline(outlines, picture);
  const hairShares = hair && pickAt(hair, picture, factor);
  const nearest = nearestFace(picture, { people, hair: hairShares }, small, known);
  return { width, height, factor, people, nearest };
}

/** The values of a plane over the photo, at another size. */
function pickAt(plane: ReducedPlane, { width, height }: Size, factor: number): Float32Array {
  const step = factor / plane.factor;
  const picked = new Float32Array(width * height);
  for (let y = 0, i = 0; y < height; y++) {
    const row = Math.min(plane.height - 1, Math.round((y + 0.5) * step)) * plane.width;
    for (let x = 0; x < width; x++, i++) {
      picked[i] = plane.data[row + Math.min(plane.width - 1, Math.round((x + 0.5) * step))]!;
    }
  }
  return picked;
}

/** Whose outline each pixel is in more than in any other; -1 where it is in none. */
function peopleByOutline(outlines: readonly (KnownOutline | null)[], { width, height }: Size): Int8Array {
  const people = new Int8Array(width * height).fill(-1);
  const most = new Float32Array(width * height);
  for (const [index, outline] of outlines.entries()) {
    if (!outline?.trusted) continue;
    const whole = { x: 0, y: 0, width: outline.width, height: outline.height };
    const { data } = resample(outline, whole, { width, height });
    for (let i = 0; i < people.length; i++) {
      if (data[i]! <= most[i]!) continue;
      most[i] = data[i]!;
      people[i] = index;
    }
  }
  return people;
}

/** For every pixel the face with the shortest path to it: Dijkstra from all faces at once, in buckets of length 1. */
function nearestFace(
  picture: Picture,
  { people, hair }: { people: Float32Array; hair: Float32Array | null },
  faces: readonly Face[],
  known: Int8Array,
): Int8Array {
  const { width, height, planes } = picture;
  const nearest = new Int8Array(width * height).fill(-1);
  const length = new Float32Array(width * height).fill(Infinity);
  const buckets: number[][] = [];
  const reach = (i: number, face: number, path: number) => {
    if (path >= length[i]!) return;
    length[i] = path;
    nearest[i] = face;
    // Of the length as it was stored: rounded up to a whole number, it would be looked for in another bucket.
    const bucket = length[i]! | 0;
    buckets[bucket] ??= [];
    buckets[bucket].push(i);
  };
  // Outlines know better than heads where bodies are.
  const hasOutlines = known.some((person) => person >= 0);
  for (let i = 0; i < known.length; i++) if (known[i]! >= 0) reach(i, known[i]!, 0);
  for (const [index, face] of faces.entries()) {
    scanFace(face, 1, picture, (y, from, to) => {
      for (let x = from; x <= to; x++) reach(y * width + x, index, 0);
    });
    startAlongBody(face, picture, (i, down) => {
      const isChest = down <= body.chest;
      if (!isChest && (hasOutlines || people[i]! < 0.5)) return;
      reach(i, index, (0.6 + (isChest ? 0 : down - body.chest)) * face.height);
    });
  }
  const stray = hasOutlines ? () => 0 : strayOf(faces, picture);
  const hairTops = faces.map((face) => Math.min(pointOf(face, 10).y, face.center.y) - 0.4 * face.height);
  const [red, green, blue] = planes;
  for (let bucket = 0; bucket < buckets.length; bucket++) {
    const pixels = buckets[bucket];
    if (!pixels) continue;
    // A step is at least 1 long, so a bucket adds to later ones only.
    for (const i of pixels) {
      const path = length[i]!;
      if ((path | 0) !== bucket) continue;
      const x = i % width;
      const go = (to: number) => {
        const change =
          Math.abs(red[to]! - red[i]!) + Math.abs(green[to]! - green[i]!) + Math.abs(blue[to]! - blue[i]!);
        const face = nearest[i]!;
        const overhead = to < hairTops[face]! * width ? overheadCost : 0;
        const entry = hair !== null && hair[i]! <= 0.5 && hair[to]! > 0.5 ? hairCost : 0;
        const long =
          overhead + entry + stray(face, to) + colourCost * change + backgroundCost * (1 - people[to]!);
        reach(to, face, path + 1 + long);
      };
      if (x > 0) go(i - 1);
      if (x < width - 1) go(i + 1);
      if (i >= width) go(i - width);
      if (i + width < nearest.length) go(i + width);
    }
    delete buckets[bucket];
  }
  return nearest;
}

/** How much longer a step to a pixel is for each face, because another face is nearer to straight above it. */
function strayOf(faces: readonly Face[], { width, height }: Size): (face: number, i: number) => number {
  const chins = faces.map((face) => ({ ...pointOf(face, 152), unit: face.height }));
  const nearest = new Float32Array(width * height).fill(Infinity);
  for (const { x: chinX, y: chinY, unit } of chins) {
    for (let y = Math.max(0, Math.ceil(chinY)); y < height; y++) {
      for (let x = 0, i = y * width; x < width; x++, i++) {
        nearest[i] = Math.min(nearest[i]!, Math.abs(x - chinX) / unit);
      }
    }
  }
  return (face, i) => {
    const { x, y, unit } = chins[face]!;
    if (i < y * width) return 0;
    const own = Math.abs((i % width) - x) / unit;
    return strayCost * clamp(own - nearest[i]! - freeStray, 0, mostStray);
  };
}

/** A body has another colour than its face, so paths start there too, a little longer than at the face. */
function startAlongBody(face: Face, { width, height }: Size, visit: (i: number, down: number) => void): void {
  const chin = pointOf(face, 152);
  for (let down = body.from; down <= body.to; down += 1 / face.height) {
    const y = Math.round(chin.y + down * face.height);
    if (y < 0 || y >= height) continue;
    const from = clamp(Math.round(chin.x - body.beside * face.width), 0, width - 1);
    const to = clamp(Math.round(chin.x + body.beside * face.width), 0, width - 1);
    for (let x = from; x <= to; x++) visit(y * width + x, down);
  }
}
