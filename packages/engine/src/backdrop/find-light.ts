import type { SceneLight } from '@guise/contract/scenes/own-scenes.ts';
import { luminance } from '../pixels/colour.ts';
import { percentileOfSorted } from '../pixels/percentile.ts';
import type { Planes } from '../pixels/picture.ts';
import type { Size } from '../pixels/plane.ts';
import { clamp } from '../pixels/scalar.ts';

type Rgb = [red: number, green: number, blue: number];

/**
 * The light of a backdrop from its pixels in linear light. The brightness of people follows the median, by which the
 * lights that were set by hand for the catalog's 25 scenes can be told best (r = 0.75; 0.64 by the mean, 0.26 by the
 * ninetieth percentile).
 */
export function findLight(colour: Planes, { width, height }: Size): SceneLight {
  const [red, green, blue] = colour;
  const levels = red.map((value, i) => luminance(value, green[i]!, blue[i]!));
  const sorted = levels.slice().sort();
  const [half, quarter] = [percentileOfSorted(sorted, 0.5), percentileOfSorted(sorted, 0.75)];
  const [bright, dark]: Rgb[] = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  let [weight, x, y] = [0, 0, 0];
  for (const [i, level] of levels.entries()) {
    weight += level;
    x += (level * ((i % width) + 0.5)) / width;
    y += (level * (Math.floor(i / width) + 0.5)) / height;
    const sum = level < half ? dark! : level > quarter && level < 0.9 ? bright! : null;
    if (!sum) continue;
    for (const [c, plane] of colour.entries()) sum[c] = sum[c]! + plane[i]!;
  }
  return {
    key: round(clamp(Math.exp(-0.54 + 0.462 * Math.log(half + 0.01)), 0.1, 0.5)),
    direction: directionOf(x / (weight + 1e-6), y / (weight + 1e-6)),
    color: tintOf(bright!, 0.5, 1),
    fill: tintOf(dark!, 0.4, 0.6),
  };
}

/** Where the light comes from, by where the picture is bright; from above and from the front unless that says more. */
function directionOf(x: number, y: number): Rgb {
  const right = clamp(5 * (x - 0.5), -0.8, 0.8);
  const up = clamp(0.65 + 2 * (0.45 - y), 0.35, 0.9);
  const front = Math.sqrt(Math.max(0.16, 1 - right * right - up * up));
  const length = Math.hypot(right, up, front);
  return [round(right / length), round(up / length), round(front / length)];
}

/** A colour with less saturation than its pixels have, which are tinted by what they show. */
function tintOf(sum: Rgb, saturation: number, level: number): Rgb {
  const most = Math.max(...sum);
  const tinted = sum.map((value) => (most > 0 ? 1 - saturation * (1 - value / most) : 1) * level);
  return tinted.map(round) as Rgb;
}

const round = (value: number) => Math.round(value * 1000) / 1000;
