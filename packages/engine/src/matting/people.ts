import type { Face } from '../faces/face.ts';
import { findPeople } from '../faces/faces.ts';
import { clearRedEyes } from '../faces/red-eye.ts';
import { readPhoto } from '../pixels/photo.ts';
import type { Picture } from '../pixels/picture.ts';
import { cannotMake } from '../runtime/render-error.ts';
import { beginStage } from '../runtime/stages.ts';
import { type BodyClasses, classifyBodies } from './body-classes.ts';
import { type Matte, type MatteOptions, mattePeople } from './matte.ts';
import { keepOneGuest } from './one-guest.ts';
import { type Silhouette, silhouetteOf } from './silhouette.ts';

/** A photo, the people it is of, and where they are in it. */
export interface PeoplePhoto {
  photo: Picture;
  faces: Face[];
  matte: Matte;
  /** What its pixels are, of everybody in the photo. */
  classes: BodyClasses;
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

/** The matte of the people with these faces, with as little as possible of the `others` in the photo. */
export async function findPeopleIn(
  photo: Picture,
  faces: Face[],
  options: MatteOptions & { others?: readonly Face[] } = {},
): Promise<PeoplePhoto> {
  beginStage('matte');
  const { others = [], signal } = options;
  const detail = options.outline ? 'outline' : options.fast ? 'fast' : 'full';
  const classes = await classifyBodies(photo, [...faces, ...others], { detail, signal });
  const matte = await mattePeople(photo, faces, options);
  if (matte.coverage.every((share) => share < leastCoverage)) {
    throw cannotMake(
      'The person cannot be told from the background. Stand in front of a calmer background and try again.',
    );
  }
  const [first] = faces;
  if (first && others.length > 0) keepOneGuest(matte, photo, first, others);
  return { photo, faces, matte, classes, silhouette: silhouetteOf(matte) };
}
