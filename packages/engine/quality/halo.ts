import type { Face } from '../src/faces/face.ts';
import { labOf, srgbToLinear } from '../src/pixels/colour.ts';
import { gaussianBlur } from '../src/pixels/gaussian-blur.ts';
import type { Picture } from '../src/pixels/picture.ts';
import type { Size } from '../src/pixels/plane.ts';
import { resamplePicture } from '../src/pixels/resample.ts';

/** Pixels from the contour, inwards: the edge, and where what lies on both sides of it begins and ends at the latest. */
const edge = [-3, -1.5, 0, 1.5, 3];
const beside = { from: 7, least: 9, most: 24 };

/** The pixel so many steps further in; -1 outside the picture. */
type Reach = (inwards: number) => number;

/**
 * The recipe's measure: the share of the people's contour where the lightness on the edge leaves the range of what
 * lies 7 and 9 px inside and outside of it, by more than 10 upwards or 14 downwards. A plain cut-out has 0.04 to 0.10;
 * up to 0.02 is not seen. It knows nothing of missing limbs or veils, and counts the people's own rims.
 */
export function plainHaloShare(picture: Picture, people: Float32Array): number {
  return shareOfContour(picture, people, (at) => {
    const { over, under } = excess(picture, edge.map(at), [-9, -7, 7, 9].map(at));
    return over > 10 || under > 14;
  });
}

/**
 * The same, told apart from what is the people's own. Both sides are read until they are nothing but people or plate:
 * an edge of hair is broad. A rim that stands out of both sides in the photo already is theirs (light from behind, a
 * dark hairline): a remainder of the old background lies between them. A slit between people is forgiven nothing.
 */
export function haloShare(picture: Picture, people: Float32Array, before?: Picture): number {
  return shareOfContour(picture, people, (at) => {
    const around = [...side(people, at, 1), ...side(people, at, -1)];
    const rim = edge.map(at);
    const { over, under } = excess(picture, rim, around);
    const slit = people[at(-7)]! > 0.25 || people[at(-9)]! > 0.25;
    const own = before && !slit ? excess(before, rim, around) : { over: 0, under: 0 };
    return over - Math.max(0, own.over) > 10 || under - Math.max(0, own.under) > 14;
  });
}

/** The share of the points where people are half of the pixel, every third one, that are bad. */
function shareOfContour(
  { width, height }: Size,
  people: Float32Array,
  isBad: (at: Reach) => boolean,
): number {
  const smooth = gaussianBlur({ width, height, data: people }, 1.6).data;
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
      points++;
      const reach = (inwards: number) => {
        const column = Math.round(x + (gx / length) * inwards);
        const row = Math.round(y + (gy / length) * inwards);
        return column < 0 || row < 0 || column >= width || row >= height ? -1 : row * width + column;
      };
      if (isBad(reach)) bad++;
    }
  }
  return points === 0 ? 0 : bad / points;
}

/** A photo where and as large as its people are in a picture, told by one face in both. */
export function photoBehind(photo: Picture, face: Face, placed: Face, size: Size): Picture {
  const scale = placed.height / face.height;
  const window = {
    x: face.center.x - placed.center.x / scale,
    y: face.center.y - placed.center.y / scale,
    width: size.width / scale,
    height: size.height / scale,
  };
  return resamplePicture(photo, window, size);
}

function side(people: Float32Array, at: Reach, inwards: 1 | -1): number[] {
  const found: number[] = [];
  for (let distance = beside.from; distance <= beside.most; distance += 2) {
    const i = at(inwards * distance);
    if (i < 0) break;
    found.push(i);
    if (distance >= beside.least && (inwards === 1 ? people[i]! > 0.9 : people[i]! < 0.1)) break;
  }
  return found;
}

/** How far the rim is above the lightest and below the darkest of what is around it. */
function excess(picture: Picture, rim: number[], around: number[]): { over: number; under: number } {
  const edges = rim.map((i) => lightness(picture, i));
  const sides = around.map((i) => lightness(picture, i));
  return {
    over: Math.max(...edges) - Math.max(...sides),
    under: Math.min(...sides) - Math.min(...edges),
  };
}

function lightness({ planes }: Picture, i: number): number {
  return labOf(srgbToLinear(planes[0][i]!), srgbToLinear(planes[1][i]!), srgbToLinear(planes[2][i]!))[0];
}
