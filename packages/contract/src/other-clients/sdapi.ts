import { z } from 'zod';
import { Gender, ImageInput, Prompt } from '../common.ts';
import { Text } from '../texts.ts';

// The requests and answers of the web UI for Stable Diffusion by AUTOMATIC1111, as far as booth software uses them.

/** Names a filter: an id, a UUID, a name, or a title of `/sdapi/v1/sd-models`. */
const FilterTitle = Text.max(300);
const side = z.int().min(1).max(16_384).optional();
const unused = z.number().optional();

/** What both kinds of runs take. Clients send fields that other servers know. */
const SdRun = z.object({
  prompt: z
    .string()
    .optional()
    .transform((text) => text?.trim() || undefined)
    .pipe(Prompt.optional())
    .meta({ description: 'Used where no filter is named' }),
  negative_prompt: Text.max(10_000).optional(),
  styles: z.array(FilterTitle).max(20).optional().meta({ description: 'The first one names the filter' }),
  override_settings: z
    .object({ sd_model_checkpoint: FilterTitle.optional() })
    .optional()
    .meta({ description: '`sd_model_checkpoint` names the filter where `styles` does not' }),
  seed: unused.meta({ description: '-1 for any' }),
  width: side,
  height: side,
  batch_size: unused,
  n_iter: unused,
  steps: unused,
  cfg_scale: unused,
  denoising_strength: unused,
  sampler_name: Text.max(300).optional(),
  gender: Gender.optional(),
});
export type SdRun = z.infer<typeof SdRun>;

const photos = z.array(ImageInput).min(1, 'must hold an image').max(8, 'must hold at most 8 images');
export const Img2Img = z.object({ init_images: photos, ...SdRun.shape }).meta({ id: 'Img2Img' });

/** A picture of a prompt, without a photo. */
export const Txt2Img = SdRun.meta({ id: 'Txt2Img' });

export const Img2ImgResult = z
  .object({
    images: z.array(z.string()).meta({ description: 'The picture as base64 PNG' }),
    parameters: z.record(z.string(), z.unknown()).meta({ description: 'The request without its images' }),
    info: z.string().meta({ description: 'JSON: seed, size, `job_id`, `applied`, `ignored`' }),
  })
  .meta({ id: 'Img2ImgResult' });

export const SdModel = z
  .object({
    title: z.string(),
    model_name: z.string(),
    hash: z.null(),
    sha256: z.null(),
    filename: z.string(),
    config: z.null(),
  })
  .meta({ id: 'SdModel' });
export type SdModel = z.infer<typeof SdModel>;

export const PromptStyle = z
  .object({ name: z.string(), prompt: z.null(), negative_prompt: z.null() })
  .meta({ id: 'PromptStyle' });

export const Sampler = z
  .object({
    name: z.string(),
    aliases: z.array(z.string()),
    options: z.record(z.string(), z.string()),
  })
  .meta({ id: 'Sampler' });

export const SdOptions = z
  .object({
    sd_model_checkpoint: z.string().meta({ description: 'The filter of calls that name none' }),
    sd_checkpoint_hash: z.string(),
    samples_format: z.literal('png'),
  })
  .meta({ id: 'SdOptions' });
export type SdOptions = z.infer<typeof SdOptions>;

/** An entry of a list of which only the name matters. */
export const SdNamed = z.looseObject({ name: z.string() }).meta({ id: 'SdNamed' });

export const SdScripts = z
  .object({ txt2img: z.array(z.string()), img2img: z.array(z.string()) })
  .meta({ id: 'SdScripts' });

/** In bytes. */
export const SdMemory = z
  .object({
    ram: z.object({ free: z.number(), used: z.number(), total: z.number() }),
    cuda: z.object({ error: z.string() }),
  })
  .meta({ id: 'SdMemory' });

export const SdEmbeddings = z
  .object({ loaded: z.object({}), skipped: z.object({}) })
  .meta({ id: 'SdEmbeddings' });

export const SdFlags = z.looseObject({ api: z.boolean() }).meta({ id: 'SdFlags' });

export const SdOptionsChange = z
  .object({ sd_model_checkpoint: FilterTitle.optional() })
  .meta({ id: 'SdOptionsChange' });

export const SdProgress = z
  .object({
    progress: z.number(),
    eta_relative: z.number(),
    state: z.object({
      skipped: z.boolean(),
      interrupted: z.boolean(),
      job: z.string(),
      job_count: z.number(),
      job_timestamp: z.string(),
      job_no: z.number(),
      sampling_step: z.number(),
      sampling_steps: z.number(),
    }),
    current_image: z.null(),
    textinfo: z.null(),
  })
  .meta({ id: 'SdProgress' });
export type SdProgress = z.infer<typeof SdProgress>;
