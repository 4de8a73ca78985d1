import { withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import { allocatePlane, type Plane, type Row, type Size } from './plane.ts';

const forRows = rowsOf(import.meta.url);

/** The same numbers as `randomFrom(seed)` gives one after the other. */
export function whiteNoise({ width, height }: Size, seed: number): Plane {
  const plane = allocatePlane({ width, height });
  forRows(noiseRows, height, { width, seed }, { data: plane.data });
  return plane;
}

const stride = 0x6d2b79f5;

export function noiseRows(
  { width, seed }: { width: number; seed: number },
  { data }: { data: Float32Array },
  from: number,
  to: number,
): void {
  let state = ((seed >>> 0) + Math.imul(from * width, stride)) | 0;
  for (let i = from * width; i < to * width; i++) {
    state = (state + stride) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    data[i] = ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }
}

interface Octave {
  /** Pixels from one lattice point to the next. */
  cell: number;
  amount: number;
  lattice: Plane;
  /** For each pixel of a row: the lattice point before it, and how far it is on the way to the next one. */
  left: Int32Array;
  share: Float32Array;
}

interface CloudOptions {
  /** Pixels across the largest forms; each further octave is half as large. */
  largest: number;
  octaves: number;
  seed: number;
}

/** Value noise around 0, about −0.5 to 0.5. */
export function clouds({ width, height }: Size, { largest, octaves: count, seed }: CloudOptions): Plane {
  return withArena(() => {
    const octaves = Array.from({ length: count }, (_, octave): Octave => {
      const cell = Math.max(1.5, largest / 2 ** octave);
      const size = { width: Math.ceil(width / cell) + 2, height: Math.ceil(height / cell) + 2 };
      const lattice = whiteNoise(size, seed + octave * 101);
      return { cell, amount: 0.55 ** octave, lattice, ...placesAlong(width, cell) };
    });
    const total = octaves.reduce((sum, { amount }) => sum + amount, 0);
    for (const octave of octaves) octave.amount /= total;
    const plane = allocatePlane({ width, height });
    forRows(cloudRows, height, { width, octaves }, { data: plane.data });
    return plane;
  });
}

function placesAlong(width: number, cell: number): Pick<Octave, 'left' | 'share'> {
  const left = new Int32Array(width);
  const share = new Float32Array(width);
  for (let x = 0; x < width; x++) {
    const at = x / cell;
    left[x] = at;
    share[x] = eased(at - (at | 0));
  }
  return { left, share };
}

function eased(t: number): number {
  return t * t * (3 - 2 * t);
}

export function cloudRows(
  { width, octaves }: { width: number; octaves: readonly Octave[] },
  { data }: { data: Float32Array },
  from: number,
  to: number,
): void {
  data.fill(0, from * width, to * width);
  for (const octave of octaves) {
    const between = new Float32Array(octave.lattice.width);
    for (let y = from; y < to; y++) addOctave(octave, y, between, { data, start: y * width });
  }
}

/** Adds one row; `between` is room for a row of the lattice. */
function addOctave(
  { cell, amount, lattice: { data: lattice, width: columns }, left, share }: Octave,
  y: number,
  between: Float32Array,
  { data, start }: Row,
): void {
  const line = Math.floor(y / cell);
  const down = eased(y / cell - line);
  for (let i = 0, above = line * columns; i < columns; i++, above++) {
    const value = lattice[above]!;
    between[i] = (value + (lattice[above + columns]! - value) * down - 0.5) * amount;
  }
  for (let x = 0, i = start; x < left.length; x++, i++) {
    const column = left[x]!;
    const a = between[column]!;
    data[i] = data[i]! + a + (between[column + 1]! - a) * share[x]!;
  }
}
