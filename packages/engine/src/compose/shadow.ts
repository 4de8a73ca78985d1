import { medianHeight } from '../faces/face-outline.ts';
import type { Cutout } from '../matting/cutout.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import type { Canvas } from '../pixels/layer.ts';
import { allocateZeroPlane, type Plane } from '../pixels/plane.ts';
import { withArena } from '../runtime/arena.ts';

/** The share of light that a person in front takes at most from the people behind. */
const strength = 0.35;

/** What is needed of somebody to cast a shadow. */
export type ShadowCaster = Pick<Cutout, 'x' | 'y' | 'width' | 'height' | 'alpha' | 'faces'>;

/** Darkens the people on the canvas where the person to be drawn stands in front of them. In place. */
export function shadePeopleBehind(canvas: Canvas, people: Plane, front: ShadowCaster): void {
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

/** The share of light that feet take at most from the floor they stand on. */
const floorStrength = 0.55;

/**
 * Darkens the floor below feet that are seen, before their owners are drawn over it. In place. `feet` are the canvas
 * rows where bodies end: what is right above them is laid down flat and blurred.
 */
export function shadeFloor(canvas: Canvas, standing: Cutout, feet: readonly number[]): void {
  if (feet.length === 0) return;
  const unit = medianHeight(standing.faces);
  const tall = 0.5 * unit;
  const shadow = allocateZeroPlane(canvas);
  for (const end of feet) {
    for (
      let y = Math.max(0, Math.ceil(end - 0.12 * unit));
      y < Math.min(canvas.height, end + 0.1 * unit);
      y++
    ) {
      const row =
        Math.round(end - 0.02 * unit - ((end + 0.1 * unit - y) / (0.22 * unit)) * tall) - standing.y;
      if (row < 0 || row >= standing.height) continue;
      const from = standing.alpha.subarray(row * standing.width, (row + 1) * standing.width);
      const to = y * canvas.width + standing.x;
      for (let x = 0; x < from.length; x++) shadow.data[to + x] = Math.max(shadow.data[to + x]!, from[x]!);
    }
  }
  const soft = gaussianBlur(shadow, 0.07 * unit).data;
  for (const plane of canvas.colour) {
    for (let i = 0; i < plane.length; i++) {
      if (soft[i]! > 0.002) plane[i] = plane[i]! * (1 - floorStrength * soft[i]!);
    }
  }
}
