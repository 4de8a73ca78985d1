import { z } from 'zod';
import { ImageInput, Prompt } from './common.ts';
import { videoModels } from './families/video.ts';
import { Place } from './workflow.ts';

/** A photo that is to become a template. */
export const TemplateToCheck = z.object({ image: ImageInput }).meta({ id: 'TemplateToCheck' });

export const FaceWarning = z
  .enum(['too small', 'too dark', 'turned away', 'cut off', 'eyes hidden'])
  .meta({ id: 'FaceWarning' });
export type FaceWarning = z.infer<typeof FaceWarning>;

/** The faces of a photo, the largest first, in pixels of the photo as it is shown. */
export const TemplateCheck = z
  .object({
    width: z.int(),
    height: z.int(),
    faces: z.array(
      z.object({
        x: z.number(),
        y: z.number(),
        width: z.number(),
        height: z.number(),
        lean: z.number().meta({ description: 'Degrees by which it leans, clockwise' }),
        warnings: z.array(FaceWarning),
      }),
    ),
    warnings: z.array(z.string()).meta({ description: 'Sentences for the designer' }),
  })
  .meta({ id: 'TemplateCheck' });
export type TemplateCheck = z.infer<typeof TemplateCheck>;

/** The words of a run that is not started yet. */
export const PromptToCheck = z
  .object({
    family: z.enum([
      'self_prompt_v2',
      'multi_swap_self_prompt_v5',
      'stylized_multi_swap_self_prompt_v1',
      'single_frame_video',
      'first_last_frame_video',
    ]),
    prompt: Prompt,
    model: z.enum(videoModels).default('advanced').meta({ description: 'Of a video' }),
  })
  .meta({ id: 'PromptToCheck' });
export type PromptToCheck = z.infer<typeof PromptToCheck>;

export const PromptCheck = z
  .object({
    read_by_words: z
      .boolean()
      .meta({ description: 'False where another engine makes this: it gets the words as they are' }),
    applied: z.array(z.string()),
    ignored: z.array(z.object({ words: z.string(), reason: z.string().nullable() })),
    by_meaning: z.array(z.string()).meta({
      description: 'Words that name nothing: the run takes what is nearest in meaning, or ignores them',
    }),
  })
  .meta({ id: 'PromptCheck' });
export type PromptCheck = z.infer<typeof PromptCheck>;

/** Any JSON object: what is wrong with it is said in `problems`. */
export const WorkflowToCheck = z
  .object({ workflow: z.record(z.string(), z.unknown()) })
  .meta({ id: 'WorkflowToCheck' });

const NodeInput = z.object({
  name: z.string(),
  linked: z
    .boolean()
    .meta({ description: 'Whether another node gives it, so that nothing can be bound to it' }),
  value: z.unknown().optional().meta({ description: 'The value in the file, when it is not linked' }),
});

const places = z.array(Place).optional();

/** Bindings as far as they can be told from the nodes. */
export const SuggestedBindings = z
  .object({
    photos: z.array(Place),
    template: places,
    prompt: places,
    seed: places,
    size: z.object({ width: z.array(Place), height: z.array(Place) }).optional(),
    output: z.string().nullable(),
  })
  .meta({ id: 'SuggestedBindings' });
export type SuggestedBindings = z.infer<typeof SuggestedBindings>;

export const WorkflowCheck = z
  .object({
    nodes: z.array(
      z.object({ id: z.string(), type: z.string(), title: z.string(), inputs: z.array(NodeInput) }),
    ),
    bindings: SuggestedBindings,
    problems: z.array(z.string()).meta({ description: 'Sentences for the designer' }),
    left_out: z
      .array(z.string())
      .meta({ description: 'Nodes that do not lead to the result, which runs leave out, as sentences' }),
  })
  .meta({ id: 'WorkflowCheck' });
export type WorkflowCheck = z.infer<typeof WorkflowCheck>;
