import type { Face } from '../faces/face.ts';
import { pointOf } from '../faces/face-outline.ts';
import type { PeoplePhoto } from '../matting/people.ts';
import { cannotMake } from '../runtime/render-error.ts';
import type { CostumeMeasures } from './costume-layers.ts';

/** A head that is enlarged more than this is visibly softer than the costume. */
const mostEnlargement = 3.1;

/** Share of the area beside the head that wide hair may cover. */
const mostBeside = 0.25;

/** Refuses a photo whose head cannot be put into a costume, in words for the guest. */
export function assertHeadFitsCostume(
  people: PeoplePhoto,
  face: Face,
  { faceHeight }: Pick<CostumeMeasures, 'faceHeight'>,
): void {
  if (faceHeight > mostEnlargement * face.height) {
    throw cannotMake(
      'The face in the photo is too small for a costume. Come closer to the camera and try again.',
    );
  }
  if (hasHandAtHead(people, face)) {
    throw cannotMake('There is a hand at the head. Put your hands down and try again.');
  }
  if (isCutBesideFace(people, face)) {
    throw cannotMake(
      'The head is cut off at the side of the photo. Step back from the camera and try again.',
    );
  }
}

/**
 * Whether an arm is raised to the head, which a costume would cut off: between brow and mouth, further out than hair
 * stands, much of the matte is still this person.
 */
function hasHandAtHead({ matte }: PeoplePhoto, face: Face): boolean {
  const unit = face.height / matte.factor;
  const middle = face.center.x / matte.factor;
  const top = Math.max(0, Math.round((pointOf(face, 10).y - 0.3 * face.height) / matte.factor));
  const mouth = Math.min(matte.height, Math.round(pointOf(face, 13).y / matte.factor));
  const coverage = (from: number, to: number) => {
    let inside = 0;
    for (let y = top; y < mouth; y++) {
      for (let x = Math.max(0, Math.round(from)); x < Math.min(matte.width, to); x++) {
        if (matte.data[y * matte.width + x]! > 0.5) inside++;
      }
    }
    return inside / ((mouth - top) * (to - from));
  };
  return (
    coverage(middle - 1.7 * unit, middle - 1.15 * unit) > mostBeside ||
    coverage(middle + 1.15 * unit, middle + 1.7 * unit) > mostBeside
  );
}

/** Whether the photo's side border cuts hair or hands at the height of the face: they would end in a straight line. */
function isCutBesideFace({ silhouette }: PeoplePhoto, face: Face): boolean {
  const mouth = pointOf(face, 13).y;
  return [silhouette.cut.left, silhouette.cut.right].some(
    ({ share, first }) => share > 0.015 && first < mouth - 0.1 * face.height,
  );
}
