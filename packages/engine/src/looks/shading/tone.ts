import type { Plane } from '../../pixels/plane.ts';

export type Color = readonly [number, number, number];

/** Brings a value into what a display shows. */
export function within(value: number): number {
  return value < 0 ? 0 : value > 1 ? 1 : value;
}

export function mix(a: number, b: number, amount: number): number {
  return a + (b - a) * amount;
}

/** Colours of the design tools: '#1b2a49' as display values from 0 to 1. */
export function color(hex: string): Color {
  const value = Number.parseInt(hex.slice(1), 16);
  return [((value >> 16) & 255) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

/** The value below which `share` of the plane lies; `weight` counts some pixels more than others. */
export function percentile(plane: Plane, share: number, weight?: Float32Array): number {
  const bins = new Float64Array(512);
  const { data } = plane;
  let total = 0;
  // Every third pixel is enough for a picture of a million.
  for (let i = 0; i < data.length; i += 3) {
    const amount = weight ? weight[i]! : 1;
    bins[(within(data[i]!) * 511) | 0]! += amount;
    total += amount;
  }
  let sum = 0;
  for (let bin = 0; bin < 512; bin++) {
    sum += bins[bin]!;
    if (sum >= total * share) return (bin + 0.5) / 512;
  }
  return 1;
}
