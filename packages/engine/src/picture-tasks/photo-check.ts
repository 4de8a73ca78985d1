import type { PhotoCheck } from '@guise/contract/events/event-guests.ts';
import type { FilterDefinition } from '@guise/contract/filters.ts';
import { isCutBesideFace } from '../costume/head-checks.ts';
import { isInProfile, leastHeightInCostume } from '../faces/costume-limits.ts';
import type { Face } from '../faces/face.ts';
import { faceOval } from '../faces/face-outline.ts';
import { findProblems } from '../faces/photo-problems.ts';
import { classifyBodies } from '../matting/body-classes.ts';
import type { Picture } from '../pixels/picture.ts';
import { planeOf } from '../pixels/plane.ts';
import { faceBoxOf, type LocatedPeople, locatePeopleQuickly } from './locate-people.ts';

/** Whose faces a job shows. */
export type PeopleTaken = 'one' | 'everyone';

/** What a photo is checked for. */
export interface PhotoUse {
  taken: PeopleTaken;
  /** Null for videos, and where nothing is known of the filter. */
  filter: FilterDefinition | null;
}

type Problem = PhotoCheck['problems'][number];

/** What would keep a job from being made of a photo, or cut somebody off. What a job would be refused for comes first. */
export async function checkPhoto(file: string, use: PhotoUse): Promise<PhotoCheck> {
  const located = await locatePeopleQuickly(file);
  const { picture, scale, people } = located;
  const problems: Problem[] = findProblems(picture, people, scale).map((problem) => ({
    ...problem,
    blocks: true,
  }));
  const [guest] = people.toSorted((a, b) => b.height - a.height);
  // Before a face that is cut off: several people who move to the middle are still several.
  if (use.taken === 'one' && people.length > 1) {
    const sentence =
      'This is for one person, and there are more in the photo. Choose something for groups, or come alone.';
    problems.push({
      code: 'TOO_MANY_PEOPLE',
      sentence,
      blocks: isCutOutWhole(use) && isBesideSomebody(people),
    });
  }
  if (guest) {
    if (use.taken === 'one' && isOfCostume(use)) problems.push(...(await costumeProblems(located, guest)));
    const cut = cutOffProblem(located, use, guest);
    if (cut) problems.push(cut);
  }
  const shown = onceEach(problems.toSorted((a, b) => Number(b.blocks) - Number(a.blocks)));
  return {
    ok: shown.length === 0,
    problems: shown,
    faces: people.map((face) => faceBoxOf(face, picture)),
  };
}

/** Whether all of a guest is seen in the scene: costumes need the head alone. */
const isCutOutWhole = (use: PhotoUse) => use.filter?.kind === 'scene' && !isOfCostume(use);

/** Nearer than this, from face to face in heights of the larger one, people touch: a guest cannot be cut out alone. */
const leastApart = 1.8;

function isBesideSomebody(people: readonly Face[]): boolean {
  const [guest, ...others] = people.toSorted((a, b) => b.height - a.height);
  return others.some(
    ({ center: { x, y } }) =>
      Math.hypot(x - guest!.center.x, y - guest!.center.y) < leastApart * guest!.height,
  );
}

const isOfCostume = ({ filter }: PhotoUse) => filter?.kind === 'scene' && filter.costume !== undefined;

/** What a head that goes into a costume is refused for, as far as its face tells, and where it is near a side the hair. */
async function costumeProblems({ picture, scale }: LocatedPeople, guest: Face): Promise<Problem[]> {
  const problems: Problem[] = [];
  if (guest.height * scale < leastHeightInCostume) {
    const sentence =
      'The face in the photo is too small for a costume. Come closer to the camera and try again.';
    problems.push({ code: 'FACE_TOO_SMALL', sentence, blocks: true });
  }
  if (isInProfile(guest)) {
    const sentence =
      'The head is turned too far to the side for a costume. Look at the camera and try again.';
    problems.push({ code: 'FACE_TURNED', sentence, blocks: true });
  }
  if (problems.length > 0) return problems;
  const border = await borderThatCutsHair(picture, guest);
  return border ? [{ code: 'FACE_CUT_OFF', sentence: hairCutSentences[border], blocks: true }] : [];
}

const hairCutSentences = {
  side: 'The head is cut off at the side of the photo. Step back from the camera and try again.',
  top: 'The top of the head is outside the photo. Step back from the camera and try again.',
};

/** With more than this from the middle of a face to the border of the photo, in face heights, no hair is cut off. */
const ampleRoom = 1.2;

/** Of the photo's upper border a head that goes on above it takes so much, in face heights. */
const leastCut = 0.61;

/** Where the photo cuts hair, by one look of the network of body classes where the face is near a border. */
async function borderThatCutsHair(picture: Picture, guest: Face): Promise<'side' | 'top' | null> {
  const { center, height: unit } = guest;
  const nearest = Math.min(center.x, picture.width - center.x, center.y);
  if (nearest > ampleRoom * unit) return null;
  const classes = await classifyBodies(picture, [guest], { detail: 'outline' });
  const { width, factor } = classes;
  const data = classes.shares.background.map((share) => 1 - share);
  const matte = { ...planeOf(data, classes), factor };
  if (isCutBesideFace({ photo: picture, matte, classes }, guest)) return 'side';
  const row = Math.floor((0.002 * picture.height + 2) / factor) * width;
  const from = Math.max(0, Math.round((center.x - 1.7 * unit) / factor));
  const to = Math.min(width, Math.round((center.x + 1.7 * unit) / factor));
  const cut = data.subarray(row + from, row + to).filter((share) => share > 0.6).length * factor;
  return cut > leastCut * unit ? 'top' : null;
}

/** From the middle of a face to the border of the photo, in face heights: what is nearer is cut off in the picture. */
const leastRoom = { aside: 0.45, above: 0.6 };

function cutOffProblem({ picture, people }: LocatedPeople, use: PhotoUse, guest: Face): Problem | undefined {
  const shown = use.taken === 'one' ? [guest] : people;
  const aside = Math.min(guest.center.x, picture.width - guest.center.x);
  const blocks =
    (use.taken === 'one' && use.filter?.kind === 'scene' && aside < leastRoom.aside * guest.height) ||
    (use.taken === 'one' && isOfCostume(use) && guest.center.y < leastRoom.above * guest.height) ||
    (use.filter?.kind === 'template' && shown.some((face) => isCutOff(face, picture)));
  if (!blocks && !people.some((face) => isCutOff(face, picture))) return undefined;
  const sentence = 'Your face is cut off by the edge of the photo. Move to the middle and try again.';
  return { code: 'FACE_CUT_OFF', sentence, blocks };
}

function isCutOff({ points }: Face, { width, height }: Picture): boolean {
  return faceOval.some((i) => {
    const [x, y] = [points[i * 3]!, points[i * 3 + 1]!];
    return x < 0 || y < 0 || x > width - 1 || y > height - 1;
  });
}

/** Of problems with one code, the first. */
function onceEach(problems: readonly Problem[]): Problem[] {
  return problems.filter(({ code }, at) => problems.findIndex((other) => other.code === code) === at);
}
