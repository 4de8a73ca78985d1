import type { Mode } from '@guise/contract/catalogs.ts';
import type { FilterRef } from '@guise/contract/common.ts';
import { FaceSwapV1, FaceSwapV5, FaceSwapV6, SelfPromptV2 } from '@guise/contract/face-swap.ts';
import {
  MultiSwapSelfPrompt,
  MultiSwapV4,
  MultiSwapV5,
  StylizedMultiSwap,
} from '@guise/contract/multi-swap.ts';
import { FirstLastFrameVideo, SingleFrameVideo } from '@guise/contract/video.ts';
import type { z } from 'zod';
import type { CatalogName } from '../catalog/catalog.ts';
import type { Price } from '../credits/price.ts';
import type { JobState } from '../store/schema.ts';
import { checkFirstLast, checkQualityMode, checkSingleFrame } from './choices.ts';

/**
 * A kind of job as data. The run and status routes, the OpenAPI document and the worker all come from these rows:
 * a new family is a new row, its schema in `contract/` and an engine that makes it.
 */
export interface Family<P extends Params = Params> {
  name: string;
  title: string;
  run: string;
  /** Families may share a status path. */
  status: string;
  schema: z.ZodType<P>;
  /** The public words for `queued` and `running`. */
  words: { queued: string; running: string };
  output: 'image' | 'video';
  price: Price;
  /** Which catalog its integers are of, and the fields that may name the filter; null when it takes none. */
  filter: { catalog: CatalogName; fields: readonly (keyof P & string)[] } | null;
  /** Single or group: told by `gender` where a family has it, else as said here. */
  mode: Mode;
  /** The photos, in order; each by the fields that may hold it, of which the first one present counts. */
  images: readonly (readonly (keyof P & string)[])[];
  maxImages: number;
  /** Refuses wrong choices that have error codes of their own. */
  check?(params: P): void;
  timeLimitMs: number;
  /** 1 to 9: how many turns of its account a job takes. In each round of accounts the light ones come first. */
  weight: number;
}

export type Params = Record<string, unknown>;

const inQueueUntilDone = { queued: 'IN_QUEUE', running: 'IN_QUEUE' };
const inQueueThenProcessing = { queued: 'IN_QUEUE', running: 'PROCESSING' };
const inQueueThenInProgress = { queued: 'IN_QUEUE', running: 'IN_PROGRESS' };
const queuedThenRunning = { queued: 'QUEUED', running: 'RUNNING' };

const image = { output: 'image', mode: 'single', maxImages: 1, timeLimitMs: 3 * 60_000, weight: 1 } as const;
const group = { ...image, mode: 'group', price: 3 } as const;
const video = {
  output: 'video',
  mode: 'group',
  filter: null,
  words: inQueueThenInProgress,
  status: '/v1/status/single_frame_video/{job_id}',
  price: { perSecond: { simple: 1, advanced: 2, performance: 3 } },
  timeLimitMs: 15 * 60_000,
  weight: 5,
} as const;

/** Each row's parts are checked against the parameters of its own schema; the table then holds them alike. */
const row = <P extends Params>(family: Family<P>) => family as unknown as Family;

