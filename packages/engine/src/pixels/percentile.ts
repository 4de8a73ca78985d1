import type { Plane } from './plane.ts';
import { clamp01 } from './scalar.ts';

/** The value below which `share` of the sorted values lie. */
export function percentileOfSorted(sorted: Float32Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length - 1) * share))] ?? 0;
}

/** The value below which `share` of the plane lies; `weight` counts some pixels more than others. */
export function percentileOfPlane(plane: Plane, share: number, weight?: Float32Array): number {
  const bins = new Float64Array(512);
  const { data } = plane;
  let total = 0;
  // Every third pixel is enough for a picture of a million.
  for (let i = 0; i < data.length; i += 3) {
    const amount = weight ? weight[i]! : 1;
    bins[(clamp01(data[i]!) * 511) | 0]! += amount;
    total += amount;
  }
  let sum = 0;
  for (let bin = 0; bin < 512; bin++) {
    sum += bins[bin]!;
    if (sum >= total * share) return (bin + 0.5) / 512;
  }
  return 1;
}
