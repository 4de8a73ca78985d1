import type { Ratio } from '@guise/contract/common.ts';
import { linearOfByte } from '../pixels/colour.ts';
import type { Canvas, Layer } from '../pixels/layer.ts';
import type { Plane } from '../pixels/plane.ts';
import { clamp } from '../pixels/scalar.ts';
import { readBarrierLayer, type Scene } from '../scenes/scenes.ts';
import type { LinearRgb } from './plate-light.ts';

/** What people stand behind where their bodies end inside the picture: a counter, a hedge, a drift of snow. */
export interface Barrier {
  name: string;
  layer: Layer;
  /** For each column the first row that the layer covers; the canvas' height where it covers none. */
  tops: Int32Array;
  /** The row from which on nothing is seen through the layer, in nearly all columns. */
  hidesFrom: number;
}

/** The scene's barrier for this canvas, where it has one. */
export async function readBarrier(scene: Scene, ratio: Ratio): Promise<Barrier | null> {
  const layer = await readBarrierLayer(scene, ratio);
  return layer && barrierOf(scene.barrier!.name, layer);
}

export function barrierOf(name: string, layer: Layer): Barrier {
  const { width, height, samples } = layer;
  const tops = new Int32Array(width).fill(height);
  const solid = new Int32Array(width);
  for (let y = 0, i = 3; y < height; y++) {
    for (let x = 0; x < width; x++, i += 4) {
      if (samples[i]! >= 128 && y < tops[x]!) tops[x] = y;
      if (samples[i]! < 250) solid[x] = y + 1;
    }
  }
  return { name, layer, tops, hidesFrom: solid.sort()[Math.floor(0.98 * (width - 1))]! };
}

/** The share of light that people take from what they stand at, and how far it reaches in face heights. */
const strength = 0.6;
const reach = 0.45;

/**
 * Draws a barrier over people, in place, in the light of the mood. They shade its top; what it hides is no longer
 * `people`.
 */
export function drawBarrier(
  { width, colour }: Canvas,
  people: Plane,
  { layer, tops }: Barrier,
  { gain, faceHeight }: { gain: LinearRgb; faceHeight: number },
): void {
  const shade = shadeAlong(people, tops, 0.25 * faceHeight);
  const rows = reach * faceHeight;
  const { samples } = layer;
  for (let y = Math.min(...tops.subarray(0, width)), i = y * width; y < layer.height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const alpha = samples[4 * i + 3]!;
      if (alpha === 0) continue;
      const near = clamp(1 - (y - tops[x]!) / rows, 0, 1);
      const light = 1 - strength * shade[x]! * near * near;
      for (let c = 0; c < 3; c++) {
        const plane = colour[c]!;
        const value = Math.min(1, linearOfByte[samples[4 * i + c]!]! * gain[c]!) * light;
        plane[i] = plane[i]! + (value - plane[i]!) * (alpha / 255);
      }
      people.data[i] = people.data[i]! * (1 - alpha / 255);
    }
  }
}

/** How much of each column just above the barrier is people, blurred along it. */
function shadeAlong({ data, width, height }: Plane, tops: Int32Array, radius: number): Float32Array {
  const people = new Float32Array(width);
  for (let x = 0; x < width; x++) people[x] = data[clamp(tops[x]! - 2, 0, height - 1) * width + x]!;
  return meanAlong(meanAlong(people, Math.round(radius)), Math.round(radius));
}

function meanAlong(values: Float32Array, radius: number): Float32Array {
  const at = (i: number) => values[clamp(i, 0, values.length - 1)]!;
  let sum = 0;
  for (let i = -radius; i <= radius; i++) sum += at(i);
  return values.map((_, i) => {
    const mean = sum / (2 * radius + 1);
    sum += at(i + radius + 1) - at(i - radius);
    return mean;
  });
}
