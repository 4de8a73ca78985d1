import type { Face } from '../faces/face.ts';
import { moveFace, pointOf, scanFace } from '../faces/face-outline.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import type { Picture } from '../pixels/picture.ts';
import { readReduced, reducePicture } from '../pixels/reduce.ts';
import { clamp } from '../pixels/scalar.ts';
import { keepJoined } from './connected-parts.ts';
import type { Matte } from './matte.ts';

/** Worked out at this longest side: what parts two people is a line, not a strand of hair. */
const longestSide = 360;

/** How much further a step is across a change of colour, across what is nobody, and above the hair. */
const colourCost = 45;
const backgroundCost = 8;
const overheadCost = 40;

/**
 * Leaves one of the people in a matte, in place. Everything belongs to the face it is nearest to, on ways that are
 * long across edges and background: two people who touch are parted where their colours change.
 */
export function keepOnly(matte: Matte, photo: Picture, face: Face, others: readonly Face[]): void {
  if (others.length === 0) return;
  const factor = Math.max(1, Math.round(Math.max(photo.width, photo.height) / longestSide));
  const picture = reducePicture(photo, factor);
  const { width, height } = picture;
  const step = factor / matte.factor;
  const people = new Float32Array(width * height);
  for (let y = 0, i = 0; y < height; y++) {
    const row = Math.min(matte.height - 1, Math.round((y + 0.5) * step)) * matte.width;
    for (let x = 0; x < width; x++, i++) {
      people[i] = matte.alpha[row + Math.min(matte.width - 1, Math.round((x + 0.5) * step))]!;
    }
  }
  const small = [face, ...others].map((one) => moveFace(one, 1 / factor, 0, 0));
  const nearest = nearestFace(picture, people, small);
  const own = new Float32Array(width * height);
  for (let i = 0; i < own.length; i++) own[i] = nearest[i] === 0 ? 1 : 0;
  const soft = { ...gaussianBlur({ width, height, data: own }, 0.8), factor: step };
  for (let y = 0, i = 0; y < matte.height; y++) {
    for (let x = 0; x < matte.width; x++, i++) {
      if (matte.alpha[i]! > 0) matte.alpha[i] = matte.alpha[i]! * readReduced(soft, x, y);
    }
  }
  keepJoined(matte.alpha, matte.width, matte.height, [moveFace(face, 1 / matte.factor, 0, 0)]);
}

/** For every pixel the face with the shortest way to it (Dijkstra from all faces at once, in rings of one length). */
function nearestFace(picture: Picture, people: Float32Array, faces: readonly Face[]): Int8Array {
  const { width, height, planes } = picture;
  const nearest = new Int8Array(width * height).fill(-1);
  const length = new Float32Array(width * height).fill(Infinity);
  const rings: number[][] = [];
  const reach = (i: number, face: number, way: number) => {
    if (way >= length[i]!) return;
    length[i] = way;
    nearest[i] = face;
    const ring = way | 0;
    rings[ring] ??= [];
    rings[ring].push(i);
  };
  for (const [index, face] of faces.entries()) {
    scanFace(face, 1, width, height, (y, from, to) => {
      for (let x = from; x <= to; x++) reach(y * width + x, index, 0);
    });
    startAtChest(face, width, height, (i) => reach(i, index, 0.6 * face.height));
  }
  const hairTops = faces.map((face) => Math.min(pointOf(face, 10).y, face.center.y) - 0.4 * face.height);
  const [red, green, blue] = planes;
  for (let ring = 0; ring < rings.length; ring++) {
    const pixels = rings[ring];
    if (!pixels) continue;
    // A step is at least 1 long, so a ring reaches later ones only.
    for (const i of pixels) {
      const way = length[i]!;
      if ((way | 0) !== ring) continue;
      const x = i % width;
      const go = (to: number) => {
        const change =
          Math.abs(red[to]! - red[i]!) + Math.abs(green[to]! - green[i]!) + Math.abs(blue[to]! - blue[i]!);
        const face = nearest[i]!;
        const overhead = to < hairTops[face]! * width ? overheadCost : 0;
        reach(to, face, way + 1 + overhead + colourCost * change + backgroundCost * (1 - people[to]!));
      };
      if (x > 0) go(i - 1);
      if (x < width - 1) go(i + 1);
      if (i >= width) go(i - width);
      if (i + width < nearest.length) go(i + width);
    }
    delete rings[ring];
  }
  return nearest;
}

/** A chest is not told from the face by its colour: it starts by itself, a little behind the faces. */
function startAtChest(face: Face, width: number, height: number, visit: (i: number) => void): void {
  const chin = pointOf(face, 152);
  for (let down = 0.35; down <= 1.2; down += 1 / face.height) {
    const y = Math.round(chin.y + down * face.height);
    if (y < 0 || y >= height) continue;
    const from = clamp(Math.round(chin.x - 0.3 * face.width), 0, width - 1);
    const to = clamp(Math.round(chin.x + 0.3 * face.width), 0, width - 1);
    for (let x = from; x <= to; x++) visit(y * width + x);
  }
}
