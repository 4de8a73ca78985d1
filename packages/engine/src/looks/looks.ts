import type { Face } from '../faces/face.ts';
import type { Picture } from '../pixels/picture.ts';
import { withArena } from '../runtime/arena.ts';
import { blueprint } from './blueprint.ts';
import { comic } from './comic.ts';
import { duotone } from './duotone.ts';
import { halftone } from './halftone.ts';
import { ink } from './ink.ts';
import { isLookName, type LookName } from './look-names.ts';
import { lowPoly } from './low-poly.ts';
import { mosaic } from './mosaic.ts';
import { neon } from './neon.ts';
import { oil } from './oil.ts';
import { pastel } from './pastel.ts';
import { pencil } from './pencil.ts';
import { popArt } from './pop-art.ts';
import { stainedGlass } from './stained-glass.ts';
import { type ClothesStyle, tellClothes } from './subject/clothes.ts';
import type { ClassMap } from './subject/people-classes.ts';
import { type Look, prepareSubject } from './subject/subject.ts';
import { watercolour } from './watercolour.ts';
import { woodcut } from './woodcut.ts';

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
  ink: { paint: ink, classDetail: 'fine', clothes: { lightest: 0.4, apart: 0.2 } },
  comic: { paint: comic, classDetail: 'fine', clothes: null },
  watercolour: { paint: watercolour, classDetail: null, clothes: null },
  oil: { paint: oil, classDetail: 'fine', clothes: null },
  'pop-art': { paint: popArt, classDetail: 'coarse', clothes: { lightest: 1, apart: 0 } },
  halftone: { paint: halftone, classDetail: null, clothes: null },
  pencil: { paint: pencil, classDetail: 'fine', clothes: { lightest: 0.6, apart: 0.2 } },
  'stained-glass': { paint: stainedGlass, classDetail: 'fine', clothes: null },
  'low-poly': { paint: lowPoly, classDetail: null, clothes: null },
  woodcut: { paint: woodcut, classDetail: 'coarse', clothes: { lightest: 0.5, apart: 0.2 } },
  neon: { paint: neon, classDetail: 'coarse', clothes: { lightest: 1, apart: 0.2 } },
  pastel: { paint: pastel, classDetail: 'coarse', clothes: { lightest: 1, apart: 0.12 } },
  mosaic: { paint: mosaic, classDetail: null, clothes: null },
  duotone: { paint: duotone, classDetail: 'coarse', clothes: { lightest: 0.62, apart: 0.2 } },
  blueprint: { paint: blueprint, classDetail: 'coarse', clothes: { lightest: 1, apart: 0.2 } },
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
    return paint({ ...subject, picture: tellClothes(subject.picture, classes, subject.unit, clothes) });
  });
}
