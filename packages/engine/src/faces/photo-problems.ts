import { luminance, srgbToLinear } from '../pixels/colour.ts';
import type { Picture, Planes } from '../pixels/picture.ts';
import type { Face } from './face.ts';

/** Why no picture can be made of a photo, in words for the guest. */
export interface PhotoProblem {
  code: 'NO_FACE' | 'FACE_TOO_SMALL' | 'TOO_DARK' | 'TOO_MANY_PEOPLE';
  sentence: string;
}

/** A face less high than this, in pixels of the photo, has too little detail at canvas size. */
const leastHeight = 64;

/** A picture of a group takes most of a second for each person, and a larger group fits no canvas. */
const largestGroup = 30;

/**
 * What keeps a photo of these people from becoming a picture, the first thing to mend first. `scale` is how many pixels
 * of the photo that jobs work on are one of this picture.
 */
export function findProblems(picture: Picture, people: readonly Face[], scale = 1): PhotoProblem[] {
  if (people.length === 0) {
    if (medianLuminance(picture) < 0.004)
      return [{ code: 'TOO_DARK', sentence: 'The photo is too dark. Turn on a light and try again.' }];
    return [{ code: 'NO_FACE', sentence: 'No face was found in the photo. Face the camera and try again.' }];
  }
  const problems: PhotoProblem[] = [];
  const largest = Math.max(...people.map((face) => face.height));
  if (largest * scale < leastHeight) {
    const sentence = 'The face in the photo is too small. Come closer to the camera and try again.';
    problems.push({ code: 'FACE_TOO_SMALL', sentence });
  }
  if (people.some((face) => faceLuminance(picture, face) < 0.006)) {
    const sentence = 'The face in the photo is too dark. Turn on a light and try again.';
    problems.push({ code: 'TOO_DARK', sentence });
  }
  const crowd = crowdProblem(people.length);
  return crowd ? [...problems, crowd] : problems;
}

/** From here on faces are no longer counted one by one: no more than 40 are measured, and some of them are none. */
const mostCounted = 35;

/** More people than one picture is made of, with how many were counted. */
export function crowdProblem(people: number): PhotoProblem | undefined {
  if (people <= largestGroup) return undefined;
  const counted = people > mostCounted ? `More than ${mostCounted}` : people;
  const sentence = `${counted} people were counted in the photo, and a picture is made of up to ${largestGroup}. Take two photos of smaller groups.`;
  return { code: 'TOO_MANY_PEOPLE', sentence };
}

function medianLuminance({ planes }: Picture): number {
  const samples: number[] = [];
  const step = Math.max(1, Math.floor(planes[0].length / 4000));
  for (let i = 0; i < planes[0].length; i += step) samples.push(luminanceAt(planes, i));
  samples.sort((a, b) => a - b);
  return samples[samples.length >> 1] ?? 0;
}

/** Mean linear luminance of the middle of the face. */
export function faceLuminance({ width, height, planes }: Picture, face: Face): number {
  let sum = 0;
  let count = 0;
  const step = Math.max(1, face.height / 40);
  for (let dy = -0.2; dy <= 0.35; dy += step / face.height) {
    for (let dx = -0.3; dx <= 0.3; dx += step / face.width) {
      const x = Math.round(face.center.x + dx * face.width);
      const y = Math.round(face.center.y + dy * face.height);
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      sum += luminanceAt(planes, y * width + x);
      count++;
    }
  }
  return count === 0 ? 0 : sum / count;
}

function luminanceAt(planes: Planes, i: number): number {
  return luminance(srgbToLinear(planes[0][i]!), srgbToLinear(planes[1][i]!), srgbToLinear(planes[2][i]!));
}
