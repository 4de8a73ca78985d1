import type { Plane, Size } from '../../pixels/plane.ts';
import { allocate, allocateIntegers, withArena } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';
import type { Flow } from '../strokes/tangent-flow.ts';
import type { LabelMap } from './label-map.ts';
import type { Points } from './scatter.ts';

const forRows = rowsOf(import.meta.url);

/** Which tile each pixel belongs to, and where the tiles are. */
export interface Tiling extends LabelMap {
  /** Pixels from the edge of the tile, for each pixel. */
  inset: Float32Array;
  centers: Points;
}

/**
 * Near-square tiles along the direction of the forms (Hausner, "Simulating decorative mosaics", 2001): a centroidal
 * Voronoi diagram whose distance is the larger of the two offsets in the tile's own rotated axes. Relaxed at half size,
 * then cut at full size. `sizes` is the size of a tile at each pixel; the centers are moved.
 */
export function layTiles(centers: Points, sizes: Plane, flow: Flow, rounds: number): Tiling {
  const { width, height } = sizes;
  const { count } = centers;
  const tiles: Tiles = {
    centers,
    sizes: new Float32Array(count),
    cos: new Float32Array(count),
    sin: new Float32Array(count),
  };
  const half = { width: Math.ceil(width / 2), height: Math.ceil(height / 2) };
  withArena(() => {
    const labels = allocateIntegers(half.width * half.height);
    const nearest = allocate(half.width * half.height);
    for (let round = 0; round < rounds; round++) {
      orientTiles(tiles, sizes, flow);
      forRows(cutRows, half.height, { width: half.width, scale: 2, tiles }, { labels, nearest });
      moveToCentroids(centers, { ...half, labels }, sizes);
    }
  });
  orientTiles(tiles, sizes, flow);
  const labels = allocateIntegers(width * height);
  const inset = allocate(width * height);
  withArena(() => {
    const second = allocate(width * height);
    forRows(cutRows, height, { width, scale: 1, tiles }, { labels, nearest: inset, second });
    forRows(insetRows, height, { width, labels, second, sizes: tiles.sizes }, { inset });
  });
  return { width, height, labels, inset, centers };
}

interface Tiles {
  centers: Points;
  /** Side of each tile, in pixels of the picture, and the direction of one of its axes. */
  sizes: Float32Array;
  cos: Float32Array;
  sin: Float32Array;
}

/** Gives each tile the size and the direction at its center. */
function orientTiles({ centers, sizes, cos, sin }: Tiles, wanted: Plane, flow: Flow): void {
  for (let tile = 0; tile < centers.count; tile++) {
    const x = centers.x[tile]! | 0;
    const y = centers.y[tile]! | 0;
    const at = (y >> 1) * flow.width + (x >> 1);
    sizes[tile] = wanted.data[y * wanted.width + x]!;
    cos[tile] = flow.x[at]!;
    sin[tile] = flow.y[at]!;
  }
}

/** Moves each tile to the centroid of its pixels; the labels are at half of the size. */
function moveToCentroids(centers: Points, half: LabelMap, { width, height }: Size): void {
  const { labels } = half;
  const sumX = new Float64Array(centers.count);
  const sumY = new Float64Array(centers.count);
  const pixels = new Int32Array(centers.count);
  for (let y = 0, i = 0; y < half.height; y++) {
    for (let x = 0; x < half.width; x++, i++) {
      const tile = labels[i]!;
      if (tile < 0) continue;
      sumX[tile] = sumX[tile]! + x;
      sumY[tile] = sumY[tile]! + y;
      pixels[tile] = pixels[tile]! + 1;
    }
  }
  for (let tile = 0; tile < centers.count; tile++) {
    if (pixels[tile] === 0) continue;
    centers.x[tile] = Math.min(width - 1, (sumX[tile]! / pixels[tile]!) * 2 + 0.5);
    centers.y[tile] = Math.min(height - 1, (sumY[tile]! / pixels[tile]!) * 2 + 0.5);
  }
}

interface CutInput {
  width: number;
  /** Pixels of the picture to one of the labels. */
  scale: number;
  tiles: Tiles;
}

