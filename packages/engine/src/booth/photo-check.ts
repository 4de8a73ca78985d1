import type { PhotoCheck } from '@guise/contract/booth/event-guests.ts';
import type { Face } from '../faces/face.ts';
import { faceOval } from '../faces/face-outline.ts';
import { findProblems } from '../faces/photo-problems.ts';
import type { Picture } from '../pixels/picture.ts';
import { faceBoxOf, locatePeopleQuickly } from './locate-people.ts';

/** Whose faces a job shows. */
export type PeopleTaken = 'one' | 'everyone';

/** What would keep a job from being made of a photo, or cut somebody off. */
export async function checkPhoto(file: string, taken: PeopleTaken): Promise<PhotoCheck> {
  const { picture, scale, people } = await locatePeopleQuickly(file);
  const problems: PhotoCheck['problems'] = findProblems(picture, people, scale);
  if (people.some((face) => isCutOff(face, picture))) {
    const sentence = 'Your face is cut off by the edge of the photo. Move to the middle and try again.';
    problems.push({ code: 'FACE_CUT_OFF', sentence });
  }
  if (taken === 'one' && people.length > 1) {
    const sentence =
      'This is for one person, and there are more in the photo. Come alone, or choose something for groups.';
    problems.push({ code: 'TOO_MANY_PEOPLE', sentence });
  }
  return {
    ok: problems.length === 0,
    problems,
    faces: people.map((face) => faceBoxOf(face, picture)),
  };
}

function isCutOff({ points }: Face, { width, height }: Picture): boolean {
  return faceOval.some((i) => {
    const [x, y] = [points[i * 3]!, points[i * 3 + 1]!];
    return x < 0 || y < 0 || x > width - 1 || y > height - 1;
  });
}
