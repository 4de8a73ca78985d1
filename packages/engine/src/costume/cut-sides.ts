import type { Layer } from '../pixels/layer.ts';
import type { Size } from '../pixels/plane.ts';
import { smoothstep } from '../pixels/scalar.ts';

/**
 * Rounds sleeves off where the costume's own canvas cuts them, in place: in a group these sides lie inside of the
 * picture. The edge becomes a little uneven, and darker towards it, as a round sleeve is.
 */
export function roundCutSides(layer: Layer, faceHeight: number, canvas: Size): void {
  if (layer.x > 0) roundSide(layer, faceHeight, 0, 1);
  if (layer.x + layer.width < canvas.width) roundSide(layer, faceHeight, layer.width - 1, -1);
}

function roundSide({ width, height, samples }: Layer, faceHeight: number, side: number, step: 1 | -1): void {
  const reach = Math.min(width, Math.round(0.3 * faceHeight));
  // A sleeve enters the border gradually, and folds touch it in single rows: the mean over rows around decides.
  const cut = new Float32Array(height + 1);
  for (let y = 0; y < height; y++) {
    cut[y + 1] = cut[y]! + samples[(y * width + side + 2 * step) * 4 + 3]! / 255;
  }
  const around = Math.max(1, Math.round(0.06 * faceHeight));
  for (let y = 0; y < height; y++) {
    const from = Math.max(0, y - around);
    const to = Math.min(height, y + around);
    const strength = (cut[to]! - cut[from]!) / (to - from);
    if (strength < 0.02) continue;
    const edge = strength * faceHeight * (0.05 + 0.02 * Math.sin(y / (0.17 * faceHeight)));
    for (let t = 0; t < reach; t++) {
      const at = (y * width + side + t * step) * 4;
      const light = 1 - 0.6 * strength * Math.exp(-Math.max(0, t - edge) / (0.08 * faceHeight));
      for (let c = 0; c < 3; c++) samples[at + c] = samples[at + c]! * light;
      samples[at + 3] = samples[at + 3]! * (strength < 0.3 ? 1 : smoothstep(edge - 1.5, edge + 1.5, t));
    }
  }
}
