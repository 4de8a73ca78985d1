import { Tensor } from 'onnxruntime-node';
import type { Face } from '../faces/face.ts';
import { moveFace, pointOf, scanFace } from '../faces/face-outline.ts';
import { modNet } from '../models/models.ts';
import { session } from '../models/sessions.ts';
import type { Picture } from '../pixels/picture.ts';
import { planeOf } from '../pixels/plane.ts';
import { reducePicture } from '../pixels/reduce.ts';
import { resample, type Window } from '../pixels/resample.ts';
import { clamp, smoothstep } from '../pixels/scalar.ts';
import { withArena } from '../runtime/arena.ts';
import { closeGaps, keepJoined } from './connected-parts.ts';
import { isDoubtful, settleBySecond } from './second-pass.ts';
import { bodyMissing, closeTrunk, narrowToTrunk, trunkLooks } from './torso-pass.ts';
import { settleVeils } from './translucency.ts';

/** The people of a photo: 1 where they are, 0 where they are not. */
export interface Matte {
  alpha: Float32Array;
  width: number;
  height: number;
  /** How many photo pixels one of its pixels is wide. */
  factor: number;
  /** For each face the share of it that the network saw as a person, before it was filled in. */
  coverage: number[];
}

export interface CutOptions {
  /** Coarser looks: half of the time and memory, coarser hair. */
  fast?: boolean;
  /** Fast, and nothing of what only a picture would show: for where people are. */
  outline?: boolean;
  signal?: AbortSignal | undefined;
}

/** The matte's longest side at most: what the network tells apart is no finer, and the canvas refines it anyway. */
const longestSide = 1500;

/** MODNet's best short side: at 768 and 1024 it loses torsos. */
const shortSide = 512;

/** Heads of a group are small on the canvas: this is as fine there, in half of the time. */
const shortSideInGroup = 384;

/** Finer than the shadows of an 8-bit photo. */
const toneSteps = 4096;

/**
 * Another size and lifted shadows make the second look err elsewhere than the first: dark trousers come out of a dark
 * room, and a sofa's arm goes.
 */
const secondSide = 576;
const liftShadows = toneTable((value) => value ** 0.6);
const asItIs = toneTable((value) => value);

/**
 * Cuts people out. One look at the whole photo misses people in groups, so every head gets a look of its own; the
 * union of both, feathered at the windows' borders, took face coverage of group photos from 0.29 to 0.99.
 */
export async function cutPeople(
  photo: Picture,
  faces: readonly Face[],
  { outline = false, fast = outline, signal }: CutOptions = {},
): Promise<Matte> {
  const factor = Math.max(1, Math.ceil(Math.max(photo.width, photo.height) / longestSide));
  const small = reducePicture(photo, factor);
  const { width, height } = small;
  const near = faces.map((face) => moveFace(face, 1 / factor, 0.5 / factor - 0.5, 0.5 / factor - 0.5));
  const side = fast ? shortSideInGroup : shortSide;
  const alpha = await lookAt(small, { x: 0, y: 0, width, height }, width, height, side);
  const headSide = fast || faces.length > 2 ? shortSideInGroup : shortSide;
  const cutOff: Face[] = [];
  for (const face of near) {
    signal?.throwIfAborted();
    // Of whom the fast first look saw, it may still have lost hair; their bodies are as it saw them.
    const seen = fast && coverageOf(alpha, width, height, face) >= 0.9;
    if (seen && outline) continue;
    if (fast && faces.length === 1 && showsHead(alpha, width, height, face)) continue;
    const window = seen ? hairWindow(face, width, height) : headWindow(face, width, height);
    const head = await lookAt(small, window, window.width, window.height, headSide);
    if (!seen && goesOnBelow(alpha, width, height, head, window)) cutOff.push(face);
    mergeLook(alpha, width, height, head, window);
    trustHead(alpha, width, height, head, window, face, faces.length > 1);
  }
  for (const face of cutOff) {
    signal?.throwIfAborted();
    const window = bodyWindow(face, width, height);
    const body = await lookAt(small, window, window.width, window.height, shortSideInGroup);
    mergeLook(alpha, width, height, body, window);
  }
  if (!fast && isDoubtful(alpha, small, near)) {
    signal?.throwIfAborted();
    const whole = { x: 0, y: 0, width, height };
    const second = await lookAt(small, whole, width, height, secondSide, liftShadows);
    settleBySecond(alpha, second, small, near);
    for (const face of near) {
      const isMissing = () => bodyMissing(alpha, width, height, face, near) >= 0.05;
      if (!isMissing()) continue;
      for (const { beside, above, below, side } of trunkLooks) {
        signal?.throwIfAborted();
        const window = windowAround(face, beside, above, below, width, height);
        const trunk = await lookAt(small, window, window.width, window.height, side);
        narrowToTrunk(trunk, window, face);
        mergeLook(alpha, width, height, trunk, window);
        if (!isMissing()) break;
      }
      closeTrunk(alpha, width, height, face);
    }
  }
  const coverage = near.map((face) => coverageOf(alpha, width, height, face));
  for (const face of near) {
    scanFace(face, sureShare(face), width, height, (y, from, to) =>
      alpha.fill(1, y * width + from, y * width + to + 1),
    );
  }
  settleVeils(alpha, width, height, near);
  keepJoined(alpha, width, height, near);
  if (!outline) closeGaps(alpha, small.planes, width, height, near, 0.5);
  return { alpha, width, height, factor, coverage };
}

