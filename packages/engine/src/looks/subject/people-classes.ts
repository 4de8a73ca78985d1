import { blurReduced } from '../../pixels/gaussian-blur.ts';
import { guidedFilter } from '../../pixels/guided-filter.ts';
import { lumaOf, lumaPlane, mapPlanes, type Picture, type Planes } from '../../pixels/picture.ts';
import type { Plane, Size } from '../../pixels/plane.ts';
import { type ReducedPlane, rowReader } from '../../pixels/reduce.ts';
import { resample } from '../../pixels/resample.ts';
import { clamp, mix, smoothstep } from '../../pixels/scalar.ts';
import { allocate, allocateCopy, withArena } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

/** What the pixels of a picture are, at any size: for each class its share from 0 to 1. */
export interface ClassMap extends Size {
  shares: Readonly<Record<'hair' | 'bodySkin' | 'faceSkin' | 'clothes', Float32Array>>;
}

/** Skin is that of faces, arms, hands and legs. */
export type PeopleClass = 'hair' | 'skin' | 'clothes';

/** A class as a mask of some size. */
export function maskClass({ shares, width, height }: ClassMap, name: PeopleClass, size: Size): Plane {
  const data =
    name === 'skin' ? shares.faceSkin.map((share, i) => share + shares.bodySkin[i]!) : shares[name];
  return resample({ data, width, height }, { x: 0, y: 0, width, height }, size);
}

/** A class as a mask of the picture's size, its borders drawn to the picture's own edges. */
export function fitClass(map: ClassMap, name: PeopleClass, picture: Picture): Float32Array {
  return withArena(() => {
    const plane = maskClass(map, name, picture);
    const radius = clamp((2.5 * picture.width) / map.width, 4, 16);
    return guidedFilter({ guide: picture, plane, radius, epsilon: 1e-3 });
  }).data;
}

/** Means of dark clothes and bright skin that a drawing can still show the folds and the form of. */
const darkestClothes = 0.2;
const brightestSkin = 0.72;

/**
 * The picture with dark clothes lifted and blown-out skin darkened, around the mean of each place: drawings in a few
 * tones made the one black and left the other as paper.
 */
export function openTones(picture: Picture, classes: ClassMap, unit: number): Picture {
  const { width, height } = picture;
  return withArena(() => {
    const clothes = fitClass(classes, 'clothes', picture);
    const skin = fitClass(classes, 'skin', picture);
    const light = lumaPlane(picture);
    const planes = mapPlanes(picture.planes, allocateCopy);
    const meanIn = (mask: Float32Array) => {
      const weighted: Plane = { width, height, data: allocate(width * height) };
      for (let i = 0; i < mask.length; i++) weighted.data[i] = light.data[i]! * mask[i]!;
      return [
        blurReduced(weighted, unit * 0.25),
        blurReduced({ width, height, data: mask }, unit * 0.25),
      ] as const;
    };
    const [clothesLight, clothesShare] = meanIn(clothes);
    const [skinLight, skinShare] = meanIn(skin);
    const input = { width, clothes, skin, clothesLight, clothesShare, skinLight, skinShare };
    forRows(openRows, height, input, { planes });
    return { width, height, planes };
  });
}

interface OpenInput {
  width: number;
  clothes: Float32Array;
  skin: Float32Array;
  clothesLight: ReducedPlane;
  clothesShare: ReducedPlane;
  skinLight: ReducedPlane;
  skinShare: ReducedPlane;
}

export function openRows(
  { width, clothes, skin, ...blurred }: OpenInput,
  { planes }: { planes: Planes },
  from: number,
  to: number,
): void {
  const [readClothes, readClothesShare, readSkin, readSkinShare] = [
    blurred.clothesLight,
    blurred.clothesShare,
    blurred.skinLight,
    blurred.skinShare,
  ].map((plane) => rowReader(plane, width));
  const [red, green, blue] = planes;
  for (let y = from; y < to; y++) {
    const rows = [readClothes!(y), readClothesShare!(y), readSkin!(y), readSkinShare!(y)] as const;
    for (let x = 0, i = y * width; x < width; x++, i++) {
      const worn = clothes[i]!;
      const bare = skin[i]!;
      if (worn < 0.02 && bare < 0.02) continue;
      const dark = clamp(rows[0][x]! / (rows[1][x]! + 1e-4), 0.02, 0.98);
      const bright = clamp(rows[2][x]! / (rows[3][x]! + 1e-4), 0.02, 0.98);
      const lift = dark < darkestClothes ? Math.log(darkestClothes) / Math.log(dark) : 1;
      const lower = bright > brightestSkin ? Math.log(brightestSkin) / Math.log(bright) : 1;
      const gamma = mix(mix(1, clamp(lift, 0.4, 1), smoothstep(0, 1, worn)), clamp(lower, 1, 6), bare);
      if (gamma === 1) continue;
      const light = clamp(lumaOf(red[i]!, green[i]!, blue[i]!), 0.004, 1);
      const opened = light ** gamma;
      // Colour is not lifted as far as light: in black clothes it is the camera's noise.
      const colour = Math.min(1.5, opened / light);
      for (const plane of planes) plane[i] = clamp(opened + (plane[i]! - light) * colour, 0, 1);
    }
  }
}
