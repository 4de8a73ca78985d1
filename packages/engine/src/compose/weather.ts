import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import type { Planes } from '../pixels/picture.ts';
import type { Size } from '../pixels/plane.ts';
import { randomFrom } from '../pixels/random.ts';
import type { Weather } from '../prompt/prompt.ts';

/** Lets it rain, snow or be foggy over the whole canvas, people included. Linear light, in place. */
export function paintWeather(canvas: Planes, size: Size, weather: Weather, seed: number): void {
  if (weather === 'rain' || weather === 'storm') rain(canvas, size, weather === 'storm' ? 1.6 : 1, seed);
  if (weather === 'snow') snow(canvas, size, seed);
  if (weather === 'fog') fog(canvas, size, seed);
}

/** Streaks in two depths, leaning with the wind; each brightens what is behind it by its surroundings' light. */
function rain(canvas: Planes, { width, height }: Size, strength: number, seed: number): void {
  const random = randomFrom(seed + 11);
  const streaks = new Float32Array(width * height);
  const lean = (random() - 0.5) * 0.25;
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
        const px = Math.round(x + lean * k);
        const py = Math.round(y + k);
        if (px < 0 || py < 0 || px >= width || py >= height) continue;
        const fade = Math.sin((Math.PI * k) / run);
        streaks[py * width + px] = streaks[py * width + px]! + shine * fade;
      }
    }
  }
  const soft = gaussianBlur({ width, height, data: streaks }, 0.8).data;
  const ambient = ambientOf(canvas);
  canvas.forEach((plane, c) => {
    for (let i = 0; i < plane.length; i++) plane[i] = plane[i]! + soft[i]! * (0.25 * ambient[c]! + 0.12);
  });
}

/** Flakes in three depths: many small and sharp ones far off, a few large and blurred ones near the lens. */
function snow(canvas: Planes, { width, height }: Size, seed: number): void {
  const random = randomFrom(seed + 13);
  for (const { count, radius, blur, light } of [
    { count: 900, radius: 1.1, blur: 0.7, light: 0.75 },
    { count: 240, radius: 2.4, blur: 1.4, light: 0.7 },
    { count: 38, radius: 7, blur: 5, light: 0.42 },
  ]) {
    const flakes = new Float32Array(width * height);
    for (let n = 0; n < count; n++) {
      const r = radius * (0.6 + 0.9 * random());
      disc(flakes, width, height, random() * width, random() * height, r, light * (0.6 + 0.4 * random()));
    }
    const soft = gaussianBlur({ width, height, data: flakes }, blur).data;
    for (const plane of canvas) {
      for (let i = 0; i < plane.length; i++) {
        const a = Math.min(1, soft[i]!);
        if (a > 0.004) plane[i] = plane[i]! + (0.82 - plane[i]!) * a;
      }
    }
  }
}

/** Banks of mist, thicker towards the ground; near people it stays thin enough to know their faces. */
function fog(canvas: Planes, { width, height }: Size, seed: number): void {
  const random = randomFrom(seed + 17);
  const banks = new Float32Array(width * height);
  for (let i = 0; i < banks.length; i++) banks[i] = random();
  const broad = gaussianBlur({ width, height, data: banks }, 0.09 * width).data;
  const fine = gaussianBlur({ width, height, data: banks }, 0.03 * width).data;
  const spread = deviationOf(broad);
  const fineSpread = deviationOf(fine);
  const ambient = ambientOf(canvas);
  const level = (ambient[0] + ambient[1] + ambient[2]) / 3;
  canvas.forEach((plane, c) => {
    const colour = 0.16 + 0.55 * (0.5 * level + 0.5 * ambient[c]!);
    for (let y = 0; y < height; y++) {
      const ground = 0.1 + 0.22 * (y / height) ** 2;
      for (let x = 0; x < width; x++) {
        const i = y * width + x;
        const wave = 1 + 0.45 * ((broad[i]! - 0.5) / spread) * 0.6 + (0.18 * (fine[i]! - 0.5)) / fineSpread;
        const a = Math.min(0.6, Math.max(0.02, ground * wave));
        plane[i] = plane[i]! + (colour - plane[i]!) * a;
      }
    }
  });
}

function disc(
  plane: Float32Array,
  width: number,
  height: number,
  x: number,
  y: number,
  r: number,
  light: number,
): void {
  for (let py = Math.max(0, Math.ceil(y - r)); py <= Math.min(height - 1, y + r); py++) {
    for (let px = Math.max(0, Math.ceil(x - r)); px <= Math.min(width - 1, x + r); px++) {
      if ((px - x) ** 2 + (py - y) ** 2 <= r * r) plane[py * width + px] = light;
    }
  }
}

function ambientOf(canvas: Planes): [number, number, number] {
  return canvas.map((plane) => {
    let sum = 0;
    let count = 0;
    for (let i = 0; i < plane.length; i += 61, count++) sum += plane[i]!;
    return sum / count;
  }) as [number, number, number];
}

function deviationOf(plane: Float32Array): number {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < plane.length; i += 61, count++) sum += (plane[i]! - 0.5) ** 2;
  return Math.sqrt(sum / count) + 1e-6;
}
