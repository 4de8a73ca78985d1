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

/** The value by the curve; without one, as it is. */
export function readCurve(curve: ToneCurve | null, value: number): number {
  const inside = clamp(value, 0, 1);
  if (!curve) return inside;
  const at = inside * steps;
  const low = at | 0;
  return curve[low]! + (curve[low + 1]! - curve[low]!) * (at - low);
}
