import type { Face } from '../faces/face.ts';
import { findPeople } from '../faces/faces.ts';
import { type FaceFeatures, mayBeSamePerson, readFeatures } from '../faces/same-person.ts';
import { readPhoto } from '../pixels/photo.ts';
import type { Picture } from '../pixels/picture.ts';
import type { Size } from '../pixels/plane.ts';
import type { Window } from '../pixels/resample.ts';
import { cannotMake } from '../runtime/render-error.ts';
import { beginStage } from '../runtime/stages.ts';
import { alignShot } from './align-shots.ts';
import type { ReducedShot } from './choose-shots.ts';
import { comparedPart, comparedSize, windowOfPeople } from './compared-part.ts';
import { rateShot } from './rate-shot.ts';
import { reasonOf } from './shot.ts';

/** What is known of a shot before anybody is cut out of it. */
export interface SurveyedShot extends ReducedShot {
  file: string;
  faces: Face[];
  /** How good it is by itself. */
  rating: number;
}

export interface Survey {
  shots: SurveyedShot[];
  /** Of the reduced shots. */
  size: Size;
  refused: { index: number; reason: string }[];
}

/** The first shot, to which the others have to fit. */
interface FirstShot {
  photo: Size;
  faces: Face[];
  features: FaceFeatures[];
  /** Where its people are. */
  window: Window;
  size: Size;
}

/** Finds the people of all shots, and refuses shots that do not show the same people as the first. */
export async function surveyShots(files: readonly string[], signal: AbortSignal): Promise<Survey> {
  const shots: SurveyedShot[] = [];
  const refused: Survey['refused'] = [];
  let first: FirstShot | null = null;
  for (const [index, file] of files.entries()) {
    try {
      beginStage('decode');
      const photo = await readPhoto(file);
      beginStage('faces');
      const found = await findPeople(photo, { traits: first === null });
      const faces = first ? withTraitsOf(first.faces, found) : found;
      const features = await featuresOf(photo, faces, first);
      first ??= firstShot(photo, faces, features);
      const planes = reduceShot(photo, faces, first);
      shots.push({ index, file, faces, planes, rating: rateShot({ faces }) });
    } catch (error) {
      refused.push({ index, reason: reasonOf(error) });
    }
    signal.throwIfAborted();
  }
  return { shots, size: first?.size ?? { width: 0, height: 0 }, refused };
}

/** Age and gender, which choose the guest, are read from the first shot: a grimace changes them. */
function withTraitsOf(first: readonly Face[], found: readonly Face[]): Face[] {
  return found.map((face, i) => {
    const { ageGroup, gender } = first[i] ?? face;
    return { ...face, ageGroup, gender };
  });
}

function firstShot(photo: Size, faces: Face[], features: FaceFeatures[]): FirstShot {
  const window = windowOfPeople(photo, faces);
  return { photo: sizeOf(photo), faces, features, window, size: comparedSize(window) };
}

const sizeOf = ({ width, height }: Size): Size => ({ width, height });

/** What is characteristic of everybody's face, who have to be those of the first shot. */
async function featuresOf(
  photo: Picture,
  faces: readonly Face[],
  first: FirstShot | null,
): Promise<FaceFeatures[]> {
  if (first && faces.length !== first.faces.length) {
    throw cannotMake(`It shows ${countPeople(faces)}, and the first shot ${countPeople(first.faces)}.`);
  }
  const features: FaceFeatures[] = [];
  for (const face of faces) features.push(await readFeatures(photo, face));
  if (first && !features.every((one, i) => mayBeSamePerson(one, first.features[i]!))) {
    throw cannotMake('It shows somebody other than the first shot.');
  }
  return features;
}

const countPeople = ({ length }: readonly Face[]) => (length === 1 ? 'one person' : `${length} people`);

/** The part of a shot that shows what the first one shows in its window. */
function reduceShot(photo: Picture, faces: readonly Face[], first: FirstShot): Float32Array {
  const { scale, x, y } = alignShot(first, { photo, faces });
  const window = {
    x: (first.window.x - x) / scale,
    y: (first.window.y - y) / scale,
    width: first.window.width / scale,
    height: first.window.height / scale,
  };
  return comparedPart(photo, window, first.size);
}
