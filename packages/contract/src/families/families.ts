import type { z } from 'zod';
import type { CatalogName, Mode } from '../catalogs.ts';
import { type FilterRef, isGroup } from '../common.ts';
import type { JobState, StatusWord } from '../jobs.ts';
import type { Note } from '../notes.ts';
import {
  checkQualityMode,
  FaceSwapCapture,
  FaceSwapV1,
  FaceSwapV1Params,
  FaceSwapV5,
  FaceSwapV5Params,
  FaceSwapV6,
  FaceSwapV6Params,
  SelfPromptParams,
  SelfPromptV2,
} from './face-swap.ts';
import { familyPaths } from './family-paths.ts';
import { type FamilyRow, type FilterField, type ImageField, row } from './family-row.ts';
import { familyTitles } from './family-titles.ts';
import {
  isGroupPortrait,
  LivingPortrait,
  LivingPortraitParams,
  type LoopFormat,
  livingPortraitCatalog,
} from './living-portrait.ts';
import {
  MultiSwapParams,
  MultiSwapSelfPrompt,
  MultiSwapSelfPromptParams,
  MultiSwapV3,
  MultiSwapV3Params,
  MultiSwapV4,
  MultiSwapV4Params,
  MultiSwapV5,
  StylizedMultiSwap,
} from './multi-swap.ts';
import {
  checkFirstLast,
  checkSingleFrame,
  FirstLastFrameParams,
  FirstLastFrameVideo,
  SingleFrameParams,
  SingleFrameVideo,
} from './video.ts';

const inQueueUntilDone = { queued: 'IN_QUEUE', running: 'IN_QUEUE' } as const;
const inQueueThenProcessing = { queued: 'IN_QUEUE', running: 'PROCESSING' } as const;
const inQueueThenInProgress = { queued: 'IN_QUEUE', running: 'IN_PROGRESS' } as const;
const queuedThenRunning = { queued: 'QUEUED', running: 'RUNNING' } as const;

const image = {
  output: 'image',
  medium: 'photo',
  statusWaits: false,
  mode: 'single',
  maxImages: 1,
  timeLimitMs: 3 * 60_000,
  weight: 1,
} as const;
const group = { ...image, mode: 'group', price: 3 } as const;
const video = {
  output: 'video',
  medium: 'photo',
  statusWaits: false,
  mode: 'group',
  filter: null,
  words: inQueueThenInProgress,
  price: { perSecond: { simple: 1, advanced: 2, performance: 3 } },
  timeLimitMs: 15 * 60_000,
  weight: 5,
} as const;

