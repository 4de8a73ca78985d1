import { gaussianBlur } from './blur.ts';
import { labOf, srgbToLinear } from './colour.ts';
import type { Picture } from './picture.ts';

/**
 * How much of the people's contour has a halo: the share of its points where the lightness on the edge leaves the
 * range of what lies inside and outside of it, by more than 10 upwards or 14 downwards. A plain cut-out has 0.04 to
 * 0.10; up to 0.02 is not seen. It knows nothing of missing limbs or veils.
 */
export function haloShare(picture: Picture, people: Float32Array): number {
  const { width, height } = picture;
  const smooth = gaussianBlur(people, width, height, 1.6);
  let points = 0;
  let bad = 0;
  for (let y = 12; y < height - 12; y += 3) {
    for (let x = 12; x < width - 12; x += 3) {
      const i = y * width + x;
      if (people[i]! < 0.35 || people[i]! > 0.65) continue;
      const gx = smooth[i + 1]! - smooth[i - 1]!;
      const gy = smooth[i + width]! - smooth[i - width]!;
      const length = Math.hypot(gx, gy);
      if (length < 0.04) continue;
      const at = (distance: number) =>
        lightness(
          picture,
          Math.round(x + (gx / length) * distance),
          Math.round(y + (gy / length) * distance),
        );
      const around = [9, 7, -7, -9].map(at);
      const edge = [-3, -1.5, 0, 1.5, 3].map(at);
      points++;
      if (Math.max(...edge) - Math.max(...around) > 10 || Math.min(...around) - Math.min(...edge) > 14) bad++;
    }
  }
  return points === 0 ? 0 : bad / points;
}

function lightness({ width, planes }: Picture, x: number, y: number): number {
  const i = y * width + x;
  return labOf(srgbToLinear(planes[0][i]!), srgbToLinear(planes[1][i]!), srgbToLinear(planes[2][i]!))[0];
}
