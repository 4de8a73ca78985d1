import type { Size } from '../../pixels/plane.ts';
import { type BytePlane, type Frame, planesOf } from '../frame.ts';

/** Something to be shown in frames, finer than they are, over shared memory. */
export interface Layer {
  planes: Frame;
  /** 255 where it covers what is behind it; null when it covers everything. */
  alpha: Uint8Array | null;
  /** `alpha` at the size of the colour planes. */
  alphaHalf: Uint8Array | null;
  /** The layer's pixels for one of the frame. */
  density: number;
  /** A frame's point (x, y) is the layer's `(x + left) · density`, and so for y. */
  left: number;
  top: number;
}

/** For every node of a lattice over the frame: the point of the frame at rest that it shows. */
export interface Lattice {
  step: number;
  columns: number;
  rows: number;
  x: Float32Array;
  y: Float32Array;
}

export function latticeOver({ width, height }: Size, step: number): Lattice {
  const columns = Math.ceil(width / step) + 1;
  const rows = Math.ceil(height / step) + 1;
  const nodes = columns * rows;
  return { step, columns, rows, x: new Float32Array(nodes), y: new Float32Array(nodes) };
}

export const none = 0;
export const some = 1;
export const all = 2;

/** How much of each cell of a lattice a layer covers: `none`, `some` or `all` of it. */
export type Cover = (layer: Layer, lattice: Lattice, cover: Uint8Array) => void;

const tileBits = 4;
const tile = 1 << tileBits;

/** Tells which cells a layer covers from the extremes of its tiles, looked up once. */
export function coverOf({ planes, alpha }: Layer): Cover {
  const across = Math.ceil(planes.width / tile);
  const down = Math.ceil(planes.height / tile);
  const low = new Uint8Array(across * down).fill(255);
  const high = new Uint8Array(across * down);
  for (let y = 0, i = 0; y < planes.height; y++) {
    const row = (y >> tileBits) * across;
    for (let x = 0; x < planes.width; x++, i++) {
      const at = row + (x >> tileBits);
      const a = alpha![i]!;
      if (a < low[at]!) low[at] = a;
      if (a > high[at]!) high[at] = a;
    }
  }
  return ({ density, left, top }, { columns, rows, x, y }, cover) => {
    const column = (value: number) =>
      Math.min(across - 1, Math.max(0, Math.floor(((value + left) * density) / tile)));
    const row = (value: number) =>
      Math.min(down - 1, Math.max(0, Math.floor(((value + top) * density) / tile)));
    for (let j = 0, cell = 0; j < rows - 1; j++) {
      for (let i = 0; i < columns - 1; i++, cell++) {
        const n = j * columns + i;
        const m = n + columns;
        const x0 = column(Math.min(x[n]!, x[m]!) - 1);
        const x1 = column(Math.max(x[n + 1]!, x[m + 1]!) + 1);
        const y0 = row(Math.min(y[n]!, y[n + 1]!) - 1);
        const y1 = row(Math.max(y[m]!, y[m + 1]!) + 1);
        let least = 255;
        let most = 0;
        for (let b = y0; b <= y1; b++) {
          for (let a = x0; a <= x1; a++) {
            least = Math.min(least, low[b * across + a]!);
            most = Math.max(most, high[b * across + a]!);
          }
        }
        cover[cell] = most === 0 ? none : least === 255 ? all : some;
      }
    }
  };
}

/** Paints a layer that covers everything; cells that something in front covers wholly are left out. */
export function paintBehind(layer: Layer, lattice: Lattice, frame: Frame, covered: Uint8Array | null): void {
  const targets = planesOf(frame);
  for (const [i, source] of planesOf(layer.planes).entries()) {
    paintCells({ source, alpha: null, target: targets[i]! }, layer, lattice, { cover: covered, skip: all });
  }
}

/** Paints a layer over what is in the frame, where `cover` says that there is some of it. */
export function paintOver(layer: Layer, lattice: Lattice, frame: Frame, cover: Uint8Array): void {
  const targets = planesOf(frame);
  for (const [i, source] of planesOf(layer.planes).entries()) {
    const alpha = source.reduction === 1 ? layer.alpha : layer.alphaHalf;
    paintCells({ source, alpha, target: targets[i]! }, layer, lattice, { cover, skip: none });
  }
}

interface PlanePair {
  source: BytePlane;
  alpha: Uint8Array | null;
  target: BytePlane;
}

/** How much of each cell is covered, and the kind of cell that is left out. */
interface Cells {
  cover: Uint8Array | null;
  skip: number;
}

/**
 * One plane through the lattice, cell by cell: within a cell the source moves evenly, in steps of 1/65536 of a pixel,
 * and every sample is bilinear.
 */
