import { allocate, allocateIntegers, withArena } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';
import type { Flow } from '../strokes/tangent-flow.ts';
import type { Spots } from './scatter.ts';

const forRows = rowsOf(import.meta.url);

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
  const halfWidth = Math.ceil(width / 2);
  const halfHeight = Math.ceil(height / 2);
  const cut = { spots, sizes, cos, sin };
  withArena(() => {
    const owner = allocateIntegers(halfWidth * halfHeight);
    const first = allocate(halfWidth * halfHeight);
    for (let round = 0; round < rounds; round++) {
      orient(spots, sizes, cos, sin, wanted, flow, width);
      forRows(cutRows, halfHeight, { width: halfWidth, scale: 2, ...cut }, { owner, first });
      settle(spots, owner, halfWidth, width, height);
    }
  });
  orient(spots, sizes, cos, sin, wanted, flow, width);
  const owner = allocateIntegers(width * height);
  const inset = allocate(width * height);
  withArena(() => {
    const second = allocate(width * height);
    forRows(cutRows, height, { width, scale: 1, ...cut }, { owner, first: inset, second });
    forRows(insetRows, height, { width, owner, second, sizes }, { inset });
  });
  return { owner, inset, spots, cos, sin };
}

/** Moves each tile to the middle of what it won. */
function settle(spots: Spots, owner: Int32Array, halfWidth: number, width: number, height: number): void {
  const sumX = new Float64Array(spots.count);
  const sumY = new Float64Array(spots.count);
  const members = new Int32Array(spots.count);
  for (let y = 0, i = 0; i < owner.length; y++) {
    for (let x = 0; x < halfWidth; x++, i++) {
      const tile = owner[i]!;
      if (tile < 0) continue;
      sumX[tile] = sumX[tile]! + x;
      sumY[tile] = sumY[tile]! + y;
      members[tile] = members[tile]! + 1;
    }
  }
  for (let tile = 0; tile < spots.count; tile++) {
    if (members[tile] === 0) continue;
    spots.x[tile] = Math.min(width - 1, (sumX[tile]! / members[tile]!) * 2 + 0.5);
    spots.y[tile] = Math.min(height - 1, (sumY[tile]! / members[tile]!) * 2 + 0.5);
  }
}

/** From the distances to the nearest tile (in inset) and the one after it to pixels from the tile's edge. */
export function insetRows(
  {
    width,
    owner,
    second,
    sizes,
  }: { width: number; owner: Int32Array; second: Float32Array; sizes: Float32Array },
  { inset }: { inset: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) {
    const tile = owner[i]!;
    inset[i] = tile < 0 ? 0 : Math.min(2, second[i]! - inset[i]!) * sizes[tile]! * 0.5;
  }
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

interface Cut {
  width: number;
  /** Pixels of the picture to one of these. */
  scale: number;
  spots: Spots;
  sizes: Float32Array;
  cos: Float32Array;
  sin: Float32Array;
}

interface Pieces {
  owner: Int32Array;
  /** Distance to the nearest tile, and to the one after it. */
  first: Float32Array;
  second?: Float32Array;
}

/** Gives each pixel to the tile that is nearest in the tile's own frame, measured in tile sizes. */
export function cutRows(
  { width, scale, spots, sizes, cos, sin }: Cut,
  { owner, first, second }: Pieces,
  from: number,
  to: number,
): void {
  owner.fill(-1, from * width, to * width);
  first.fill(9, from * width, to * width);
  second?.fill(9, from * width, to * width);
  for (let tile = 0; tile < spots.count; tile++) {
    const size = sizes[tile]! / scale;
    const cx = spots.x[tile]! / scale;
    const cy = spots.y[tile]! / scale;
    // Tiles that are next to none, at the border, have to reach further in the end than while they settle; a tile that
    // stands on its corner reaches further than one that lies straight.
    const reach = size * (second ? 1.7 : 0.95 * (Math.abs(cos[tile]!) + Math.abs(sin[tile]!)));
    const top = Math.max(from, Math.ceil(cy - reach));
    const bottom = Math.min(to - 1, Math.floor(cy + reach));
    if (top > bottom) continue;
    const c = cos[tile]! / size;
    const s = sin[tile]! / size;
    const left = Math.max(0, Math.ceil(cx - reach));
    const right = Math.min(width - 1, Math.floor(cx + reach));
    for (let y = top; y <= bottom; y++) {
      const begin = y * width + left;
      const end = y * width + right;
      const x = left - cx;
      const u = x * c + (y - cy) * s;
      const v = (y - cy) * c - x * s;
      if (second) cutTwice(tile, begin, end, u, c, v, -s, owner, first, second);
      else cutOnce(tile, begin, end, u, c, v, -s, owner, first);
    }
  }
}

/** A tile's part of one row, whose first pixel lies at u, v in the tile's frame: takes what is nearer to it than to others. */
function cutOnce(
  tile: number,
  begin: number,
  end: number,
  u: number,
  stepU: number,
  v: number,
  stepV: number,
  owner: Int32Array,
  first: Float32Array,
): void {
  for (let i = begin; i <= end; i++) {
    const near = first[i]!;
    const across = Math.abs(v + (i - begin) * stepV);
    const along = Math.abs(u + (i - begin) * stepU);
    if (along >= near || across >= near) continue;
    first[i] = along > across ? along : across;
    owner[i] = tile;
  }
}

/** The same, and remembers how near the next tile is. */
function cutTwice(
  tile: number,
  begin: number,
  end: number,
  u: number,
  stepU: number,
  v: number,
  stepV: number,
  owner: Int32Array,
  first: Float32Array,
  second: Float32Array,
): void {
  for (let i = begin; i <= end; i++) {
    const next = second[i]!;
    const across = Math.abs(v + (i - begin) * stepV);
    const along = Math.abs(u + (i - begin) * stepU);
    if (along >= next || across >= next) continue;
    const distance = along > across ? along : across;
    if (distance < first[i]!) {
      second[i] = first[i]!;
      first[i] = distance;
      owner[i] = tile;
    } else second[i] = distance;
  }
}
