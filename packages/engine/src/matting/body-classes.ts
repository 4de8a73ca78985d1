import type { Face } from '../faces/face.ts';
import { medianHeight, moveFace, pointOf } from '../faces/face-outline.ts';
import { addWeighted } from '../pixels/kernels/wasm-kernels.ts';
import type { Picture } from '../pixels/picture.ts';
import { allocatePlane, type Plane, type Size } from '../pixels/plane.ts';
import { reducePicture } from '../pixels/reduce.ts';
import { resample, type Window } from '../pixels/resample.ts';
import { clamp, smoothstep } from '../pixels/scalar.ts';
import { allocateZeros, withArena } from '../runtime/arena.ts';
import {
  bodyClasses,
  type ClassShares,
  classInputs,
  classSide,
  newShares,
  runClassPass,
} from './class-pass.ts';
import { featherOf } from './merge-passes.ts';
import { feetWindow, kneesWindow } from './pass-windows.ts';

/** What the pixels of a photo are: for each class its share from 0 to 1. */
export interface BodyClasses extends Size {
  /** How many photo pixels one of its pixels is wide. */
  factor: number;
  shares: ClassShares;
  /** From 0 to 1, how much the shares are worth: little where people were too small for the network. */
  worth: Float32Array;
}

export interface ClassOptions {
  /**
   * `outline`: one pass over the photo. `fast`: one over each body too. `full`: two over bodies with their feet in the
   * photo, and all with lifted shadows too.
   */
  detail?: 'outline' | 'fast' | 'full';
  signal?: AbortSignal | undefined;
}

const longestSide = 640;

/** Passes read from a photo of this longest side: a body's window is still larger than the network's square there. */
const passSide = 1280;

/** A person whose face has fewer pixels in the network's square is guessed at. */
export const leastFace = 20;

/** A pass over one body is finer than the one over the whole photo, and counts for more, unless people are large. */
const bodyWeight = 3;
const largeFace = 40;

/** With more people, bodies get one pass each: a second one costs a second for every five people. */
const mostLifted = 6;

interface ClassPass {
  window: Window;
  weight: number;
  lifted: boolean;
}

/** Tells what the pixels of a photo are: one pass over all of it, and passes over each body. */
export async function classifyBodies(
  photo: Picture,
  faces: readonly Face[],
  { detail = 'full', signal }: ClassOptions = {},
): Promise<BodyClasses> {
  const longest = Math.max(photo.width, photo.height);
  const reduction = Math.max(1, Math.floor(longest / passSide));
  const small = reducePicture(photo, reduction);
  const found = faces.map((face) => moveFace(face, { scale: 1 / reduction, x: 0, y: 0 }));
  const scale = Math.min(1, (longestSide * reduction) / longest);
  const size = { width: Math.round(small.width * scale), height: Math.round(small.height * scale) };
  const passes = passesFor(small, found, detail);
  const inputs = classInputs(
    small,
    passes.map(({ window }) => window),
  );
  const answers: ClassShares[] = [];
  for (const [i, { lifted }] of passes.entries()) {
    signal?.throwIfAborted();
    answers.push(await runClassPass(inputs[i]!, lifted));
  }
  const { shares, weights } = withArena(() => mergeAnswers(answers, passes, { ...size, scale }));
  normalise(shares);
  return { ...size, factor: reduction / scale, shares, worth: weights.map((weight) => Math.min(1, weight)) };
}

/** Makes the shares of every pixel add up to 1, in place: their sums are of passes of different weights. */
function normalise(shares: ClassShares): void {
  const planes = bodyClasses.map((name) => shares[name]);
  for (let i = 0; i < shares.background.length; i++) {
    let sum = 0;
    for (const plane of planes) sum += plane[i]!;
    for (const plane of planes) plane[i]! /= sum;
  }
}

/** How high faces are in the network's square when it is given the whole photo. */
export function faceInSquare({ width, height }: Size, faces: readonly Face[]): number {
  return (classSide * medianHeight(faces)) / Math.max(width, height);
}

function passesFor(photo: Picture, faces: readonly Face[], detail: ClassOptions['detail']): ClassPass[] {
  const whole = { x: 0, y: 0, width: photo.width, height: photo.height };
  const face = faceInSquare(photo, faces);
  const weight = clamp(face / leastFace, 0.1, 1) + (bodyWeight - 1) * smoothstep(leastFace, largeFace, face);
  const passes = [{ window: whole, weight, lifted: detail !== 'outline' }];
  if (detail === 'outline') return passes;
  const lifted = detail === 'full' && faces.length <= mostLifted;
  for (const face of faces) {
    const brow = Math.min(pointOf(face, 10).y, pointOf(face, 152).y);
    // Whoever is cut off by the photo before the knees has no feet to look for.
    const hasFeet = brow + 6 * face.height <= photo.height;
    const upper = hasFeet && detail === 'fast' ? [] : [kneesWindow(face, photo)];
    const windows = hasFeet ? [...upper, feetWindow(face, photo)] : upper;
    for (const window of windows) {
      // The first pass shows a person who fills the photo as large as another one would.
      if (window.width * window.height >= 0.6 * whole.width * whole.height) continue;
      passes.push({ window, weight: bodyWeight, lifted });
    }
  }
  return passes;
}

/** The sums of all answers, each times its weight, which falls towards the window's borders; and those of the weights. */
function mergeAnswers(
  answers: readonly ClassShares[],
  passes: readonly ClassPass[],
  { width, height, scale }: Size & { scale: number },
): { shares: ClassShares; weights: Float32Array } {
  const shares = newShares(width * height);
  const weights = allocateZeros(width * height);
  const square = { x: 0, y: 0, width: classSide, height: classSide };
  for (const [pass, { window, weight }] of passes.entries()) {
    const x = Math.round(window.x * scale);
    const y = Math.round(window.y * scale);
    const part = {
      x,
      y,
      width: Math.min(width - x, Math.round(window.width * scale)),
      height: Math.min(height - y, Math.round(window.height * scale)),
    };
    const feather = featherOf(part, { width, height });
    const add = (source: Plane, target: Float32Array) =>
      addWeighted(source, { ...feather, weight }, { data: target, width, x, y });
    withArena(() => {
      for (const name of bodyClasses) {
        const answer = { width: classSide, height: classSide, data: answers[pass]![name] };
        add(resample(answer, square, part), shares[name]);
      }
      const ones = allocatePlane(part);
      ones.data.fill(1);
      add(ones, weights);
    });
  }
  return { shares, weights };
}
