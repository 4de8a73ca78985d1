import type { Face } from '../../faces/face.ts';
import { medianHeight } from '../../faces/face-outline.ts';
import { coveredArea, refineMatte } from '../../matting/cutout.ts';
import type { Matte } from '../../matting/matte.ts';
import { gaussianBlur } from '../../pixels/gaussian-blur.ts';
import { mapPlanes, type Picture, type Planes } from '../../pixels/picture.ts';
import {
  allocatePlane,
  clampPlanes,
  cutPart,
  type Placement,
  type Plane,
  planeOf,
  type Size,
} from '../../pixels/plane.ts';
import { reduce } from '../../pixels/reduce.ts';
import { resample, type Window } from '../../pixels/resample.ts';
import { clamp, smoothstep } from '../../pixels/scalar.ts';
import { allocateCopy, withArena } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';
import { frameFrom } from '../frame.ts';
import type { Layer } from './layer-warp.ts';
import { peopleApart } from './people-apart.ts';
import { addRim, closeGaps } from './people-outline.ts';
import type { Relief } from './stage.ts';

const forRows = rowsOf(import.meta.url);

/** The people's share of the plate's pixels, in the part of it where they are; its sides are even. */
export interface PlateMatte extends Window {
  alpha: Float32Array;
  /** Without the rim. */
  core: Float32Array;
}

/** Brings a photo's matte to the plate, where it follows the photo's edges. Faces are in the plate's pixels. */
export function matteOnPlate(
  plate: Picture,
  matte: Matte,
  placement: Placement,
  faces: readonly Face[],
): PlateMatte | null {
  const unit = medianHeight(faces);
  const area = evened(coveredArea(matte, placement, plate, Math.ceil(0.12 * unit)), plate);
  const { width, height } = area;
  if (width < 16 || height < 16) return null;
  const scale = placement.scale * matte.factor;
  const window = {
    x: (area.x - placement.x) / scale,
    y: (area.y - placement.y) / scale,
    width: width / scale,
    height: height / scale,
  };
  return withArena(() => {
    const soft = resample(matte, window, { width, height });
    clampPlanes([soft.data], soft);
    const planes = mapPlanes(plate.planes, (plane) => cutPart(planeOf(plane, plate), area).data);
    const { data: alpha } = refineMatte(soft, { width, height, planes }, clamp(0.03 * unit, 4, 14));
    closeGaps(alpha, area, plate, faces);
    const core = alpha.slice();
    addRim(alpha, area, faces);
    return { ...area, alpha, core };
  });
}

function evened({ x, y, width, height }: Window, plate: Size): Window {
  const w = Math.min(plate.width, width + (width % 2));
  const h = Math.min(plate.height, height + (height % 2));
  return { x: Math.min(x, plate.width - w), y: Math.min(y, plate.height - h), width: w, height: h };
}

/** The matte on the whole plate. */
export function wholeMatte({ x, y, width, height, alpha }: PlateMatte, plate: Size): Float32Array {
  const people = new Float32Array(plate.width * plate.height);
  for (let row = 0; row < height; row++) {
    people.set(alpha.subarray(row * width, (row + 1) * width), (row + y) * plate.width + x);
  }
  return people;
}

/**
 * The people as a layer of their own. Its colours are those that make the photo again when the layer lies where it
 * was cut from; where it is too thin to tell, they are the ones beside it.
 */
export function peopleLayer(
  plate: Picture,
  behind: Picture,
  matte: PlateMatte,
  { left, top, density }: Pick<Layer, 'left' | 'top' | 'density'>,
): { layer: Layer; picture: Picture } {
  const { width, height, alpha } = matte;
  const planes = ownColours(plate, behind, matte);
  const opaque = sharedBytes(alpha.length);
  for (let i = 0; i < alpha.length; i++) opaque[i] = (255 * alpha[i]! + 0.5) | 0;
  const picture = { width, height, planes };
  const layer = {
    planes: frameFrom(picture),
    alpha: opaque,
    alphaHalf: halved(opaque, matte),
    left: left - matte.x / density,
    top: top - matte.y / density,
    density,
  };
  return { layer, picture };
}

