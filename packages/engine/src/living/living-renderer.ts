import { applyFilmTables } from '../compose/film-finish.ts';
import { applyPalette } from '../compose/palette.ts';
import type { Picture, Planes } from '../pixels/picture.ts';
import { planeOf } from '../pixels/plane.ts';
import { allocate, withArena } from '../runtime/arena.ts';
import { frameRows } from '../video/frame.ts';
import type { Renderer } from '../video/render-thread.ts';
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
    showPlate(scene, target);
    carryPeople(stage, [keyframes[shot]!, keyframes[shot + 1]!], flow, target);
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

/** Brings the people of both shots to where the flow says, mixes them and puts them before the plate. */
function carryPeople(
  { window, factor, scene: { width, height, plate } }: LivingStage,
  [first, last]: readonly [Keyframe, Keyframe],
  flow: Float32Array,
  { colour, people }: Target,
): void {
  const count = window.width * window.height;
  const flowAt = new Float32Array(5);
  const [one, other] = [new Float32Array(4), new Float32Array(4)];
  const [left, top] = [Math.max(0, window.x * factor), Math.max(0, window.y * factor)];
  const right = Math.min(width, (window.x + window.width) * factor);
  const bottom = Math.min(height, (window.y + window.height) * factor);
  for (let y = top; y < bottom; y++) {
    const v = clampTo((y + 0.5) / factor - 0.5 - window.y, window.height - 1);
    const row = Math.min(window.height - 2, v | 0);
    for (let x = left, i = y * width + left; x < right; x++, i++) {
      const u = clampTo((x + 0.5) / factor - 0.5 - window.x, window.width - 1);
      const column = Math.min(window.width - 2, u | 0);
      readFlow(
        flow,
        { at: row * window.width + column, width: window.width, count, a: u - column, b: v - row },
        flowAt,
      );
      readKeyframe(first, x + factor * flowAt[0]!, y + factor * flowAt[1]!, one);
      readKeyframe(last, x + factor * flowAt[2]!, y + factor * flowAt[3]!, other);
      const share = flowAt[4]!;
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

interface FlowPlace {
  at: number;
  width: number;
  count: number;
  a: number;
  b: number;
}

function readFlow(flow: Float32Array, { at, width, count, a, b }: FlowPlace, into: Float32Array): void {
  for (let k = 0, i = at; k < 5; k++, i += count) {
    const upper = flow[i]! + (flow[i + 1]! - flow[i]!) * a;
    const lower = flow[i + width]! + (flow[i + width + 1]! - flow[i + width]!) * a;
    into[k] = upper + (lower - upper) * b;
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
