import type { familyPaths } from './family-paths.ts';

/** What each family is called. Plain data: pages need no schema for it. */
export const familyTitles = {
  face_swap_v6: 'Face swap v6',
  face_swap_v5: 'Face swap v5',
  face_swap_v1: 'Face swap v1',
  face_swap_capture_v1: 'Face swap v1 with a capture mode',
  face_swap_capture_v2: 'Face swap v2 with a capture mode',
  self_prompt_v2: 'Self-prompt',
  multi_swap_v5: 'Multi swap, realistic',
  multi_swap_self_prompt_v5: 'Multi swap, realistic, from a prompt',
  stylized_multi_swap_v1: 'Multi swap, stylized',
  stylized_multi_swap_self_prompt_v1: 'Multi swap, stylized, from a prompt',
  multi_swap_v3: 'Multi swap v3',
  multi_swap_v4: 'Multi swap v4, several photos in one picture',
  single_frame_video: 'Video from one frame',
  first_last_frame_video: 'Video from a first and a last frame',
  living_portrait: 'Living portrait, from a burst',
} as const satisfies Record<keyof typeof familyPaths, string>;