/** The colours of the people alone, in the part of the plate where they are. */
function ownColours(plate: Picture, behind: Picture, matte: PlateMatte): Planes {
  const { width, height } = matte;
  const partOf = (plane: Float32Array) => allocateCopy(cutPart(planeOf(plane, plate), matte).data);
  return withArena(() => {
    const alpha = allocateCopy(matte.alpha);
    const own = mapPlanes(plate.planes, partOf);
    const back = mapPlanes(behind.planes, partOf);
    const weight = allocatePlane(matte);
    const weighted = mapPlanes(own, () => allocatePlane(matte).data);
    forRows(weightColourRows, height, { alpha, own, width }, { weight: weight.data, weighted });
    const total = spread(weight);
    const sums = mapPlanes(weighted, (plane) => spread(planeOf(plane, matte)).data);
    const near = { total: total.data, sums, nearWidth: total.width };
    forRows(ownColourRows, height, { alpha, back, width, ...near }, { own });
    return own;
  });
}

/** How surely each pixel shows people only, and its colour times that. */
export function weightColourRows(
  { alpha, own, width }: { alpha: Float32Array; own: Planes; width: number },
  { weight, weighted }: { weight: Float32Array; weighted: Planes },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) {
    const sure = smoothstep(0.7, 0.98, alpha[i]!);
    weight[i] = sure;
    for (let c = 0; c < 3; c++) weighted[c]![i] = own[c]![i]! * sure;
  }
}

interface ThinParts {
  alpha: Float32Array;
  back: Planes;
  width: number;
  /** Colours nearby, at a quarter of the size: weighted sums, and the sum of the weights. */
  sums: Planes;
  total: Float32Array;
  nearWidth: number;
}

/** Where people are thin: takes from the photo's colours what is behind them, or the colours beside them. */
export function ownColourRows(
  { alpha, back, width, sums, total, nearWidth }: ThinParts,
  { own }: { own: Planes },
  from: number,
  to: number,
): void {
  for (let y = from, i = from * width; y < to; y++) {
    for (let x = 0; x < width; x++, i++) {
      const a = alpha[i]!;
      if (a === 0 || a > 0.995) continue;
      const at = (y >> 2) * nearWidth + (x >> 2);
      const trust = smoothstep(0.05, 0.3, a);
      for (let c = 0; c < 3; c++) {
        const near = sums[c]![at]! / total[at]!;
        const told = clamp((own[c]![i]! - (1 - a) * back[c]![i]!) / Math.max(a, 0.05), 0, 1);
        own[c]![i] = near + (told - near) * trust;
      }
    }
  }
}

/** Values from nearby, from further off where nothing is near; at a quarter of the size. */
function spread(plane: Plane): Plane {
  const small = reduce(plane, 4);
  const near = gaussianBlur(small, 2.5).data;
  const far = gaussianBlur(small, 16).data;
  for (let i = 0; i < near.length; i++) near[i] = near[i]! + 0.02 * far[i]! + 1e-7;
  return { ...small, data: near };
}

function sharedBytes(length: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(length));
}

/** On the grid of the colour planes. */
function halved(alpha: Uint8Array, { width, height }: Size): Uint8Array {
  const half = sharedBytes(alpha.length / 4);
  for (let j = 0, i = 0; j < height / 2; j++) {
    for (let k = 0; k < width / 2; k++, i++) {
      const middle = 2 * j * width + 2 * k;
      const before = k === 0 ? middle : middle - 1;
      let sum = 2 * (alpha[middle]! + alpha[middle + width]!);
      sum += alpha[before]! + alpha[before + width]! + alpha[middle + 1]! + alpha[middle + 1 + width]!;
      half[i] = (sum + 4) >> 3;
    }
  }
  return half;
}

