import type { Face } from '../faces/face.ts';
import type { Plane, Size } from '../pixels/plane.ts';
import type { Window } from '../pixels/resample.ts';
import { smoothstep } from '../pixels/scalar.ts';

/** Adds to a matte, in place, what a pass over a window found. */
export function mergePass(matte: Plane, pass: Plane, window: Window): void {
  const { width, data: alpha } = matte;
  const { across, down } = featherOf(window, matte);
  for (let y = 0; y < window.height; y++) {
    for (let x = 0; x < window.width; x++) {
      const found = pass.data[y * window.width + x]!;
      const at = (y + window.y) * width + x + window.x;
      if (found > alpha[at]!) alpha[at] = Math.max(alpha[at]!, found * across[x]! * down[y]!);
    }
  }
}

/**
 * Takes the hair around a head from a pass over that head, in place. In a group the pass may take a neighbour for
 * background, so there it only adds, and reaches less far.
 */
export function mergeHair(matte: Plane, head: Plane, window: Window, face: Face, inGroup: boolean): void {
  const { width, data: alpha } = matte;
  const { across, down } = featherOf(window, matte);
  for (let y = 0; y < window.height; y++) {
    const dy = (y + window.y - (face.center.y - 0.1 * face.height)) / (1.15 * face.height);
    for (let x = 0; x < window.width; x++) {
      const dx = (x + window.x - face.center.x) / (1.05 * face.height);
      const distance = Math.sqrt(dx * dx + dy * dy);
      if (distance > 1.15) continue;
      const at = (y + window.y) * width + x + window.x;
      const found = head.data[y * window.width + x]!;
      const weight = inGroup ? smoothstep(0.8, 0.55, distance) : smoothstep(1.15, 0.75, distance);
      const merged = inGroup && found > 0.05 ? Math.max(found, alpha[at]!) : found;
      alpha[at] = alpha[at]! + (merged - alpha[at]!) * weight * across[x]! * down[y]!;
    }
  }
}

/** The weight of a pass by column and by row: it falls towards borders of the window that are not the photo's own. */
export function featherOf(window: Window, photo: Size): { across: Float32Array; down: Float32Array } {
  const ramp = (length: number, before: number, after: number) =>
    Float32Array.from(
      { length },
      (_, i) =>
        (before > 0 ? smoothstep(0, before, i) : 1) * (after > 0 ? smoothstep(0, after, length - 1 - i) : 1),
    );
  const [x, y] = [0.12 * window.width, 0.12 * window.height];
  const right = window.x + window.width < photo.width;
  const bottom = window.y + window.height < photo.height;
  return {
    across: ramp(window.width, window.x > 0 ? x : 0, right ? x : 0),
    down: ramp(window.height, window.y > 0 ? y : 0, bottom ? 2 * y : 0),
  };
}
