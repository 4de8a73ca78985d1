import { faceOval } from '../../faces/face-outline.ts';
import { smoothstep } from '../../pixels/scalar.ts';
import { meshPointCount } from './features.ts';

/**
 * Where the guest's points go in the template: the guest's own shape inside, the template's at the oval, because that is
 * where the guest's face meets the template's ears, hair and neck.
 */
export function shapeInTemplate(aligned: Float32Array, template: Float32Array, height: number): Float32Array {
  const shape = new Float32Array(meshPointCount * 3);
  for (let i = 0; i < meshPointCount * 3; i += 3) {
    const own = smoothstep(0, 0.22 * height, distanceToOval(template, template[i]!, template[i + 1]!));
    for (let k = 0; k < 3; k++) shape[i + k] = template[i + k]! + own * (aligned[i + k]! - template[i + k]!);
  }
  return shape;
}

function distanceToOval(points: Float32Array, x: number, y: number): number {
  let least = Infinity;
  for (let i = 0; i < faceOval.length; i++) {
    const a = faceOval[i]! * 3;
    const b = faceOval[(i + 1) % faceOval.length]! * 3;
    const dx = points[b]! - points[a]!;
    const dy = points[b + 1]! - points[a + 1]!;
    const px = x - points[a]!;
    const py = y - points[a + 1]!;
    const along = Math.min(1, Math.max(0, (px * dx + py * dy) / (dx * dx + dy * dy || 1)));
    least = Math.min(least, Math.hypot(px - along * dx, py - along * dy));
  }
  return least;
}
