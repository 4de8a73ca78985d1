import { applyFilmTables } from '../compose/film-finish.ts';
import { applyPalette } from '../compose/palette.ts';
import type { Picture, Planes } from '../pixels/picture.ts';
import { planeOf, type Size } from '../pixels/plane.ts';
import type { Window } from '../pixels/resample.ts';
import { allocate, withArena } from '../runtime/arena.ts';
import { frameRows } from '../video/frame.ts';
import type { Renderer } from '../video/render-thread.ts';
import { eyesBetween, type MovingEye, moveWithEye } from './eye-motion.ts';
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
    const flow = stage.flows[index % stage.flows.length]!;
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
  const { window, factor, scene } = stage;
  const whole = {
    x: window.x * factor,
    y: window.y * factor,
    width: window.width * factor,
    height: window.height * factor,
  };
  const flow = new Float32Array(5);
  eachPixel(whole, scene, (x, y) => {
    readFlow(stage, passage.flow, x, y, flow);
    mixPixel(scene, passage, flow, { x, y, target });
  });
  for (const eye of passage.eyes) {
    eachPixel(eye.area, scene, (x, y) => {
      readFlow(stage, passage.flow, x, y, flow);
      if (moveWithEye(eye, x, y, flow)) mixPixel(scene, passage, flow, { x, y, target });
    });
  }
}

/** Visits the pixels of a part that are inside of the clip. */
function eachPixel(part: Window, { width, height }: Size, visit: (x: number, y: number) => void): void {
  const right = Math.min(width, part.x + part.width);
  const bottom = Math.min(height, part.y + part.height);
  for (let y = Math.max(0, part.y); y < bottom; y++) {
    for (let x = Math.max(0, part.x); x < right; x++) visit(x, y);
  }
}

const [one, other] = [new Float32Array(4), new Float32Array(4)];

function mixPixel(
  { width, plate }: LivingScene,
  { first, last }: Passage,
  flow: Float32Array,
  { x, y, target: { colour, people } }: { x: number; y: number; target: Target },
): void {
  readKeyframe(first, x + flow[0]!, y + flow[1]!, one);
  readKeyframe(last, x + flow[2]!, y + flow[3]!, other);
  const share = flow[4]!;
  const i = y * width + x;
  const alpha = other[3]! + (one[3]! - other[3]!) * share;
  people[i] = alpha;
  for (let c = 0; c < 3; c++) {
    colour[c]![i] = other[c]! + (one[c]! - other[c]!) * share + (1 - alpha) * plate[c]![i]!;
  }
}

function clampTo(value: number, most: number): number {
  return value < 0 ? 0 : value > most ? most : value;
}

/** Where a pixel of the clip lies in both shots, away from itself, and the share of the first. */
function readFlow(
  { window, factor }: LivingStage,
  flow: Float32Array,
  x: number,
  y: number,
  into: Float32Array,
): void {
  const u = clampTo((x + 0.5) / factor - 0.5 - window.x, window.width - 1);
  const v = clampTo((y + 0.5) / factor - 0.5 - window.y, window.height - 1);
  const column = Math.min(window.width - 2, u | 0);
  const row = Math.min(window.height - 2, v | 0);
  const [a, b] = [u - column, v - row];
  const count = window.width * window.height;
  for (let k = 0, i = row * window.width + column; k < 5; k++, i += count) {
    const upper = flow[i]! + (flow[i + 1]! - flow[i]!) * a;
    const lower = flow[i + window.width]! + (flow[i + window.width + 1]! - flow[i + window.width]!) * a;
    into[k] = (upper + (lower - upper) * b) * (k < 4 ? factor : 1);
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
  const [upperRight, lowerLeft, lowerRight] = [a * (1 - b), (1 - a) * b, a * b];
  const upperLeft = 1 - a - b + lowerRight;
  for (let c = 0; c < 4; c++) {
    const plane = c === 3 ? alpha : colour[c as 0 | 1 | 2];
    into[c] =
      plane[i]! * upperLeft +
      plane[i + 1]! * upperRight +
      plane[i + width]! * lowerLeft +
      plane[i + width + 1]! * lowerRight;
  }
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
