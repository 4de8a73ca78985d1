import type { CheckedPhoto, PhotoProblem } from '../camera/checked-photo.ts';
import { faceFinder } from './face-finder.ts';
import type { FoundFace } from './find-faces.ts';
import { peopleOf } from './guidance.ts';

/** A face less high than this in the photo is refused: by the engine's measure of the whole face, which is larger. */
const leastPixels = 56;
const mostPeople = 30;

/**
 * What can be told of a photo without the server: what a picture would be refused for, by the same network and the same
 * limits. A filter's own limits are known to the server alone.
 */
export async function checkOnDevice(photo: Blob, takes: 'one' | 'group' | null): Promise<CheckedPhoto> {
  try {
    const picture = await createImageBitmap(photo);
    const { height } = picture;
    const found = await faceFinder().find({ picture, isThorough: true });
    if (!found) return { problems: [], people: null };
    const people = peopleOf(found.faces);
    return { problems: problemsOf(found, people, { height, takes }), people: people.length };
  } catch {
    return { problems: [], people: null };
  }
}

function problemsOf(
  { isDark }: { isDark: boolean },
  people: readonly FoundFace[],
  { height, takes }: { height: number; takes: 'one' | 'group' | null },
): PhotoProblem[] {
  if (people.length === 0) return [{ code: isDark ? 'TOO_DARK' : 'NO_FACE', blocks: true }];
  const tallest = Math.max(...people.map((face) => face.height)) * height;
  const isOutside = ({ x, y }: FoundFace) => x < 0 || x > 1 || y < 0 || y > 1;
  const problems: (PhotoProblem | false)[] = [
    tallest < leastPixels && { code: 'FACE_TOO_SMALL', blocks: true },
    isDark && { code: 'TOO_DARK', blocks: true },
    people.length > mostPeople && { code: 'TOO_MANY_PEOPLE', blocks: true },
    takes === 'one' && people.some(isOutside) && { code: 'FACE_CUT_OFF', blocks: true },
    takes === 'one' && people.length > 1 && { code: 'TOO_MANY_PEOPLE', blocks: false },
  ];
  return problems.filter((problem) => problem !== false);
}
