import type { z } from 'zod';
import type { FaceSwapV1, FaceSwapV5, FaceSwapV6, SelfPromptV2 } from './face-swap.ts';
import type { MultiSwapSelfPrompt, MultiSwapV4, MultiSwapV5, StylizedMultiSwap } from './multi-swap.ts';
import type { FirstLastFrameVideo, SingleFrameVideo } from './video.ts';

/** What a caller may send to the run endpoint of each family. */
export interface RunBodies {
  face_swap_v6: z.input<typeof FaceSwapV6>;
  face_swap_v5: z.input<typeof FaceSwapV5>;
  face_swap_v1: z.input<typeof FaceSwapV1>;
  self_prompt_v2: z.input<typeof SelfPromptV2>;
  multi_swap_v5: z.input<typeof MultiSwapV5>;
  multi_swap_self_prompt_v5: z.input<typeof MultiSwapSelfPrompt>;
  stylized_multi_swap_v1: z.input<typeof StylizedMultiSwap>;
  stylized_multi_swap_self_prompt_v1: z.input<typeof MultiSwapSelfPrompt>;
  multi_swap_v4: z.input<typeof MultiSwapV4>;
  single_frame_video: z.input<typeof SingleFrameVideo>;
  first_last_frame_video: z.input<typeof FirstLastFrameVideo>;
}
