import type { PhotoCheck } from '@guise/contract/booth/event-guests.ts';
import type { BoothApi } from '../guests/submit-photo.ts';

/** What a guest has to mend in a photo. */
export type PhotoProblem = PhotoCheck['problems'][number];

/** A check that takes longer than this helps nobody: the job says the same later. */
const longestMs = 3000;

/** The faces of a photo, checked before a job is spent. Without an answer the photo counts as good. */
export async function checkPhoto(
  api: BoothApi,
  image: string,
  offerId: string,
): Promise<readonly PhotoProblem[]> {
  try {
    const check = await api.checkPhoto({ image, offer_id: offerId }, AbortSignal.timeout(longestMs));
    return check.problems;
  } catch {
    return [];
  }
}

/** What no picture can be made with. Everything else is the guest's choice. */
export const isHopeless = ({ code }: PhotoProblem): boolean =>
  code === 'NO_FACE' || code === 'TOO_MANY_PEOPLE';
