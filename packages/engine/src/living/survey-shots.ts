import type { Face } from '../faces/face.ts';
import { findPeople } from '../faces/faces.ts';
import { type FaceFeatures, mayBeSamePerson, readFeatures } from '../faces/same-person.ts';
import { readPhoto } from '../pixels/photo.ts';
import type { Picture } from '../pixels/picture.ts';
import type { Size } from '../pixels/plane.ts';
import { resamplePicture, type Window } from '../pixels/resample.ts';
import { clamp } from '../pixels/scalar.ts';
import { cannotMake } from '../runtime/render-error.ts';
import { beginStage } from '../runtime/stages.ts';
import { alignShot } from './align-shots.ts';
import type { ReducedShot } from './choose-shots.ts';
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
      const faces = await findPeople(photo, { traits: true });
      const features = await featuresOf(photo, faces, first);
      first ??= { photo: sizeOf(photo), faces, features, ...reducedWindow(photo, faces) };
      const planes = reduceShot(photo, faces, first);
      shots.push({ index, file, faces, planes, rating: rateShot({ faces }) });
    } catch (error) {
      refused.push({ index, reason: reasonOf(error) });
    }
    signal.throwIfAborted();
  }
  return { shots, size: first?.size ?? { width: 0, height: 0 }, refused };
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
    throw cannotMake('It shows somebody else than the first shot.');
  }
  return features;
}

const countPeople = ({ length }: readonly Face[]) => (length === 1 ? 'one person' : `${length} people`);

/** How far people reach from the middle of their faces, in face heights. */
const reach = { side: 2.2, up: 1.3, down: 3.6 };

/** The width at which shots are compared, and what the network's sides are multiples of. */
const reducedWidth = 320;
const multiple = 32;

function reducedWindow(photo: Size, faces: readonly Face[]): Pick<FirstShot, 'window' | 'size'> {
  const border = (side: (face: Face) => number, choose: (...values: number[]) => number, most: number) =>
    clamp(choose(...faces.map(side)), 0, most);
  const x = border(({ center, height }) => center.x - reach.side * height, Math.min, photo.width);
  const y = border(({ center, height }) => center.y - reach.up * height, Math.min, photo.height);
  const right = border(({ center, height }) => center.x + reach.side * height, Math.max, photo.width);
  const bottom = border(({ center, height }) => center.y + reach.down * height, Math.max, photo.height);
  const window = { x, y, width: right - x, height: bottom - y };
  const rows = Math.round((reducedWidth * window.height) / window.width / multiple);
  return { window, size: { width: reducedWidth, height: multiple * Math.max(1, rows) } };
}

/** The part of a shot that shows what the first one shows in its window. */
function reduceShot(photo: Picture, faces: readonly Face[], first: FirstShot): Float32Array {
  const { scale, x, y } = alignShot(first, { photo, faces });
  const window = {
    x: (first.window.x - x) / scale,
    y: (first.window.y - y) / scale,
    width: first.window.width / scale,
    height: first.window.height / scale,
  };
  const { planes } = resamplePicture(photo, window, first.size);
  const all = new Float32Array(3 * planes[0].length);
  for (const [c, plane] of planes.entries()) all.set(plane, c * plane.length);
  return all;
}
