import type { Photo } from '@guise/contract/photo-sets.ts';
import type { PhotoRow } from '../store/qa/qa-schema.ts';
import { photoKeys } from './photo-blobs.ts';
import { type SamplePhoto, sampleFileOf, sampleThumbnailOf } from './sample-set.ts';

/** Where the caller finds files. */
export interface PhotoLinks {
  /** A signed link to a blob of the caller's account. */
  toBlob(key: string): string;
  toSample(file: string): string;
}

/** The links of a photo, whose row need not be at hand. */
export function linksOf(photoId: string, links: PhotoLinks): Pick<Photo, 'url' | 'thumbnail_url'> {
  const { photo, thumbnail } = photoKeys(photoId);
  return { url: links.toBlob(photo), thumbnail_url: links.toBlob(thumbnail) };
}

export function sampleLinksOf(sample: SamplePhoto, links: PhotoLinks): Pick<Photo, 'url' | 'thumbnail_url'> {
  return {
    url: links.toSample(sampleFileOf(sample)),
    thumbnail_url: links.toSample(sampleThumbnailOf(sample)),
  };
}

export function photoOf({ id, name, people, width, height }: PhotoRow, links: PhotoLinks): Photo {
  return { id, name, people, ...linksOf(id, links), width, height };
}

export function sampleOf(sample: SamplePhoto, links: PhotoLinks): Photo {
  const { id, name, people, width, height } = sample;
  return { id, name, people, ...sampleLinksOf(sample, links), width, height };
}
