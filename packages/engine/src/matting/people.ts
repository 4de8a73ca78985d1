import type { Face } from '../faces/face.ts';
import { pointOf } from '../faces/face-outline.ts';
import { findPeople } from '../faces/faces.ts';
import { clearRedEyes } from '../faces/red-eye.ts';
import { readPhoto } from '../pixels/photo.ts';
import type { Picture } from '../pixels/picture.ts';
import { cannotMake } from '../runtime/render-error.ts';
import { beginStage } from '../runtime/stages.ts';
import type { BodyClasses } from './body-classes.ts';
import { headAndShoulders } from './confidence.ts';
import { classesOf, type MatteOptions, mattePeople, type PeopleMatte } from './matte.ts';
import { keepOneGuest } from './one-guest.ts';
import { type Silhouette, silhouetteOf } from './silhouette.ts';

/** A photo, the people it is of, and where they are in it. */
export interface PeoplePhoto {
  photo: Picture;
  faces: Face[];
  matte: PeopleMatte;
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
  options: MatteOptions = {},
): Promise<PeoplePhoto> {
  beginStage('matte');
  const { others = [] } = options;
  const classes = await classesOf(photo, faces, options);
  const matte = await mattePeople(photo, faces, { ...options, classes });
  if (matte.coverage.every((share) => share < leastCoverage)) {
    throw cannotMake(
      'The person cannot be told from the background. Stand in front of a calmer background and try again.',
    );
  }
  const [first] = faces;
  if (first && others.length > 0) keepOneGuest(matte, photo, first, others);
  const sureTo = leastSureRow(matte, faces);
  const silhouette = { ...silhouetteOf(matte), ...(sureTo < Infinity ? { sureTo } : {}) };
  return { photo, faces, matte, classes, silhouette };
}

/** Each guest of a photo with a matte of nobody else. */
export function separateGuests(people: PeoplePhoto): PeoplePhoto[] {
  const { photo, faces, matte } = people;
  if (faces.length < 2) return [people];
  return faces.map((face, i) => {
    const own = {
      ...matte,
      data: Float32Array.from(matte.data),
      coverage: [matte.coverage[i]!],
      confidence: [matte.confidence[i]!],
    };
    keepOneGuest(own, photo, face, faces.toSpliced(i, 1));
    return { ...people, faces: [face], matte: own, silhouette: silhouetteOf(own) };
  });
}

/** The photo row down to which everybody's cutout is sure: below the shoulders of all, and infinite where all are. */
function leastSureRow({ confidence, factor }: PeopleMatte, faces: readonly Face[]): number {
  const rows = confidence.map(({ sureTo }) => sureTo * factor);
  const shoulders = faces.map((face) => pointOf(face, 152).y + headAndShoulders * face.height);
  return Math.max(Math.min(...rows), ...shoulders);
}
