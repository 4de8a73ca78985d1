import type { Face } from '../faces/face.ts';
import type { Picture } from '../pixels/picture.ts';
import { withArena } from '../runtime/arena.ts';
import { blueprint, blueprintHatching } from './blueprint.ts';
import { comic } from './comic.ts';
import { duotone } from './duotone.ts';
import { halftone } from './halftone.ts';
import { ink, inkHatching } from './ink.ts';
import { isLookName, type LookName } from './look-names.ts';
import { lowPoly } from './low-poly.ts';
import { mosaic } from './mosaic.ts';
import { neon } from './neon.ts';
import { oil } from './oil.ts';
import { pastel } from './pastel.ts';
import { pencil, pencilHatching } from './pencil.ts';
import { popArt } from './pop-art.ts';
import { stainedGlass } from './stained-glass.ts';
import { type ClothesStyle, tellClothes } from './subject/clothes.ts';
import { hatchClothes } from './subject/hatch-clothes.ts';
import type { ClassMap } from './subject/people-classes.ts';
import { type Look, prepareSubject } from './subject/subject.ts';
import { watercolour } from './watercolour.ts';
import { woodcut, woodcutHatching } from './woodcut.ts';

/**
 * How a look is painted, and how finely it has to know what the pixels of people are: `fine` where it treats hair, skin,
 * clothes and things each in its own way; `coarse`, which is one pass of the network over the whole picture, where it
 * only tells clothes from skin; null where it need not. `clothes` says how it tells them by tone and line: looks without
 * colours, or with few, need that.
 */
type LookRow = { paint: Look } & (
  | { classDetail: 'fine' | 'coarse'; clothes: ClothesStyle | null }
  | { classDetail: null; clothes: null }
);

const looks: Readonly<Record<LookName, LookRow>> = {
  ink: {
    paint: ink,
    classDetail: 'fine',
    clothes: { paper: 0.5, lightest: 0.4, apart: 0.2, hatching: inkHatching },
  },
  comic: { paint: comic, classDetail: 'fine', clothes: null },
  watercolour: { paint: watercolour, classDetail: null, clothes: null },
  oil: { paint: oil, classDetail: 'fine', clothes: null },
  'pop-art': {
    paint: popArt,
    classDetail: 'coarse',
    clothes: { paper: 1, lightest: 1, apart: 0, hatching: null },
  },
  halftone: { paint: halftone, classDetail: null, clothes: null },
  pencil: {
    paint: pencil,
    classDetail: 'fine',
    clothes: { paper: 0.6, lightest: 0.6, apart: 0.2, hatching: pencilHatching },
  },
  'stained-glass': { paint: stainedGlass, classDetail: 'fine', clothes: null },
  'low-poly': { paint: lowPoly, classDetail: null, clothes: null },
  woodcut: {
    paint: woodcut,
    classDetail: 'coarse',
    clothes: { paper: 0.5, lightest: 0.5, apart: 0.2, hatching: woodcutHatching },
  },
  neon: {
    paint: neon,
    classDetail: 'coarse',
    clothes: { paper: 1, lightest: 1, apart: 0.2, hatching: null },
  },
  pastel: {
    paint: pastel,
    classDetail: 'coarse',
    clothes: { paper: 1, lightest: 1, apart: 0.12, hatching: null },
  },
  mosaic: { paint: mosaic, classDetail: null, clothes: null },
  duotone: {
    paint: duotone,
    classDetail: 'coarse',
    clothes: { paper: 0.62, lightest: 0.62, apart: 0.2, hatching: null },
  },
  blueprint: {
    paint: blueprint,
    classDetail: 'coarse',
    clothes: { paper: 1, lightest: 1, apart: 0.2, hatching: blueprintHatching },
  },
};

/** How finely a look has to know what the pixels of people are, and null where it need not. */
export function classDetailOf(name: string): LookRow['classDetail'] {
  return isLookName(name) ? looks[name].classDetail : null;
}

/**
 * Paints a picture in a look. The same seed gives the same picture; features of the faces stay recognisable. `classes`
 * says what the pixels of people are, for looks that use it.
 */
export function applyLook(
  name: string,
  picture: Picture,
  faces: readonly Face[],
  seed: number,
  classes: ClassMap | null = null,
): Picture {
  if (!isLookName(name)) throw new RangeError(`There is no look called ${name}`);
  return withArena(() => {
    const subject = prepareSubject(picture, faces, seed, classes);
    const { paint, clothes } = looks[name];
    if (!classes || !clothes) return paint(subject);
    const drawn = paint({
      ...subject,
      picture: tellClothes(subject.picture, classes, subject.unit, clothes),
    });
    if (clothes.hatching) hatchClothes(drawn, { ...subject, classes }, clothes.hatching);
    return drawn;
  });
}