function paintCells(
  { source, alpha, target }: PlanePair,
  { density, left, top }: Layer,
  { step, columns, rows, x, y }: Lattice,
  { cover, skip }: Cells,
): void {
  const { reduction } = source;
  const side = step / reduction;
  const share = 1 / side;
  const scale = (density / reduction) * 65536;
  // Positions are those of pixel centres; colour samples lie on even columns, and between two rows.
  const offsetX = reduction === 1 ? 0.5 * density - 0.5 : (0.5 * density - 0.5) / 2;
  const offsetY = 0.5 * density - 0.5;
  const shiftX = left * scale + offsetX * 65536;
  const shiftY = top * scale + offsetY * 65536;
  const mostX = (source.width - 1) * 65536 - 1;
  const mostY = (source.height - 1) * 65536 - 1;
  const limit = (value: number, most: number) => (value < 0 ? 0 : value > most ? most : value);
  const run: Run = { x: 0, y: 0, dx: 0, dy: 0, to: 0, count: 0 };
  for (let j = 0; j < rows - 1; j++) {
    const fromRow = j * side;
    const toRow = Math.min(target.height, fromRow + side);
    for (let i = 0; i < columns - 1; i++) {
      const kind = cover === null ? some : cover[j * (columns - 1) + i]!;
      if (cover !== null && kind === skip) continue;
      const n = j * columns + i;
      const m = n + columns;
      let leftX = limit(x[n]! * scale + shiftX, mostX);
      let leftY = limit(y[n]! * scale + shiftY, mostY);
      let rightX = limit(x[n + 1]! * scale + shiftX, mostX);
      let rightY = limit(y[n + 1]! * scale + shiftY, mostY);
      const leftDX = (limit(x[m]! * scale + shiftX, mostX) - leftX) * share;
      const leftDY = (limit(y[m]! * scale + shiftY, mostY) - leftY) * share;
      const rightDX = (limit(x[m + 1]! * scale + shiftX, mostX) - rightX) * share;
      const rightDY = (limit(y[m + 1]! * scale + shiftY, mostY) - rightY) * share;
      const fromColumn = i * side;
      run.count = Math.min(target.width, fromColumn + side) - fromColumn;
      for (let row = fromRow; row < toRow; row++) {
        run.x = leftX | 0;
        run.y = leftY | 0;
        run.dx = ((rightX - leftX) * share) | 0;
        run.dy = ((rightY - leftY) * share) | 0;
        run.to = row * target.width + fromColumn;
        if (alpha === null || kind === all) copyRun(source, run, target.data);
        else blendRun(source, alpha, run, target.data);
        leftX += leftDX;
        leftY += leftDY;
        rightX += rightDX;
        rightY += rightDY;
      }
    }
  }
}

/** A row of a cell: where it starts in the source and how it goes on there, in 1/65536 pixels; where it is written. */
interface Run {
  x: number;
  y: number;
  dx: number;
  dy: number;
  to: number;
  count: number;
}

function copyRun({ data: source, width }: BytePlane, run: Run, target: Uint8Array): void {
  const { dx, dy, to, count } = run;
  let { x, y } = run;
  const end = to + count;
  for (let i = to; i < end; i++) {
    const at = (y >> 16) * width + (x >> 16);
    const u = (x >> 8) & 255;
    const a = source[at]!;
    const c = source[at + width]!;
    const upper = (a << 8) + (source[at + 1]! - a) * u;
    const lower = (c << 8) + (source[at + width + 1]! - c) * u;
    target[i] = ((upper << 8) + (lower - upper) * ((y >> 8) & 255) + 32768) >> 16;
    x += dx;
    y += dy;
  }
}

function blendRun({ data: source, width }: BytePlane, alpha: Uint8Array, run: Run, target: Uint8Array): void {
  const { dx, dy, to, count } = run;
  let { x, y } = run;
  const end = to + count;
  for (let i = to; i < end; i++) {
    const at = (y >> 16) * width + (x >> 16);
    const u = (x >> 8) & 255;
    const v = (y >> 8) & 255;
    x += dx;
    y += dy;
    let a = alpha[at]!;
    let b = alpha[at + 1]!;
    let c = alpha[at + width]!;
    let d = alpha[at + width + 1]!;
    if ((a | b | c | d) === 0) continue;
    let opaque = 255;
    // Most of a cell at an edge is all people or none.
    if ((a & b & c & d) !== 255) {
      const upper = (a << 8) + (b - a) * u;
      const lower = (c << 8) + (d - c) * u;
      opaque = ((upper << 8) + (lower - upper) * v + 32768) >> 16;
      if (opaque === 0) continue;
    }
    a = source[at]!;
    b = source[at + 1]!;
    c = source[at + width]!;
    d = source[at + width + 1]!;
    const upper = (a << 8) + (b - a) * u;
    const lower = (c << 8) + (d - c) * u;
    const own = ((upper << 8) + (lower - upper) * v + 32768) >> 16;
    const behind = target[i]!;
    target[i] = opaque === 255 ? own : behind + (((own - behind) * opaque * 257 + 32768) >> 16);
  }
}
