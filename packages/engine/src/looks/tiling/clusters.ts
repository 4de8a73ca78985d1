import type { LabPicture } from '../../pixels/lab.ts';
import { randomFrom } from '../../pixels/random.ts';
import { allocateIntegers } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

/** Groups a picture's colours (k-means in Lab). The number of each pixel's group is returned; group 0 is the darkest. */
export function groupColors(lab: LabPicture, count: number, seed: number): Int32Array {
  const { lightness, a, b } = lab;
  const random = randomFrom(seed);
  const samples = Int32Array.from({ length: 6000 }, () => (random() * lightness.length) | 0);
  // The first centers are spread over the range of lightness: random ones lost the darks on bright photos.
  samples.sort((i, j) => lightness[i]! - lightness[j]!);
  const centers = Array.from({ length: count }, (_, k) => {
    const i = samples[Math.floor(((k + 0.5) / count) * samples.length)]!;
    return [lightness[i]!, a[i]!, b[i]!] as [number, number, number];
  });
  for (let round = 0; round < 10; round++) {
    const sums = centers.map(() => [0, 0, 0, 0] as [number, number, number, number]);
    for (const i of samples) {
      const sum = sums[nearest(centers, lightness[i]!, a[i]!, b[i]!)]!;
      sum[0] += lightness[i]!;
      sum[1] += a[i]!;
      sum[2] += b[i]!;
      sum[3] += 1;
    }
    for (const [k, sum] of sums.entries()) {
      if (sum[3] > 0) centers[k] = [sum[0] / sum[3], sum[1] / sum[3], sum[2] / sum[3]];
    }
  }
  centers.sort((one, other) => one[0] - other[0]);
  const groups = allocateIntegers(lightness.length);
  const { width, height } = lab;
  forRows(groupRows, height, { width, centers, lightness, a, b }, { groups });
  return groups;
}

type Center = readonly [number, number, number];

interface GroupInput extends Pick<LabPicture, 'width' | 'lightness' | 'a' | 'b'> {
  centers: readonly Center[];
}

export function groupRows(
  { width, centers, lightness, a, b }: GroupInput,
  { groups }: { groups: Int32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) groups[i] = nearest(centers, lightness[i]!, a[i]!, b[i]!);
}

function nearest(centers: readonly Center[], l: number, a: number, b: number): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < centers.length; k++) {
    const center = centers[k]!;
    const distance = (center[0] - l) ** 2 + (center[1] - a) ** 2 + (center[2] - b) ** 2;
    if (distance < least) {
      least = distance;
      best = k;
    }
  }
  return best;
}
