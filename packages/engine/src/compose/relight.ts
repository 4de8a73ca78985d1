import type { Face } from '../faces/face.ts';
import type { Cutout } from '../matting/cutout.ts';
import { luminance } from '../pixels/colour.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import { allocatePicture, mapChannels, type Picture, type Planes } from '../pixels/picture.ts';
import { planeOf, type Size } from '../pixels/plane.ts';
import { enlarge, reducePicture } from '../pixels/reduce.ts';
import { clamp, smoothstep } from '../pixels/scalar.ts';
import { withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import type { Plate, SceneLight } from '../scenes/scenes.ts';
import type { LinearRgb } from './plate-light.ts';
import { estimateSurface, type Surface } from './surface.ts';

const forRows = rowsOf(import.meta.url);

/** Light on a body is smooth: it is computed at a quarter of the size, from an eighth of the plate's. */
const factor = 4;
const plateFactor = 8;

/**
 * Lights people by the plate: each part of them takes the brightness and colour of the blurred plate in the direction
 * it faces, and a little of the scene's key light. In place.
 */
export function relight(cutout: Cutout, plate: Plate, light: SceneLight): void {
  withArena(() => {
    const surface = estimateSurface(cutout, factor);
    const surroundings = blurPlate(plate);
    const reference = brightnessBehind(cutout, surroundings) + 0.02;
    const gains = allocatePicture(surface);
    const { x, y, width, height } = cutout;
    const input: GainInput = { surface, surroundings, x, y, reference, light };
    forRows(gainRows, surface.height, input, { gains: gains.planes });
    limitTint(gains, cutout);
    for (const face of cutout.faces) keepShadingOfFace(gains, cutout, face);
    for (const [c, plane] of cutout.colour.entries()) {
      withArena(() => {
        const gain = enlarge(planeOf(gains.planes[c]!, gains), { width, height }, factor).data;
        forRows(applyGainRows, height, { gain, width }, { plane });
      });
    }
  });
}

interface GainInput {
  surface: Surface;
  surroundings: Surroundings;
  /** Position of the surface's corner on the canvas. */
  x: number;
  y: number;
  /** Mean brightness of the plate behind people. */
  reference: number;
  light: SceneLight;
}

export function gainRows(
  { surface, surroundings, x: left, y: top, reference, light }: GainInput,
  { gains }: { gains: Planes },
  from: number,
  to: number,
): void {
  const { colour, mean, width: plateWidth, height: plateHeight } = surroundings;
  const reach = 0.42 * plateWidth;
  const meanLevel = luminance(...mean) + 0.02;
  const [lx, ly, lz] = light.direction;
  const keyLevel = meanOf(light.color);
  const fillLevel = meanOf(light.fill);
  for (let y = from; y < to; y++) {
    const canvasY = (top + y * factor) / plateFactor;
    for (let x = 0; x < surface.width; x++) {
      const i = y * surface.width + x;
      const canvasX = (left + x * factor) / plateFactor;
      const nx = surface.nx[i]!;
      const ny = surface.ny[i]!;
      // Upper parts of the plate light people more than the ground does.
      const sx = clamp(canvasX + clamp(nx, -0.8, 0.8) * reach, 0, plateWidth - 1) | 0;
      const sy =
        clamp(canvasY * 0.6 + 0.18 * plateHeight + clamp(ny, -0.5, 0.5) * reach * 0.5, 0, plateHeight - 1) |
        0;
      const at = sy * plateWidth + sx;
      const level = luminance(colour[0][at]!, colour[1][at]!, colour[2][at]!) + 0.02;
      const ambient = clamp((level / reference) ** 0.42, 0.68, 1.4);
      const facing = nx * lx - ny * ly + (surface.nz[i]! - 1) * lz;
      const key = clamp(1 + 0.4 * facing, 0.72, 1.35);
      const tint = 0.25 * clamp(facing, -0.7, 0.7);
      for (let c = 0; c < 3; c++) {
        const cast = ((colour[c]![at]! + 0.02) / level / (mean[c]! + 0.02)) * meanLevel;
        const coloured =
          tint > 0 ? 1 + tint * (light.color[c]! - keyLevel) : 1 - tint * (light.fill[c]! - fillLevel);
        gains[c]![i] = ambient * key * clamp(cast, 0.6, 1.6) ** 0.22 * coloured;
      }
    }
  }
}

export function applyGainRows(
  { gain, width }: { gain: Float32Array; width: number },
  { plane }: { plane: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) plane[i] = plane[i]! * gain[i]!;
}

/**
 * The share of the new shading that a face takes. All of it cost 0.08 of likeness (SFace), this share costs 0.02. The
 * estimated surface is that of a face seen from the front, so a face in profile takes less.
 */
const shadingShare = ({ yaw }: Face) => 0.4 - 0.3 * smoothstep(0.35, 0.65, Math.abs(yaw));

/** White balance has brought skin to the scene's light: on faces, shading may tint it by this much more. */
const mostTint = 0.03;

/** Takes from the gains of people what tints their faces, as a whole, by more than `mostTint`. In place. */
function limitTint(gains: Picture, cutout: Cutout): void {
  const means = gains.planes.map((gain) => {
    let sum = 0;
    let count = 0;
    for (const face of cutout.faces) {
      visitFace(gains, cutout, face, (i, distance) => {
        if (distance > middleOfFace) return;
        sum += gain[i]!;
        count++;
      });
    }
    return count === 0 ? 1 : sum / count;
  }) as LinearRgb;
  const level = luminance(...means);
  for (const [c, gain] of gains.planes.entries()) {
    const tint = means[c]! / level;
    const less = clamp(tint, 1 - mostTint, 1 + mostTint) / tint;
    if (less !== 1) for (let i = 0; i < gain.length; i++) gain[i] = gain[i]! * less;
  }
}

/** The part of a face, of what `visitFace` calls 1, over which its light is measured. */
const middleOfFace = 0.55;

/** Visits the gains around a face with their distance from its middle: 1 at its hair and its neck. */
function visitFace(
  { width, height }: Size,
  { x: left, y: top }: Cutout,
  face: Face,
  visit: (i: number, distance: number) => void,
): void {
  const cx = (face.center.x - left) / factor;
  const cy = (face.center.y - top) / factor;
  const rx = (0.85 * face.width) / factor;
  const ry = (0.85 * face.height) / factor;
  for (let y = Math.max(0, Math.ceil(cy - ry)); y < Math.min(height, cy + ry); y++) {
    for (let x = Math.max(0, Math.ceil(cx - rx)); x < Math.min(width, cx + rx); x++) {
      visit(y * width + x, Math.sqrt(((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2));
    }
  }
}

/** Evens the gains out over a face: it takes the brightness of the new light, but only a share of its shading. */
function keepShadingOfFace(gains: Picture, cutout: Cutout, face: Face): void {
  for (const gain of gains.planes) {
    let sum = 0;
    let count = 0;
    visitFace(gains, cutout, face, (i, distance) => {
      if (distance > middleOfFace) return;
      sum += gain[i]!;
      count++;
    });
    const mean = sum / Math.max(1, count);
    visitFace(gains, cutout, face, (i, distance) => {
      const evened = smoothstep(1, 0.6, distance) * (1 - shadingShare(face));
      gain[i] = mean * (gain[i]! / mean) ** (1 - evened);
    });
  }
}

/** The plate, reduced and blurred: the light that comes from each direction. */
interface Surroundings extends Size {
  colour: Planes;
  mean: LinearRgb;
}

function blurPlate({ width, height, colour }: Plate): Surroundings {
  const small = reducePicture({ width, height, planes: colour }, plateFactor);
  const { planes } = mapChannels(small, (channel) => gaussianBlur(channel, 0.1 * small.height));
  const mean = planes.map(
    (plane) => plane.reduce((sum, value) => sum + value, 0) / plane.length,
  ) as LinearRgb;
  return { width: small.width, height: small.height, colour: planes, mean };
}

/** Mean brightness of the plate behind people: relative to it, relighting keeps their exposure as a whole. */
function brightnessBehind(cutout: Cutout, { width, height, colour }: Surroundings): number {
  let sum = 0;
  let count = 0;
  for (let y = 0; y < cutout.height; y += 16) {
    for (let x = 0; x < cutout.width; x += 16) {
      if (cutout.alpha[y * cutout.width + x]! <= 0.5) continue;
      const column = Math.min(width - 1, ((cutout.x + x) / plateFactor) | 0);
      const row = Math.min(height - 1, ((cutout.y + y) / plateFactor) | 0);
      const at = row * width + column;
      sum += luminance(colour[0][at]!, colour[1][at]!, colour[2][at]!);
      count++;
    }
  }
  return sum / Math.max(1, count);
}

function meanOf([red, green, blue]: Readonly<LinearRgb>): number {
  return (red + green + blue) / 3;
}
