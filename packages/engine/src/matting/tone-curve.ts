import { clamp } from '../pixels/scalar.ts';

/** A curve over values from 0 to 1, in even steps; the last value twice, for interpolation. */
export type ToneCurve = Float32Array;

/** Finer than the shadows of an 8-bit photo. */
const steps = 4096;

/**
 * A network that is shown a photo with lifted shadows errs elsewhere than with the photo as it is: dark trousers are
 * found in a dark room, and the arm of a sofa is not taken for a person.
 */
export const liftedShadows = toneCurve((value) => value ** 0.6);

function toneCurve(curve: (value: number) => number): ToneCurve {
  return Float32Array.from({ length: steps + 2 }, (_, i) => curve(Math.min(1, i / steps)));
}

/** How a network wants its values, and where they go in its input: each `stride` after the last, from `start` on. */
interface InputLayout {
  gain: number;
  shift: number;
  start: number;
  stride: number;
}

/** Writes values from 0 to 1 into a network's input, by the curve; without one, as they are. */
export function writeNetworkInput(
  input: Float32Array,
  values: Float32Array,
  curve: ToneCurve | null,
  { gain, shift, start, stride }: InputLayout,
): void {
  // Asked for each value whether there is a curve, it would take six times as long.
  const toned = curve ? values.map((value) => readCurve(curve, clamp(value, 0, 1))) : values;
  for (let i = 0, at = start; i < toned.length; i++, at += stride)
    input[at] = clamp(toned[i]!, 0, 1) * gain + shift;
}

function readCurve(curve: ToneCurve, value: number): number {
  const at = value * steps;
  const low = at | 0;
  return curve[low]! + (curve[low + 1]! - curve[low]!) * (at - low);
}
