import type { Picture } from '../../pixels/picture.ts';

/**
 * The mean colour of each region, red green blue one after the other; pixels owned by −1 count for none. A region
 * without a pixel takes the colour of its `middle`.
 */
export function regionColors(
  picture: Picture,
  owner: Int32Array,
  count: number,
  middle: (region: number) => number,
): Float32Array {
  const sums = new Float64Array(count * 4);
  const [red, green, blue] = picture.planes;
  for (let i = 0; i < owner.length; i++) {
    const region = owner[i]!;
    if (region < 0) continue;
    const at = region * 4;
    sums[at]! += red[i]!;
    sums[at + 1]! += green[i]!;
    sums[at + 2]! += blue[i]!;
    sums[at + 3]! += 1;
  }
  const colors = new Float32Array(count * 3);
  for (let region = 0; region < count; region++) {
    const members = sums[region * 4 + 3]!;
    for (let c = 0; c < 3; c++) {
      colors[region * 3 + c] =
        members > 0 ? sums[region * 4 + c]! / members : picture.planes[c]![middle(region)]!;
    }
  }
  return colors;
}
