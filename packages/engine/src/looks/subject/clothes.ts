import { blurReduced, gaussianBlur } from '../../pixels/gaussian-blur.ts';
import { lumaPlane, mapPlanes, type Picture, type Planes } from '../../pixels/picture.ts';
import { type Plane, planeOf, type Size } from '../../pixels/plane.ts';
import { enlarge, type ReducedPlane, readReduced, reducePicture } from '../../pixels/reduce.ts';
import { clamp, mix, smoothstep } from '../../pixels/scalar.ts';
import { allocateCopy, withArena } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';
import type { ClothesHatching } from './hatch-clothes.ts';
import { type ClassMap, fitClass } from './people-classes.ts';

const forRows = rowsOf(import.meta.url);

/** How a look that knows no colours tells clothes from skin. */
export interface ClothesStyle {
  /** Lighter skin is left as bare paper. */
  paper: number;
  /** Beside such skin clothes are no lighter than this. */
  lightest: number;
  /** By how much the tones of clothes and of the skin beside them differ at least; 0 where the look parts them itself. */
  apart: number;
  /** Strokes over clothes that were drawn as skin all the same; null where the look has colours or lines enough. */
  hatching: ClothesHatching | null;
}

/** How dark clothes are lined where they meet skin: a share of their light. */
const lineDarkness = 0.55;

/** Tones are told at a third of the size, for a ninth of the work. */
const factor = 3;

/**
 * The picture with clothes in another tone than the skin beside them, and lined where they meet it. Drawn in tones
 * alone, a light top has those of skin, and whoever wears it looks undressed.
 */
export function tellClothes(picture: Picture, classes: ClassMap, unit: number, style: ClothesStyle): Picture {
  return withArena(() => {
    const small = reducePicture(picture, factor);
    const clothes = planeOf(fitClass(classes, 'clothes', small), small);
    const skin = planeOf(fitClass(classes, 'skin', small), small);
    const light = lumaPlane(small);
    const skinTone = meanAround(light, skin, (1.5 * unit) / factor, meanIn(light, skin));
    const clothesTone = meanAround(light, clothes, (0.6 * unit) / factor, 0.5);
    const near = gaussianBlur(skin, clamp((0.03 * unit) / factor, 1.5, 8)).data;
    const gains = planeOf(new Float32Array(light.data.length).fill(1), small);
    for (let y = 0, i = 0; y < small.height; y++) {
      for (let x = 0; x < small.width; x++, i++) {
        const worn = clothes.data[i]!;
        if (worn < 0.1) continue;
        const tone = clothesTone(x, y);
        const beside = skinTone(x, y);
        const gain = wantedTone(tone, beside, style) / tone;
        // A fold that the light falls on would be bare paper, as skin is.
        const lightest = beside > style.paper ? style.lightest / light.data[i]! : Infinity;
        const border = smoothstep(0.3, 0.05, Math.abs(worn - 0.5)) * smoothstep(0.1, 0.3, near[i]!);
        gains.data[i] =
          mix(1, Math.min(clamp(gain, 0.3, 3), lightest), smoothstep(0.2, 0.8, worn)) *
          (1 - lineDarkness * border);
      }
    }
    const planes = mapPlanes(picture.planes, allocateCopy);
    const { data } = enlarge(gains, picture, factor);
    forRows(gainRows, picture.height, { width: picture.width, gains: data }, { planes });
    return { width: picture.width, height: picture.height, planes };
  });
}

export function gainRows(
  { width, gains }: { width: number; gains: Float32Array },
  { planes }: { planes: Planes },
  from: number,
  to: number,
): void {
  for (const plane of planes) {
    for (let i = from * width; i < to * width; i++) plane[i] = Math.min(1, plane[i]! * gains[i]!);
  }
}

/** The tone that clothes get beside skin of a tone. They are darkened, if that leaves any light in them. */
function wantedTone(tone: number, skin: number, { paper, lightest, apart }: ClothesStyle): number {
  const drawn = skin > paper ? Math.min(tone, lightest) : tone;
  if (apart === 0) return drawn;
  const other = skin - apart >= 0.1 ? skin - apart : skin + apart;
  return mix(drawn, other, smoothstep(1.2 * apart, 0.8 * apart, Math.abs(drawn - skin)));
}

function meanIn({ data }: Plane, weight: Plane): number {
  let sum = 0;
  let weights = 1e-6;
  for (let i = 0; i < data.length; i++) {
    sum += data[i]! * weight.data[i]!;
    weights += weight.data[i]!;
  }
  return sum / weights;
}

/** The mean of what has weight around a place; where nothing has, another value. */
function meanAround(
  { data, width, height }: Plane,
  weight: Plane,
  radius: number,
  other: number,
): (x: number, y: number) => number {
  const blur = (values: Float32Array): ReducedPlane =>
    blurReduced(planeOf(values, { width, height } satisfies Size), radius);
  const sums = blur(data.map((value, i) => value * weight.data[i]!));
  const weights = blur(weight.data);
  return (x, y) => (readReduced(sums, x, y) + 0.01 * other) / (readReduced(weights, x, y) + 0.01);
}
