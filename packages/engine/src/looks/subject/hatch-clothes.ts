import type { Rgb } from '../../pixels/colour.ts';
import { blurReduced } from '../../pixels/gaussian-blur.ts';
import { lumaOf, type Picture, type Planes } from '../../pixels/picture.ts';
import { type Plane, planeOf } from '../../pixels/plane.ts';
import { enlarge, type ReducedPlane, readReduced, reducePicture } from '../../pixels/reduce.ts';
import { clamp, mix, smoothstep } from '../../pixels/scalar.ts';
import { withArena } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';
import { type ClassMap, fitClass } from './people-classes.ts';

const forRows = rowsOf(import.meta.url);

/** What clothes are hatched with: dark strokes where the drawing is light, light ones where it is dark. */
export interface ClothesHatching {
  dark: Rgb;
  light: Rgb;
  /** Where the drawn colours of clothes and skin differ by less, the one is taken for the other. */
  different: number;
}

/** What was drawn: the photo, what its pixels are, and a face height in pixels. */
interface Photographed {
  picture: Picture;
  classes: ClassMap;
  unit: number;
}

/** Compared at a third of the size, for a ninth of the work. */
const factor = 3;

/**
 * Hatches clothes that came out in the colour of the skin around them, in place. What tones a look ends up with depends
 * on the light of the photo, so this is told from the drawing itself.
 */
export function hatchClothes(
  drawn: Picture,
  photographed: Photographed,
  { dark, light, different }: ClothesHatching,
): void {
  withArena(() => {
    const weights = likeSkin(drawn, photographed, different);
    if (weights.data.every((weight) => weight === 0)) return;
    const { data } = enlarge(weights, drawn, factor);
    const spacing = clamp(photographed.unit * 0.06, 7, 24);
    const input = { width: drawn.width, weights: data, spacing, dark, light };
    forRows(strokeRows, drawn.height, input, { planes: drawn.planes });
  });
}

/** How far each place is clothes that were drawn as skin is: 1 where nothing tells them apart. */
function likeSkin(drawn: Picture, { picture, classes, unit }: Photographed, different: number): Plane {
  const photo = reducePicture(picture, factor);
  const small = reducePicture(drawn, factor);
  const clothes = fitClass(classes, 'clothes', photo);
  const skin = fitClass(classes, 'skin', photo);
  const blur = (values: Float32Array, radius: number): ReducedPlane =>
    blurReduced(planeOf(values, small), (radius * unit) / factor);
  const weigh = (mask: Float32Array) =>
    small.planes.map((plane) => plane.map((value, i) => value * mask[i]!));
  const worn = [...weigh(clothes), clothes].map((plane) => blur(plane, 0.5));
  const bare = [...weigh(skin), skin].map((plane) => blur(plane, 1.2));
  const weights = planeOf(new Float32Array(clothes.length), small);
  for (let y = 0, i = 0; y < small.height; y++) {
    for (let x = 0; x < small.width; x++, i++) {
      if (clothes[i]! < 0.5) continue;
      const share = readReduced(bare[3]!, x, y);
      if (share < 0.01) continue;
      const ofClothes = readReduced(worn[3]!, x, y);
      const apart = Math.hypot(
        ...[0, 1, 2].map(
          (c) => readReduced(worn[c]!, x, y) / ofClothes - readReduced(bare[c]!, x, y) / share,
        ),
      );
      weights.data[i] =
        smoothstep(different, 0.6 * different, apart) *
        smoothstep(0.01, 0.04, share) *
        smoothstep(0.5, 0.8, clothes[i]!);
    }
  }
  return spreadOver(weights, clothes, blur);
}

/** A garment is hatched as a whole: what half of it around a place has, the place has. */
function spreadOver(
  weights: Plane,
  clothes: Float32Array,
  blur: (values: Float32Array, radius: number) => ReducedPlane,
): Plane {
  const [found, all] = [blur(weights.data, 0.8), blur(clothes, 0.8)];
  const { width, height } = weights;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (clothes[i]! < 0.5) continue;
      const share = readReduced(found, x, y) / Math.max(readReduced(all, x, y), 1e-3);
      weights.data[i] = smoothstep(0.25, 0.5, share) * smoothstep(0.5, 0.8, clothes[i]!);
    }
  }
  return weights;
}

interface StrokeInput extends Omit<ClothesHatching, 'different'> {
  width: number;
  weights: Float32Array;
  spacing: number;
}

export function strokeRows(
  { width, weights, spacing, dark, light }: StrokeInput,
  { planes }: { planes: Planes },
  from: number,
  to: number,
): void {
  const [red, green, blue] = planes;
  for (let y = from; y < to; y++) {
    for (let x = 0, i = y * width; x < width; x++, i++) {
      const weight = weights[i]!;
      if (weight < 0.02) continue;
      const along = (x + y) / spacing;
      const across = (x - y) / spacing + 0.1 * Math.sin(along * 0.35) + 0.05 * Math.sin(along * 0.9 + 1);
      const off = Math.abs(across - Math.floor(across) - 0.5);
      const stroke = smoothstep(0.2, 0.12, off) * smoothstep(0.1, 0.6, weight);
      if (stroke === 0) continue;
      const colour = lumaOf(red[i]!, green[i]!, blue[i]!) > 0.4 ? dark : light;
      red[i] = mix(red[i]!, colour[0], 0.75 * stroke);
      green[i] = mix(green[i]!, colour[1], 0.75 * stroke);
      blue[i] = mix(blue[i]!, colour[2], 0.75 * stroke);
    }
  }
}
