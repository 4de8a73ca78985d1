import type { Ratio } from '@guise/contract/common.ts';
import type { QualityMode } from '@guise/contract/families/face-swap.ts';
import type { LoopFormat, LoopKind } from '@guise/contract/families/living-portrait.ts';
import type { RunBodies } from '@guise/contract/families/run-bodies.ts';
import type { AspectRatio, Duration, VideoModel } from '@guise/contract/families/video.ts';
import { type PhotoInput, readPhotoInput } from './photo-input.ts';

export type Gender = 'male' | 'female' | 'boy' | 'girl' | 'group';

/** An integer of a catalog, or the UUID of a custom filter or an alias. */
export type FilterInput = number | string;

interface AnyInput {
  /** The same photo, request and seed give the same picture. */
  seed?: number | undefined;
  /** Where a signed POST goes when the job has ended. */
  webhookUrl?: string | undefined;
}

export interface FaceSwapV5Input extends AnyInput {
  photo: PhotoInput;
  filter: FilterInput;
  gender: Gender;
  /** `portrait` (1200×1800) by default. */
  ratio?: Ratio | undefined;
}

export interface FaceSwapInput extends FaceSwapV5Input {
  /** `v6.1` (best) by default; `v6` is faster. */
  qualityMode?: QualityMode | undefined;
}

export interface FaceSwapV1Input extends AnyInput {
  photo: PhotoInput;
  filter: FilterInput;
  /** Told from the photo by default. */
  gender?: Gender | undefined;
  ratio?: Ratio | undefined;
}

export interface SelfPromptInput extends AnyInput {
  prompt: string;
  /** Without one, the scene alone is made. */
  photo?: PhotoInput | undefined;
  gender?: Gender | undefined;
  ratio?: Ratio | undefined;
}

export interface MultiSwapInput extends AnyInput {
  photo: PhotoInput;
  style: FilterInput;
  /** Makes more photo around the photo. Off by default. */
  outpaint?: boolean | undefined;
}

export interface MultiSwapSelfPromptInput extends AnyInput {
  prompt: string;
  /** One to five. */
  photos: PhotoInput | readonly PhotoInput[];
  outpaint?: boolean | undefined;
}

export interface MultiSwapV4Input extends AnyInput {
  /** An integer of the realistic catalog. */
  filter: number;
  /** One to five: the people of all of them stand in one picture. */
  photos: PhotoInput | readonly PhotoInput[];
}

export interface SingleFrameVideoInput extends AnyInput {
  photo: PhotoInput;
  prompt: string;
  model: VideoModel;
  /** `simple` makes 4s only. */
  duration: Duration;
  /** Other than `auto` only with `performance`. */
  aspectRatio?: AspectRatio | undefined;
}

export interface FirstLastFrameVideoInput extends AnyInput {
  first: PhotoInput;
  last: PhotoInput;
  prompt: string;
  duration: Duration;
}

/** Photos of a burst or a video of one, and a filter of one person or a style for everybody. */
export interface LivingPortraitInput extends AnyInput {
  /** Two to eight shots of one size, in order. */
  photos?: readonly PhotoInput[] | undefined;
  /** In their place: at most 10 seconds, as a `Blob`, bytes, a stream, a path or a public address. */
  video?: PhotoInput | undefined;
  filter?: FilterInput | undefined;
  style?: FilterInput | undefined;
  /** Whether the integer of a style is of the stylized catalog. */
  stylized?: boolean | undefined;
  /** Told from the photos by default. */
  gender?: Gender | undefined;
  ratio?: Ratio | undefined;
  /** Of one round, 2 to 6; 3 by default. */
  seconds?: number | undefined;
  /** `ping_pong` by default. */
  loop?: LoopKind | undefined;
  /** `mp4` by default. */
  format?: LoopFormat | undefined;
}

/** What a run of each family takes. */
export interface FamilyInputs {
  face_swap_v6: FaceSwapInput;
  face_swap_v5: FaceSwapV5Input;
  face_swap_v1: FaceSwapV1Input;
  self_prompt_v2: SelfPromptInput;
  multi_swap_v5: MultiSwapInput;
  multi_swap_self_prompt_v5: MultiSwapSelfPromptInput;
  stylized_multi_swap_v1: MultiSwapInput;
  stylized_multi_swap_self_prompt_v1: MultiSwapSelfPromptInput;
  multi_swap_v4: MultiSwapV4Input;
  single_frame_video: SingleFrameVideoInput;
  first_last_frame_video: FirstLastFrameVideoInput;
  living_portrait: LivingPortraitInput;
}
export type RunFamily = keyof FamilyInputs;

