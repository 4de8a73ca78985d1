import type { Ratio } from '@guise/contract/common.ts';
import type { FamilyOf } from '@guise/contract/families.ts';
import type { Grade } from './compose/film-finish.ts';
import type { Face } from './faces/face.ts';
import { cannotMake } from './runtime/render-error.ts';

/** How a job family asks for pictures. */
export interface FamilyRule {
  /** Who of the photo is in the picture: as `gender` says, or everyone. */
  people: 'by gender' | 'everyone';
  /** The canvas: the `ratio` asked for, or the one of three that the first photo is nearest to. */
  canvas: 'ratio' | 'photo';
  /** Stylized families paint; a prompt that names no look gets this one. */
  look?: string;
  /** Over the scene's own grade. */
  grade?: Partial<Grade>;
}

/** v5 looks unlike v6 by contract: harder light, deeper vignette, less colour. */
const v5Grade: Partial<Grade> = { contrast: 0.34, vignette: 0.5, saturation: 0.86 };

const single: FamilyRule = { people: 'by gender', canvas: 'ratio' };
const group: FamilyRule = { people: 'everyone', canvas: 'photo' };
const stylized: FamilyRule = { ...group, look: 'watercolour' };

export const familyRules: Readonly<Record<FamilyOf<'image'>, FamilyRule>> = {
  face_swap_v6: single,
  face_swap_v5: { ...single, grade: v5Grade },
  face_swap_v1: single,
  self_prompt_v2: single,
  multi_swap_v5: group,
  multi_swap_self_prompt_v5: group,
  multi_swap_v4: group,
  stylized_multi_swap_v1: stylized,
  stylized_multi_swap_self_prompt_v1: stylized,
};

/** The canvas whose shape is nearest to the photo's. */
export function ratioOf(width: number, height: number): Ratio {
  const shape = Math.log(width / height);
  if (Math.abs(shape) < Math.log(1.5) / 2) return 'square';
  return shape > 0 ? 'landscape' : 'portrait';
}

/** What `gender` says about a single guest; 4 is a group. */
const wanted = [
  { gender: 'male', ageGroup: 'adult' },
  { gender: 'female', ageGroup: 'adult' },
  { gender: 'male', ageGroup: 'child' },
  { gender: 'female', ageGroup: 'child' },
] as const;

/**
 * The one face that a single-guest run means. Age and gender are guesses of a network, so they only choose between
 * several guests; with one face in the photo there is nothing to choose.
 */
export function chooseFace(faces: readonly Face[], gender: number | undefined): Face {
  const wish = gender === undefined ? undefined : wanted[gender];
  const rank = (face: Face) =>
    face.height * (wish?.gender === face.gender ? 1.6 : 1) * (wish?.ageGroup === face.ageGroup ? 1.3 : 1);
  const [best] = faces.toSorted((a, b) => rank(b) - rank(a));
  if (!best) throw cannotMake('No face was found in the photo. Face the camera and try again.');
  return best;
}
