import type { z } from 'zod';
import type {
  FaceSwapCapture,
  FaceSwapV1,
  FaceSwapV5,
  FaceSwapV6,
  QualityMode,
  SelfPromptV2,
} from './face-swap.ts';
import type { LivingPortrait } from './living-portrait.ts';
import type {
  MultiSwapSelfPrompt,
  MultiSwapV3,
  MultiSwapV4,
  MultiSwapV5,
  StylizedMultiSwap,
} from './multi-swap.ts';
import type { AspectRatio, Duration, FirstLastFrameVideo, SingleFrameVideo, VideoModel } from './video.ts';

/** A body whose schema takes any text for choices that are checked after it. */
type WithChoices<Body, Choices> = Omit<Body, keyof Choices> & Choices;

/** What a caller may send to the run endpoint of each family. */
export interface RunBodies {
  face_swap_v6: WithChoices<z.input<typeof FaceSwapV6>, { quality_mode?: QualityMode | undefined }>;
  face_swap_v5: z.input<typeof FaceSwapV5>;
  face_swap_v1: z.input<typeof FaceSwapV1>;
  face_swap_capture_v1: z.input<typeof FaceSwapCapture>;
  face_swap_capture_v2: z.input<typeof FaceSwapCapture>;
  self_prompt_v2: z.input<typeof SelfPromptV2>;
  multi_swap_v5: z.input<typeof MultiSwapV5>;
  multi_swap_self_prompt_v5: z.input<typeof MultiSwapSelfPrompt>;
  stylized_multi_swap_v1: z.input<typeof StylizedMultiSwap>;
  stylized_multi_swap_self_prompt_v1: z.input<typeof MultiSwapSelfPrompt>;
  multi_swap_v3: z.input<typeof MultiSwapV3>;
  multi_swap_v4: z.input<typeof MultiSwapV4>;
  single_frame_video: WithChoices<
    z.input<typeof SingleFrameVideo>,
    { model: VideoModel; duration: Duration; aspect_ratio?: AspectRatio | undefined }
  >;
  first_last_frame_video: WithChoices<
    z.input<typeof FirstLastFrameVideo>,
    { model: 'advanced'; duration: Duration }
  >;
  living_portrait: z.input<typeof LivingPortrait>;
}
