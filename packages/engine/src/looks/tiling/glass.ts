import { clamp, mix, smoothstep } from '../../pixels/colour.ts';
import type { LabPicture } from '../../pixels/lab.ts';
import { randomFrom } from '../../pixels/random.ts';

/** The colours of a glazier's rack, Lab. */
const rack: readonly (readonly [number, number, number])[] = [
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

/** What grey panes are tinted with: sky, sea, violet, amber, moss; the two axes of Lab. */
const tints: readonly (readonly [number, number])[] = [
  [-8, -24],
  [4, -34],
  [-18, -10],
  [16, -28],
  [6, 26],
  [-16, 12],
];

/** Each pane's mean colour drawn towards the nearest glass of the rack. */
export function glassColors(owner: Int32Array, count: number, small: LabPicture, seed: number): Float32Array {
  const sums = new Float64Array(count * 4);
  for (let i = 0; i < owner.length; i++) {
    const at = owner[i]! * 4;
    if (at < 0) continue;
    sums[at]! += small.lightness[i]!;
    sums[at + 1]! += small.a[i]!;
    sums[at + 2]! += small.b[i]!;
    sums[at + 3]! += 1;
  }
  const random = randomFrom(seed + 8);
  const colors = new Float32Array(count * 3);
  for (let pane = 0; pane < count; pane++) {
    const members = Math.max(1, sums[pane * 4 + 3]!);
    const light = sums[pane * 4]! / members;
    const a = (sums[pane * 4 + 1]! / members) * 1.7;
    const b = (sums[pane * 4 + 2]! / members) * 1.7;
    let nearest = rack[0]!;
    let best = Number.POSITIVE_INFINITY;
    for (const glass of rack) {
      const away = ((glass[0] - light) * 0.8) ** 2 + (glass[1] - a) ** 2 + (glass[2] - b) ** 2;
      if (away < best) {
        best = away;
        nearest = glass;
      }
    }
    const vary = (random() - 0.5) * 14;
    const tint = tints[(random() * tints.length) | 0]!;
    // Greys take a tint: white and black glass look like holes in a window.
    const pale = smoothstep(26, 10, Math.hypot(a, b)) * 0.9;
    colors[pane * 3] = clamp(mix(light, nearest[0], 0.4) + vary, 20, 88);
    colors[pane * 3 + 1] = mix(mix(a, nearest[1], 0.55), tint[0], pale);
    colors[pane * 3 + 2] = mix(mix(b, nearest[2], 0.55), tint[1], pale);
  }
  return colors;
}
