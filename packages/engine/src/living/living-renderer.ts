import { applyFilmTables } from '../compose/film-finish.ts';
import { applyPalette } from '../compose/palette.ts';
import type { Picture, Planes } from '../pixels/picture.ts';
import { planeOf, type Size } from '../pixels/plane.ts';
import type { Window } from '../pixels/resample.ts';
import { allocate, withArena } from '../runtime/arena.ts';
import { frameRows } from '../video/frame.ts';
import type { Renderer } from '../video/render-thread.ts';
import { eyesBetween, type MovingEye, moveWithEye } from './eye-motion.ts';
import { flowAt } from './flow-between.ts';
import type { Keyframe } from './keyframe.ts';
import type { LivingScene, LivingStage } from './living-stage.ts';

/** Makes the frames of a living portrait. Pure: any thread may make any frame. */
export function rendererOf(data: unknown): Renderer {
  const stage = data as LivingStage;
  return (index, frame) =>
    withArena(() => {
      const picture = renderFrame(stage, index);
      frameRows(picture, frame, 0, frame.height / 2);
    });
}

/** One frame as a picture. */
export function renderFrame(stage: LivingStage, index: number): Picture {
  const { scene, keyframes } = stage;
  const { width, height } = scene;
  const people = allocate(width * height);
  const colour: Planes = [allocate(people.length), allocate(people.length), allocate(people.length)];
  const { shot, time } = stage.times[index]!;
  if (time === 0) showKeyframe(keyframes[shot]!, scene, colour, people);
  else {
    const flow = allocate(5 * stage.window.width * stage.window.height);
    flowAt(stage.flows[shot]!, time, stage.window, flow);
    const target = { colour, people };
    const eyes = eyesBetween(stage.eyes[shot]!, stage.eyes[shot + 1]!, time);
    showPlate(scene, target);
    carryPeople(stage, { first: keyframes[shot]!, last: keyframes[shot + 1]!, flow, eyes }, target);
  }
  if (scene.front) drawFront(scene, colour);
  return finish(scene, colour, people);
}

interface Target {
  colour: Planes;
  people: Float32Array;
}

function showPlate({ plate }: LivingScene, { colour, people }: Target): void {
  people.fill(0);
  for (const [c, plane] of colour.entries()) plane.set(plate[c]!);
}

function showKeyframe(
  { colour: own, alpha }: Keyframe,
  { plate }: LivingScene,
  colour: Planes,
  people: Float32Array,
): void {
  people.set(alpha);
  for (const [c, plane] of colour.entries()) {
    const [before, behind] = [own[c]!, plate[c]!];
    for (let i = 0; i < plane.length; i++) plane[i] = before[i]! + (1 - alpha[i]!) * behind[i]!;
  }
}

/** Two shots, and the flow between them. */
interface Passage {
  first: Keyframe;
  last: Keyframe;
  flow: Float32Array;
  eyes: readonly MovingEye[];
}

/** Brings the people of both shots to where the flow says, mixes them and puts them before the plate. */
function carryPeople(stage: LivingStage, passage: Passage, target: Target): void {
  const { window, factor } = stage;
  const whole = {
    x: window.x * factor,
    y: window.y * factor,
    width: window.width * factor,
    height: window.height * factor,
  };
  carryPart(stage, passage, target, whole, null);
  for (const eye of passage.eyes) carryPart(stage, passage, target, eye.area, eye);
}

/** Where a pixel lies in both shots, away from itself, and the share of the first. */
const flowHere = new Float32Array(5);
/** Colour and alpha of a pixel in each shot. */
const [one, other] = [new Float32Array(4), new Float32Array(4)];

/** One part of the clip; that of an eye moves with it, and is drawn over what was there. */
function carryPart(
  { window, factor, scene }: LivingStage,
  { first, last, flow }: Passage,
  { colour, people }: Target,
  part: Window,
  eye: MovingEye | null,
): void {
  const { width, height, plate } = scene;
  const right = Math.min(width, part.x + part.width);
  const bottom = Math.min(height, part.y + part.height);
  for (let y = Math.max(0, part.y); y < bottom; y++) {
    const v = clampTo((y + 0.5) / factor - 0.5 - window.y, window.height - 1);
    const row = Math.min(window.height - 2, v | 0);
    for (let x = Math.max(0, part.x); x < right; x++) {
      const u = clampTo((x + 0.5) / factor - 0.5 - window.x, window.width - 1);
      const column = Math.min(window.width - 2, u | 0);
      readFlow(flow, window, row * window.width + column, u - column, v - row);
      for (let k = 0; k < 4; k++) flowHere[k] = flowHere[k]! * factor;
      if (eye && !moveWithEye(eye, x, y, flowHere)) continue;
      readKeyframe(first, x + flowHere[0]!, y + flowHere[1]!, one);
      readKeyframe(last, x + flowHere[2]!, y + flowHere[3]!, other);
      const share = flowHere[4]!;
      const i = y * width + x;
      const alpha = other[3]! + (one[3]! - other[3]!) * share;
      people[i] = alpha;
      for (let c = 0; c < 3; c++) {
        colour[c]![i] = other[c]! + (one[c]! - other[c]!) * share + (1 - alpha) * plate[c]![i]!;
      }
    }
  }
}

function clampTo(value: number, most: number): number {
  return value < 0 ? 0 : value > most ? most : value;
}

/** Reads the flow between four of its pixels, of which `at` is the upper left one. */
function readFlow(flow: Float32Array, { width, height }: Size, at: number, a: number, b: number): void {
  const count = width * height;
  for (let k = 0, i = at; k < 5; k++, i += count) {
    const upper = flow[i]! + (flow[i + 1]! - flow[i]!) * a;
    const lower = flow[i + width]! + (flow[i + width + 1]! - flow[i + width]!) * a;
    flowHere[k] = upper + (lower - upper) * b;
  }
}

/** Colour and alpha of a keyframe at a point between pixels; its borders repeat. */
function readKeyframe(
  { width, height, colour, alpha }: Keyframe,
  x: number,
  y: number,
  into: Float32Array,
): void {
  const u = clampTo(x, width - 1);
  const v = clampTo(y, height - 1);
  const column = Math.min(width - 2, u | 0);
  const row = Math.min(height - 2, v | 0);
  const [a, b] = [u - column, v - row];
  const i = row * width + column;
  into[0] = between(colour[0], i, width, a, b);
  into[1] = between(colour[1], i, width, a, b);
  into[2] = between(colour[2], i, width, a, b);
  into[3] = between(alpha, i, width, a, b);
}

/** The value between four pixels, of which `i` is the upper left one. */
function between(plane: Float32Array, i: number, width: number, a: number, b: number): number {
  const upper = plane[i]! + (plane[i + 1]! - plane[i]!) * a;
  const lower = plane[i + width]! + (plane[i + width + 1]! - plane[i + width]!) * a;
  return upper + (lower - upper) * b;
}

function drawFront({ front }: LivingScene, colour: Planes): void {
  for (const [c, plane] of colour.entries()) {
    const [gain, light] = [front!.gain[c]!, front!.light[c]!];
    for (let i = 0; i < plane.length; i++) plane[i] = plane[i]! * gain[i]! + light[i]!;
  }
}

function finish({ width, height, finish }: LivingScene, colour: Planes, people: Float32Array): Picture {
  if (!finish) return { width, height, planes: colour };
  const size = { width, height };
  const picture = applyFilmTables({ ...size, colour }, planeOf(people, size), finish.film);
  return finish.palette ? applyPalette(picture, finish.palette) : picture;
}