/** Reads a photo into what a body holds. */
type Read = (photo: PhotoInput) => Promise<string>;

/** The same for a video, which is sent as it is. */
const readVideo: Read = (video) => readPhotoInput(video);

const genders: Readonly<Record<Gender, number>> = { male: 0, female: 1, boy: 2, girl: 3, group: 4 };

/** How the body of each family's run request is made of its input. */
const bodies: { [F in RunFamily]: (input: FamilyInputs[F], read: Read) => Promise<RunBodies[F]> } = {
  face_swap_v6: async (input, read) => ({
    ...(await faceSwapBody(input, read)),
    quality_mode: input.qualityMode,
  }),
  face_swap_v5: faceSwapBody,
  face_swap_v1: async (input, read) => ({
    ...fieldsOfAny(input),
    image: await read(input.photo),
    filter_id: input.filter,
    gender: input.gender && genders[input.gender],
    ratio: input.ratio,
  }),
  self_prompt_v2: async (input, read) => ({
    ...fieldsOfAny(input),
    prompt: input.prompt,
    image: input.photo === undefined ? undefined : await read(input.photo),
    gender: input.gender && genders[input.gender],
    ratio: input.ratio,
  }),
  multi_swap_v5: multiSwapBody,
  multi_swap_self_prompt_v5: multiSwapSelfPromptBody,
  stylized_multi_swap_v1: multiSwapBody,
  stylized_multi_swap_self_prompt_v1: multiSwapSelfPromptBody,
  multi_swap_v4: async (input, read) => ({
    ...fieldsOfAny(input),
    filter_id: input.filter,
    input_images: await readAll(input.photos, read),
  }),
  single_frame_video: async (input, read) => ({
    ...fieldsOfAny(input),
    prompt_image: await read(input.photo),
    prompt: input.prompt,
    model: input.model,
    duration: input.duration,
    aspect_ratio: input.aspectRatio,
  }),
  first_last_frame_video: async (input, read) => ({
    ...fieldsOfAny(input),
    first_frame: await read(input.first),
    last_frame: await read(input.last),
    prompt: input.prompt,
    model: 'advanced',
    duration: input.duration,
  }),
  living_portrait: async (input, read) => ({
    ...fieldsOfAny(input),
    images: input.photos && (await readAll(input.photos, read)),
    video: input.video === undefined ? undefined : await readVideo(input.video),
    filter_id: input.filter,
    style_id: input.style,
    stylized: input.stylized,
    gender: input.gender && genders[input.gender],
    ratio: input.ratio,
    seconds: input.seconds,
    loop: input.loop,
    format: input.format,
  }),
};

/** The body of a run request. */
export function makeBody<F extends RunFamily>(
  family: F,
  input: FamilyInputs[F],
  read: Read,
): Promise<RunBodies[F]> {
  return bodies[family](input, read);
}

const fieldsOfAny = ({ seed, webhookUrl }: AnyInput) => ({ seed, webhook_url: webhookUrl });

async function faceSwapBody(input: FaceSwapV5Input, read: Read) {
  return {
    ...fieldsOfAny(input),
    base64: await read(input.photo),
    filter_id: input.filter,
    gender: genders[input.gender],
    ratio: input.ratio,
  };
}

async function multiSwapBody(input: MultiSwapInput, read: Read) {
  return {
    ...fieldsOfAny(input),
    input_image: await read(input.photo),
    style_id: input.style,
    outpaint: input.outpaint ?? false,
  };
}

async function multiSwapSelfPromptBody(input: MultiSwapSelfPromptInput, read: Read) {
  return {
    ...fieldsOfAny(input),
    prompt: input.prompt,
    input_images: await readAll(input.photos, read),
    outpaint: input.outpaint ?? false,
  };
}

function readAll(photos: PhotoInput | readonly PhotoInput[], read: Read): Promise<string[]> {
  return Promise.all((Array.isArray(photos) ? photos : [photos]).map(read));
}
