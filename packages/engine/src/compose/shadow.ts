import { medianHeight } from '../faces/face-outline.ts';
import type { Cutout } from '../matting/cutout.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import type { Planes } from '../pixels/picture.ts';
import { allocateZeros, withArena } from '../runtime/arena.ts';

/** Who stands in front takes some light from the people behind, and only from them. In place. */
export function shadeBehind(
  canvas: Planes,
  canvasWidth: number,
  canvasHeight: number,
  people: Float32Array,
  front: Cutout,
): void {
  const sigma = 0.05 * medianHeight(front.faces);
  const margin = Math.ceil(3 * sigma);
  const x = Math.max(0, front.x - margin);
  const y = Math.max(0, front.y - margin);
  const width = Math.min(canvasWidth, front.x + front.width + margin) - x;
  const height = Math.min(canvasHeight, front.y + front.height + margin) - y;
  withArena(() => {
    const solid = allocateZeros(width * height);
    for (let row = 0; row < front.height; row++) {
      const from = front.alpha.subarray(row * front.width, (row + 1) * front.width);
      solid.set(from, (front.y - y + row) * width + front.x - x);
    }
    const shade = gaussianBlur({ width, height, data: solid }, sigma).data;
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        const at = (y + row) * canvasWidth + x + column;
        const behind = people[at]!;
        if (behind < 0.05) continue;
        const kept = 1 - 0.35 * shade[row * width + column]! * behind;
        for (const plane of canvas) plane[at] = plane[at]! * kept;
      }
    }
  });
}
