import type { Face } from '../faces/face.ts';
import { boxMean } from '../pixels/box-mean.ts';
import { labOf, srgbToLinear } from '../pixels/colour.ts';
import type { Picture } from '../pixels/picture.ts';
import type { Plane } from '../pixels/plane.ts';
import type { ReducedPlane } from '../pixels/reduce.ts';
import type { Window } from '../pixels/resample.ts';
import { smoothstep } from '../pixels/scalar.ts';
import { hairWindow } from './pass-windows.ts';

/** Colours are counted in squares of a* and b* of this width; lightness does not count: a rim of light is no thing. */
const squareWidth = 6;
const squares = 44;

/** How much more usual a colour must be in the background than on the person to be the background's. */
const muchMoreUsual = 12;

/**
 * Takes parts away from heads, in place, that the body classes surely call background and whose colour the background
 * has and the person has not: a leaf of the hedge behind an ear. The matte decides about hair, and takes opaque things
 * beside a head for some. Also what is left of the old background between strands and along caps goes.
 */
export function dropBackgroundColours(
  matte: Plane,
  photo: Picture,
  faces: readonly Face[],
  background: ReducedPlane,
): void {
  for (const face of faces) {
    const window = hairWindow(face, matte);
    if (window.width > 0 && window.height > 0) dropAround(matte, photo, { face, window, background });
  }
}

function dropAround(
  matte: Plane,
  photo: Picture,
  { face, window, background }: { face: Face; window: Window; background: ReducedPlane },
): void {
  const { width, height } = window;
  const at = (i: number) => (window.y + Math.floor(i / width)) * matte.width + window.x + (i % width);
  const person = new Float32Array(squares * squares);
  const rest = new Float32Array(squares * squares);
  const doubtful = new Float32Array(width * height);
  // Some ten thousand pixels are enough to know the colours.
  const step = Math.max(1, Math.round(face.height / 40));
  for (let row = 0, i = 0; row < height; row++) {
    const start = (window.y + row) * matte.width + window.x;
    const above = Math.min(background.height - 1, Math.floor((window.y + row) / background.factor));
    for (let column = 0; column < width; column++, i++) {
      const alpha = matte.data[start + column]!;
      const isCounted = row % step === 0 && column % step === 0;
      if (alpha <= 0.05 && !isCounted) continue;
      const beside = Math.min(background.width - 1, Math.floor((window.x + column) / background.factor));
      const away = background.data[above * background.width + beside]!;
      if (alpha > 0.05 && away > 0.8) doubtful[i] = 1;
      else if (!isCounted) continue;
      else if (alpha > 0.95 && away < 0.1) person[squareOf(photo, start + column)]!++;
      else if (alpha < 0.02 && away > 0.9) rest[squareOf(photo, start + column)]!++;
    }
  }
  const peoples = sum(person);
  const others = sum(rest);
  if (peoples === 0 || others === 0 || !doubtful.includes(1)) return;
  const isOfBackground = person.map((count, square) =>
    rest[square]! / others > (muchMoreUsual * (count + 1)) / peoples ? 1 : 0,
  );
  const foreign = doubtful.map((isOpen, i) => (isOpen ? isOfBackground[squareOf(photo, at(i))]! : 0));
  const radius = Math.max(1, 0.07 * face.height);
  const around = boxMean({ width, height, data: foreign }, radius).data;
  const possible = boxMean({ width, height, data: doubtful }, radius).data;
  for (let i = 0; i < doubtful.length; i++) {
    if (doubtful[i] === 1) matte.data[at(i)]! *= 1 - smoothstep(0.25, 0.45, around[i]! / possible[i]!);
  }
}

const sum = (values: Float32Array) => values.reduce((total, value) => total + value, 0);

function squareOf({ planes: [red, green, blue] }: Picture, at: number): number {
  const [, a, b] = labOf(srgbToLinear(red[at]!), srgbToLinear(green[at]!), srgbToLinear(blue[at]!));
  const index = (value: number) =>
    Math.max(0, Math.min(squares - 1, Math.floor(value / squareWidth + squares / 2)));
  return index(a) * squares + index(b);
}
