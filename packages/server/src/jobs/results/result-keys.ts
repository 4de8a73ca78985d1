import {
  findFamily,
  loopTypes,
  type MediaType,
  mediaTypes,
  type OutputKind,
} from '@guise/contract/families/families.ts';
import type { LoopFormat } from '@guise/contract/families/living-portrait.ts';
import type { JobRow } from '../../store/schema.ts';

/** Pictures are stored as base64, because status answers send them so. */
const endings = {
  'image/png': 'b64',
  'video/mp4': 'mp4',
  'image/gif': 'gif',
  'image/webp': 'webp',
} as const satisfies Record<MediaType, string>;

/** Every claim has a key of its own: two workers that run the same job by mistake never write the same file. */
export function resultKeyOf(jobId: string, claim: number, type: MediaType): string {
  return `results/${jobId.slice(-2)}/${jobId}-${claim}.${endings[type]}`;
}

/** Where runs of a job may have stored a result: one that was killed before the job's end has left its own behind. */
export function claimedResultKeysOf({
  id,
  claim,
  family,
}: Pick<JobRow, 'id' | 'claim' | 'family'>): string[] {
  const output = findFamily(family)?.output ?? 'image';
  return Array.from({ length: claim }, (_, before) => keysOfClaim(id, before + 1, output)).flat();
}

function keysOfClaim(id: string, claim: number, output: OutputKind): string[] {
  if (output !== 'loop') return [resultKeyOf(id, claim, mediaTypes[output])];
  const results = Object.values(loopTypes).map((type) => resultKeyOf(id, claim, type));
  return [...results, stillKeyOf(results[0]!)];
}

/** Where the thumbnail of a result is kept once it was made. */
export function thumbnailKeyOf(resultKey: string): string {
  return resultKey.replace(/^results\//, 'thumbnails/').replace(/\.\w+$/, '.webp');
}

/** The result that a thumbnail is of: the same name with another ending. */
export function resultKeysOf(thumbnailKey: string): string[] {
  const name = thumbnailKey.replace(/^thumbnails\//, 'results/').replace(/\.webp$/, '');
  return Object.values(endings).map((ending) => `${name}.${ending}`);
}

/** Where the still of a loop is kept. */
export function stillKeyOf(resultKey: string): string {
  return resultKey.replace(/^results\//, 'stills/').replace(/\.\w+$/, '.png');
}

/** Whether a job makes a loop, which has a still and other formats beside it. */
export const isLoop = ({ family }: Pick<JobRow, 'family'>): boolean => findFamily(family)?.output === 'loop';

/** The formats that a loop is converted to when they are first asked for; none of what is not a loop in MP4. */
export function convertedKeysOf(job: Pick<JobRow, 'family' | 'result_key'>): string[] {
  const { result_key } = job;
  if (!isLoop(job) || !result_key?.endsWith('.mp4')) return [];
  return [convertedKeyOf(result_key, 'gif'), convertedKeyOf(result_key, 'webp')];
}

export function convertedKeyOf(resultKey: string, format: Exclude<LoopFormat, 'mp4'>): string {
  return resultKey.replace(/^results\//, 'loops/').replace(/\.\w+$/, `.${format}`);
}

/** What is kept beside the result of a job: its thumbnail, and of a loop its still and the formats it was converted to. */
export function keysBesideResult(job: Pick<JobRow, 'family' | 'result_key'>): string[] {
  const { result_key } = job;
  if (result_key === null) return [];
  const still = isLoop(job) ? [stillKeyOf(result_key)] : [];
  return [thumbnailKeyOf(result_key), ...still, ...convertedKeysOf(job)];
}

/** Where the moving picture of the moment is kept that a booth has sent with a job of an event. */
export const momentKeyOf = (jobId: string): string => `moments/${jobId.slice(-2)}/${jobId}.gif`;

/** The type of the file that a job makes or has made. */
export function mediaTypeOf({ family, result_key }: Pick<JobRow, 'family' | 'result_key'>): MediaType {
  const ending = result_key?.slice(result_key.lastIndexOf('.') + 1);
  const types = Object.keys(endings) as MediaType[];
  return types.find((type) => endings[type] === ending) ?? mediaTypes[findFamily(family)?.output ?? 'image'];
}

/** What links call a result: pictures are stored as base64 and sent as PNG. */
export function linkKeyOf(resultKey: string): string {
  return resultKey.replace(/\.b64$/, '.png');
}

/** How the name of a result's file ends. */
export function fileEndingOf(resultKey: string): string {
  const key = linkKeyOf(resultKey);
  return key.slice(key.lastIndexOf('.') + 1);
}

/** The blob behind a link to a result. */
export function blobKeyOf(linkKey: string): string {
  return linkKey.replace(/\.png$/, '.b64');
}

/** The job that a key is of. */
export function jobIdOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1).slice(0, 36);
}
