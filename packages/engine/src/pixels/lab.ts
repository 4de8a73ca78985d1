import { allocate } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import { linearToSrgb, srgbToLinear } from './colour.ts';
import { allocatePicture, type Picture, type Planes } from './picture.ts';
import type { Size } from './plane.ts';

const forRows = rowsOf(import.meta.url);

/** CIE Lab, D65: lightness 0 to 100, then the green–red and blue–yellow axes. Held as three planes like a picture. */
export interface LabPicture extends Size {
  lightness: Float32Array;
  a: Float32Array;
  b: Float32Array;
}

/** Each plane changed, in a picture of its own size or of another one. */
export function mapLab(
  { lightness, a, b, ...own }: LabPicture,
  change: (plane: Float32Array, name: 'lightness' | 'a' | 'b') => Float32Array,
  { width, height }: Size = own,
): LabPicture {
  return { width, height, lightness: change(lightness, 'lightness'), a: change(a, 'a'), b: change(b, 'b') };
}

const steps = 4096;
const linearOf = new Float32Array(steps + 1);
const cubeRootOf = new Float32Array(steps * 2 + 1);
/** Indexed by the square root of linear light, which spends its steps where the eye sees them. */
const displayOf = new Float32Array(steps + 1);
for (let i = 0; i <= steps; i++) {
  linearOf[i] = srgbToLinear(i / steps);
  displayOf[i] = linearToSrgb((i / steps) ** 2);
}
for (let i = 0; i <= steps * 2; i++) cubeRootOf[i] = Math.cbrt(i / (steps * 2));

const whiteX = 0.95047;
const whiteZ = 1.08883;

function root(t: number): number {
  if (t <= 0.008856) return 7.787 * t + 16 / 116;
  return cubeRootOf[t >= 1 ? steps * 2 : (t * steps * 2 + 0.5) | 0]!;
}

function unroot(f: number): number {
  return f > 0.206893 ? f * f * f : (f - 16 / 116) / 7.787;
}

function linear(value: number): number {
  return linearOf[value <= 0 ? 0 : value >= 1 ? steps : (value * steps + 0.5) | 0]!;
}

function display(light: number): number {
  return light <= 0 ? 0 : light >= 1 ? 1 : displayOf[(Math.sqrt(light) * steps + 0.5) | 0]!;
}

export function toLab({ width, height, planes }: Picture): LabPicture {
  const size = width * height;
  const lab = { lightness: allocate(size), a: allocate(size), b: allocate(size) };
  forRows(toLabRows, height, { width, planes }, lab);
  return { width, height, ...lab };
}

type LabPlanes = Pick<LabPicture, 'lightness' | 'a' | 'b'>;

export function toLabRows(
  { width, planes }: Pick<Picture, 'width' | 'planes'>,
  { lightness, a, b }: LabPlanes,
  from: number,
  to: number,
): void {
  const [red, green, blue] = planes;
  for (let i = from * width; i < to * width; i++) {
    const r = linear(red[i]!);
    const g = linear(green[i]!);
    const u = linear(blue[i]!);
    const x = root((0.4124564 * r + 0.3575761 * g + 0.1804375 * u) / whiteX);
    const y = root(0.2126729 * r + 0.7151522 * g + 0.072175 * u);
    const z = root((0.0193339 * r + 0.119192 * g + 0.9503041 * u) / whiteZ);
    lightness[i] = 116 * y - 16;
    a[i] = 500 * (x - y);
    b[i] = 200 * (y - z);
  }
}

export function fromLab({ width, height, ...lab }: LabPicture): Picture {
  const picture = allocatePicture({ width, height });
  forRows(fromLabRows, height, { width, ...lab }, { planes: picture.planes });
  return picture;
}

export function fromLabRows(
  { width, lightness, a, b }: LabPlanes & { width: number },
  { planes }: { planes: Planes },
  from: number,
  to: number,
): void {
  const [red, green, blue] = planes;
  for (let i = from * width; i < to * width; i++) {
    const fy = (lightness[i]! + 16) / 116;
    const x = unroot(fy + a[i]! / 500) * whiteX;
    const y = unroot(fy);
    const z = unroot(fy - b[i]! / 200) * whiteZ;
    red[i] = display(3.2404542 * x - 1.5371385 * y - 0.4985314 * z);
    green[i] = display(-0.969266 * x + 1.8760108 * y + 0.041556 * z);
    blue[i] = display(0.0556434 * x - 0.2040259 * y + 1.0572252 * z);
  }
}
