import type { PhotoCheck } from '@guise/contract/events/event-guests.ts';

/** What a guest has to mend in a photo. */
export type PhotoProblem = Pick<PhotoCheck['problems'][number], 'code' | 'blocks'>;

/** What is known of a photo before a job is spent on it. */
export interface CheckedPhoto {
  /** Those that a job would be refused for come first. */
  problems: readonly PhotoProblem[];
  /** Null where nobody has looked. */
  people: number | null;
}