/**
 * How far people's parts stand out from their plane: bodies are round, heads are balls, and in a group whoever has
 * the larger face is nearer; with all of their body, when they touch nobody. Faces are in the frame's pixels.
 */
export function reliefOf(
  matte: PlateMatte,
  { left, top, density }: Layer,
  faces: readonly Face[],
  size: Size,
  { step, fine }: { step: number; fine: boolean },
): Relief {
  const unit = medianHeight(faces);
  const factor = 8;
  const small = reduce(planeOf(matte.alpha, matte), factor);
  const sigma = (0.32 * unit * density) / factor;
  const round = gaussianBlur(small, Math.max(1, sigma)).data;
  const { pieces, facesAt } = peopleApart(small, { left, top, density }, faces);
  const parallax = pieces > 1 ? 0.2 : 0.12;
  const columns = Math.ceil(size.width / step) + 1;
  const rows = Math.ceil(size.height / step) + 1;
  const values = new Float32Array(columns * rows);
  for (let row = 0, n = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, n++) {
      const x = column * step;
      const y = row * step;
      const u = clamp(Math.round(((x + left) * density) / factor), 0, small.width - 1);
      const v = clamp(Math.round(((y + top) * density) / factor), 0, small.height - 1);
      const body = smoothstep(0.4, 1, round[v * small.width + u]!);
      const { head, nearer } = standingOut(facesAt(u, v), unit, x, y);
      values[n] = 0.1 * body + 0.12 * head + clamp(parallax * nearer, -0.15, 0.15);
    }
  }
  const soft = gaussianBlur({ width: columns, height: rows, data: values }, (1.2 * 16) / step).data;
  if (fine) for (const face of faces) addFeatures(soft, columns, rows, step, face);
  return { step, columns, rows, values: soft };
}

/** What the mesh knows of a face's depth: noses are nearer than ears. Fades out towards the face's border. */
function addFeatures(values: Float32Array, columns: number, rows: number, step: number, face: Face): void {
  const reach = 0.11 * face.height;
  const left = Math.max(0, Math.floor((face.center.x - face.height) / step));
  const right = Math.min(columns - 1, Math.ceil((face.center.x + face.height) / step));
  const top = Math.max(0, Math.floor((face.center.y - face.height) / step));
  const bottom = Math.min(rows - 1, Math.ceil((face.center.y + face.height) / step));
  let mean = 0;
  for (let i = 0; i < 468; i++) mean += face.points[i * 3 + 2]! / 468;
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      const x = column * step;
      const y = row * step;
      let sum = 0;
      let total = 0;
      for (let i = 0; i < 468; i++) {
        const dx = (face.points[i * 3]! - x) / reach;
        const dy = (face.points[i * 3 + 1]! - y) / reach;
        const weight = Math.exp(-(dx * dx + dy * dy));
        sum += weight * (mean - face.points[i * 3 + 2]!);
        total += weight;
      }
      const depth = sum / (total + 0.5) / face.height;
      values[row * columns + column] = values[row * columns + column]! + 0.3 * clamp(depth, -0.3, 0.4);
    }
  }
}

/** How much of a head is at a point, and how many times larger than usual faces are there, in powers of two. */
function standingOut(faces: readonly Face[], unit: number, x: number, y: number) {
  let head = 0;
  let nearer = 0;
  let total = 1e-6;
  for (const { center, height } of faces) {
    const distance = Math.hypot(x - center.x, (y - center.y) / 1.15) / height;
    head = Math.max(head, Math.exp(-2.2 * distance * distance));
    const weight = Math.exp(-0.5 * ((x - center.x) / (1.1 * height)) ** 2);
    nearer += weight * Math.log2(height / unit);
    total += weight;
  }
  return { head, nearer: nearer / total };
}