interface CutOutput {
  labels: Int32Array;
  /** Distance to the nearest tile and to the one after it, in tile sizes. */
  nearest: Float32Array;
  second?: Float32Array;
}

/** Gives each pixel to the tile that is nearest along the tile's own axes, measured in tile sizes. */
export function cutRows(
  { width, scale, tiles: { centers, sizes, cos, sin } }: CutInput,
  output: CutOutput,
  from: number,
  to: number,
): void {
  const { labels, nearest, second } = output;
  const outputOfTwo = second && { labels, nearest, second };
  labels.fill(-1, from * width, to * width);
  nearest.fill(9, from * width, to * width);
  second?.fill(9, from * width, to * width);
  for (let tile = 0; tile < centers.count; tile++) {
    const size = sizes[tile]! / scale;
    const x = centers.x[tile]! / scale;
    const y = centers.y[tile]! / scale;
    // At the border of the picture a tile with few neighbours has to reach further in the final cut than while the
    // tiles are relaxed, and a tile rotated by 45 degrees reaches further than an upright one.
    const reach = size * (second ? 1.7 : 0.95 * (Math.abs(cos[tile]!) + Math.abs(sin[tile]!)));
    const top = Math.max(from, Math.ceil(y - reach));
    const bottom = Math.min(to - 1, Math.floor(y + reach));
    if (top > bottom) continue;
    const frame = {
      tile,
      x,
      y,
      cos: cos[tile]! / size,
      sin: sin[tile]! / size,
      left: Math.max(0, Math.ceil(x - reach)),
      right: Math.min(width - 1, Math.floor(x + reach)),
    };
    for (let row = top; row <= bottom; row++) {
      if (outputOfTwo) cutTwoNearest(frame, row, width, outputOfTwo);
      else cutNearest(frame, row, width, output);
    }
  }
}

/** A tile's center, its axes divided by its size, and the columns that it may reach. */
interface TileFrame {
  tile: number;
  x: number;
  y: number;
  cos: number;
  sin: number;
  left: number;
  right: number;
}

/** Takes the pixels of a row that are nearer to the tile than to those before it. */
function cutNearest(frame: TileFrame, row: number, width: number, output: CutOutput): void {
  const { tile, x, y, cos, sin, left, right } = frame;
  const { labels, nearest } = output;
  const begin = row * width + left;
  const end = row * width + right;
  const u = (left - x) * cos + (row - y) * sin;
  const v = (row - y) * cos - (left - x) * sin;
  for (let i = begin; i <= end; i++) {
    const near = nearest[i]!;
    const across = Math.abs(v + (i - begin) * -sin);
    const along = Math.abs(u + (i - begin) * cos);
    if (along >= near || across >= near) continue;
    nearest[i] = along > across ? along : across;
    labels[i] = tile;
  }
}

/** As `cutNearest`, and keeps the distance to the tile after the nearest one. */
function cutTwoNearest(frame: TileFrame, row: number, width: number, output: Required<CutOutput>): void {
  const { tile, x, y, cos, sin, left, right } = frame;
  const { labels, nearest, second } = output;
  const begin = row * width + left;
  const end = row * width + right;
  const u = (left - x) * cos + (row - y) * sin;
  const v = (row - y) * cos - (left - x) * sin;
  for (let i = begin; i <= end; i++) {
    const next = second[i]!;
    const across = Math.abs(v + (i - begin) * -sin);
    const along = Math.abs(u + (i - begin) * cos);
    if (along >= next || across >= next) continue;
    const distance = along > across ? along : across;
    if (distance < nearest[i]!) {
      second[i] = nearest[i]!;
      nearest[i] = distance;
      labels[i] = tile;
    } else second[i] = distance;
  }
}

interface InsetInput {
  width: number;
  labels: Int32Array;
  second: Float32Array;
  sizes: Float32Array;
}

/** From the distances to the nearest tile (in `inset`) and to the second one to pixels from the tile's edge. */
export function insetRows(
  { width, labels, second, sizes }: InsetInput,
  { inset }: { inset: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) {
    const tile = labels[i]!;
    inset[i] = tile < 0 ? 0 : Math.min(2, second[i]! - inset[i]!) * sizes[tile]! * 0.5;
  }
}
