import type { LabPicture } from '../../pixels/lab.ts';
import { randomFrom } from '../../pixels/random.ts';
import { clamp, mix, smoothstep } from '../../pixels/scalar.ts';
import type { Panes } from './panes.ts';

/** The colours of glass to choose from, Lab. */
const glassColors: readonly (readonly [number, number, number])[] = [
  [38, 58, 36],
  [30, 22, -58],
  [48, -40, 26],
  [74, 16, 70],
  [34, 40, -40],
  [62, -28, -22],
  [62, 42, 6],
  [88, -2, 10],
  [80, 10, 30],
  [58, 20, 42],
  [20, 4, -14],
  [70, -8, -30],
];

/** What grey panes are tinted with, a and b of Lab: sky blue, deep blue, sea green, violet, amber, moss green. */
const tints: readonly (readonly [number, number])[] = [
  [-8, -24],
  [4, -34],
  [-18, -10],
  [16, -28],
  [6, 26],
  [-16, 12],
];

/** The colour of each pane, Lab one after the other: its mean colour drawn towards the nearest colour of glass. */
export function choosePaneColors({ labels, count }: Panes, lab: LabPicture, seed: number): Float32Array {
  const sums = new Float64Array(count * 4);
  for (let i = 0; i < labels.length; i++) {
    const at = labels[i]! * 4;
    if (at < 0) continue;
    sums[at]! += lab.lightness[i]!;
    sums[at + 1]! += lab.a[i]!;
    sums[at + 2]! += lab.b[i]!;
    sums[at + 3]! += 1;
  }
  const random = randomFrom(seed + 8);
  const colors = new Float32Array(count * 3);
  for (let pane = 0; pane < count; pane++) {
    const pixels = Math.max(1, sums[pane * 4 + 3]!);
    const light = sums[pane * 4]! / pixels;
    const a = (sums[pane * 4 + 1]! / pixels) * 1.7;
    const b = (sums[pane * 4 + 2]! / pixels) * 1.7;
    const glass = nearestGlass(light, a, b);
    const variation = (random() - 0.5) * 14;
    const tint = tints[(random() * tints.length) | 0]!;
    // Greys take a tint: white and black panes look like holes in a window.
    const grey = smoothstep(26, 10, Math.hypot(a, b)) * 0.9;
    colors[pane * 3] = clamp(mix(light, glass[0], 0.4) + variation, 20, 88);
    colors[pane * 3 + 1] = mix(mix(a, glass[1], 0.55), tint[0], grey);
    colors[pane * 3 + 2] = mix(mix(b, glass[2], 0.55), tint[1], grey);
  }
  return colors;
}

function nearestGlass(light: number, a: number, b: number): readonly [number, number, number] {
  let nearest = glassColors[0]!;
  let least = Number.POSITIVE_INFINITY;
  for (const glass of glassColors) {
    const distance = ((glass[0] - light) * 0.8) ** 2 + (glass[1] - a) ** 2 + (glass[2] - b) ** 2;
    if (distance < least) {
      least = distance;
      nearest = glass;
    }
  }
  return nearest;
}
