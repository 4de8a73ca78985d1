import { checkOnDevice } from '../faces/check-on-device.ts';
import type { BoothApi } from '../guests/submit-photo.ts';
import type { CheckedPhoto } from './checked-photo.ts';

/** A check that takes longer than this helps nobody: the job says the same later. */
const longestMs = 3000;

interface TakenPhoto {
  blob: Blob;
  base64: Promise<string>;
}

/** What is asked of a photo. */
export interface PhotoToLookAt {
  photo: TakenPhoto;
  offerId: string;
  /** Whom the style is for; null where it takes anybody. */
  takes: 'one' | 'group' | null;
}

/** The same of several photos: the one that is to be mended first. */
export async function checkPhotos(
  api: BoothApi,
  isAway: boolean,
  { photos, ...asked }: Omit<PhotoToLookAt, 'photo'> & { photos: readonly TakenPhoto[] },
): Promise<CheckedPhoto> {
  const checked = await Promise.all(photos.map((photo) => checkPhoto(api, isAway, { photo, ...asked })));
  const worst = (blocks: boolean) =>
    checked.find(({ problems }) => problems.some((one) => one.blocks === blocks));
  return worst(true) ?? worst(false) ?? checked[0]!;
}

/**
 * The faces of a photo, checked before a job is spent: by the server, which knows the limits of the style, and where it
 * does not answer, on this device.
 */
async function checkPhoto(
  api: BoothApi,
  isAway: boolean,
  { photo, offerId, takes }: PhotoToLookAt,
): Promise<CheckedPhoto> {
  if (isAway) return checkOnDevice(photo.blob, takes);
  try {
    const body = { image: await photo.base64, offer_id: offerId };
    const { problems, faces } = await api.checkPhoto(body, AbortSignal.timeout(longestMs));
    return { problems, people: faces.length };
  } catch {
    return checkOnDevice(photo.blob, takes);
  }
}
