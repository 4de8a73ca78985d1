import { base64Of } from '@guise/client/bytes.ts';
import type { JobDetail } from '@guise/contract/job-details.ts';
import { type Burst, isComplete } from '../../photo/burst.ts';
import type { Photo } from '../../photo/photo.ts';
import { jobSentence } from '../../ui/job-sentence.ts';
import { say } from '../../words/say.ts';
import type { ChosenPhotos, PlannedRun } from './run-choice.ts';

export type RunState =
  | { step: 'idle' }
  | { step: 'sending'; share: number }
  | { step: 'waiting' | 'running'; share: number }
  | { step: 'done'; job: JobDetail; before: string | undefined }
  | { step: 'failed'; sentence: string };

/** One of the runs that are shown side by side. */
export interface Run {
  key: string;
  /** Its filter, or what it makes. */
  name: string;
  /** Undefined until the server has accepted it. */
  id: string | undefined;
  /** The photo that it was sent with, where this page still has it. */
  before: string | undefined;
  state: RunState;
}

export interface Photos {
  first: Photo | undefined;
  second: Photo | undefined;
  burst: Burst;
}

/** Which of them there are. */
export function chosenPhotos({ first, second, burst }: Photos): ChosenPhotos {
  return {
    first: first !== undefined,
    second: second !== undefined,
    burst: isComplete(burst) ? (burst.video ? 'video' : burst.photos.length) : undefined,
  };
}

/** What a result is compared with. A loop is not laid over a photo. */
export const beforeOf = (plans: readonly { plan: PlannedRun }[], { first }: Photos): string | undefined =>
  plans.some(({ plan }) => plan.burst !== undefined) ? undefined : first?.url;

export const isUnderWay = ({ step }: RunState) =>
  step === 'sending' || step === 'waiting' || step === 'running';

/** The photos of a run as it sends them, by their fields. */
export async function imagesOf(
  { photos: fields, burst }: PlannedRun,
  photos: Photos,
): Promise<Record<string, string | string[]>> {
  if (burst === 'video') return { video: await base64Of(photos.burst.video!.blob) };
  if (burst !== undefined)
    return { images: await Promise.all(photos.burst.photos.map(({ blob }) => base64Of(blob))) };
  const images: Record<string, string> = {};
  for (const [which, field] of Object.entries(fields)) {
    const photo = photos[which as 'first' | 'second'];
    if (photo) images[field] = await base64Of(photo.blob);
  }
  return images;
}

export const progressOf = ({ progress }: Pick<JobDetail, 'progress'>): RunState => ({
  step: progress > 0 ? 'running' : 'waiting',
  share: progress,
});

export function endOf(job: JobDetail, before: string | undefined): RunState {
  if (job.status === 'FAILED')
    return {
      step: 'failed',
      sentence: job.error ? jobSentence(job.error) : say('This picture could not be made.'),
    };
  return { step: 'done', job, before };
}
