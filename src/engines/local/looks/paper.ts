import { clouds, whiteNoise } from './noise.ts';
import { gaussian, newPlane, type Plane } from './plane.ts';

/** The tooth of drawing paper, about −0.5 to 0.5: fine grain with a slow unevenness. `grain` is in pixels. */
export function paperTooth(width: number, height: number, grain: number, seed: number): Plane {
  const fine = gaussian(whiteNoise(width, height, seed), grain * 0.45).data;
  const slow = clouds(width, height, grain * 3.2, 2, seed + 7).data;
  const tooth = newPlane(width, height);
  // Blurring takes the contrast out of white noise by about 1 / (2·√π·sigma).
  const gain = 0.9 * Math.max(1, grain * 0.45 * 3.5) * 0.5;
  for (let i = 0; i < fine.length; i++) tooth.data[i] = (fine[i]! - 0.5) * gain + slow[i]! * 0.35;
  return tooth;
}

/** How a relief shows under light from the upper left, around 0. */
export function relief(surface: Plane): Plane {
  const { width, height, data } = surface;
  const shade = newPlane(width, height);
  for (let y = 0; y < height; y++) {
    const below = Math.min(height - 1, y + 1) * width;
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const right = x < width - 1 ? i + 1 : i;
      shade.data[i] = 2 * data[i]! - data[right]! - data[below + x]!;
    }
  }
  return shade;
}
