import type { LabPicture } from '../../pixels/lab.ts';
import { allocate, allocateIntegers, withArena } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';
import type { Spots } from './scatter.ts';

const forRows = rowsOf(import.meta.url);

/**
 * Regions that follow colour contours (SLIC): each pixel goes to the spot that is near both in place and in colour,
 * spots move to the middle of what they won, stray pixels join their neighbours. `sizes` are the spots' reach in pixels.
 */
export function cutPanes(lab: LabPicture, spots: Spots, sizes: Float32Array, rounds: number): Int32Array {
  const { width, height } = lab;
  const { count } = spots;
  const tone = new Float32Array(count * 3);
  for (let spot = 0; spot < count; spot++) {
    const i = (spots.y[spot]! | 0) * width + (spots.x[spot]! | 0);
    tone.set([lab.lightness[i]!, lab.a[i]!, lab.b[i]!], spot * 3);
  }
  const sums = new Float64Array(count * 6);
  return withArena(() => {
    const owner = allocateIntegers(width * height);
    const nearest = allocate(width * height);
    for (let round = 0; round < rounds; round++) {
      forRows(paneRows, height, { lab, spots, sizes, tone }, { owner, nearest });
      sums.fill(0);
      for (let y = 0, i = 0; y < height; y++) {
        for (let x = 0; x < width; x++, i++) {
          const at = owner[i]! * 6;
          if (at < 0) continue;
          sums[at] = sums[at]! + x;
          sums[at + 1] = sums[at + 1]! + y;
          sums[at + 2] = sums[at + 2]! + lab.lightness[i]!;
          sums[at + 3] = sums[at + 3]! + lab.a[i]!;
          sums[at + 4] = sums[at + 4]! + lab.b[i]!;
          sums[at + 5] = sums[at + 5]! + 1;
        }
      }
      for (let spot = 0; spot < count; spot++) {
        const members = sums[spot * 6 + 5]!;
        if (members === 0) continue;
        spots.x[spot] = sums[spot * 6]! / members;
        spots.y[spot] = sums[spot * 6 + 1]! / members;
        for (let k = 0; k < 3; k++) tone[spot * 3 + k] = sums[spot * 6 + 2 + k]! / members;
      }
    }
    return settled(settled(settled(owner, width, height), width, height), width, height);
  });
}

interface Offers {
  lab: LabPicture;
  spots: Spots;
  sizes: Float32Array;
  /** The spots' colours, Lab one after the other. */
  tone: Float32Array;
}

export function paneRows(
  { lab, spots, sizes, tone }: Offers,
  { owner, nearest }: { owner: Int32Array; nearest: Float32Array },
  from: number,
  to: number,
): void {
  const { width, lightness, a, b } = lab;
  owner.fill(-1, from * width, to * width);
  nearest.fill(1e9, from * width, to * width);
  for (let spot = 0; spot < spots.count; spot++) {
    const size = sizes[spot]!;
    const reach = size * 2;
    const cx = spots.x[spot]!;
    const cy = spots.y[spot]!;
    const top = Math.max(from, Math.ceil(cy - reach));
    const bottom = Math.min(to - 1, Math.floor(cy + reach));
    const [l0, a0, b0] = [tone[spot * 3]!, tone[spot * 3 + 1]!, tone[spot * 3 + 2]!];
    const place = 1 / (size * size);
    const left = Math.max(0, Math.ceil(cx - reach));
    const right = Math.min(width - 1, Math.floor(cx + reach));
    for (let y = top; y <= bottom; y++) {
      for (let x = left; x <= right; x++) {
        const i = y * width + x;
        const dl = lightness[i]! - l0;
        const da = a[i]! - a0;
        const db = b[i]! - b0;
        const away =
          ((x - cx) * (x - cx) + (y - cy) * (y - cy)) * place + (dl * dl + da * da + db * db) * 0.0016;
        if (away < nearest[i]!) {
          nearest[i] = away;
          owner[i] = spot;
        }
      }
    }
  }
}

/** Each pixel joins the region that most of its 5 × 5 neighbours belong to: smooth cuts a glazier could make. */
function settled(owner: Int32Array, width: number, height: number): Int32Array {
  const result = allocateIntegers(owner.length);
  forRows(settleRows, height, { owner, width, height }, { result });
  return result;
}

export function settleRows(
  { owner, width, height }: { owner: Int32Array; width: number; height: number },
  { result }: { result: Int32Array },
  from: number,
  to: number,
): void {
  result.set(owner.subarray(from * width, to * width), from * width);
  const labels = new Int32Array(25);
  const votes = new Int32Array(25);
  for (let y = Math.max(2, from); y < Math.min(height - 2, to); y++) {
    for (let x = 2; x < width - 2; x++) {
      const i = y * width + x;
      const own = owner[i]!;
      if (
        owner[i - 2] === own &&
        owner[i + 2] === own &&
        owner[i - 2 * width] === own &&
        owner[i + 2 * width] === own &&
        owner[i - 2 * width - 2] === own &&
        owner[i + 2 * width + 2] === own
      ) {
        continue;
      }
      labels[0] = own;
      votes[0] = 0;
      let known = 1;
      for (let dy = -2; dy <= 2; dy++) {
        for (let dx = -2; dx <= 2; dx++) {
          const label = owner[i + dy * width + dx]!;
          let k = 0;
          while (k < known && labels[k] !== label) k++;
          if (k === known) {
            labels[known] = label;
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
          best = labels[k]!;
        }
      }
      result[i] = best;
    }
  }
}

/** Pieces of a pane smaller than `least` pixels join the pane beside them; no glazier could lead them. */
export function withoutSplinters(owner: Int32Array, width: number, least: number): Int32Array {
  const result = owner.slice();
  const seen = new Uint8Array(owner.length);
  const piece = new Int32Array(owner.length);
  for (let start = 0; start < owner.length; start++) {
    if (seen[start]) continue;
    const own = result[start]!;
    // Whatever lies before the first pixel of a piece is already settled.
    const beside = start % width > 0 ? result[start - 1]! : start >= width ? result[start - width]! : own;
    let size = 0;
    piece[size++] = start;
    seen[start] = 1;
    for (let next = 0; next < size; next++) {
      const i = piece[next]!;
      const x = i % width;
      for (let side = 0; side < 4; side++) {
        const j = side === 0 ? i - 1 : side === 1 ? i + 1 : side === 2 ? i - width : i + width;
        if ((side === 0 && x === 0) || (side === 1 && x === width - 1)) continue;
        if (j < 0 || j >= owner.length || seen[j] || owner[j] !== owner[start]) continue;
        seen[j] = 1;
        piece[size++] = j;
      }
    }
    if (size < least && beside !== own) for (let k = 0; k < size; k++) result[piece[k]!] = beside;
  }
  return settled(result, width, owner.length / width);
}
