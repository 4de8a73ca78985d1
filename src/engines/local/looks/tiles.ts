import type { Flow } from './flow.ts';
import type { Spots } from './scatter.ts';

/** Which tile each pixel belongs to (−1: none), and how many pixels it is from the tile's edge. */
export interface Tiling {
  owner: Int32Array;
  inset: Float32Array;
  /** Each tile's middle and its direction. */
  spots: Spots;
  cos: Float32Array;
  sin: Float32Array;
}

/**
 * Near-square tiles that lie along the forms (Hausner's decorative mosaics): a centroidal Voronoi diagram whose
 * distance is the larger of the two offsets in the tile's own turned frame. Relaxed at half size, then
 * cut at full size. `wanted` is the size of a tile, in pixels, for each pixel.
 */
export function layTiles(
  width: number,
  height: number,
  spots: Spots,
  wanted: Float32Array,
  flow: Flow,
  rounds: number,
): Tiling {
  const { count } = spots;
  const sizes = new Float32Array(count);
  const cos = new Float32Array(count);
  const sin = new Float32Array(count);
  const sumX = new Float64Array(count);
  const sumY = new Float64Array(count);
  const members = new Int32Array(count);
  const halfWidth = Math.ceil(width / 2);
  const halfHeight = Math.ceil(height / 2);
  const owner = new Int32Array(halfWidth * halfHeight);
  const nearest = new Float32Array(halfWidth * halfHeight);
  for (let round = 0; round < rounds; round++) {
    orient(spots, sizes, cos, sin, wanted, flow, width);
    cut(halfWidth, halfHeight, 2, spots, sizes, cos, sin, owner, nearest, null);
    sumX.fill(0);
    sumY.fill(0);
    members.fill(0);
    for (let y = 0, i = 0; y < halfHeight; y++) {
      for (let x = 0; x < halfWidth; x++, i++) {
        const tile = owner[i]!;
        if (tile < 0) continue;
        sumX[tile]! += x;
        sumY[tile]! += y;
        members[tile]! += 1;
      }
    }
    for (let tile = 0; tile < count; tile++) {
      if (members[tile] === 0) continue;
      spots.x[tile] = Math.min(width - 1, (sumX[tile]! / members[tile]!) * 2 + 0.5);
      spots.y[tile] = Math.min(height - 1, (sumY[tile]! / members[tile]!) * 2 + 0.5);
    }
  }
  orient(spots, sizes, cos, sin, wanted, flow, width);
  const fullOwner = new Int32Array(width * height);
  const first = new Float32Array(width * height);
  const second = new Float32Array(width * height);
  cut(width, height, 1, spots, sizes, cos, sin, fullOwner, first, second);
  for (let i = 0; i < first.length; i++) {
    const tile = fullOwner[i]!;
    first[i] = tile < 0 ? 0 : Math.min(2, second[i]! - first[i]!) * sizes[tile]! * 0.5;
  }
  return { owner: fullOwner, inset: first, spots, cos, sin };
}

function orient(
  spots: Spots,
  sizes: Float32Array,
  cos: Float32Array,
  sin: Float32Array,
  wanted: Float32Array,
  flow: Flow,
  width: number,
): void {
  for (let tile = 0; tile < spots.count; tile++) {
    const x = spots.x[tile]! | 0;
    const y = spots.y[tile]! | 0;
    const at = (y >> 1) * flow.width + (x >> 1);
    sizes[tile] = wanted[y * width + x]!;
    cos[tile] = flow.x[at]!;
    sin[tile] = flow.y[at]!;
  }
}

/** Gives each pixel to the tile that is nearest in the tile's own frame, measured in tile sizes. */
function cut(
  width: number,
  height: number,
  scale: number,
  spots: Spots,
  sizes: Float32Array,
  cos: Float32Array,
  sin: Float32Array,
  owner: Int32Array,
  first: Float32Array,
  second: Float32Array | null,
): void {
  owner.fill(-1);
  first.fill(9);
  second?.fill(9);
  for (let tile = 0; tile < spots.count; tile++) {
    const size = sizes[tile]! / scale;
    const cx = spots.x[tile]! / scale;
    const cy = spots.y[tile]! / scale;
    // Tiles that are next to none, at the border, have to reach further in the end than while they settle.
    const reach = size * (second ? 1.7 : 1.3);
    const c = cos[tile]! / size;
    const s = sin[tile]! / size;
    const top = Math.max(0, Math.ceil(cy - reach));
    const bottom = Math.min(height - 1, Math.floor(cy + reach));
    const left = Math.max(0, Math.ceil(cx - reach));
    const right = Math.min(width - 1, Math.floor(cx + reach));
    for (let y = top; y <= bottom; y++) {
      const dy = y - cy;
      for (let x = left; x <= right; x++) {
        const dx = x - cx;
        const distance = Math.max(Math.abs(dx * c + dy * s), Math.abs(dy * c - dx * s));
        const i = y * width + x;
        if (distance < first[i]!) {
          if (second) second[i] = first[i]!;
          first[i] = distance;
          owner[i] = tile;
        } else if (second && distance < second[i]!) {
          second[i] = distance;
        }
      }
    }
  }
}