/** MODNet's answer for a window, at the given size. */
async function lookAt(
  photo: Picture,
  window: Window,
  outWidth: number,
  outHeight: number,
  side = shortSide,
  tone = asItIs,
): Promise<Float32Array> {
  const scale = side / Math.min(window.width, window.height);
  const { multipleOf = 1, scale: gain, shift } = modNet.input;
  const fit = (length: number) => Math.max(1, Math.round((length * scale) / multipleOf)) * multipleOf;
  const width = fit(window.width);
  const height = fit(window.height);
  const input = new Float32Array(3 * width * height);
  withArena(() => {
    for (const [channel, plane] of photo.planes.entries()) {
      const values = resample(planeOf(plane, photo), window, { width, height }).data;
      prepare(values, tone, 255 * gain, shift, input.subarray(channel * values.length));
    }
  });
  const network = await session(modNet);
  const result = await network.run({ input: new Tensor('float32', input, [1, 3, height, width]) });
  const answer = result.output!.data as Float32Array;
  const whole = { x: 0, y: 0, width, height };
  const alpha = resample({ width, height, data: answer }, whole, { width: outWidth, height: outHeight }).data;
  for (let i = 0; i < alpha.length; i++) alpha[i] = clamp(alpha[i]!, 0, 1);
  return alpha;
}

/**
 * Whether the look at the whole photo shows the only head in it as large as a look at that head would: hardly anything
 * finer is to be seen then, and whoever wants the picture soon goes without.
 */
function showsHead(alpha: Float32Array, width: number, height: number, face: Face): boolean {
  const window = headWindow(face, width, height);
  const finer = Math.min(width, height) / Math.min(window.width, window.height);
  return finer < 1.15 && coverageOf(alpha, width, height, face) >= 0.95;
}

/** What becomes of values from 0 to 1, in even steps; the last one twice. */
function toneTable(tone: (value: number) => number): Float32Array {
  return Float32Array.from({ length: toneSteps + 2 }, (_, i) => tone(Math.min(1, i / toneSteps)));
}

function prepare(
  values: Float32Array,
  tone: Float32Array,
  gain: number,
  shift: number,
  input: Float32Array,
): void {
  for (let i = 0; i < values.length; i++) {
    const at = clamp(values[i]!, 0, 1) * toneSteps;
    const low = at | 0;
    input[i] = (tone[low]! + (tone[low + 1]! - tone[low]!) * (at - low)) * gain + shift;
  }
}

function headWindow(face: Face, width: number, height: number): Window {
  return windowAround(face, 1.75, 1, 1.9, width, height);
}

function hairWindow(face: Face, width: number, height: number): Window {
  return windowAround(face, 1.5, 1, 0.9, width, height);
}

/** Head, body and knees. */
function bodyWindow(face: Face, width: number, height: number): Window {
  return windowAround(face, 2.2, 0.6, 4.2, width, height);
}

