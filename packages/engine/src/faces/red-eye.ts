import { percentileOfSorted } from '../pixels/percentile.ts';
import type { Picture } from '../pixels/picture.ts';
import { clamp } from '../pixels/scalar.ts';
import type { Face } from './face.ts';

/** The mesh's points at the centres of the irises; four on the edge of each follow. */
export const irisCentres = [468, 473] as const;

/** An iris with a smaller share of lit pixels than this is left as it is. */
const leastLit = 0.04;

/**
 * Removes red eyes from flash, in place: where a retina is lit, everything reddish in the iris turns dark. A lit retina
 * is bright, pink and redder than the face's own skin; brown eyes are dark or orange, lids are as red as the skin.
 */
export function clearRedEyes(picture: Picture, faces: readonly Face[]): void {
  const { planes } = picture;
  const [red, green, blue] = planes;
  const redness = (i: number) => red[i]! / (Math.max(green[i]!, blue[i]!) + 0.02);
  const surplus = (i: number) => red[i]! - Math.max(green[i]!, blue[i]!);
  for (const face of faces) {
    const skin = skinRedness(picture, face, redness);
    for (const first of irisCentres) {
      let count = 0;
      let lit = 0;
      forEachIrisPixel(picture, face.points, first, (i) => {
        count++;
        const pink = green[i]! < 1.2 * blue[i]! + 0.02;
        if (pink && redness(i) > 1.15 * skin && surplus(i) > 0.13) lit++;
      });
      if (lit < leastLit * count) continue;
      forEachIrisPixel(picture, face.points, first, (i, distance) => {
        const reddish =
          clamp((redness(i) / skin - 1.02) / 0.12, 0, 1) * clamp((surplus(i) - 0.03) / 0.06, 0, 1);
        const share = reddish * clamp((1.25 - distance) / 0.25, 0, 1);
        if (share === 0) return;
        const dark = 0.75 * Math.min(green[i]!, blue[i]!);
        for (const plane of planes) plane[i] = plane[i]! + (dark - plane[i]!) * share;
      });
    }
  }
}

/** A high percentile of the skin's redness: in warm light the shade around the eyes is redder than cheeks. */
function skinRedness({ width, height }: Picture, face: Face, redness: (i: number) => number): number {
  const values: number[] = [];
  const step = Math.max(1, face.height / 40);
  for (let dy = -0.2 * face.height; dy <= 0.15 * face.height; dy += step) {
    for (let dx = -0.3 * face.width; dx <= 0.3 * face.width; dx += step) {
      const x = Math.round(face.center.x + dx);
      const y = Math.round(face.center.y + dy);
      if (x >= 0 && y >= 0 && x < width && y < height) values.push(redness(y * width + x));
    }
  }
  return percentileOfSorted(Float32Array.from(values).sort(), 0.85);
}

/** Visits the pixels in and close around an iris, with their distance from its centre in its radii. */
export function forEachIrisPixel(
  { width, height }: Picture,
  points: Float32Array,
  first: number,
  visit: (i: number, distance: number) => void,
): void {
  const x = points[first * 3]!;
  const y = points[first * 3 + 1]!;
  const edge = (k: number) => Math.hypot(points[(first + k) * 3]! - x, points[(first + k) * 3 + 1]! - y);
  const radius = Math.max(edge(1), edge(2), edge(3), edge(4));
  const reach = 1.25 * radius;
  for (let py = Math.max(0, Math.ceil(y - reach)); py <= Math.min(height - 1, y + reach); py++) {
    for (let px = Math.max(0, Math.ceil(x - reach)); px <= Math.min(width - 1, x + reach); px++) {
      const distance = Math.hypot(px - x, py - y) / radius;
      if (distance <= 1.25) visit(py * width + px, distance);
    }
  }
}
