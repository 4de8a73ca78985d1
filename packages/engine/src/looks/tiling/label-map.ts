import type { Picture } from '../../pixels/picture.ts';
import type { Size } from '../../pixels/plane.ts';

/** The number of the region that each pixel belongs to; −1 for none. */
export interface LabelMap extends Size {
  labels: Int32Array;
}

export interface RegionCenters {
  count: number;
  /** The pixel that a region without pixels takes its colour from. */
  centerOf(region: number): number;
}

/** The mean colour of each region: red, green and blue one after the other. */
export function meanColors(
  picture: Picture,
  { labels }: LabelMap,
  { count, centerOf }: RegionCenters,
): Float32Array {
  const sums = new Float64Array(count * 4);
  const [red, green, blue] = picture.planes;
  for (let i = 0; i < labels.length; i++) {
    const region = labels[i]!;
    if (region < 0) continue;
    const at = region * 4;
    sums[at]! += red[i]!;
    sums[at + 1]! += green[i]!;
    sums[at + 2]! += blue[i]!;
    sums[at + 3]! += 1;
  }
  const colors = new Float32Array(count * 3);
  for (let region = 0; region < count; region++) {
    const pixels = sums[region * 4 + 3]!;
    for (let c = 0; c < 3; c++) {
      colors[region * 3 + c] =
        pixels > 0 ? sums[region * 4 + c]! / pixels : picture.planes[c]![centerOf(region)]!;
    }
  }
  return colors;
}
