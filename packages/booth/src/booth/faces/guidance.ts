import type { FaceAnswer } from './face-question.ts';
import type { FoundFace } from './find-faces.ts';

/** What the guest should do before the shutter is pressed. Left and right are those of the guest. */
export type Guidance = 'ready' | 'comeIn' | 'dark' | 'closer' | 'back' | 'left' | 'right' | 'together';

/** In shares of the shorter side: a face that is smaller becomes a picture, but not a good one. */
const smallest = { one: 0.13, group: 0.06 };
const largest = 0.62;
/** How far the middle of one person may be from the middle of the view, in shares of its width. */
const mostAside = 0.24;
/** From the middle of a face to the top of the head, in heights of the face. */
const headAbove = 0.85;

interface View {
  width: number;
  height: number;
}

/**
 * The first thing to mend. The camera sees the guest's right on its left, whether the view is mirrored or not: whoever is
 * too far on the left of the photo has to go to the own left.
 */
export function guidanceFor(
  { faces, isDark }: FaceAnswer,
  { width, height }: View,
  isGroup: boolean,
): Guidance {
  if (isDark) return 'dark';
  if (faces.length === 0) return 'comeIn';
  const people = peopleOf(faces);
  const short = Math.min(width, height);
  const sides = people.map((face) => Math.max(face.width * width, face.height * height) / short);
  if (Math.max(...sides) > largest) return 'back';
  if (Math.max(...sides) < (isGroup ? smallest.group : smallest.one)) return 'closer';
  const isCut = (face: FoundFace) => ({
    left: face.x < face.width / 2,
    right: face.x > 1 - face.width / 2,
    above: face.y < headAbove * face.height,
  });
  const cuts = people.map(isCut);
  const [left, right] = [cuts.some((cut) => cut.left), cuts.some((cut) => cut.right)];
  if (left && right) return people.length > 1 ? 'together' : 'back';
  if (left) return people.length > 1 ? 'together' : 'left';
  if (right) return people.length > 1 ? 'together' : 'right';
  if (cuts.some((cut) => cut.above)) return 'back';
  const [only, ...others] = people;
  if (others.length > 0 || isGroup) return 'ready';
  if (only!.x < 0.5 - mostAside) return 'left';
  return only!.x > 0.5 + mostAside ? 'right' : 'ready';
}

/** Those in front: a face of less than half the height of the largest is somebody who walks by. */
export function peopleOf(faces: readonly FoundFace[]): FoundFace[] {
  const tallest = Math.max(0, ...faces.map(({ height }) => height));
  return faces.filter(({ height }) => height >= tallest / 2);
}
