import type { Face } from '../faces/face.ts';
import { pointOf } from '../faces/face-outline.ts';
import { lumaOf, type Picture } from '../pixels/picture.ts';
import type { Window } from '../pixels/resample.ts';
import type { Check } from './check.ts';

const eyes = [
  [33, 133, 159, 145, 105],
  [263, 362, 386, 374, 334],
] as const;
const mouth = [61, 291, 0, 17] as const;

/**
 * A look in which a face lost its mouth, or both eyes: the share of the contrast that they had before, of the worst face.
 * Looks of dots and tiles have contrast everywhere, and are never found.
 */
export const lostFeatures: Check<{ before: Picture; after: Picture; faces: readonly Face[] }> = {
  name: 'lost features',
  limit: 0.75,
  measure({ before, after, faces }) {
    const losses = faces.map((face) => {
      const kept = (points: readonly number[]) => {
        const window = boundsOf(face, points);
        return contrastIn(after, window) / (contrastIn(before, window) + 0.02);
      };
      const loss = 1 - Math.min(1, kept(mouth), Math.max(...eyes.map(kept)));
      return { loss, window: boundsOf(face, [...mouth, ...eyes.flat()]) };
    });
    const worst = losses.reduce((a, b) => (b.loss > a.loss ? b : a), {
      loss: 0,
      window: null as Window | null,
    });
    return { measure: worst.loss, regions: worst.window ? [worst.window] : [] };
  },
};

/** The rectangle around points of a face, and a little more. */
function boundsOf(face: Face, points: readonly number[]): Window {
  const xs = points.map((i) => pointOf(face, i).x);
  const ys = points.map((i) => pointOf(face, i).y);
  const margin = 0.04 * face.height;
  const [left, top] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  return {
    x: left,
    y: top,
    width: Math.max(...xs) + margin - left,
    height: Math.max(...ys) + margin - top,
  };
}

/** The standard deviation of the luma in a window. */
function contrastIn({ width, height, planes: [red, green, blue] }: Picture, window: Window): number {
  let [count, sum, squares] = [0, 0, 0];
  const bottom = Math.min(height, window.y + window.height);
  const right = Math.min(width, window.x + window.width);
  for (let y = Math.max(0, Math.round(window.y)); y < bottom; y++) {
    for (let x = Math.max(0, Math.round(window.x)); x < right; x++) {
      const i = y * width + x;
      const luma = lumaOf(red[i]!, green[i]!, blue[i]!);
      count++;
      sum += luma;
      squares += luma * luma;
    }
  }
  return count === 0 ? 0 : Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
}
