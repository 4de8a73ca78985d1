import type { Cutout } from '../matting/cutout.ts';
import { luminance } from '../pixels/colour.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import type { Canvas } from '../pixels/layer.ts';
import type { Planes } from '../pixels/picture.ts';
import { allocatePlane, planeOf } from '../pixels/plane.ts';
import { type ReducedPlane, readReduced, reduce, reducePicture } from '../pixels/reduce.ts';
import type { Window } from '../pixels/resample.ts';
import { clamp, smoothstep } from '../pixels/scalar.ts';
import { allocate, allocateZeros, withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

/** Lightness on both sides of the contour is smooth, so it is measured at a quarter of the size. */
const factor = 4;

/** Lightness (L*) that a rim may have above the lighter of its two sides, and the share of the excess that stays. */
const allowedExcess = 5;
const keptShare = 0.2;

/**
 * Darkens rims that are lighter than both the person inside and the scene outside: backlight of the photo's own room,
 * which has no source in the scene. Where the scene behind is as bright, or the person is (stripes, blond hair), the
 * rim stays. In place, in linear light.
 */
export function reduceBacklightRims(cutout: Cutout, canvas: Canvas): void {
  const { width, height, alpha, colour } = cutout;
  withArena(() => {
    const inside = measureInside(cutout);
    const outside = lightnessBehind(canvas, cutout);
    forRows(reduceRimRows, height, { alpha, inside, outside, width }, { colour });
  });
}

export function reduceRimRows(
  {
    alpha,
    inside,
    outside,
    width,
  }: { alpha: Float32Array; inside: InsideLightness; outside: ReducedPlane; width: number },
  { colour }: { colour: Planes },
  from: number,
  to: number,
): void {
  const [red, green, blue] = colour;
  for (let y = from, i = from * width; y < to; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (alpha[i]! < 0.004) continue;
      const depth = inside.depth.data[(y >> 2) * inside.depth.width + (x >> 2)]!;
      if (depth > 0.995) continue;
      const rim = smoothstep(0.97, 0.75, readReduced(inside.depth, x, y));
      if (rim <= 0) continue;
      const weight = readReduced(inside.weight, x, y);
      if (weight < 1e-3) continue;
      const mean = readReduced(inside.mean, x, y) / weight;
      const square = readReduced(inside.square, x, y) / weight;
      const deviation = Math.sqrt(Math.max(0, square - mean * mean));
      const limit = Math.max(mean + 0.5 * deviation, readReduced(outside, x, y)) + allowedExcess;
      const level = luminance(red[i]!, green[i]!, blue[i]!);
      const lightness = lightnessOf(level);
      if (lightness <= limit) continue;
      const reduced = limit + keptShare * (lightness - limit);
      const gain = luminanceOf(lightness + (reduced - lightness) * rim) / level;
      red[i] = red[i]! * gain;
      green[i] = green[i]! * gain;
      blue[i] = blue[i]! * gain;
    }
  }
}

interface InsideLightness {
  /** 1 well inside, 0.5 on the contour. */
  depth: ReducedPlane;
  /** How much of the surroundings is well inside; mean and square hold lightness and its square times this weight. */
  weight: ReducedPlane;
  mean: ReducedPlane;
  square: ReducedPlane;
}

function measureInside({ width, height, alpha, colour }: Cutout): InsideLightness {
  const small = reduce({ width, height, data: alpha }, factor);
  const [red, green, blue] = reducePicture({ width, height, planes: colour }, factor).planes;
  const blur = (values: Float32Array, sigma: number): ReducedPlane => ({
    ...gaussianBlur(planeOf(values, small), sigma),
    factor,
  });
  const depth = blur(small.data, 1.3);
  const weight = allocate(depth.data.length);
  const mean = allocateZeros(weight.length);
  const square = allocateZeros(weight.length);
  for (let i = 0; i < weight.length; i++) {
    weight[i] = smoothstep(0.93, 0.99, depth.data[i]!);
    if (weight[i] === 0) continue;
    const lightness = lightnessOf(luminance(red[i]!, green[i]!, blue[i]!));
    mean[i] = lightness * weight[i]!;
    square[i] = lightness * mean[i]!;
  }
  return { depth, weight: blur(weight, 3), mean: blur(mean, 3), square: blur(square, 3) };
}

/** Lightness of the canvas around people. */
function lightnessBehind(canvas: Canvas, area: Window): ReducedPlane {
  const [red, green, blue] = canvas.colour;
  const width = Math.ceil(area.width / factor);
  const height = Math.ceil(area.height / factor);
  const plane = allocatePlane({ width, height });
  for (let y = 0; y < height; y++) {
    const row = (area.y + Math.min(area.height - 1, y * factor + 2)) * canvas.width + area.x;
    for (let x = 0; x < width; x++) {
      const at = row + Math.min(area.width - 1, x * factor + 2);
      plane.data[y * width + x] = lightnessOf(luminance(red[at]!, green[at]!, blue[at]!));
    }
  }
  return { ...gaussianBlur(plane, 1.5), factor };
}

/** CIE L* of a luminance. */
function lightnessOf(level: number): number {
  return level > 0.008856 ? 116 * Math.cbrt(level) - 16 : 903.3 * level;
}

function luminanceOf(lightness: number): number {
  return lightness > 8 ? ((lightness + 16) / 116) ** 3 : clamp(lightness, 0, 8) / 903.3;
}
