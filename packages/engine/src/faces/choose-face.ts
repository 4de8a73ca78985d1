import { cannotMake } from '../runtime/render-error.ts';
import type { Face } from './face.ts';

/** What `gender` says about a single guest; 4 is a group. */
const traitsOf = [
  { gender: 'male', ageGroup: 'adult' },
  { gender: 'female', ageGroup: 'adult' },
  { gender: 'male', ageGroup: 'child' },
  { gender: 'female', ageGroup: 'child' },
] as const;

/**
 * The one face that a single-guest run means. Age and gender are guesses of a network, so they only choose between
 * several guests; with one face in the photo there is nothing to choose.
 */
export function chooseFace(faces: readonly Face[], gender: number | undefined): Face {
  const asked = gender === undefined ? undefined : traitsOf[gender];
  const rank = (face: Face) =>
    face.height * (asked?.gender === face.gender ? 1.6 : 1) * (asked?.ageGroup === face.ageGroup ? 1.3 : 1);
  const [best] = faces.toSorted((a, b) => rank(b) - rank(a));
  if (!best) throw cannotMake('No face was found in the photo. Face the camera and try again.');
  return best;
}

/** What a run of this guest alone would have as `gender`, as far as a network can tell. */
export function genderOf(face: Face): number {
  return traitsOf.findIndex(({ gender, ageGroup }) => gender === face.gender && ageGroup === face.ageGroup);
}