/** To both sides of the face's middle, above its top and below its chin, in face heights. */
function windowAround(
  face: Face,
  beside: number,
  above: number,
  below: number,
  width: number,
  height: number,
): Window {
  const top = Math.min(pointOf(face, 10).y, pointOf(face, 152).y);
  const chin = Math.max(pointOf(face, 10).y, pointOf(face, 152).y);
  const x = Math.max(0, Math.round(face.center.x - beside * face.height));
  const y = Math.max(0, Math.round(top - above * face.height));
  return {
    x,
    y,
    width: Math.min(width, Math.round(face.center.x + beside * face.height)) - x,
    height: Math.min(height, Math.round(chin + below * face.height)) - y,
  };
}

/**
 * Whether the look at a head ends in the middle of a body that the look at the whole photo did not see: people who
 * sit behind others. Left like this, their hips fade out along the window's lower border.
 */
function goesOnBelow(
  alpha: Float32Array,
  width: number,
  height: number,
  head: Float32Array,
  window: Window,
): boolean {
  if (window.y + window.height >= height) return false;
  const row = Math.round(0.94 * (window.height - 1));
  let lost = 0;
  for (let x = 0; x < window.width; x++) {
    const seen = alpha[(row + window.y) * width + x + window.x]!;
    if (head[row * window.width + x]! > 0.8 && seen < 0.5) lost++;
  }
  return lost > 0.08 * window.width;
}

/** Share of a look that counts, by its column and by its row: less towards borders that are not the photo's own. */
function featherOf(
  window: Window,
  width: number,
  height: number,
): { across: Float32Array; down: Float32Array } {
  const ramp = (length: number, before: number, after: number) =>
    Float32Array.from(
      { length },
      (_, i) =>
        (before > 0 ? smoothstep(0, before, i) : 1) * (after > 0 ? smoothstep(0, after, length - 1 - i) : 1),
    );
  const [x, y] = [0.12 * window.width, 0.12 * window.height];
  const right = window.x + window.width < width;
  const bottom = window.y + window.height < height;
  return {
    across: ramp(window.width, window.x > 0 ? x : 0, right ? x : 0),
    down: ramp(window.height, window.y > 0 ? y : 0, bottom ? 2 * y : 0),
  };
}

/** Adds what a look at a window saw. */
function mergeLook(
  alpha: Float32Array,
  width: number,
  height: number,
  look: Float32Array,
  window: Window,
): void {
  const { across, down } = featherOf(window, width, height);
  for (let y = 0; y < window.height; y++) {
    for (let x = 0; x < window.width; x++) {
      const seen = look[y * window.width + x]!;
      const at = (y + window.y) * width + x + window.x;
      if (seen > alpha[at]!) alpha[at] = Math.max(alpha[at]!, seen * across[x]! * down[y]!);
    }
  }
}

/** Around the head the closer look is right about hair; in a group it may take a neighbour for background. */
function trustHead(
  alpha: Float32Array,
  width: number,
  height: number,
  head: Float32Array,
  window: Window,
  face: Face,
  inGroup: boolean,
): void {
  const { across, down } = featherOf(window, width, height);
  for (let y = 0; y < window.height; y++) {
    const dy = (y + window.y - (face.center.y - 0.1 * face.height)) / (1.15 * face.height);
    for (let x = 0; x < window.width; x++) {
      const dx = (x + window.x - face.center.x) / (1.05 * face.height);
      const distance = Math.sqrt(dx * dx + dy * dy);
      if (distance > 1.15) continue;
      const at = (y + window.y) * width + x + window.x;
      const close = head[y * window.width + x]!;
      const near = inGroup ? smoothstep(0.8, 0.55, distance) : smoothstep(1.15, 0.75, distance);
      const trusted = inGroup && close > 0.05 ? Math.max(close, alpha[at]!) : close;
      alpha[at] = alpha[at]! + (trusted - alpha[at]!) * near * across[x]! * down[y]!;
    }
  }
}

/** How much of the mesh's oval is face for certain: in profile it reaches over the nose into the room. */
function sureShare({ yaw }: Face): number {
  return 0.94 - 0.34 * smoothstep(0.45, 0.62, Math.abs(yaw));
}

function coverageOf(alpha: Float32Array, width: number, height: number, face: Face): number {
  let seen = 0;
  let all = 0;
  scanFace(face, sureShare(face), width, height, (y, from, to) => {
    for (let x = from; x <= to; x++) if (alpha[y * width + x]! > 0.9) seen++;
    all += to - from + 1;
  });
  return all === 0 ? 0 : seen / all;
}
