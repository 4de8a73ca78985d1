import type { LoopLinks } from '@guise/contract/jobs.ts';
import type { JobRow } from '../../store/schema.ts';
import { convertedKeyOf, convertedKeysOf, isLoop, stillKeyOf } from './result-keys.ts';

/** Links to the still of a finished loop and to its other formats; none for what is no loop. */
export function loopLinksOf(
  job: Pick<JobRow, 'family' | 'result_key'>,
  linkTo: (key: string) => string,
): LoopLinks {
  const key = job.result_key;
  if (key === null || !isLoop(job)) return {};
  const poster_url = linkTo(stillKeyOf(key));
  if (convertedKeysOf(job).length === 0) return { poster_url };
  return {
    poster_url,
    gif_url: linkTo(convertedKeyOf(key, 'gif')),
    webp_url: linkTo(convertedKeyOf(key, 'webp')),
  };
}
