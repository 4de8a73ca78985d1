import type { Picture } from '../picture.ts';
import type { Flow } from './flow.ts';
import { boxMean, channel, luma, newPicture, newPlane } from './plane.ts';

/**
 * Paints over texture and keeps contours: each pixel takes the mean of those of eight neighbouring patches that vary
 * least. The patches are box means set on an ellipse along the flow, so it costs the same for every radius, where true
 * sectors (Kyprianidis) grow with its square.
 */
export function kuwahara(picture: Picture, flow: Flow, radius: number): Picture {
  const { width, height } = picture;
  const light = luma(picture);
  const reach = Math.max(1, Math.round(radius));
  const squares = newPlane(width, height);
  for (let i = 0; i < squares.data.length; i++) squares.data[i] = light.data[i]! * light.data[i]!;
  const mean = boxMean(light, reach).data;
  const spread = boxMean(squares, reach).data;
  const [red, green, blue] = ([0, 1, 2] as const).map(
    (index) => boxMean(channel(picture, index), reach).data,
  );
  // Mean colour and calmness of each patch side by side: one place in memory per look-up instead of four.
  const patches = new Float32Array(width * height * 4);
  for (let i = 0, at = 0; i < mean.length; i++, at += 4) {
    const t = 1 + Math.max(0, spread[i]! - mean[i]! * mean[i]!) * 1500;
    const calm = 1 / (t * t * t * t);
    patches[at] = red![i]! * calm;
    patches[at + 1] = green![i]! * calm;
    patches[at + 2] = blue![i]! * calm;
    patches[at + 3] = calm;
  }
  const result = newPicture(width, height);
  const [outRed, outGreen, outBlue] = result.planes;
  const across = [1, Math.SQRT1_2, 0, -Math.SQRT1_2, -1, -Math.SQRT1_2, 0, Math.SQRT1_2];
  const along = [0, Math.SQRT1_2, 1, Math.SQRT1_2, 0, -Math.SQRT1_2, -1, -Math.SQRT1_2];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const here = (y >> 1) * flow.width + (x >> 1);
      const stretch = 1 + 0.8 * flow.clearness[here]!;
      const tx = flow.x[here]! * reach * stretch;
      const ty = flow.y[here]! * reach * stretch;
      const nx = (-flow.y[here]! * reach) / stretch;
      const ny = (flow.x[here]! * reach) / stretch;
      let r = 0;
      let g = 0;
      let b = 0;
      let total = 0;
      for (let patch = 0; patch < 8; patch++) {
        let px = (x + tx * along[patch]! + nx * across[patch]! + 0.5) | 0;
        let py = (y + ty * along[patch]! + ny * across[patch]! + 0.5) | 0;
        px = px < 0 ? 0 : px >= width ? width - 1 : px;
        py = py < 0 ? 0 : py >= height ? height - 1 : py;
        const at = (py * width + px) * 4;
        r += patches[at]!;
        g += patches[at + 1]!;
        b += patches[at + 2]!;
        total += patches[at + 3]!;
      }
      const i = y * width + x;
      outRed[i] = r / total;
      outGreen[i] = g / total;
      outBlue[i] = b / total;
    }
  }
  return result;
}