const table = [
  row({
    ...image,
    name: 'face_swap_v6',
    ...familyPaths.face_swap_v6,
    statusWaits: true,
    title: familyTitles.face_swap_v6,
    schema: FaceSwapV6,
    params: FaceSwapV6Params,
    words: inQueueUntilDone,
    price: 2,
    filter: { catalog: 'face_swap', fields: ['filter_id'] },
    images: [['base64']],
    check: checkQualityMode,
  }),
  row({
    ...image,
    name: 'face_swap_v5',
    ...familyPaths.face_swap_v5,
    statusWaits: true,
    title: familyTitles.face_swap_v5,
    schema: FaceSwapV5,
    params: FaceSwapV5Params,
    words: inQueueUntilDone,
    price: 2,
    filter: { catalog: 'face_swap', fields: ['filter_id'] },
    images: [['base64']],
  }),
  row({
    ...image,
    name: 'face_swap_v1',
    ...familyPaths.face_swap_v1,
    title: familyTitles.face_swap_v1,
    schema: FaceSwapV1,
    params: FaceSwapV1Params,
    words: queuedThenRunning,
    price: 1,
    filter: { catalog: 'face_swap', fields: ['filter_id'] },
    images: [['image', 'base64']],
  }),
  row({
    ...image,
    name: 'face_swap_capture_v1',
    ...familyPaths.face_swap_capture_v1,
    title: familyTitles.face_swap_capture_v1,
    schema: FaceSwapCapture,
    params: FaceSwapV1Params,
    words: queuedThenRunning,
    price: 1,
    filter: { catalog: 'face_swap', fields: ['filter_id'] },
    images: [['base64']],
  }),
  row({
    ...image,
    name: 'face_swap_capture_v2',
    ...familyPaths.face_swap_capture_v2,
    title: familyTitles.face_swap_capture_v2,
    schema: FaceSwapCapture,
    params: FaceSwapV1Params,
    words: queuedThenRunning,
    price: 1,
    filter: { catalog: 'face_swap', fields: ['filter_id'] },
    images: [['base64']],
  }),
  row({
    ...image,
    name: 'self_prompt_v2',
    ...familyPaths.self_prompt_v2,
    title: familyTitles.self_prompt_v2,
    schema: SelfPromptV2,
    params: SelfPromptParams,
    words: queuedThenRunning,
    price: 2,
    filter: null,
    images: [['image', 'base64']],
  }),
  row({
    ...group,
    name: 'multi_swap_v5',
    ...familyPaths.multi_swap_v5,
    statusWaits: true,
    title: familyTitles.multi_swap_v5,
    schema: MultiSwapV5,
    params: MultiSwapParams,
    words: inQueueThenProcessing,
    filter: { catalog: 'realistic', fields: ['style_id', 'filter_id'] },
    images: [['input_image']],
  }),
  row({
    ...group,
    name: 'multi_swap_self_prompt_v5',
    ...familyPaths.multi_swap_self_prompt_v5,
    statusWaits: true,
    title: familyTitles.multi_swap_self_prompt_v5,
    schema: MultiSwapSelfPrompt,
    params: MultiSwapSelfPromptParams,
    words: inQueueThenProcessing,
    filter: null,
    images: [['input_images', 'input_image']],
    maxImages: 5,
  }),
  row({
    ...group,
    name: 'stylized_multi_swap_v1',
    medium: 'illustration',
    ...familyPaths.stylized_multi_swap_v1,
    title: familyTitles.stylized_multi_swap_v1,
    schema: StylizedMultiSwap,
    params: MultiSwapParams,
    words: queuedThenRunning,
    filter: { catalog: 'stylized', fields: ['style_id', 'filter_id'] },
    images: [['input_image']],
  }),
  row({
    ...group,
    name: 'stylized_multi_swap_self_prompt_v1',
    medium: 'illustration',
    ...familyPaths.stylized_multi_swap_self_prompt_v1,
    title: familyTitles.stylized_multi_swap_self_prompt_v1,
    schema: MultiSwapSelfPrompt,
    params: MultiSwapSelfPromptParams,
    words: queuedThenRunning,
    filter: null,
    images: [['input_images', 'input_image']],
    maxImages: 5,
  }),
  row({
    ...group,
    name: 'multi_swap_v3',
    ...familyPaths.multi_swap_v3,
    title: familyTitles.multi_swap_v3,
    schema: MultiSwapV3,
    params: MultiSwapV3Params,
    words: inQueueThenProcessing,
    filter: { catalog: 'realistic', fields: ['style_id', 'filter_id'] },
    images: [['input_image']],
    ignoredFields: ['overlay'],
  }),
  row({
    ...group,
    name: 'multi_swap_v4',
    ...familyPaths.multi_swap_v4,
    title: familyTitles.multi_swap_v4,
    schema: MultiSwapV4,
    params: MultiSwapV4Params,
    words: queuedThenRunning,
    filter: { catalog: 'realistic', fields: ['filter_id'] },
    images: [['input_images']],
    maxImages: 5,
  }),
  row({
    ...video,
    name: 'single_frame_video',
    ...familyPaths.single_frame_video,
    title: familyTitles.single_frame_video,
    schema: SingleFrameVideo,
    params: SingleFrameParams,
    images: [['prompt_image']],
    maxImages: 1,
    check: checkSingleFrame,
  }),
  row({
    ...video,
    name: 'first_last_frame_video',
    ...familyPaths.first_last_frame_video,
    title: familyTitles.first_last_frame_video,
    schema: FirstLastFrameVideo,
    params: FirstLastFrameParams,
    images: [['first_frame'], ['last_frame']],
    maxImages: 2,
    check: checkFirstLast,
  }),
  row({
    ...video,
    output: 'loop',
    name: 'living_portrait',
    ...familyPaths.living_portrait,
    title: familyTitles.living_portrait,
    schema: LivingPortrait,
    params: LivingPortraitParams,
    mode: 'single',
    price: 6,
    filter: { catalog: 'face_swap', fields: ['filter_id', 'style_id'] },
    catalogOf: livingPortraitCatalog,
    images: [['images', 'input_images']],
    maxImages: 8,
    takesVideo: true,
  }),
] as const;

