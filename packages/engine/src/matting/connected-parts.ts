import type { Face } from '../faces/face.ts';
import { medianHeight } from '../faces/face-outline.ts';
import { boxMean } from '../pixels/box-mean.ts';
import type { Picture, Planes } from '../pixels/picture.ts';
import { type Plane, planeOf, type Size } from '../pixels/plane.ts';
import { enlarge, reduce, reducePicture } from '../pixels/reduce.ts';
import { findRegions } from '../pixels/regions.ts';
import { clamp } from '../pixels/scalar.ts';

/** Clears what is not connected to a face, in place. */
export function keepConnected(matte: Plane, faces: readonly Face[]): void {
  const { data: alpha } = matte;
  const half = reduce(matte, 2);
  const people = findRegions(half, 0.5, 'above');
  const kept = new Set<number>();
  for (const face of faces) {
    const x = clamp(Math.round(face.center.x / 2), 0, half.width - 1);
    const y = clamp(Math.round(face.center.y / 2), 0, half.height - 1);
    kept.add(people.labels[y * half.width + x]!);
  }
  kept.delete(0);
  const gate = new Float32Array(half.data.length);
  for (let i = 0; i < gate.length; i++) if (kept.has(people.labels[i]!)) gate[i] = 1;
  // Soft hair lies a little outside the kept regions.
  const reach = Math.max(2, Math.round(0.012 * half.width));
  const near = enlarge(boxMean(planeOf(gate, half), reach), matte, 2).data;
  for (let i = 0; i < alpha.length; i++) alpha[i] = alpha[i]! * clamp(near[i]! * 12, 0, 1);
}

/** Clears parts of fewer than `least` pixels that are connected to nobody, in place. */
export function dropSpecks(matte: Plane, least: number): void {
  const { data: alpha } = matte;
  const half = reduce(matte, 2);
  const { labels, areas } = findRegions(half, 0.35, 'above');
  const speck = new Float32Array(half.data.length);
  let found = false;
  for (let i = 0; i < speck.length; i++) {
    const label = labels[i]!;
    if (label === 0 || 4 * areas[label]! >= least) continue;
    speck[i] = 1;
    found = true;
  }
  if (!found) return;
  const near = enlarge(boxMean(planeOf(speck, half), 1), matte, 2).data;
  for (let i = 0; i < alpha.length; i++) alpha[i] = alpha[i]! * (1 - clamp(near[i]! * 12, 0, 1));
}

/**
 * Closes gaps in people that have the colour of what is around them, in place: dark hair behind an ear or a stripe of a
 * dress is taken for background, and so are pinholes and an earring. A gap of another colour is the room's (a slit
 * between arm and body) and stays open. A gap is what lies below `level` and is surrounded by more.
 */
export function closeGaps(matte: Plane, photo: Picture, faces: readonly Face[], level: number): void {
  const { data: alpha } = matte;
  const half = reduce(matte, 2);
  const { width: w } = half;
  const { gaps, people } = findGaps(half, level);
  const { planes } = reducePicture(photo, 2);
  const closed = new Float32Array(half.data.length);
  for (const pixels of gaps) {
    const middle = pixels[pixels.length >> 1]!;
    const x = 2 * (middle % w);
    const y = 2 * Math.floor(middle / w);
    const { side, away } = sizeOf(pixels.length, x, y, faces);
    const slight = side < (away < 0.8 ? 0.1 : 0.03);
    const possible = away < 1.3 ? side < 0.3 : pixels.length < 0.0015 * people;
    if (!slight && !(possible && matchesSurroundings(pixels, half, planes))) continue;
    for (const i of pixels) closed[i] = 1;
  }
  if (!closed.includes(1)) return;
  const near = enlarge(boxMean(planeOf(closed, half), 2), matte, 2).data;
  for (let i = 0; i < alpha.length; i++) alpha[i] = Math.max(alpha[i]!, clamp(near[i]! * 5, 0, 1));
}

/** The width, in face heights, below which a slit is too narrow for the body classes. */
const narrowSlit = 0.15;

/**
 * 1 in slits of a matte that show the room: narrow gaps that people enclose and that are of another colour than they.
 * Between an arm and a body the body classes are too coarse for them. `background` is how much of each pixel they call
 * background: a gap of colours that people have rather than the room is a part of them that the matte lost.
 */
