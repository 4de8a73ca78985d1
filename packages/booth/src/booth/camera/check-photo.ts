import type { PhotoCheck } from '@guise/contract/events/event-guests.ts';
import type { BoothApi } from '../guests/submit-photo.ts';

/** What a guest has to mend in a photo. */
export type PhotoProblem = Pick<PhotoCheck['problems'][number], 'code' | 'blocks'>;

/** What is known of a photo before a job is spent on it. */
export interface CheckedPhoto {
  /** Those that a job would be refused for come first. */
  problems: readonly PhotoProblem[];
  /** Null where nobody has looked. */
  people: number | null;
}

/** A check that takes longer than this helps nobody: the job says the same later. */
const longestMs = 3000;

/** The faces of a photo, checked before a job is spent. Without an answer the photo counts as good. */
export async function checkPhoto(api: BoothApi, image: string, offerId: string): Promise<CheckedPhoto> {
  try {
    const body = { image, offer_id: offerId };
    const { problems, faces } = await api.checkPhoto(body, AbortSignal.timeout(longestMs));
    return { problems, people: faces.length };
  } catch {
    return { problems: [], people: null };
  }
}
