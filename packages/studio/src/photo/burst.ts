import { say } from '../words/say.ts';
import { type Photo, readPhoto } from './photo.ts';
import { PhotoRefused } from './photo-refused.ts';

/** What a living portrait is made of: photos that were taken one after the other, or a short video in their place. */
export interface Burst {
  photos: readonly Photo[];
  video: BurstVideo | undefined;
}

export interface BurstVideo {
  name: string;
  blob: Blob;
  url: string;
}

export const noBurst: Burst = { photos: [], video: undefined };
export const leastShots = 2;
export const mostShots = 8;
const largestVideo = 50 * 1024 * 1024;

export const isComplete = ({ photos, video }: Burst): boolean =>
  video !== undefined || photos.length >= leastShots;

/** Adds files to a burst, in the order of their names: cameras count. A video takes the place of all photos. */
export async function addToBurst(burst: Burst, files: readonly File[]): Promise<Burst> {
  const video = files.find(({ type }) => type.startsWith('video/'));
  if (video) {
    if (video.size > largestVideo)
      throw new PhotoRefused(say('This video has more than 50 MB. Choose a shorter one.'));
    return { photos: [], video: { name: video.name, blob: video, url: URL.createObjectURL(video) } };
  }
  if (burst.photos.length + files.length > mostShots)
    throw new PhotoRefused(say('A burst has at most {count} photos.', { count: mostShots }));
  const inOrder = files.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
  const photos = await Promise.all(inOrder.map((file) => readPhoto(file, file.name)));
  return { photos: [...burst.photos, ...photos], video: undefined };
}