export function findSlits(
  matte: Plane,
  photo: Picture,
  faces: readonly Face[],
  background: Float32Array,
): Plane {
  const half = reduce(matte, 2);
  const small = reducePicture(photo, 2);
  const away = reduce(planeOf(background, matte), 2).data;
  const slits = new Float32Array(half.data.length);
  const unit = medianHeight(faces) / 2;
  let colours: PeoplesColours | undefined;
  for (const pixels of findGaps(half, 0.5).gaps) {
    const inside = new Set(pixels);
    const isBorder = (i: number) => [-1, 1, -half.width, half.width].some((step) => !inside.has(i + step));
    const width = (2 * pixels.length) / pixels.filter(isBorder).length;
    if (width > narrowSlit * unit || matchesSurroundings(pixels, half, small.planes)) continue;
    colours ??= countColours(small, away, half.data);
    if (colours.sharePeoples(pixels) > 0.6) continue;
    for (const i of pixels) slits[i] = 1;
  }
  return enlarge(planeOf(slits, half), matte, 2);
}

interface PeoplesColours {
  /** The share of these pixels whose colours are more usual on people elsewhere than in the room. */
  sharePeoples(pixels: readonly number[]): number;
}

/** Colours are counted in cubes of an eighth of each channel. */
const colourSteps = 8;

function countColours({ planes }: Picture, away: Float32Array, alpha: Float32Array): PeoplesColours {
  const [red, green, blue] = planes;
  const step = (value: number) => Math.min(colourSteps - 1, Math.floor(value * colourSteps));
  const cubeOf = (i: number) =>
    (step(red[i]!) * colourSteps + step(green[i]!)) * colourSteps + step(blue[i]!);
  const people = new Float32Array(colourSteps ** 3);
  const room = new Float32Array(colourSteps ** 3);
  let peoples = 0;
  let rooms = 0;
  for (let i = 0; i < away.length; i++) {
    if (away[i]! < 0.1) {
      people[cubeOf(i)]!++;
      peoples++;
    } else if (away[i]! > 0.9 && alpha[i]! < 0.05) {
      room[cubeOf(i)]!++;
      rooms++;
    }
  }
  return {
    sharePeoples(pixels) {
      const elsewhere = people.slice();
      for (const i of pixels) if (away[i]! < 0.1) elsewhere[cubeOf(i)]!--;
      const isPeoples = (i: number) => elsewhere[cubeOf(i)]! * rooms > room[cubeOf(i)]! * peoples;
      return pixels.filter(isPeoples).length / pixels.length;
    },
  };
}

/** The pixels of each gap: below `level`, and not open to the border. And how many pixels are above it. */
function findGaps(matte: Plane, level: number): { gaps: Iterable<number[]>; people: number } {
  const { labels, areas } = findRegions(matte, level, 'below');
  const outside = labelsAtBorder(labels, matte);
  const gaps = new Map<number, number[]>();
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i]!;
    if (label === 0 || outside.has(label)) continue;
    const pixels = gaps.get(label) ?? [];
    pixels.push(i);
    gaps.set(label, pixels);
  }
  return { gaps: gaps.values(), people: labels.length - areas.reduce((sum, area) => sum + area, 0) };
}

/** How large a gap is and how far from the nearest face, both in that face's heights. */
function sizeOf(
  pixels: number,
  x: number,
  y: number,
  faces: readonly Face[],
): { side: number; away: number } {
  let side = Infinity;
  let away = Infinity;
  for (const { center, height } of faces) {
    const distance = Math.hypot(x - center.x, y - center.y) / height;
    if (distance >= away) continue;
    away = distance;
    side = Math.sqrt(4 * pixels) / height;
  }
  return { side, away };
}

/** Whether a gap is of one colour, and a third of the people around it are of that colour. */
function matchesSurroundings(
  pixels: readonly number[],
  { width, data: alpha }: Plane,
  planes: Planes,
): boolean {
  const mean = planes.map((plane) => pixels.reduce((sum, i) => sum + plane[i]!, 0) / pixels.length);
  const off = (i: number) =>
    Math.hypot(planes[0][i]! - mean[0]!, planes[1][i]! - mean[1]!, planes[2][i]! - mean[2]!);
  const spread = Math.sqrt(pixels.reduce((sum, i) => sum + off(i) ** 2, 0) / pixels.length);
  if (spread > 0.12) return false;
  const around = new Set<number>();
  for (const i of pixels) {
    for (const step of [-5, 5, -5 * width, 5 * width]) if (alpha[i + step]! > 0.9) around.add(i + step);
  }
  let alike = 0;
  for (const i of around) if (off(i) < 0.14) alike++;
  return alike > 0.33 * around.size;
}

function labelsAtBorder(labels: Int32Array, { width, height }: Size): Set<number> {
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
