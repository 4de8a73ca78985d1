import type { Face } from '../../faces/face.ts';
import { faceOval } from '../../faces/face-outline.ts';
import { gaussianBlur } from '../../pixels/gaussian-blur.ts';
import { allocatePlane, allocateZeroPlane, type Plane, type Size } from '../../pixels/plane.ts';
import { enlarge } from '../../pixels/reduce.ts';
import { smoothstep } from '../../pixels/scalar.ts';
import { withArena } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

/** Rings of mesh points. Lips count less than eyes: drawn as dark, they turn black. */
const features: readonly { depth: number; ring: readonly number[] }[] = [
  { depth: 1, ring: [33, 7, 163, 144, 145, 153, 154, 155, 133, 173, 157, 158, 159, 160, 161, 246] },
  { depth: 1, ring: [263, 249, 390, 373, 374, 380, 381, 382, 362, 398, 384, 385, 386, 387, 388, 466] },
  { depth: 1, ring: [46, 53, 52, 65, 55, 107, 66, 105, 63, 70] },
  { depth: 1, ring: [276, 283, 282, 295, 285, 336, 296, 334, 293, 300] },
  {
    depth: 0.5,
    ring: [61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291, 409, 270, 269, 267, 0, 37, 39, 40, 185],
  },
  { depth: 1, ring: [48, 115, 220, 45, 4, 275, 440, 344, 278, 294, 327, 2, 98, 64] },
];

/** Masks are drawn at a quarter of the size: none of them has a sharp edge. */
const factor = 4;

/** 1 inside faces, fading out over a tenth of the face's height. */
export function maskFaces(faces: readonly Face[], size: Size): Plane {
  return drawSoftly(faces, size, 0.05, (mask, face) => fillRing(mask, face, faceOval, 1));
}

/** 1 on eyes, brows, nostrils and lips, and close around them. */
export function maskFeatures(faces: readonly Face[], size: Size): Plane {
  const mask = drawSoftly(faces, size, 0.035, (small, face) => {
    for (const { ring, depth } of features) fillRing(small, face, ring, depth);
  });
  forRows(steepenRows, size.height, { width: size.width }, { mask: mask.data });
  return mask;
}

export function steepenRows(
  { width }: { width: number },
  { mask }: { mask: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) {
    // Nearly all pixels lie outside of every feature.
    if (mask[i] !== 0) mask[i] = smoothstep(0.05, 0.6, mask[i]!);
  }
}

/** 1 on heads, hair and shoulders, falling to 0 far from everybody: where looks spend detail. */
export function maskPeople(faces: readonly Face[], { width, height }: Size): Plane {
  const columns = Math.ceil(width / 8);
  const mask = allocatePlane({ width: columns, height: Math.ceil(height / 8) });
  for (let y = 0; y < mask.height; y++) {
    for (let x = 0; x < columns; x++) {
      let best = faces.length === 0 ? 1 : 0;
      for (const face of faces) {
        const dx = (x * 8 - face.center.x) / face.height;
        const dy = (y * 8 - face.center.y) / face.height;
        const head = Math.sqrt((dx / 1.05) ** 2 + ((dy + 0.1) / 1.15) ** 2);
        const body = Math.sqrt((dx / 1.7) ** 2 + (dy < 2.4 ? (dy - 2.4) / 2.1 : 0) ** 2);
        best = Math.max(best, smoothstep(2, 0.75, head), smoothstep(1.7, 0.7, body));
      }
      mask.data[y * columns + x] = best;
    }
  }
  return enlarge(mask, { width, height }, 8);
}

/** The masks of all faces together, each blurred by a share of its face's height. */
function drawSoftly(
  faces: readonly Face[],
  { width, height }: Size,
  softness: number,
  draw: (mask: Plane, face: Face) => void,
): Plane {
  return withArena(() => {
    const sum = allocateZeroPlane({
      width: Math.ceil(width / factor),
      height: Math.ceil(height / factor),
    });
    for (const face of faces) {
      const one = allocateZeroPlane(sum);
      draw(one, face);
      const soft = gaussianBlur(one, Math.max(0.6, (face.height * softness) / factor)).data;
      for (let i = 0; i < soft.length; i++) if (soft[i]! > sum.data[i]!) sum.data[i] = soft[i]!;
    }
    return enlarge(sum, { width, height }, factor);
  });
}

/** Fills a ring of mesh points, even-odd, in the reduced mask. */
function fillRing(mask: Plane, face: Face, ring: readonly number[], value: number): void {
  const xs = ring.map((point) => face.points[point * 3]! / factor);
  const ys = ring.map((point) => face.points[point * 3 + 1]! / factor);
  const top = Math.max(0, Math.floor(Math.min(...ys)));
  const bottom = Math.min(mask.height - 1, Math.ceil(Math.max(...ys)));
  for (let y = top; y <= bottom; y++) {
    const crossings: number[] = [];
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const from = ys[j]!;
      const to = ys[i]!;
      if (from > y === to > y) continue;
      crossings.push(xs[j]! + ((y - from) / (to - from)) * (xs[i]! - xs[j]!));
    }
    crossings.sort((a, b) => a - b);
    for (let pair = 0; pair + 1 < crossings.length; pair += 2) {
      const right = Math.min(mask.width - 1, Math.round(crossings[pair + 1]!));
      for (let x = Math.max(0, Math.round(crossings[pair]!)); x <= right; x++)
        mask.data[y * mask.width + x] = value;
    }
  }
}