type Row = (typeof table)[number];
type RowOf<Name extends FamilyName> = Extract<Row, { name: Name }>;

export type FamilyName = Row['name'];
export type OutputKind = Row['output'];
/** The families of pictures, of videos, or of loops. */
export type FamilyOf<Output extends OutputKind> = Extract<Row, { output: Output }>['name'];
export type OutputOf<Name extends FamilyName> = RowOf<Name>['output'];

/** The type of the file that a job of each kind makes, unless it is asked for another. */
export const mediaTypes = {
  image: 'image/png',
  video: 'video/mp4',
  loop: 'video/mp4',
} as const satisfies Record<OutputKind, string>;
/** The types that a loop can be asked for. */
export const loopTypes = {
  mp4: 'video/mp4',
  gif: 'image/gif',
  webp: 'image/webp',
} as const satisfies Record<LoopFormat, string>;
export type MediaType = (typeof mediaTypes)[OutputKind] | (typeof loopTypes)[LoopFormat];

/** The type of the file that a job with these parameters makes. */
export function mediaTypeFor(output: OutputKind, params: AnyParams): MediaType {
  const { format } = params;
  return output === 'loop' && format ? loopTypes[format] : mediaTypes[output];
}

/** Whether a job is asked for by the fields of videos: its result is a link and not base64. */
export const isLinked = (output: OutputKind): boolean => output !== 'image';

/** The parameters of a family's jobs, as they are stored and given to an engine. */
export type ParamsOf<Name extends FamilyName> = z.output<RowOf<Name>['params']>;

/** For code that serves all families: what any of them has, missing where a family has no such field. */
type InAny<Objects> = {
  [Key in KeyOf<Objects>]?: (Objects extends { [K in Key]?: infer Value } ? Value : never) | undefined;
};
type KeyOf<Objects> = Objects extends unknown ? keyof Objects : never;
export type AnyBody = InAny<z.output<Row['schema']>>;
export type AnyParams = InAny<z.output<Row['params']>>;

/** Any row of the table. */
export type Family = FamilyRow<FamilyName, OutputKind, AnyBody, AnyParams, FilterField, ImageField>;
export const families: readonly Family[] = table;
export const familyNames: readonly FamilyName[] = table.map(({ name }) => name);

const byName = new Map<string, Family>(families.map((family) => [family.name, family]));

/** The family of that name, which may come from a file or an older database. */
export function findFamily(name: string): Family | undefined {
  return byName.get(name);
}

export function familyOf(name: string): Family {
  const family = findFamily(name);
  if (!family) throw new Error(`no job family is called ${name}`);
  return family;
}

/** The word a caller reads for a state. */
export function wordOf(family: Pick<Family, 'words'>, state: JobState): StatusWord {
  if (state === 'completed') return 'COMPLETED';
  if (state === 'failed') return 'FAILED';
  return family.words[state];
}

export function filterRefOf({ filter }: Family, body: AnyBody): FilterRef | undefined {
  return filter?.fields.map((field) => body[field]).find((ref) => ref !== undefined);
}

/** What of a request nobody uses, for `ignored` of the job. */
export function ignoredFieldsOf({ ignoredFields = [] }: Family, params: AnyParams): Note[] {
  return ignoredFields
    .filter((field) => params[field] !== undefined)
    .map((field): Note => ({ kind: 'input', value: field, reason: 'this server does not use it' }));
}

export function modeOf(family: Family, body: AnyBody): Mode {
  const isOfGroup = family.catalogOf ? isGroupPortrait(body) : isGroup(body.gender);
  return isOfGroup ? 'group' : family.mode;
}

/** The catalog that the integers of a request are of; null where its family takes no filter. */
export function catalogOf(family: Family, body: AnyBody): CatalogName | null {
  return family.catalogOf?.(body) ?? family.filter?.catalog ?? null;
}

export function imagesOf(family: Family, body: AnyBody): string[] {
  return family.images.flatMap(
    (fields) => fields.map((field) => body[field]).find((image) => image !== undefined) ?? [],
  );
}
