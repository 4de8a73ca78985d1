import { pointOf } from '../faces/face-outline.ts';
import type { Check } from './check.ts';

/** A face of which the picture's border cuts the forehead or the chin, by how much. */
export const cutHeads: Check = {
  name: 'head cut off',
  limit: 0.03,
  measure({ faces, width, height, unit }) {
    const cuts = faces.map((face) => Math.max(0, -pointOf(face, 10).y, pointOf(face, 152).y - height));
    const most = Math.max(0, ...cuts);
    return { measure: most / unit, regions: most > 0 ? [{ x: 0, y: 0, width, height: 1 }] : [] };
  },
};
