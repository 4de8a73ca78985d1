import type { FilterDefinition } from '@guise/contract/filters.ts';

/** Photos to show filters on: those of the installed face-api package, and which part of them. */
export interface SamplePhoto {
  file: URL;
  /** Left, top, width, height; the whole photo without it. */
  crop?: { left: number; top: number; width: number; height: number };
}

const folder = new URL('../../../node_modules/@vladmandic/face-api/demo/', import.meta.url);

export const samplePhotos = {
  onePerson: {
    file: new URL('sample6.jpg', folder),
    crop: { left: 20, top: 300, width: 640, height: 1237 },
  },
  /** Upright, with nothing beside the head: for costumes. */
  upright: {
    file: new URL('sample6.jpg', folder),
    crop: { left: 900, top: 60, width: 1020, height: 1477 },
  },
  threePeople: { file: new URL('sample1.jpg', folder) },
  fourPeople: { file: new URL('sample6.jpg', folder) },
} satisfies Record<string, SamplePhoto>;

/** The photo of one person that shows a filter well. */
export function sampleFor(definition: FilterDefinition): SamplePhoto {
  const dressed = definition.kind === 'scene' && definition.costume !== undefined;
  return dressed ? samplePhotos.upright : samplePhotos.onePerson;
}

/** The sample as a JPEG. */
export async function readSample({ file, crop }: SamplePhoto): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const photo = sharp(file.pathname);
  return (crop ? photo.extract(crop) : photo).jpeg({ quality: 92 }).toBuffer();
}