export const families: readonly Family[] = [
  row<z.infer<typeof FaceSwapV6>>({
    ...image,
    name: 'face_swap_v6',
    title: 'Face swap v6',
    run: '/v6/run/face_swap',
    status: '/v6/status/{job_id}',
    schema: FaceSwapV6,
    words: inQueueUntilDone,
    price: 2,
    filter: { catalog: 'face_swap', fields: ['filter_id'] },
    images: [['base64']],
    check: checkQualityMode,
  }),
  row<z.infer<typeof FaceSwapV5>>({
    ...image,
    name: 'face_swap_v5',
    title: 'Face swap v5',
    run: '/v5/run/face_swap',
    status: '/v5/status/{job_id}',
    schema: FaceSwapV5,
    words: inQueueUntilDone,
    price: 2,
    filter: { catalog: 'face_swap', fields: ['filter_id'] },
    images: [['base64']],
  }),
  row<z.infer<typeof FaceSwapV1>>({
    ...image,
    name: 'face_swap_v1',
    title: 'Face swap v1',
    run: '/v1/run/faceswap',
    status: '/v2/status/{job_id}',
    schema: FaceSwapV1,
    words: queuedThenRunning,
    price: 1,
    filter: { catalog: 'face_swap', fields: ['filter_id'] },
    images: [['image', 'base64']],
  }),
  row<z.infer<typeof SelfPromptV2>>({
    ...image,
    name: 'self_prompt_v2',
    title: 'Self-prompt',
    run: '/v2/run/self-prompt',
    status: '/v2/status/{job_id}',
    schema: SelfPromptV2,
    words: queuedThenRunning,
    price: 2,
    filter: null,
    images: [['image', 'base64']],
  }),
  row<z.infer<typeof MultiSwapV5>>({
    ...group,
    name: 'multi_swap_v5',
    title: 'Multi swap, realistic',
    run: '/v5/run/multi_swap',
    status: '/v5/status_multi_swap/{job_id}',
    schema: MultiSwapV5,
    words: inQueueThenProcessing,
    filter: { catalog: 'realistic', fields: ['style_id', 'filter_id'] },
    images: [['input_image']],
  }),
  row<z.infer<typeof MultiSwapSelfPrompt>>({
    ...group,
    name: 'multi_swap_self_prompt_v5',
    title: 'Multi swap, realistic, from a prompt',
    run: '/v5/run/multi_swap_self_prompt',
    status: '/v5/status_multi_swap/{job_id}',
    schema: MultiSwapSelfPrompt,
    words: inQueueThenProcessing,
    filter: null,
    images: [['input_images', 'input_image']],
    maxImages: 5,
  }),
  row<z.infer<typeof StylizedMultiSwap>>({
    ...group,
    name: 'stylized_multi_swap_v1',
    title: 'Multi swap, stylized',
    run: '/v1/run/stylized_multi_swap',
    status: '/v1/status_stylized_multi_swap/{job_id}',
    schema: StylizedMultiSwap,
    words: queuedThenRunning,
    filter: { catalog: 'stylized', fields: ['style_id', 'filter_id'] },
    images: [['input_image']],
  }),
  row<z.infer<typeof MultiSwapSelfPrompt>>({
    ...group,
    name: 'stylized_multi_swap_self_prompt_v1',
    title: 'Multi swap, stylized, from a prompt',
    run: '/v1/run/stylized_multi_swap_self_prompt',
    status: '/v1/status_stylized_multi_swap/{job_id}',
    schema: MultiSwapSelfPrompt,
    words: queuedThenRunning,
    filter: null,
    images: [['input_images', 'input_image']],
    maxImages: 5,
  }),
  row<z.infer<typeof MultiSwapV4>>({
    ...group,
    name: 'multi_swap_v4',
    title: 'Multi swap v4, several photos in one picture',
    run: '/v4/multi_swap_styles/',
    status: '/v1/status_multi_swap/{job_id}',
    schema: MultiSwapV4,
    words: queuedThenRunning,
    filter: { catalog: 'realistic', fields: ['filter_id'] },
    images: [['input_images']],
    maxImages: 5,
  }),
  row<z.infer<typeof SingleFrameVideo>>({
    ...video,
    name: 'single_frame_video',
    title: 'Video from one frame',
    run: '/v1/run/single_frame_video',
    schema: SingleFrameVideo,
    images: [['prompt_image']],
    maxImages: 1,
    check: checkSingleFrame,
  }),
  row<z.infer<typeof FirstLastFrameVideo>>({
    ...video,
    name: 'first_last_frame_video',
    title: 'Video from a first and a last frame',
    run: '/v1/run/first_last_frame_video',
    schema: FirstLastFrameVideo,
    images: [['first_frame'], ['last_frame']],
    maxImages: 2,
    check: checkFirstLast,
  }),
];

const byName = new Map(families.map((family) => [family.name, family]));

export function familyOf(name: string): Family {
  const family = byName.get(name);
  if (!family) throw new Error(`no job family is called ${name}`);
  return family;
}

/** The word a caller reads for a state. */
export function wordOf(family: Family, state: JobState): string {
  if (state === 'completed') return 'COMPLETED';
  if (state === 'failed') return 'FAILED';
  return family.words[state];
}

export function filterRefOf(family: Family, params: Params): FilterRef | undefined {
  return firstPresent(family.filter?.fields ?? [], params) as FilterRef | undefined;
}

export function modeOf(family: Family, params: Params): Mode {
  return params.gender === 4 ? 'group' : family.mode;
}

export function imagesOf(family: Family, params: Params): string[] {
  return family.images.flatMap((fields) => (firstPresent(fields, params) ?? []) as string | string[]);
}

/** The parameters that go into the database: photos never do. */
export function withoutImages(family: Family, params: Params): Params {
  const images = new Set(family.images.flat());
  return Object.fromEntries(Object.entries(params).filter(([name]) => !images.has(name)));
}

function firstPresent(fields: readonly string[], params: Params): unknown {
  return fields.map((field) => params[field]).find((value) => value !== undefined);
}
