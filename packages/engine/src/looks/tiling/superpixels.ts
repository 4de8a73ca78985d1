import type { LabPicture } from '../../pixels/lab.ts';
import { allocate, allocateIntegers, withArena } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';
import type { LabelMap } from './label-map.ts';
import type { Points } from './scatter.ts';

const forRows = rowsOf(import.meta.url);

/** Where superpixels start from. */
export interface Sites {
  centers: Points;
  /** About the side of each superpixel, in pixels. */
  sizes: Float32Array;
}

/**
 * Regions that follow colour contours (SLIC superpixels, Achanta et al.): each pixel goes to the center that is nearest
 * in both place and colour, the centers move to the centroid of their pixels, and outlines are smoothed at the end.
 */
export function findSuperpixels(lab: LabPicture, { centers, sizes }: Sites, rounds: number): LabelMap {
  const { width, height } = lab;
  const colors = new Float32Array(centers.count * 3);
  for (let center = 0; center < centers.count; center++) {
    const i = (centers.y[center]! | 0) * width + (centers.x[center]! | 0);
    colors.set([lab.lightness[i]!, lab.a[i]!, lab.b[i]!], center * 3);
  }
  return withArena(() => {
    const labels = allocateIntegers(width * height);
    const nearest = allocate(width * height);
    for (let round = 0; round < rounds; round++) {
      forRows(assignRows, height, { lab, centers, sizes, colors }, { labels, nearest });
      moveCenters(centers, colors, { width, height, labels }, lab);
    }
    return smoothOutlines(smoothOutlines(smoothOutlines({ width, height, labels })));
  });
}

/** Moves each center to the mean place and the mean colour of its pixels. */
function moveCenters(
  centers: Points,
  colors: Float32Array,
  { width, height, labels }: LabelMap,
  { lightness, a, b }: LabPicture,
): void {
  const sums = new Float64Array(centers.count * 6);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const at = labels[i]! * 6;
      if (at < 0) continue;
      sums[at] = sums[at]! + x;
      sums[at + 1] = sums[at + 1]! + y;
      sums[at + 2] = sums[at + 2]! + lightness[i]!;
      sums[at + 3] = sums[at + 3]! + a[i]!;
      sums[at + 4] = sums[at + 4]! + b[i]!;
      sums[at + 5] = sums[at + 5]! + 1;
    }
  }
  for (let center = 0; center < centers.count; center++) {
    const pixels = sums[center * 6 + 5]!;
    if (pixels === 0) continue;
    centers.x[center] = sums[center * 6]! / pixels;
    centers.y[center] = sums[center * 6 + 1]! / pixels;
    for (let k = 0; k < 3; k++) colors[center * 3 + k] = sums[center * 6 + 2 + k]! / pixels;
  }
}

interface AssignInput extends Sites {
  lab: LabPicture;
  /** Lab colours of the centers, one after the other. */
  colors: Float32Array;
}

/** Gives each pixel to the center that is nearest in place, measured in sizes, and in colour. */
export function assignRows(
  { lab, centers, sizes, colors }: AssignInput,
  { labels, nearest }: { labels: Int32Array; nearest: Float32Array },
  from: number,
  to: number,
): void {
  const { width, lightness, a, b } = lab;
  labels.fill(-1, from * width, to * width);
  nearest.fill(1e9, from * width, to * width);
  for (let center = 0; center < centers.count; center++) {
    const size = sizes[center]!;
    const reach = size * 2;
    const cx = centers.x[center]!;
    const cy = centers.y[center]!;
    const top = Math.max(from, Math.ceil(cy - reach));
    const bottom = Math.min(to - 1, Math.floor(cy + reach));
    const [l0, a0, b0] = [colors[center * 3]!, colors[center * 3 + 1]!, colors[center * 3 + 2]!];
    const perSize = 1 / (size * size);
    const left = Math.max(0, Math.ceil(cx - reach));
    const right = Math.min(width - 1, Math.floor(cx + reach));
    for (let y = top; y <= bottom; y++) {
      for (let x = left; x <= right; x++) {
        const i = y * width + x;
        const dl = lightness[i]! - l0;
        const da = a[i]! - a0;
        const db = b[i]! - b0;
        const distance =
          ((x - cx) * (x - cx) + (y - cy) * (y - cy)) * perSize + (dl * dl + da * da + db * db) * 0.0016;
        if (distance < nearest[i]!) {
          nearest[i] = distance;
          labels[i] = center;
        }
      }
    }
  }
}

/** Each pixel joins the region that most of its 5 × 5 neighbours belong to. */
function smoothOutlines({ width, height, labels }: LabelMap): LabelMap {
  const result = allocateIntegers(labels.length);
  forRows(majorityRows, height, { width, height, labels }, { result });
  return { width, height, labels: result };
}

export function majorityRows(
  { width, height, labels }: LabelMap,
  { result }: { result: Int32Array },
  from: number,
  to: number,
): void {
  result.set(labels.subarray(from * width, to * width), from * width);
  const candidates = new Int32Array(25);
  const votes = new Int32Array(25);
  for (let y = Math.max(2, from); y < Math.min(height - 2, to); y++) {
    for (let x = 2; x < width - 2; x++) {
      const i = y * width + x;
      const own = labels[i]!;
      if (
        labels[i - 2] === own &&
        labels[i + 2] === own &&
        labels[i - 2 * width] === own &&
        labels[i + 2 * width] === own &&
        labels[i - 2 * width - 2] === own &&
        labels[i + 2 * width + 2] === own
      ) {
        continue;
      }
      candidates[0] = own;
      votes[0] = 0;
      let known = 1;
      for (let dy = -2; dy <= 2; dy++) {
        for (let dx = -2; dx <= 2; dx++) {
          const label = labels[i + dy * width + dx]!;
          let k = 0;
          while (k < known && candidates[k] !== label) k++;
          if (k === known) {
            candidates[known] = label;
            votes[known++] = 0;
          }
          votes[k]! += 1;
        }
      }
      let best = own;
      let most = votes[0]!;
      for (let k = 1; k < known; k++) {
        if (votes[k]! > most) {
          most = votes[k]!;
          best = candidates[k]!;
        }
      }
      result[i] = best;
    }
  }
}

/** Parts of a region that are smaller than `least` pixels join the region beside them. */
export function mergeSmallParts({ width, height, labels }: LabelMap, least: number): LabelMap {
  const result = labels.slice();
  const seen = new Uint8Array(labels.length);
  const part = new Int32Array(labels.length);
  for (let start = 0; start < labels.length; start++) {
    if (seen[start]) continue;
    const own = result[start]!;
    // Whatever lies before the first pixel of a part has its final label.
    const beside = start % width > 0 ? result[start - 1]! : start >= width ? result[start - width]! : own;
    let size = 0;
    part[size++] = start;
    seen[start] = 1;
    for (let next = 0; next < size; next++) {
      const i = part[next]!;
      const x = i % width;
      for (let side = 0; side < 4; side++) {
        const j = side === 0 ? i - 1 : side === 1 ? i + 1 : side === 2 ? i - width : i + width;
        if ((side === 0 && x === 0) || (side === 1 && x === width - 1)) continue;
        if (j < 0 || j >= labels.length || seen[j] || labels[j] !== labels[start]) continue;
        seen[j] = 1;
        part[size++] = j;
      }
    }
    if (size < least && beside !== own) for (let k = 0; k < size; k++) result[part[k]!] = beside;
  }
  return smoothOutlines({ width, height, labels: result });
}
