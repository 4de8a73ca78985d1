import { randomFrom } from '../random.ts';
import { newPlane, type Plane } from './plane.ts';

export function whiteNoise(width: number, height: number, seed: number): Plane {
  const plane = newPlane(width, height);
  const random = randomFrom(seed);
  for (let i = 0; i < plane.data.length; i++) plane.data[i] = random();
  return plane;
}

/** Clouds around 0, about −0.5 to 0.5: value noise whose largest forms are `size` pixels, each octave half of it. */
export function clouds(width: number, height: number, size: number, octaves: number, seed: number): Plane {
  const plane = newPlane(width, height);
  let amount = 1;
  let total = 0;
  for (let octave = 0; octave < octaves; octave++) {
    addOctave(plane, Math.max(1.5, size / 2 ** octave), amount, seed + octave * 101);
    total += amount;
    amount *= 0.55;
  }
  for (let i = 0; i < plane.data.length; i++) plane.data[i]! /= total;
  return plane;
}

function addOctave(plane: Plane, cell: number, amount: number, seed: number): void {
  const { width, height, data } = plane;
  const columns = Math.ceil(width / cell) + 2;
  const lattice = whiteNoise(columns, Math.ceil(height / cell) + 2, seed).data;
  const left = new Int32Array(width);
  const share = new Float32Array(width);
  for (let x = 0; x < width; x++) {
    left[x] = Math.floor(x / cell);
    const t = x / cell - left[x]!;
    share[x] = t * t * (3 - 2 * t);
  }
  const row = new Float32Array(columns);
  for (let y = 0; y < height; y++) {
    const top = Math.floor(y / cell);
    const t = y / cell - top;
    const down = t * t * (3 - 2 * t);
    for (let i = 0; i < columns; i++) {
      const above = lattice[top * columns + i]!;
      row[i] = above + (lattice[(top + 1) * columns + i]! - above) * down;
    }
    for (let x = 0, i = y * width; x < width; x++, i++) {
      const a = row[left[x]!]!;
      data[i]! += amount * (a + (row[left[x]! + 1]! - a) * share[x]! - 0.5);
    }
  }
}
