import type { Face } from '../faces/face.ts';
import { findPeople } from '../faces/faces.ts';
import { clearRedEyes } from '../faces/red-eye.ts';
import { readPhoto } from '../pixels/photo.ts';
import type { Picture } from '../pixels/picture.ts';
import { cannotMake } from '../runtime/render-error.ts';
import { beginStage } from '../runtime/stages.ts';
import { type Matte, type MatteOptions, mattePeople } from './matte.ts';
import { shareByNearestFace } from './nearest-face.ts';
import { keepOneGuest } from './one-guest.ts';
import { outlinePeople } from './person-outlines.ts';
import type { OutlineModel } from './segment-anything.ts';
import { type Silhouette, silhouetteOf } from './silhouette.ts';

/** A photo, the people it is of, and where they are in it. */
export interface PeoplePhoto {
  photo: Picture;
  faces: Face[];
  matte: Matte;
  silhouette: Silhouette;
}

/** With less of a face in the matte, the cutout would have holes. */
const leastCoverage = 0.6;

export async function readPeople(file: string): Promise<PeoplePhoto> {
  const photo = await readPhoto(file);
  const faces = await findPeople(photo);
  clearRedEyes(photo, faces);
  return findPeopleIn(photo, faces);
}

export interface FindPeopleOptions extends MatteOptions {
  /** Whoever else is in the photo. */
  others?: readonly Face[];
  /** Outlines of people by themselves, where the operator has fetched the model. */
  outlineModel?: OutlineModel | null;
}

/** The matte of the people with these faces, with as little as possible of the `others` in the photo. */
export async function findPeopleIn(
  photo: Picture,
  faces: Face[],
  options: FindPeopleOptions = {},
): Promise<PeoplePhoto> {
  beginStage('matte');
  const matte = await mattePeople(photo, faces, options);
  if (matte.coverage.every((share) => share < leastCoverage)) {
    throw cannotMake(
      'The person cannot be told from the background. Stand in front of a calmer background and try again.',
    );
  }
  const [first] = faces;
  if (first && options.others?.length) await separateGuest(matte, photo, [first, ...options.others], options);
  return { photo, faces, matte, silhouette: silhouetteOf(matte) };
}

/** Keeps the first of the faces' people in the matte, in place. */
async function separateGuest(
  matte: Matte,
  photo: Picture,
  faces: readonly [Face, ...Face[]],
  { outlineModel, signal }: FindPeopleOptions,
): Promise<void> {
  const shares = shareByNearestFace(matte, photo, faces);
  if (!outlineModel) {
    keepOneGuest(matte, shares, faces[0]);
    return;
  }
  beginStage('outlines');
  const outlines = await outlinePeople(outlineModel, photo, faces, shares, signal);
  keepOneGuest(matte, shareByNearestFace(matte, photo, faces, outlines), faces[0]);
}
