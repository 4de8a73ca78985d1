import type { Face } from '../faces/face.ts';
import { distanceToFace } from '../faces/face-outline.ts';
import { linearOfByte } from '../pixels/colour.ts';
import type { Canvas, Layer } from '../pixels/layer.ts';
import { smoothstep } from '../pixels/scalar.ts';

/**
 * Draws what a scene has in front of people, in place. Over faces only a twentieth of it is drawn: a bubble there
 * would make them unrecognisable.
 */
export function drawForeground(canvas: Canvas, foreground: Layer, faces: readonly Face[]): void {
  const { width, height, samples } = foreground;
  const { colour } = canvas;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const a = samples[4 * i + 3]!;
      if (a === 0) continue;
      const share = (a / 255) * (1 - 0.95 * smoothstep(1.1, 0.8, distanceToFace(faces, x, y)));
      for (let c = 0; c < 3; c++) {
        const plane = colour[c]!;
        plane[i] = plane[i]! + (linearOfByte[samples[4 * i + c]!]! - plane[i]!) * share;
      }
    }
  }
}
