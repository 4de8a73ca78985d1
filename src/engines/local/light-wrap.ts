import { gaussianBlur } from './blur.ts';
import { clamp, type Planes } from './colour.ts';
import type { Cutout } from './cutout.ts';
import { floats, scratch } from './scratch.ts';

/** Light of what is behind spills over the edges of people, as it does in a lens. In place. */
export function wrapLight(cutout: Cutout, canvas: Planes, canvasWidth: number, canvasHeight: number): void {
  const { width, height, alpha, colour } = cutout;
  const sigma = Math.max(4, 0.01 * canvasHeight);
  scratch(() => {
    const open = floats(alpha.length);
    for (let i = 0; i < alpha.length; i++) open[i] = 1 - alpha[i]!;
    const spill = gaussianBlur(open, width, height, sigma);
    for (let i = 0; i < spill.length; i++) {
      const share = alpha[i]! < 0.004 ? 0 : clamp(1.6 * spill[i]!, 0, 1);
      spill[i] = share < 0.01 ? 0 : 0.224 * share * Math.sqrt(share);
    }
    for (const [c, plane] of colour.entries()) {
      const behind = gaussianBlur(areaOf(canvas[c]!, canvasWidth, cutout), width, height, 1.6 * sigma);
      for (let i = 0; i < plane.length; i++) {
        if (spill[i] === 0) continue;
        const own = plane[i]!;
        plane[i] = own + spill[i]! * Math.max(0, behind[i]! - 0.6 * own);
      }
    }
  });
}

function areaOf(plane: Float32Array, planeWidth: number, area: Cutout): Float32Array {
  const copy = floats(area.width * area.height);
  for (let y = 0; y < area.height; y++) {
    const from = (area.y + y) * planeWidth + area.x;
    copy.set(plane.subarray(from, from + area.width), y * area.width);
  }
  return copy;
}
