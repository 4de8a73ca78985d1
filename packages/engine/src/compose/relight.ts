import type { Face } from '../faces/face.ts';
import { medianHeight } from '../faces/face-outline.ts';
import type { Cutout } from '../matting/cutout.ts';
import { luminance } from '../pixels/colour.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import { mapChannels, type Planes } from '../pixels/picture.ts';
import { planeOf, type Size } from '../pixels/plane.ts';
import { enlarge, reduce, reducePicture } from '../pixels/reduce.ts';
import { clamp, smoothstep } from '../pixels/scalar.ts';
import { allocate, allocateZeros, withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import type { Plate, SceneLight } from '../scenes/scenes.ts';

const forRows = rowsOf(import.meta.url);

const factor = 4;

interface Surface extends Size {
  /** Components of the surface's normal on the canvas: right, down, towards the camera. */
  nx: Float32Array;
  ny: Float32Array;
  nz: Float32Array;
}

/**
 * Lights people by the plate itself: each part of them takes the brightness and colour of the blurred plate in the
 * direction it faces, and a little of the scene's key light. In place. Worked out at a quarter of the size, since
 * light on a body is smooth.
 */
export function relight(cutout: Cutout, plate: Plate, light: SceneLight): void {
  withArena(() => relightInArena(cutout, plate, light));
}

function relightInArena(cutout: Cutout, plate: Plate, light: SceneLight): void {
  const surface = inflate(cutout);
  const around = surroundings(plate);
  const size = surface.width * surface.height;
  const gains: Planes = [allocate(size), allocate(size), allocate(size)];
  const reference = brightnessBehind(cutout, around) + 0.02;
  const { x, y } = cutout;
  forRows(gainRows, surface.height, { surface, around, x, y, reference, light }, { gains });
  for (const face of cutout.faces) calmFace(gains, surface, cutout, face);
  const { width, height, colour } = cutout;
  for (const [c, plane] of colour.entries()) {
    withArena(() => {
      const gain = enlarge(planeOf(gains[c]!, surface), { width, height }, factor).data;
      forRows(multiplyRows, height, { gain, width }, { plane });
    });
  }
}

interface Lit {
  surface: Surface;
  around: Surroundings;
  /** Of the surface's corner on the canvas. */
  x: number;
  y: number;
  /** Brightness around people in the mean. */
  reference: number;
  light: SceneLight;
}

export function gainRows(
  { surface, around, x: left, y: top, reference, light }: Lit,
  { gains }: { gains: Planes },
  from: number,
  to: number,
): void {
  const reach = 0.42 * around.width;
  const meanLevel = luminance(...around.mean) + 0.02;
  const [lx, ly, lz] = light.direction;
  for (let y = from; y < to; y++) {
    const canvasY = (top + y * factor) / plateFactor;
    for (let x = 0; x < surface.width; x++) {
      const i = y * surface.width + x;
      const canvasX = (left + x * factor) / plateFactor;
      const nx = surface.nx[i]!;
      const ny = surface.ny[i]!;
      // Upper parts of the plate light people more than the ground does.
      const sx = clamp(canvasX + clamp(nx, -0.8, 0.8) * reach, 0, around.width - 1) | 0;
      const sy =
        clamp(
          canvasY * 0.6 + 0.18 * around.height + clamp(ny, -0.5, 0.5) * reach * 0.5,
          0,
          around.height - 1,
        ) | 0;
      const at = sy * around.width + sx;
      const level = luminance(around.colour[0][at]!, around.colour[1][at]!, around.colour[2][at]!) + 0.02;
      const ambient = clamp((level / reference) ** 0.42, 0.68, 1.4);
      const facing = nx * lx - ny * ly + (surface.nz[i]! - 1) * lz;
      const key = clamp(1 + 0.4 * facing, 0.72, 1.35);
      const tint = 0.25 * clamp(facing, -0.7, 0.7);
      for (let c = 0; c < 3; c++) {
        const cast = ((around.colour[c]![at]! + 0.02) / level / (around.mean[c]! + 0.02)) * meanLevel;
        const coloured =
          tint > 0
            ? 1 + tint * (light.color[c]! - meanOf(light.color))
            : 1 - tint * (light.fill[c]! - meanOf(light.fill));
        gains[c]![i] = ambient * key * clamp(cast, 0.6, 1.6) ** 0.22 * coloured;
      }
    }
  }
}

export function multiplyRows(
  { gain, width }: { gain: Float32Array; width: number },
  { plane }: { plane: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) plane[i] = plane[i]! * gain[i]!;
}

/**
 * Share of the new light's shape that a face takes: all of it cost 0.08 of likeness (SFace), this costs 0.02. The shape
 * is that of a face that looks ahead, so one in profile takes less.
 */
const shapeOn = ({ yaw }: Face) => 0.4 - 0.3 * smoothstep(0.35, 0.65, Math.abs(yaw));

/** A face takes the brightness of its new light, but little of its shape: people are known by the shading they have. */
function calmFace(gains: Planes, surface: Surface, cutout: Cutout, face: Face): void {
  const cx = (face.center.x - cutout.x) / factor;
  const cy = (face.center.y - cutout.y) / factor;
  const rx = (0.85 * face.width) / factor;
  const ry = (0.85 * face.height) / factor;
  const distance = (x: number, y: number) => Math.sqrt(((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2);
  const each = (visit: (i: number, distance: number) => void) => {
    for (let y = Math.max(0, Math.ceil(cy - ry)); y < Math.min(surface.height, cy + ry); y++) {
      for (let x = Math.max(0, Math.ceil(cx - rx)); x < Math.min(surface.width, cx + rx); x++) {
        visit(y * surface.width + x, distance(x, y));
      }
    }
  };
  for (const gain of gains) {
    let sum = 0;
    let count = 0;
    each((i, d) => {
      if (d > 0.55) return;
      sum += gain[i]!;
      count++;
    });
    const mean = sum / Math.max(1, count);
    each((i, d) => {
      const calm = smoothstep(1, 0.6, d) * (1 - shapeOn(face));
      gain[i] = mean * (gain[i]! / mean) ** (1 - calm);
    });
  }
}

/** The shape that a silhouette suggests: its matte blown up at three scales, with an ellipsoid for every face. */
function inflate(cutout: Cutout): Surface {
  const small = reduce(planeOf(cutout.alpha, cutout), factor);
  const { width, height } = small;
  const unit = medianHeight(cutout.faces) / factor;
  const relief = allocateZeros(width * height);
  for (const scale of [0.18, 0.4, 0.9]) {
    const blurred = gaussianBlur(small, Math.max(2, scale * unit)).data;
    for (let i = 0; i < relief.length; i++) {
      relief[i] = relief[i]! + Math.sqrt(clamp(blurred[i]! * small.data[i]!, 0, 1)) * scale * unit * 1.4;
    }
  }
  for (const face of cutout.faces) {
    const cx = (face.center.x - cutout.x) / factor;
    const cy = (face.center.y - cutout.y) / factor;
    const rx = (0.62 * face.width) / factor;
    const ry = (0.62 * face.height) / factor;
    for (let y = Math.max(0, Math.ceil(cy - ry)); y < Math.min(height, cy + ry); y++) {
      for (let x = Math.max(0, Math.ceil(cx - rx)); x < Math.min(width, cx + rx); x++) {
        const inside = 1 - ((x - cx) / rx) ** 2 - ((y - cy) / ry) ** 2;
        if (inside <= 0) continue;
        const i = y * width + x;
        relief[i] = relief[i]! + Math.sqrt(inside) * rx * 0.7 * smoothstep(0, 0.5, inside);
      }
    }
  }
  const shape = gaussianBlur({ width, height, data: relief }, Math.max(2, 0.12 * unit)).data;
  const nx = allocateZeros(width * height);
  const ny = allocateZeros(width * height);
  const nz = allocate(width * height).fill(1);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x;
      const gx = (shape[i + 1]! - shape[i - 1]!) / 2;
      const gy = (shape[i + width]! - shape[i - width]!) / 2;
      const length = Math.sqrt(gx * gx + gy * gy + 1);
      nx[i] = -gx / length;
      ny[i] = -gy / length;
      nz[i] = 1 / length;
    }
  }
  const smooth = (values: Float32Array) => gaussianBlur({ width, height, data: values }, 3).data;
  return { width, height, nx: smooth(nx), ny: smooth(ny), nz: smooth(nz) };
}

const plateFactor = 8;

interface Surroundings extends Size {
  colour: Planes;
  mean: [number, number, number];
}

function surroundings(plate: Plate): Surroundings {
  const small = reducePicture(
    { width: plate.width, height: plate.height, planes: plate.colour },
    plateFactor,
  );
  const { width, height } = small;
  const { planes: colour } = mapChannels(small, (plane) => gaussianBlur(plane, 0.1 * height));
  const mean = colour.map((plane) => plane.reduce((sum, value) => sum + value, 0) / plane.length);
  return { width, height, colour, mean: mean as [number, number, number] };
}

/** Mean brightness of the plate behind the people, so that relighting does not change their exposure as a whole. */
function brightnessBehind(cutout: Cutout, around: Surroundings): number {
  let sum = 0;
  let count = 0;
  for (let y = 0; y < cutout.height; y += 16) {
    for (let x = 0; x < cutout.width; x += 16) {
      if (cutout.alpha[y * cutout.width + x]! <= 0.5) continue;
      const column = Math.min(around.width - 1, ((cutout.x + x) / plateFactor) | 0);
      const row = Math.min(around.height - 1, ((cutout.y + y) / plateFactor) | 0);
      const at = row * around.width + column;
      sum += luminance(around.colour[0][at]!, around.colour[1][at]!, around.colour[2][at]!);
      count++;
    }
  }
  return sum / Math.max(1, count);
}

function meanOf(colour: readonly number[]): number {
  return (colour[0]! + colour[1]! + colour[2]!) / 3;
}
