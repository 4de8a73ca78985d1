import type { FamilyOf } from '@guise/contract/families/families.ts';
import type { Grade } from './compose/film-finish.ts';

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
  face_swap_capture_v1: single,
  face_swap_capture_v2: single,
  self_prompt_v2: single,
  multi_swap_v5: group,
  multi_swap_self_prompt_v5: group,
  multi_swap_v3: group,
  multi_swap_v4: group,
  stylized_multi_swap_v1: stylized,
  stylized_multi_swap_self_prompt_v1: stylized,
};
