import type { Face } from '../faces/face.ts';
import { findPeople } from '../faces/faces.ts';
import { clearRedEyes } from '../faces/red-eye.ts';
import { readPhoto } from '../pixels/photo.ts';
import type { Picture } from '../pixels/picture.ts';
import { cannotMake } from '../runtime/render-error.ts';
import { beginStage } from '../runtime/stages.ts';
import { type CutOptions, cutPeople, type Matte } from './matte.ts';
import { keepOnly } from './one-guest.ts';
import { type Silhouette, silhouetteOf } from './silhouette.ts';

/** A photo, the people it is of, and where they are in it. */
export interface PeoplePhoto {
  photo: Picture;
  faces: Face[];
  matte: Matte;
  silhouette: Silhouette;
}

/** Below this share of a face seen as a person, the cut-out would have holes. */
const leastCoverage = 0.6;

export async function readPeople(file: string): Promise<PeoplePhoto> {
  const photo = await readPhoto(file);
  const faces = await findPeople(photo);
  clearRedEyes(photo, faces);
  return cutFrom(photo, faces);
}

/** Cuts the people with these faces out of their photo; of the others in it as little as can be told apart. */
export async function cutFrom(
  photo: Picture,
  faces: Face[],
  options: CutOptions & { others?: readonly Face[] } = {},
): Promise<PeoplePhoto> {
  beginStage('matte');
  const matte = await cutPeople(photo, faces, options);
  if (matte.coverage.every((share) => share < leastCoverage)) {
    throw cannotMake(
      'The person cannot be told from the background. Stand in front of a calmer background and try again.',
    );
  }
  const [first] = faces;
  if (first && options.others) keepOnly(matte, photo, first, options.others);
  return { photo, faces, matte, silhouette: silhouetteOf(matte) };
}
