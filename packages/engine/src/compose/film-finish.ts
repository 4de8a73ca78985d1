import { linearToSrgb } from '../pixels/colour.ts';
import { finishFilm } from '../pixels/kernels/wasm-kernels.ts';
import type { Canvas } from '../pixels/layer.ts';
import { allocatePicture, type Picture } from '../pixels/picture.ts';
import type { Plane } from '../pixels/plane.ts';
import { randomFrom } from '../pixels/random.ts';
import { clamp } from '../pixels/scalar.ts';
import { withArena } from '../runtime/arena.ts';

export interface Grade {
  contrast: number;
  vignette: number;
  saturation: number;
}

const defaultGrade: Grade = { contrast: 0.18, vignette: 0.28, saturation: 1 };

type Overrides = { [K in keyof Grade]?: number | undefined };

/** The default grade with the scene's values, and then the request's, in place of its own. */
export function gradeOf(scene: Overrides = {}, request: Overrides = {}): Grade {
  const pick = (key: keyof Grade) => request[key] ?? scene[key] ?? defaultGrade[key];
  return { contrast: pick('contrast'), vignette: pick('vignette'), saturation: pick('saturation') };
}

export interface FilmFinish {
  grade: Grade;
  /** The plate's own grain, as `measureGrain` gives it. */
  plateGrain: number;
  seed: number;
}

/** What a canvas is finished with, measured and drawn up once for all frames of a burst. */
export interface FilmTables extends Pick<Grade, 'vignette' | 'saturation'> {
  edges: Float32Array;
  curve: Float32Array;
  grain: Float32Array;
  grainOnPlate: number;
  grainOnPeople: number;
  seed: number;
}

/**
 * Turns the canvas into the finished picture: one contrast curve and one vignette over everything, and grain that makes
 * people and plate equally grainy.
 */
export function applyFilmFinish(canvas: Canvas, people: Plane, finish: FilmFinish): Picture {
  return applyFilmTables(canvas, people, prepareFilmTables(canvas, people, finish));
}

export function prepareFilmTables(
  canvas: Canvas,
  people: Plane,
  { grade, plateGrain, seed }: FilmFinish,
): FilmTables {
  const { width } = canvas;
  const peopleGrain = measureGrain(canvas, (i) => people.data[i]! >= 0.95);
  const target = clamp(Math.max(plateGrain, peopleGrain, 1.3), 1.3, 4);
  return {
    edges: Float32Array.from({ length: width }, (_, x) => 0.9 * (x / width - 0.5) ** 2 - 0.06),
    vignette: grade.vignette,
    saturation: grade.saturation,
    curve: displayCurve(grade.contrast),
    grain: grainTable(seed),
    grainOnPlate: Math.sqrt(Math.max(0, target ** 2 - plateGrain ** 2)) / 255,
    grainOnPeople: Math.sqrt(Math.max(0, target ** 2 - peopleGrain ** 2)) / 255,
    seed: seed | 1,
  };
}

export function applyFilmTables(canvas: Canvas, people: Plane, tables: FilmTables): Picture {
  return withArena(() => {
    const picture = allocatePicture(canvas);
    finishFilm({ ...tables, colour: canvas.colour, people: people.data }, picture);
    return picture;
  });
}

const curveSteps = 4096;

/** Display values over the square root of linear light. */
const display = Float32Array.from({ length: curveSteps + 2 }, (_, i) =>
  Math.min(1, linearToSrgb((i / curveSteps) ** 2)),
);

/** The display values with an S-curve and slightly lifted blacks. */
function displayCurve(contrast: number): Float32Array {
  return display.map((plain) => {
    const curved = plain + (plain * plain * (3 - 2 * plain) - plain) * contrast;
    return curved * 0.985 + 0.008;
  });
}

/** Grain of the pixels that count: standard deviation in steps of 1/255, measured where the picture is flat. */
export function measureGrain(
  { width, height, colour }: Canvas,
  counts: (i: number) => boolean = () => true,
): number {
  const green = colour[1];
  const value = (i: number) => {
    const at = Math.sqrt(clamp(green[i]!, 0, 1)) * curveSteps;
    const low = at | 0;
    return 255 * (display[low]! + (display[low + 1]! - display[low]!) * (at - low));
  };
  const residuals = new Float32Array(Math.ceil(width / 5) * Math.ceil(height / 5));
  let count = 0;
  for (let y = 4; y < height - 4; y += 5) {
    for (let x = 4; x < width - 4; x += 5) {
      const i = y * width + x;
      if (!counts(i)) continue;
      const here = value(i);
      if (here > 240 || here < 12) continue;
      const slope =
        Math.abs(value(i + 3) - value(i - 3)) + Math.abs(value(i + 3 * width) - value(i - 3 * width));
      if (slope >= 8) continue;
      const around = (value(i - 1) + value(i + 1) + value(i - width) + value(i + width)) / 4;
      residuals[count++] = Math.abs(here - around);
    }
  }
  if (count < 50) return 1;
  const sorted = residuals.subarray(0, count).sort();
  // Median absolute deviation to standard deviation; the residual itself has √1.25 of the grain's.
  return sorted[count >> 1]! / 0.6745 / 1.118;
}

/** Normally distributed values, as sums of six uniform ones. */
function grainTable(seed: number): Float32Array {
  const random = randomFrom(seed);
  return Float32Array.from({ length: 1 << 16 }, () => {
    let sum = 0;
    for (let k = 0; k < 6; k++) sum += random();
    return (sum - 3) * Math.SQRT2;
  });
}
