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

const looks: Readonly<Record<LookName, Look>> = {
  ink,
  comic,
  watercolour,
  oil,
  'pop-art': popArt,
  halftone,
  pencil,
  'stained-glass': stainedGlass,
  'low-poly': lowPoly,
  woodcut,
  neon,
  pastel,
  mosaic,
  duotone,
  blueprint,
};

/** The looks that tell clothes from skin by tone and line, because they have no colours or few. */
const clothesStyles: Partial<Record<LookName, ClothesStyle>> = {
  ink: { lightest: 0.4, apart: 0.2 },
  woodcut: { lightest: 0.5, apart: 0.2 },
  pencil: { lightest: 0.6, apart: 0.2 },
  duotone: { lightest: 0.62, apart: 0.2 },
  neon: { lightest: 1, apart: 0.2 },
  blueprint: { lightest: 1, apart: 0.2 },
  'pop-art': { lightest: 1, apart: 0 },
  pastel: { lightest: 1, apart: 0.12 },
};

/** The looks that treat hair, skin, clothes and things of people each in its own way. */
const looksByClass: ReadonlySet<string> = new Set(['ink', 'comic', 'oil', 'pencil', 'stained-glass']);

/**
 * How finely a look has to know what the pixels of people are, and null where it need not. To tell clothes from skin one
 * pass of the network over the whole picture is enough.
 */
export function classDetailOf(name: string): 'fine' | 'coarse' | null {
  if (looksByClass.has(name)) return 'fine';
  return name in clothesStyles ? 'coarse' : null;
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
    const style = clothesStyles[name];
    if (!classes || !style) return looks[name](subject);
    return looks[name]({ ...subject, picture: tellClothes(subject.picture, classes, subject.unit, style) });
  });
}
