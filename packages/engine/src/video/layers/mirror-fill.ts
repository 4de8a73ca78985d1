import { gaussianBlur } from '../../pixels/gaussian-blur.ts';
import { allocatePicture, mapPlanes, type Picture, type Planes } from '../../pixels/picture.ts';
import { allocatePlane, type Size } from '../../pixels/plane.ts';
import { clamp, mix, smoothstep } from '../../pixels/scalar.ts';
import { allocate, allocateIntegers, withArena } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

/**
 * How deep the image reaches back for each pixel that it goes on: a true mirror (1) shows what stands beside people
 * twice, and bends slanted lines into a V.
 */
const depth = 0.35;

/** How soft the image becomes (σ), and from and to how many pixels off the border. */
const softness = [
  { sigma: 3, from: 4, to: 16 },
  { sigma: 9, from: 10, to: 40 },
] as const;

/**
 * What is above or below counts as this much further away: rooms and landscapes have more level lines than others, and
 * the camera uncovers more beside people than above them.
 */
const upright = 3;

/**
 * Goes on with the picture into what is unknown by a flattened mirror image: texture and lines that meet the border
 * squarely continue. For strips as narrow as the ones that people uncover when they move, that is as good as a
 * network's painting, at a hundredth of its time and memory.
 */
export function mirrorFill(picture: Picture, unknown: Uint8Array): Planes {
  const { width, height } = picture;
  return withArena(() => {
    const from = allocateIntegers(unknown.length);
    const off = allocate(unknown.length);
    const knownRows = nearestKnownRows(unknown, picture);
    forRows(mirrorRows, height, { unknown, knownRows, width, height }, { from, off });
    return mapPlanes(picture.planes, (plane) => {
      const filled = allocatePlane(picture);
      forRows(gatherRows, height, { plane, from, width }, { filled: filled.data });
      for (const { sigma, from: near, to: far } of softness) {
        const smooth = gaussianBlur(filled, sigma).data;
        forRows(softenRows, height, { smooth, off, near, far, width }, { filled: filled.data });
      }
      return filled.data;
    });
  });
}

/** For every pixel the nearest row of its column that is known, or −1 where none is. */
function nearestKnownRows(unknown: Uint8Array, { width, height }: Size): Int32Array {
  const rows = allocateIntegers(unknown.length);
  const above = new Int32Array(width).fill(-1);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (unknown[i] === 0) above[x] = y;
      rows[i] = above[x]!;
    }
  }
  const below = new Int32Array(width).fill(-1);
  for (let y = height - 1; y >= 0; y--) {
    for (let x = 0, i = y * width; x < width; x++, i++) {
      if (unknown[i] === 0) below[x] = y;
      else if (below[x]! >= 0 && (rows[i]! < 0 || below[x]! - y < y - rows[i]!)) rows[i] = below[x]!;
    }
  }
  return rows;
}

interface Unknown extends Size {
  unknown: Uint8Array;
  knownRows: Int32Array;
}

/** Where each pixel's value comes from, and how far an unknown one is from the nearest known one. */
export function mirrorRows(
  { unknown, knownRows, width, height }: Unknown,
  { from, off }: { from: Int32Array; off: Float32Array },
  first: number,
  end: number,
): void {
  const nearest = new Int32Array(width);
  for (let y = first; y < end; y++) {
    const start = y * width;
    const row = unknown.subarray(start, start + width);
    if (row.includes(1)) findNearestColumns(knownRows.subarray(start, start + width), y, nearest);
    for (let x = 0, i = start; x < width; x++, i++) {
      from[i] = i;
      off[i] = 0;
      const bx = nearest[x]!;
      // A picture that is all unknown has nothing to go on with.
      if (row[x] === 0 || bx < 0) continue;
      const by = knownRows[start + bx]!;
      const mx = clamp(Math.round(bx + depth * (bx - x)), 0, width - 1);
      const my = clamp(Math.round(by + depth * (by - y)), 0, height - 1);
      const mirrored = my * width + mx;
      from[i] = unknown[mirrored] === 0 ? mirrored : by * width + bx;
      off[i] = Math.sqrt((x - bx) ** 2 + (y - by) ** 2);
    }
  }
}

/**
 * For each pixel of a row the column whose nearest known row is the nearest of all: the lowest of one parabola for each
 * column (Felzenszwalb and Huttenlocher 2012). −1 where nothing is known.
 */
function findNearestColumns(knownRows: Int32Array, y: number, nearest: Int32Array): void {
  const lowest: number[] = [];
  /** From which x on each of them is the lowest. */
  const starts: number[] = [];
  const heightOf = (column: number) => (upright * (y - knownRows[column]!)) ** 2;
  for (let q = 0; q < knownRows.length; q++) {
    if (knownRows[q]! < 0) continue;
    let meets = -Infinity;
    while (lowest.length > 0) {
      const p = lowest.at(-1)!;
      meets = (heightOf(q) + q * q - heightOf(p) - p * p) / (2 * (q - p));
      if (meets > starts.at(-1)!) break;
      lowest.pop();
      starts.pop();
      meets = -Infinity;
    }
    lowest.push(q);
    starts.push(meets);
  }
  for (let x = 0, k = 0; x < nearest.length; x++) {
    while (k + 1 < lowest.length && starts[k + 1]! <= x) k++;
    nearest[x] = lowest[k] ?? -1;
  }
}

export function gatherRows(
  { plane, from, width }: { plane: Float32Array; from: Int32Array; width: number },
  { filled }: { filled: Float32Array },
  first: number,
  end: number,
): void {
  for (let i = first * width; i < end * width; i++) filled[i] = plane[from[i]!]!;
}

interface Softening {
  smooth: Float32Array;
  off: Float32Array;
  near: number;
  far: number;
  width: number;
}

export function softenRows(
  { smooth, off, near, far, width }: Softening,
  { filled }: { filled: Float32Array },
  first: number,
  end: number,
): void {
  for (let i = first * width; i < end * width; i++) {
    if (off[i]! > near) filled[i] = mix(filled[i]!, smooth[i]!, smoothstep(near, far, off[i]!));
  }
}

/** The picture, and of what was filled in as much as the share says. */
export function mixFilled(picture: Picture, filled: Planes, share: Float32Array): Picture {
  const { width, height, planes } = picture;
  return withArena(() => {
    const mixed = allocatePicture(picture);
    for (const [c, plane] of planes.entries()) {
      const input = { plane, filled: filled[c]!, share, width };
      forRows(mixRows, height, input, { mixed: mixed.planes[c]! });
    }
    return mixed;
  });
}

interface Filling {
  plane: Float32Array;
  filled: Float32Array;
  share: Float32Array;
  width: number;
}

export function mixRows(
  { plane, filled, share, width }: Filling,
  { mixed }: { mixed: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) {
    mixed[i] = share[i]! > 0 ? clamp(mix(plane[i]!, filled[i]!, share[i]!), 0, 1) : plane[i]!;
  }
}
