import { medianHeight } from '../faces/face-outline.ts';
import type { Cutout } from '../matting/cutout.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import type { Canvas } from '../pixels/layer.ts';
import { allocateZeroPlane, type Plane } from '../pixels/plane.ts';
import { withArena } from '../runtime/arena.ts';

/** The share of light that a person in front takes at most from the people behind. */
const strength = 0.35;

/** What is needed of somebody to cast a shadow. */
export type Silhouetted = Pick<Cutout, 'x' | 'y' | 'width' | 'height' | 'alpha' | 'faces'>;

/** Darkens the people on the canvas where the person to be drawn stands in front of them. In place. */
export function shadePeopleBehind(canvas: Canvas, people: Plane, front: Silhouetted): void {
  const sigma = 0.05 * medianHeight(front.faces);
  const margin = Math.ceil(3 * sigma);
  const x = Math.max(0, front.x - margin);
  const y = Math.max(0, front.y - margin);
  const width = Math.min(canvas.width, front.x + front.width + margin) - x;
  const height = Math.min(canvas.height, front.y + front.height + margin) - y;
  withArena(() => {
    const caster = allocateZeroPlane({ width, height });
    for (let row = 0; row < front.height; row++) {
      const from = front.alpha.subarray(row * front.width, (row + 1) * front.width);
      caster.data.set(from, (front.y - y + row) * width + front.x - x);
    }
    const shadow = gaussianBlur(caster, sigma).data;
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        const at = (y + row) * canvas.width + x + column;
        const behind = people.data[at]!;
        if (behind < 0.05) continue;
        const kept = 1 - strength * shadow[row * width + column]! * behind;
        for (const plane of canvas.colour) plane[at] = plane[at]! * kept;
      }
    }
  });
}
