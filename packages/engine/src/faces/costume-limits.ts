import type { Face } from './face.ts';

/** A head that is enlarged more than this is visibly softer than the costume. */
export const mostEnlargement = 3.1;

/** Of a face alone in a picture: 0.17 of the height of an upright canvas, which costumes are drawn for. */
const usualFaceHeight = 306;

/** The least height of a face, in pixels of the photo, that fits into a costume. */
export const leastHeightInCostume = usualFaceHeight / mostEnlargement;

/** A face in profile: its nose is the border of the head, and what lies before it cannot be told from it. */
const mostYaw = 0.63;

/** Whether a face is seen too far from the side for a costume. */
export function isInProfile({ yaw }: Face): boolean {
  return Math.abs(yaw) > mostYaw;
}
