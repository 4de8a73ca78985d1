import type { Ratio } from '@guise/contract/common.ts';
import type { Size } from '@guise/contract/families/canvas.ts';
import { cropHeight, type SceneSettings } from '@guise/contract/scenes/own-scenes.ts';
import { clamp } from '../pixels/scalar.ts';
import type { SceneFraming } from '../scenes/scenes.ts';

/** How much larger faces are in shapes that are less tall, as pictures in scenes have them. */
const largerIn: Record<Ratio, number> = { portrait: 1, square: 1.25, landscape: 1.45 };

/** Sizes of faces beside that of one person. */
const sizes = { one: 1, few: 0.82, many: 0.7 };

/** How far eyes lie below the top of the hair, in face heights, and how high they are of a whole body. */
const eyesBelowHair = 0.7;
const eyeLevel = 0.935;

/** Rows of the eyes that a picture can have, as shares of its height. */
const eyeRows = { highest: 0.2, lowest: 0.46 };

/** A body from head to foot that takes less of a picture's height is not shown whole. */
const leastFullLength = 0.45;

/**
 * How people stand in pictures of one shape. A camera that is held at eye level has the eyes of everybody who stands on
 * its floor at the horizon, near or far.
 */
export function frameFor(
  { horizon, floor, people, crops }: Pick<SceneSettings, 'horizon' | 'floor' | 'people' | 'crops'>,
  ratio: Ratio,
  backdrop: Size,
): SceneFraming {
  const crop = crops[ratio];
  const tall = cropHeight(crop, ratio, backdrop);
  const rowOf = (row: number) => (row - crop.y) / tall;
  const eyes = clamp(rowOf(horizon), eyeRows.highest, eyeRows.lowest);
  const slotOf = (size: number) => {
    const face = clamp(people.face * size, 0.05, 0.5);
    return { face: round(face), top: round(clamp(eyes - eyesBelowHair * face * largerIn[ratio], 0.03, 0.6)) };
  };
  const feet = floor === null ? null : rowOf(floor);
  const hair = feet === null ? 0 : Math.max(0.03, feet - (feet - eyes) / eyeLevel);
  const isWhole = feet !== null && feet <= 0.99 && feet - hair >= leastFullLength;
  return {
    one: slotOf(sizes.one),
    few: slotOf(sizes.few),
    many: slotOf(sizes.many),
    eyes: round(eyes),
    across: round(clamp((people.across - crop.x) / crop.width, 0, 1)),
    ...(isWhole && { fullLength: { hair: round(hair), feet: round(feet) } }),
  };
}

const round = (value: number) => Math.round(value * 1000) / 1000;
