import { linearToSrgb } from '../pixels/colour.ts';
import type { Picture, Planes } from '../pixels/picture.ts';
import { randomFrom } from '../pixels/random.ts';
import { clamp } from '../pixels/scalar.ts';
import { allocate, withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

export interface Grade {
  contrast: number;
  vignette: number;
  saturation: number;
}

const usualGrade: Grade = { contrast: 0.18, vignette: 0.28, saturation: 1 };

type Overrides = { [K in keyof Grade]?: number | undefined };

/** The usual grade with what a scene and then a family want otherwise. */
export function gradeOf(scene: Overrides = {}, family: Overrides = {}): Grade {
  const pick = (key: keyof Grade) => family[key] ?? scene[key] ?? usualGrade[key];
  return { contrast: pick('contrast'), vignette: pick('vignette'), saturation: pick('saturation') };
}

const curveSteps = 4096;

/** Display values over the square root of linear light. */
const display = Float32Array.from({ length: curveSteps + 2 }, (_, i) =>
  Math.min(1, linearToSrgb((i / curveSteps) ** 2)),
);

/** How grainy a part of a picture is: standard deviation in steps of 1/255, from flat places only. */
export function measureGrain(
  colour: Planes,
  width: number,
  height: number,
  counts: (i: number) => boolean = () => true,
): number {
  const green = colour[1];
  const value = (i: number) => {
    const at = Math.sqrt(clamp(green[i]!, 0, 1)) * curveSteps;
    const low = at | 0;
    return 255 * (display[low]! + (display[low + 1]! - display[low]!) * (at - low));
  };
  const residuals: number[] = [];
  for (let y = 4; y < height - 4; y += 5) {
    for (let x = 4; x < width - 4; x += 5) {
      const i = y * width + x;
      if (!counts(i)) continue;
      const here = value(i);
      if (here > 240 || here < 12) continue;
      const slope =
        Math.abs(value(i + 3) - value(i - 3)) + Math.abs(value(i + 3 * width) - value(i - 3 * width));
      if (slope >= 8) continue;
      residuals.push(
        Math.abs(here - (value(i - 1) + value(i + 1) + value(i - width) + value(i + width)) / 4),
      );
    }
  }
  if (residuals.length < 50) return 1;
  residuals.sort((a, b) => a - b);
  // Median absolute deviation to standard deviation; the residual itself has √1.25 of the grain's.
  return residuals[residuals.length >> 1]! / 0.6745 / 1.118;
}

/**
 * The last step: one curve and one vignette over everything, and grain that makes people and plate equally grainy.
 * Takes linear light, gives the finished picture.
 */
export function finish(
  canvas: Planes,
  width: number,
  height: number,
  people: Float32Array,
  grade: Grade,
  plateGrain: number,
  seed: number,
): Picture {
  const peopleGrain = measureGrain(canvas, width, height, (i) => people[i]! >= 0.95);
  const target = clamp(Math.max(plateGrain, peopleGrain, 1.3), 1.3, 4);
  const onPeople = Math.sqrt(Math.max(0, target ** 2 - peopleGrain ** 2)) / 255;
  const onPlate = Math.sqrt(Math.max(0, target ** 2 - plateGrain ** 2)) / 255;
  const curve = displayCurve(grade.contrast);
  const grain = grainTable(seed);
  return withArena(() => {
    const size = width * height;
    const planes: Planes = [allocate(size), allocate(size), allocate(size)];
    forRows(
      finishRows,
      height,
      { canvas, width, height, people, grade, curve, grain, onPlate, onPeople, seed },
      { planes },
    );
    return { width, height, planes };
  });
}

interface Finish {
  canvas: Planes;
  width: number;
  height: number;
  people: Float32Array;
  grade: Grade;
  curve: Float32Array;
  grain: Float32Array;
  /** How strong the grain is on the plate, and on people. */
  onPlate: number;
  onPeople: number;
  seed: number;
}

export function finishRows(
  { canvas, width, height, people, grade, curve, grain, onPlate, onPeople, seed }: Finish,
  { planes }: { planes: Planes },
  from: number,
  to: number,
): void {
  const { saturation, vignette } = grade;
  const shades = Float32Array.from({ length: width }, (_, x) => 0.9 * (x / width - 0.5) ** 2 - 0.06);
  const [red, green, blue] = canvas;
  const [toRed, toGreen, toBlue] = planes;
  let state = stateAfter(seed | 1, from * width);
  for (let y = from; y < to; y++) {
    const down = 0.9 * (y / height - 0.48) ** 2;
    for (let x = 0, i = y * width; x < width; x++, i++) {
      const edge = shades[x]! + down;
      const shade = edge > 0 ? 1 - vignette * edge : 1;
      const level = 0.2126 * red[i]! + 0.7152 * green[i]! + 0.0722 * blue[i]!;
      // Any cheap generator does for picking from the table, whose values carry the distribution.
      state = (Math.imul(state, factor) + addend) | 0;
      const noise = grain[state >>> 16]! * (onPlate + people[i]! * (onPeople - onPlate));
      toRed[i] = develop((level + (red[i]! - level) * saturation) * shade, noise, curve);
      toGreen[i] = develop((level + (green[i]! - level) * saturation) * shade, noise, curve);
      toBlue[i] = develop((level + (blue[i]! - level) * saturation) * shade, noise, curve);
    }
  }
}

const factor = 1664525;
const addend = 1013904223;

/** The generator's state after so many steps: a step is linear, so steps are joined two by two. */
function stateAfter(state: number, steps: number): number {
  let [by, plus] = [factor, addend];
  for (let rest = steps; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) state = (Math.imul(state, by) + plus) | 0;
    plus = (Math.imul(by, plus) + plus) | 0;
    by = Math.imul(by, by);
  }
  return state;
}

/** One value from linear light to display, with its grain: most in the middle tones, as film has it. */
function develop(linear: number, noise: number, curve: Float32Array): number {
  const at = Math.sqrt(clamp(linear, 0, 1)) * curveSteps;
  const low = at | 0;
  const shown = curve[low]! + (curve[low + 1]! - curve[low]!) * (at - low);
  return clamp(shown + noise * (1 - Math.abs(shown - 0.5)), 0, 1);
}

/** The same with an S-curve and slightly lifted blacks. */
function displayCurve(contrast: number): Float32Array {
  return display.map((plain) => {
    const curved = plain + (plain * plain * (3 - 2 * plain) - plain) * contrast;
    return curved * 0.985 + 0.008;
  });
}

function grainTable(seed: number): Float32Array {
  const random = randomFrom(seed);
  return Float32Array.from({ length: 1 << 16 }, () => {
    let sum = 0;
    for (let k = 0; k < 6; k++) sum += random();
    return (sum - 3) * Math.SQRT2;
  });
}
