import { findFamily, type OutputKind } from '@guise/contract/families/families.ts';
import type { JobRow } from '../../store/schema.ts';

/** Every claim has a key of its own: two workers that run the same job by mistake never write the same file. */
export function resultKeyOf(jobId: string, claim: number, output: OutputKind): string {
  const name = `results/${jobId.slice(-2)}/${jobId}-${claim}`;
  return output === 'image' ? `${name}.b64` : `${name}.mp4`;
}

/** Where runs of a job may have stored a result: one that was killed before the job's end has left its own behind. */
export function claimedResultKeysOf({
  id,
  claim,
  family,
}: Pick<JobRow, 'id' | 'claim' | 'family'>): string[] {
  const output = findFamily(family)?.output ?? 'image';
  return Array.from({ length: claim }, (_, before) => resultKeyOf(id, before + 1, output));
}

/** Where the thumbnail of a result is kept once it was made. */
export function thumbnailKeyOf(resultKey: string): string {
  return resultKey.replace(/^results\//, 'thumbnails/').replace(/\.\w+$/, '.webp');
}

/** The result that a thumbnail is of: the same name with another ending. */
export function resultKeysOf(thumbnailKey: string): string[] {
  const name = thumbnailKey.replace(/^thumbnails\//, 'results/').replace(/\.webp$/, '');
  return [`${name}.b64`, `${name}.mp4`];
}

/** What links call a result: pictures are stored as base64 and sent as PNG. */
export function linkKeyOf(resultKey: string): string {
  return resultKey.replace(/\.b64$/, '.png');
}

/** The blob behind a link to a result. */
export function blobKeyOf(linkKey: string): string {
  return linkKey.replace(/\.png$/, '.b64');
}

/** The job that a key is of. */
export function jobIdOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1).slice(0, 36);
}
