import { basename, dirname, join } from 'node:path';
import { samplePhotos } from '@guise/engine/samples.ts';
import { textId } from '../ids.ts';

/** A photo that comes with the server. */
export interface SamplePhoto {
  id: string;
  name: string;
  people: number;
  width: number;
  height: number;
  /** Where it is on this machine. */
  path: string;
}

/** The photo set that every account sees and nobody can change. Where the photos come from: catalog/samples/README.md. */
export const sampleSet = {
  id: textId('guise: the photo set of samples'),
  name: 'Sample photos',
  photos: [
    sample('One person', 1, samplePhotos.onePerson, [1260, 1035]),
    sample('Man', 1, samplePhotos.man, [1346, 960]),
    sample('Two people', 2, samplePhotos.twoPeople, [1500, 1000]),
    sample('Woman', 1, samplePhotos.woman, [1140, 1397]),
    sample('Older woman', 1, samplePhotos.olderWoman, [1100, 1463]),
    sample('One person, head alone', 1, samplePhotos.head, [780, 666]),
  ],
} as const;

function sample(name: string, people: number, path: string, size: [number, number]): SamplePhoto {
  const [width, height] = size;
  return { id: textId(`guise: sample ${basename(path)}`), name, people, width, height, path };
}

export function findSample(id: string): SamplePhoto | undefined {
  return sampleSet.photos.find((photo) => photo.id === id);
}

/** The file names that a sample photo and its thumbnail are served by. */
export const sampleFileOf = ({ path }: SamplePhoto) => basename(path);
export const sampleThumbnailOf = ({ path }: SamplePhoto) => `${basename(path, '.jpg')}.webp`;

/** The file of that name on this machine, if it is one of those. */
export function findSampleFile(name: string): string | undefined {
  for (const photo of sampleSet.photos) {
    if (name === sampleFileOf(photo)) return photo.path;
    if (name === sampleThumbnailOf(photo)) return join(dirname(photo.path), 'thumbnails', name);
  }
  return undefined;
}
