import { rgbOf } from '../pixels/colour.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import { whiteNoise } from '../pixels/noise.ts';
import { allocatePicture, lumaPlane, type Picture, type Planes } from '../pixels/picture.ts';
import { clamp, clamp01, mix } from '../pixels/scalar.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import type { Subject } from './subject/subject.ts';

const forRows = rowsOf(import.meta.url);

/** The inks by lightness: dark ink, both inks, light ink, thin light ink, paper. */
const stops = [
  { at: 0, ink: rgbOf('#150a45') },
  { at: 0.3, ink: rgbOf('#4a1a8c') },
  { at: 0.58, ink: rgbOf('#f0417c') },
  { at: 0.82, ink: rgbOf('#ffb18a') },
  { at: 1, ink: rgbOf('#fff3dc') },
];

/** Two printing inks, violet and coral, with local contrast and a fine grain. */
export function duotone(subject: Subject): Picture {
  const { picture, unit, width, height, face, seed } = subject;
  const light = lumaPlane(picture);
  const near = gaussianBlur(light, clamp(unit * 0.05, 4, 24)).data;
  const wide = gaussianBlur(light, unit * 0.5).data;
  const grain = whiteNoise({ width, height }, seed).data;
  const ramp = inkRamp();
  const result = allocatePicture({ width, height });
  forRows(
    duotoneRows,
    height,
    { width, light: light.data, near, wide, grain, face, ramp },
    { planes: result.planes },
  );
  return result;
}

interface DuotoneInput {
  width: number;
  light: Float32Array;
  near: Float32Array;
  wide: Float32Array;
  grain: Float32Array;
  face: Float32Array;
  ramp: Float32Array;
}

export function duotoneRows(
  { width, light, near, wide, grain, face, ramp }: DuotoneInput,
  { planes }: { planes: Planes },
  from: number,
  to: number,
): void {
  const [red, green, blue] = planes;
  for (let i = from * width; i < to * width; i++) {
    const value = light[i]!;
    const local = (value - near[i]!) * 0.55 + (value - wide[i]!) * 0.22;
    const curved = mix(value, value * value * (3 - 2 * value), 0.45) + local * mix(1, 0.75, face[i]!);
    const grainy = curved + (grain[i]! - 0.5) * 0.055 * (1 - 0.6 * Math.abs(2 * curved - 1));
    const at = ((clamp01(grainy) * 1023 + 0.5) | 0) * 3;
    red[i] = ramp[at]!;
    green[i] = ramp[at + 1]!;
    blue[i] = ramp[at + 2]!;
  }
}

/** The ink colours for 1024 steps of lightness: red, green and blue one after the other. */
function inkRamp(): Float32Array {
  const table = new Float32Array(1024 * 3);
  for (let i = 0; i < 1024; i++) {
    const value = i / 1023;
    const next = Math.max(
      1,
      stops.findIndex((stop) => stop.at >= value),
    );
    const from = stops[next - 1]!;
    const to = stops[next]!;
    const share = (value - from.at) / (to.at - from.at);
    for (let c = 0; c < 3; c++) table[i * 3 + c] = mix(from.ink[c]!, to.ink[c]!, share);
  }
  return table;
}
