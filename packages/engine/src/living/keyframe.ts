import { linearToSrgb } from '../pixels/colour.ts';
import type { Canvas } from '../pixels/layer.ts';
import { mapPlanes, type Planes } from '../pixels/picture.ts';
import { type Plane, planeOf, type Size } from '../pixels/plane.ts';
import { resample, type Window } from '../pixels/resample.ts';
import { clamp } from '../pixels/scalar.ts';
import { withArena } from '../runtime/arena.ts';

/** The people of one shot by themselves, at the size of the clip. */
export interface Keyframe extends Size {
  /** Times alpha: linear light, or display values where the clip is painted. A shadow beside people is below 0. */
  colour: Planes;
  alpha: Float32Array;
}

/** A shot as the network sees it: people over grey in display values, reduced. Plane after plane. */
export interface Guide extends Size {
  planes: Float32Array;
  /** Pixels of the clip for one of these. */
  factor: number;
}

/** Scales linear light, or any plane, from the canvas to the clip. */
export function scalePlane(plane: Plane, { width, height }: Size): Float32Array {
  const window = { x: 0, y: 0, width: plane.width, height: plane.height };
  return shared(resample(plane, window, { width, height }).data);
}

export function scalePlanes(planes: Planes, from: Size, to: Size): Planes {
  return mapPlanes(planes, (data) => scalePlane(planeOf(data, from), to));
}

/** A copy that threads share. */
function shared(values: Float32Array): Float32Array {
  const copy = new Float32Array(new SharedArrayBuffer(values.byteLength));
  copy.set(values);
  return copy;
}

/** What is on the canvas beside the plate: people, and the shadows that they throw. */
export function keyframeFrom(canvas: Canvas, people: Plane, plate: Planes, size: Size): Keyframe {
  return withArena(() => {
    const colour = mapPlanes(canvas.colour, (plane, c) => {
      const behind = plate[c]!;
      const own = new Float32Array(plane.length);
      for (let i = 0; i < plane.length; i++) own[i] = plane[i]! - (1 - people.data[i]!) * behind[i]!;
      return scalePlane(planeOf(own, canvas), size);
    });
    const alpha = scalePlane(people, size);
    for (let i = 0; i < alpha.length; i++) alpha[i] = clamp(alpha[i]!, 0, 1);
    return { ...sizeOf(size), colour, alpha };
  });
}

const sizeOf = ({ width, height }: Size): Size => ({ width, height });

/** Mid grey: no colour of people or clothes is far from it. */
const grey = { display: 0.5, linear: 0.2140411 };

const curveSteps = 4096;
const curve = Float32Array.from({ length: curveSteps + 1 }, (_, i) => linearToSrgb((i / curveSteps) ** 2));

/** Display values of linear light, from a table. */
function toDisplay(linear: number): number {
  return curve[Math.round(Math.sqrt(clamp(linear, 0, 1)) * curveSteps)]!;
}

/** The people of a shot over grey, as the network sees them. */
export function guideFrom(
  { width, height, colour, alpha }: Keyframe,
  factor: number,
  isLinear: boolean,
): Guide {
  const [columns, rows] = [Math.floor(width / factor), Math.floor(height / factor)];
  const planes = new Float32Array(3 * columns * rows);
  const behind = isLinear ? grey.linear : grey.display;
  for (const [c, plane] of colour.entries()) {
    for (let y = 0, i = c * columns * rows; y < rows; y++) {
      for (let x = 0; x < columns; x++, i++) {
        let sum = 0;
        for (let v = 0; v < factor; v++) {
          for (let u = 0, at = (y * factor + v) * width + x * factor; u < factor; u++, at++) {
            sum += plane[at]! + (1 - alpha[at]!) * behind;
          }
        }
        const mean = sum / factor ** 2;
        planes[i] = isLinear ? toDisplay(mean) : clamp(mean, 0, 1);
      }
    }
  }
  return { width: columns, height: rows, planes, factor };
}

/** The network takes sides that are multiples of this. */
const multiple = 32;

/**
 * The part of the guides in which the people of all shots are, with a margin, in whole pixels of the guides. It may reach
 * beyond their borders.
 */
export function windowAround(keyframes: readonly Keyframe[], factor: number): Window {
  const [{ width, height }] = keyframes as readonly [Keyframe, ...Keyframe[]];
  const box = { left: width, right: 0, top: height, bottom: 0 };
  for (const { alpha } of keyframes) {
    for (let y = 0, i = 0; y < height; y++) {
      for (let x = 0; x < width; x++, i++) {
        if (alpha[i]! < 0.02) continue;
        if (x < box.left) box.left = x;
        if (x > box.right) box.right = x;
        if (y < box.top) box.top = y;
        if (y > box.bottom) box.bottom = y;
      }
    }
  }
  const margin = Math.round(width / 18);
  const span = (from: number, to: number, side: number) => {
    const start = Math.floor(clamp(from - margin, 0, side) / factor);
    const end = Math.ceil(clamp(to + 1 + margin, 0, side) / factor);
    const length = Math.max(multiple, Math.ceil((end - start) / multiple) * multiple);
    // What is added stays inside of the picture as far as it can.
    return {
      start: Math.max(Math.min(start, Math.floor(side / factor) - length), Math.min(0, start)),
      length,
    };
  };
  const across = span(box.left, box.right, width);
  const down = span(box.top, box.bottom, height);
  return { x: across.start, y: down.start, width: across.length, height: down.length };
}

/** A part of a guide for the network; grey where it reaches beyond it. */
export function cropGuide({ width, height, planes }: Guide, window: Window): Float32Array {
  const count = window.width * window.height;
  const cropped = new Float32Array(3 * count).fill(grey.display);
  const [left, right] = [Math.max(0, window.x), Math.min(width, window.x + window.width)];
  for (let c = 0; c < 3; c++) {
    for (let y = Math.max(0, window.y); y < Math.min(height, window.y + window.height); y++) {
      const from = c * width * height + y * width;
      const to = c * count + (y - window.y) * window.width + left - window.x;
      cropped.set(planes.subarray(from + left, from + right), to);
    }
  }
  return cropped;
}
