import { boxBlur, enlarge, reduce } from './blur.ts';
import { clamp, type Planes } from './colour.ts';
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

/**
 * Closes gaps inside heads that have the colour of what is around them, in place: dark hair behind an ear or an earring
 * is taken for background, and so is the earring itself. Another gap of another colour is the room's, and stays open.
 */
export function closeHeadGaps(
  alpha: Float32Array,
  colour: Planes,
  width: number,
  height: number,
  faces: readonly Face[],
): void {
  const half = reduce(alpha, width, height, 2);
  const { width: w, height: h } = half;
  const { labels } = findRegions(half.plane, w, h, 0.95, 'below');
  const outside = bordering(labels, w, h);
  const planes = colour.map((plane) => reduce(plane, width, height, 2).plane) as Planes;
  const gaps = new Map<number, number[]>();
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i]!;
    if (label === 0 || outside.has(label)) continue;
    const pixels = gaps.get(label) ?? [];
    pixels.push(i);
    gaps.set(label, pixels);
  }
  const filled = new Float32Array(labels.length);
  for (const pixels of gaps.values()) {
    const middle = pixels[pixels.length >> 1]!;
    const x = 2 * (middle % w);
    const y = 2 * Math.floor(middle / w);
    const away = ({ center, height: unit }: Face) => Math.hypot(x - center.x, y - center.y) / unit;
    const head = faces.find((face) => away(face) < 1.3);
    if (!head) continue;
    const side = Math.sqrt(4 * pixels.length) / head.height;
    const closed =
      (side < 0.1 && away(head) < 0.8) || (side < 0.3 && looksLikeAround(pixels, half.plane, planes, w));
    if (closed) for (const i of pixels) filled[i] = 1;
  }
  if (!filled.includes(1)) return;
  const closed = widen(boxBlur(filled, w, h, 2), w, h, width, height);
  for (let i = 0; i < alpha.length; i++) alpha[i] = Math.max(alpha[i]!, clamp(closed[i]! * 5, 0, 1));
}

/** Whether a third of the people around a gap are of its colour. */
function looksLikeAround(
  pixels: readonly number[],
  alpha: Float32Array,
  planes: Planes,
  width: number,
): boolean {
  const mean = planes.map((plane) => pixels.reduce((sum, i) => sum + plane[i]!, 0) / pixels.length);
  const around = new Set<number>();
  for (const i of pixels) {
    for (const step of [-5, 5, -5 * width, 5 * width]) if (alpha[i + step]! > 0.9) around.add(i + step);
  }
  let alike = 0;
  for (const i of around) {
    const off = Math.hypot(planes[0][i]! - mean[0]!, planes[1][i]! - mean[1]!, planes[2][i]! - mean[2]!);
    if (off < 0.14) alike++;
  }
  return alike > 0.33 * around.size;
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
