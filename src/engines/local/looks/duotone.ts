import { clamp } from '../colour.ts';
import type { Picture } from '../picture.ts';
import { whiteNoise } from './noise.ts';
import { gaussian, luma, newPicture } from './plane.ts';
import type { Subject } from './subject.ts';
import { color, mix, within } from './tone.ts';

/** Dark ink, the two inks over each other, light ink, paper: stops of lightness. */
const stops = [
  { at: 0, ink: color('#150a45') },
  { at: 0.3, ink: color('#4a1a8c') },
  { at: 0.58, ink: color('#f0417c') },
  { at: 0.82, ink: color('#ffb18a') },
  { at: 1, ink: color('#fff3dc') },
];

/** Two printing inks, violet and coral, with local contrast and a fine grain. */
export function duotone(subject: Subject): Picture {
  const { picture, unit, width, height, face, seed } = subject;
  const light = luma(picture);
  const near = gaussian(light, clamp(unit * 0.05, 4, 24)).data;
  const wide = gaussian(light, unit * 0.5).data;
  const grain = whiteNoise(width, height, seed).data;
  const ramps = inkRamp();
  const result = newPicture(width, height);
  const [red, green, blue] = result.planes;
  for (let i = 0; i < near.length; i++) {
    const value = light.data[i]!;
    const local = (value - near[i]!) * 0.55 + (value - wide[i]!) * 0.22;
    const curved = mix(value, value * value * (3 - 2 * value), 0.45) + local * mix(1, 0.75, face[i]!);
    const grainy = curved + (grain[i]! - 0.5) * 0.055 * (1 - 0.6 * Math.abs(2 * curved - 1));
    const at = Math.round(within(grainy) * 1023) * 3;
    red[i] = ramps[at]!;
    green[i] = ramps[at + 1]!;
    blue[i] = ramps[at + 2]!;
  }
  return result;
}

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
