import type { JobDetail } from '@guise/contract/job-details.ts';
import { say } from '../../words/say.ts';

const endings: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'video/mp4': 'mp4',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

export const fileEndingOf = ({ media_type }: Pick<JobDetail, 'media_type'>): string =>
  endings[media_type] ?? 'png';

/** Whether it is to be played again and again, as a living portrait is. */
export const isLoop = ({ poster_url }: JobDetail): boolean => poster_url !== undefined;

export interface Download {
  url: string;
  ending: string;
  label: string;
}

/** The file of a job, and of a living portrait the other formats and the still. */
export function downloadsOf(job: JobDetail): Download[] {
  if (!job.result_url) return [];
  const ending = fileEndingOf(job);
  if (!isLoop(job)) return [{ url: job.result_url, ending, label: say('Download') }];
  return [
    { url: job.result_url, ending, label: ending === 'webp' ? 'WebP' : ending.toUpperCase() },
    ...(job.gif_url ? [{ url: job.gif_url, ending: 'gif', label: 'GIF' }] : []),
    ...(job.webp_url ? [{ url: job.webp_url, ending: 'webp', label: 'WebP' }] : []),
    { url: job.poster_url!, ending: 'png', label: say('Still') },
  ];
}
