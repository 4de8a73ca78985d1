import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import type { Canvas } from '../pixels/layer.ts';
import { type Plane, planeOf } from '../pixels/plane.ts';
import { randomFrom } from '../pixels/random.ts';
import { clamp } from '../pixels/scalar.ts';
import type { Weather } from '../prompt/prompt-notes.ts';
import type { LinearRgb } from './plate-light.ts';

export interface WeatherOptions {
  weather: Weather;
  seed: number;
  /** The mean colour of the scene's light; else it is measured on the canvas. */
  ambient?: LinearRgb;
}

/** Draws rain, snow or fog over the whole canvas, people included. In place. `people` says how much of it is people. */
export function drawWeather(
  canvas: Canvas,
  people: Plane,
  { weather, seed, ambient = ambientLight(canvas) }: WeatherOptions,
): void {
  if (weather === 'rain' || weather === 'storm')
    drawRain(canvas, { strength: weather === 'storm' ? 1.6 : 1, seed, ambient });
  if (weather === 'snow') drawSnow(canvas, seed);
  if (weather === 'fog') drawFog(canvas, people, seed, ambient);
}

/** The mean colour of the light on a canvas. */
export function ambientLight({ colour }: Canvas): LinearRgb {
  return colour.map(sampledMean) as LinearRgb;
}

/** Streaks in two depths, slanted by the wind; each adds light of the scene's mean colour. */
function drawRain(
  { width, height, colour }: Canvas,
  { strength, seed, ambient }: { strength: number; seed: number; ambient: LinearRgb },
): void {
  const random = randomFrom(seed + 11);
  const streaks = new Float32Array(width * height);
  const slant = (random() - 0.5) * 0.25;
  for (const { count, length, light } of [
    { count: 520, length: 0.03, light: 0.1 },
    { count: 110, length: 0.075, light: 0.16 },
  ]) {
    for (let n = 0; n < count * strength; n++) {
      const x = random() * width;
      const y = random() * height;
      const run = length * height * (0.6 + 0.8 * random());
      const shine = light * (0.4 + random());
      for (let k = 0; k < run; k++) {
        const px = Math.round(x + slant * k);
        const py = Math.round(y + k);
        if (px < 0 || py < 0 || px >= width || py >= height) continue;
        const fade = Math.sin((Math.PI * k) / run);
        streaks[py * width + px] = streaks[py * width + px]! + shine * fade;
      }
    }
  }
  const soft = gaussianBlur({ width, height, data: streaks }, 0.8).data;
  for (const [c, plane] of colour.entries()) {
    const light = 0.25 * ambient[c]! + 0.12;
    for (let i = 0; i < plane.length; i++) plane[i] = plane[i]! + soft[i]! * light;
  }
}

/** Flakes in three depths: many small and sharp ones far off, a few large and blurred ones near the lens. */
function drawSnow({ width, height, colour }: Canvas, seed: number): void {
  const random = randomFrom(seed + 13);
  for (const { count, radius, blur, light } of [
    { count: 900, radius: 1.1, blur: 0.7, light: 0.75 },
    { count: 240, radius: 2.4, blur: 1.4, light: 0.7 },
    { count: 38, radius: 7, blur: 5, light: 0.42 },
  ]) {
    const flakes = { width, height, data: new Float32Array(width * height) };
    for (let n = 0; n < count; n++) {
      const r = radius * (0.6 + 0.9 * random());
      fillDisc(
        flakes,
        { x: random() * width, y: random() * height, radius: r },
        light * (0.6 + 0.4 * random()),
      );
    }
    const soft = gaussianBlur(flakes, blur).data;
    for (const plane of colour) {
      for (let i = 0; i < plane.length; i++) {
        const a = Math.min(1, soft[i]!);
        if (a > 0.004) plane[i] = plane[i]! + (0.82 - plane[i]!) * a;
      }
    }
  }
}

/** How much of the mist is before people: they are near, and most of it is behind them. */
const mistBeforePeople = 0.35;

/** Banks of mist, thicker towards the ground. At most 0.6 of a pixel is mist. */
function drawFog(canvas: Canvas, people: Plane, seed: number, ambient: LinearRgb): void {
  const { width, height, colour } = canvas;
  const random = randomFrom(seed + 17);
  const noise = new Float32Array(width * height);
  for (let i = 0; i < noise.length; i++) noise[i] = random();
  const broad = gaussianBlur(planeOf(noise, canvas), 0.09 * width).data;
  const fine = gaussianBlur(planeOf(noise, canvas), 0.03 * width).data;
  const broadDeviation = sampledDeviation(broad);
  const fineDeviation = sampledDeviation(fine);
  const level = (ambient[0] + ambient[1] + ambient[2]) / 3;
  for (const [c, plane] of colour.entries()) {
    const mist = 0.16 + 0.55 * (0.5 * level + 0.5 * ambient[c]!);
    for (let y = 0; y < height; y++) {
      const ground = 0.1 + 0.22 * (y / height) ** 2;
      for (let x = 0; x < width; x++) {
        const i = y * width + x;
        const density =
          1 + 0.45 * ((broad[i]! - 0.5) / broadDeviation) * 0.6 + (0.18 * (fine[i]! - 0.5)) / fineDeviation;
        const a = clamp(ground * density, 0.02, 0.6) * (1 - (1 - mistBeforePeople) * people.data[i]!);
        plane[i] = plane[i]! + (mist - plane[i]!) * a;
      }
    }
  }
}

interface Disc {
  x: number;
  y: number;
  radius: number;
}

function fillDisc({ width, height, data }: Plane, { x, y, radius }: Disc, value: number): void {
  for (let py = Math.max(0, Math.ceil(y - radius)); py <= Math.min(height - 1, y + radius); py++) {
    for (let px = Math.max(0, Math.ceil(x - radius)); px <= Math.min(width - 1, x + radius); px++) {
      if ((px - x) ** 2 + (py - y) ** 2 <= radius * radius) data[py * width + px] = value;
    }
  }
}

const sampleStep = 61;

function sampledMean(values: Float32Array): number {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < values.length; i += sampleStep, count++) sum += values[i]!;
  return sum / count;
}

/** Standard deviation of noise whose mean is 0.5. */
function sampledDeviation(values: Float32Array): number {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < values.length; i += sampleStep, count++) sum += (values[i]! - 0.5) ** 2;
  return Math.sqrt(sum / count) + 1e-6;
}
