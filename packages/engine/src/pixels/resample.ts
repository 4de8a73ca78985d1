import { allocate, withArena } from '../runtime/arena.ts';
import { type ColumnTaps, resampleAcross, resampleDown, type Taps } from './kernels/sampling-kernels.ts';
import { mapChannels, type Picture } from './picture.ts';
import { cutPart, type Plane, type Size } from './plane.ts';

/** A part of a plane, in its pixels; may be fractional and may reach beyond the borders, which repeat. */
export interface Window extends Size {
  x: number;
  y: number;
}

/** Scales a window of a plane to a size: Catmull-Rom, widened where it shrinks so that nothing aliases. */
export function resample(plane: Plane, window: Window, { width, height }: Size): Plane {
  const down = tapsOf(window.y, window.height, height);
  const across = tapsOf(window.x, window.width, width);
  const [top, bottom] = readRange(down, plane.height);
  const [left, right] = readRange(across, plane.width);
  return withArena(() => {
    const source = cutPart(plane, { x: left, y: top, width: right - left, height: bottom - top });
    const columnTaps = pairColumns(shiftTaps(across, -left), source.width);
    const rows = { width, height: source.height, data: allocate(width * source.height) };
    const target = { width, height, data: allocate(width * height) };
    resampleAcross({ source, taps: columnTaps, target: rows });
    resampleDown({ source: rows, taps: shiftTaps(down, -top), target });
    return target;
  });
}

/** The first row or column that is read, and the one after the last. */
function readRange({ first, count }: Taps, length: number): [number, number] {
  return [clampIndex(first[0]!, length), clampIndex(first.at(-1)! + count - 1, length) + 1];
}

const shiftTaps = (taps: Taps, by: number): Taps => ({ ...taps, first: taps.first.map((at) => at + by) });

export function resamplePicture(picture: Picture, window: Window, size: Size): Picture {
  return mapChannels(picture, (plane) => resample(plane, window, size));
}

function clampIndex(index: number, length: number): number {
  return index < 0 ? 0 : index >= length ? length - 1 : index;
}

function tapsOf(start: number, length: number, count: number): Taps {
  const step = length / count;
  // Up to a third smaller, the kernel as it is stays sharper and aliases less than photos' own grain shows.
  const widening = step < 1.35 ? 1 : step;
  const reach = 2 * widening;
  const taps = Math.ceil(2 * reach);
  const first = new Int32Array(count);
  const weights = new Float32Array(count * taps);
  for (let i = 0; i < count; i++) {
    const center = start + (i + 0.5) * step - 0.5;
    const from = Math.floor(center - reach) + 1;
    first[i] = from;
    let total = 0;
    for (let k = 0; k < taps; k++) {
      const weight = catmullRom((from + k - center) / widening);
      weights[i * taps + k] = weight;
      total += weight;
    }
    for (let k = 0; k < taps; k++) weights[i * taps + k] = weights[i * taps + k]! / total;
  }
  return { first, count: taps, weights };
}

/** Columns whose taps all lie beyond the source repeat its border, without a sum that would round it. */
function pairColumns({ first, count, weights }: Taps, sourceWidth: number): ColumnTaps {
  let left = 0;
  while (left < first.length && first[left]! + count <= 1) left++;
  let right = first.length;
  while (right > left && first[right - 1]! >= sourceWidth - 1) right--;
  const pairs = new Float64Array(2 * count * Math.ceil((right - left) / 2));
  for (let x = left; x < right; x++) {
    const at = 2 * count * ((x - left) >> 1) + ((x - left) & 1);
    for (let k = 0; k < count; k++) pairs[at + 2 * k] = weights[x * count + k]!;
  }
  return { first, count, left, right, weights: pairs };
}

function catmullRom(distance: number): number {
  const x = Math.abs(distance);
  if (x >= 2) return 0;
  return x < 1 ? 1 + x * x * (1.5 * x - 2.5) : 2 + x * (-4 + x * (2.5 - 0.5 * x));
}
