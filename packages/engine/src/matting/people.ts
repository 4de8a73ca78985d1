import type { Face } from '../faces/face.ts';
import { moveFace, pointOf } from '../faces/face-outline.ts';
import { findPeople } from '../faces/faces.ts';
import { clearRedEyes } from '../faces/red-eye.ts';
import { readPhoto } from '../pixels/photo.ts';
import type { Picture } from '../pixels/picture.ts';
import type { Size } from '../pixels/plane.ts';
import { cannotMake } from '../runtime/render-error.ts';
import { beginStage } from '../runtime/stages.ts';
import type { BodyClasses } from './body-classes.ts';
import { headAndShoulders } from './confidence.ts';
import { backgroundOf } from './loose-things.ts';
import { classesOf, type MatteOptions, mattePeople, type PeopleMatte } from './matte.ts';
import { type NearestFaces, shareByNearestFace } from './nearest-face.ts';
import { keepOneGuest } from './one-guest.ts';
import { peopleInOutlines } from './outline-vote.ts';
import { outlinePeople, type PersonOutline } from './person-outlines.ts';
import type { OutlineModel } from './segment-anything.ts';
import { type Silhouette, silhouetteOf } from './silhouette.ts';
import { findHeadless, hasBody } from './whole-people.ts';

/** A photo, the people it is of, and where they are in it. */
export interface PeoplePhoto {
  photo: Picture;
  faces: Face[];
  /** Everybody else in the photo. */
  others: readonly Face[];
  /** Whether an outline that is trusted had a say in the matte of everybody here. */
  hasOutlines: boolean;
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

export interface FindPeopleOptions extends MatteOptions {
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
  const { others = [] } = options;
  const classes = await classesOf(photo, faces, options);
  const outlines = options.outlineModel
    ? outlineOnce(options.outlineModel, { photo, classes, faces: [...faces, ...others] }, options.signal)
    : null;
  const outlined = outlines
    ? async (size: Size) => {
        const { drawn, shares } = await outlines();
        return peopleInOutlines(drawn, shares, size);
      }
    : undefined;
  const matte = await mattePeople(photo, faces, { ...options, classes, outlined });
  if (matte.coverage.every((share) => share < leastCoverage)) {
    throw cannotMake(
      'The person cannot be told from the background. Stand in front of a calmer background and try again.',
    );
  }
  const [first] = faces;
  if (first && others.length > 0) {
    const shares = outlines
      ? (await outlines()).sharesByOutline
      : shareByNearestFace(matte, photo, [first, ...others]);
    keepOneGuest(matte, shares, first);
  }
  if (findHeadless(matte, faces, classes) || !faces.every((face) => hasBody(matte, face))) {
    throw cannotMake(
      'Somebody’s head or body cannot be told from the background. Stand where it is brighter, or in front of a calmer background, and try again.',
    );
  }
  const sureTo = leastSureRow(matte, faces);
  const silhouette = { ...silhouetteOf(matte), ...(sureTo < Infinity ? { sureTo } : {}) };
  const hasOutlines = matte.outlined && outlines !== null && areTrusted(await outlines(), faces.length);
  return { photo, faces, others, hasOutlines, matte, classes, silhouette };
}

/** Each guest of a photo with a matte of nobody else, for their heads: hair is given to one head as a whole. */
export function separateGuests(people: PeoplePhoto): PeoplePhoto[] {
  const { photo, faces, matte, classes } = people;
  if (faces.length < 2) return [people];
  const { width, height, factor } = classes;
  const hair = { width, height, factor, data: classes.shares.hair };
  const shares = shareByNearestFace(matte, photo, faces, { hair });
  return faces.map((face, i) => {
    const own = {
      ...matte,
      data: Float32Array.from(matte.data),
      coverage: [matte.coverage[i]!],
      confidence: [matte.confidence[i]!],
    };
    keepOneGuest(own, shares, face, i);
    return { ...people, faces: [face], matte: own, silhouette: silhouetteOf(own) };
  });
}

/** The photo row down to which everybody's cutout is sure: below the shoulders of all, and infinite where all are. */
function leastSureRow({ confidence, factor }: PeopleMatte, faces: readonly Face[]): number {
  const rows = confidence.map(({ sureTo }) => sureTo * factor);
  const shoulders = faces.map((face) => pointOf(face, 152).y + headAndShoulders * face.height);
  return Math.max(Math.min(...rows), ...shoulders);
}

/** Outlines of everybody in a photo, and the photo shared out without and with them. */
interface DrawnOutlines {
  drawn: (PersonOutline | null)[];
  shares: NearestFaces;
  sharesByOutline: NearestFaces;
}

const areTrusted = ({ drawn }: DrawnOutlines, people: number) =>
  drawn.slice(0, people).every((outline) => outline?.trusted === true);

/** Draws the outlines when they are first asked for. The body classes have everybody, and so tell whom one is of. */
function outlineOnce(
  model: OutlineModel,
  { photo, classes, faces }: Pick<PeoplePhoto, 'photo' | 'classes' | 'faces'>,
  signal: AbortSignal | undefined,
): () => Promise<DrawnOutlines> {
  const draw = async () => {
    beginStage('outlines');
    const { width, height, factor } = classes;
    const onClasses = faces.map((face) => moveFace(face, { scale: 1 / factor, x: 0, y: 0 }));
    const data = backgroundOf(classes, onClasses).map((share) => 1 - share);
    const everybody = { width, height, factor, data };
    const shares = shareByNearestFace(everybody, photo, faces);
    const drawn = await outlinePeople(model, photo, faces, shares, signal);
    beginStage('matte');
    const sharesByOutline = shareByNearestFace(everybody, photo, faces, { outlines: drawn });
    return { drawn, shares, sharesByOutline };
  };
  let started: Promise<DrawnOutlines> | undefined;
  return () => {
    started ??= draw();
    return started;
  };
}
