import { boxBlur, enlarge, reduce } from './blur.ts';
import { clamp } from './colour.ts';
import type { Face } from './picture.ts';
import { findRegions } from './regions.ts';

/** Drops what is not joined to a face, and closes pinholes. */
export function keepJoined(alpha: Float32Array, width: number, height: number, faces: readonly Face[]): void {
  const half = reduce(alpha, width, height, 2);
  const people = findRegions(half.plane, half.width, half.height, 0.5, 'above');
  const kept = new Set<number>();
  for (const face of faces) {
    const x = clamp(Math.round(face.center.x / 2), 0, half.width - 1);
    const y = clamp(Math.round(face.center.y / 2), 0, half.height - 1);
    kept.add(people.labels[y * half.width + x]!);
  }
  kept.delete(0);
  const gate = new Float32Array(half.plane.length);
  let area = 0;
  for (let i = 0; i < gate.length; i++) {
    if (!kept.has(people.labels[i]!)) continue;
    gate[i] = 1;
    area++;
  }
  // Soft hair lies a little outside the kept regions.
  const reach = Math.max(2, Math.round(0.012 * half.width));
  const near = widen(boxBlur(gate, half.width, half.height, reach), half.width, half.height, width, height);
  for (let i = 0; i < alpha.length; i++) alpha[i] = alpha[i]! * clamp(near[i]! * 12, 0, 1);

  const cleaned = reduce(alpha, width, height, 2);
  const gaps = findRegions(cleaned.plane, half.width, half.height, 0.5, 'below');
  const hole = new Float32Array(half.plane.length);
  const outside = bordering(gaps.labels, half.width, half.height);
  for (let i = 0; i < hole.length; i++) {
    const label = gaps.labels[i]!;
    if (label !== 0 && !outside.has(label) && gaps.areas[label]! < 0.0015 * area) hole[i] = 1;
  }
  const filled = widen(boxBlur(hole, half.width, half.height, 2), half.width, half.height, width, height);
  for (let i = 0; i < alpha.length; i++) alpha[i] = Math.max(alpha[i]!, clamp(filled[i]! * 3, 0, 1));
}

/** Drops what floats beside people and is smaller than a part of them could be, in place. */
export function dropSpecks(alpha: Float32Array, width: number, height: number, least: number): void {
  const half = reduce(alpha, width, height, 2);
  const { labels, areas } = findRegions(half.plane, half.width, half.height, 0.35, 'above');
  const speck = new Float32Array(half.plane.length);
  let found = false;
  for (let i = 0; i < speck.length; i++) {
    const label = labels[i]!;
    if (label === 0 || 4 * areas[label]! >= least) continue;
    speck[i] = 1;
    found = true;
  }
  if (!found) return;
  const near = widen(boxBlur(speck, half.width, half.height, 1), half.width, half.height, width, height);
  for (let i = 0; i < alpha.length; i++) alpha[i] = alpha[i]! * (1 - clamp(near[i]! * 12, 0, 1));
}

function widen(plane: Float32Array, fromWidth: number, fromHeight: number, width: number, height: number) {
  return enlarge(plane, fromWidth, fromHeight, width, height, 2);
}

function bordering(labels: Int32Array, width: number, height: number): Set<number> {
  const found = new Set<number>();
  for (let x = 0; x < width; x++) {
    found.add(labels[x]!);
    found.add(labels[(height - 1) * width + x]!);
  }
  for (let y = 0; y < height; y++) {
    found.add(labels[y * width]!);
    found.add(labels[y * width + width - 1]!);
  }
  return found;
}
