import type { Face } from '../faces/face.ts';
import { faceOval, pointOf } from '../faces/face-outline.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import { toLab } from '../pixels/lab.ts';
import type { Picture } from '../pixels/picture.ts';
import { planeOf } from '../pixels/plane.ts';
import { resamplePicture } from '../pixels/resample.ts';
import { withArena } from '../runtime/arena.ts';
import type { Check } from './check.ts';

/** Points of eyes, brows, lips and nostrils: they are dark by themselves. */
const features = [
  33, 7, 163, 144, 145, 153, 154, 155, 133, 173, 157, 158, 159, 160, 161, 246, 362, 382, 381, 380, 374, 373,
  390, 249, 263, 466, 388, 387, 386, 385, 384, 398, 70, 63, 105, 66, 107, 55, 65, 52, 53, 46, 300, 293, 334,
  296, 336, 285, 295, 282, 283, 276, 61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291, 409, 270, 269, 267, 0,
  37, 39, 40, 185, 13, 14, 1, 2, 98, 327, 4, 5, 195, 97, 326, 94, 19, 141, 370,
] as const;

const meshPoints = 468;
/** The side of the square, two face heights wide, that a face is looked at in. */
const side = 160;
/** Points nearer than this to a feature, or to the face's border, say nothing of its skin: in face heights. */
const besideFeatures = 0.06;
const besideBorder = 0.05;

/**
 * A guest's face, for a template: hair or a hard shadow on the skin goes into the template with it, as a dark patch. By
 * how much darker than its middle the darkest twentieth of the skin is, in L*.
 */
export const coveredFace: Check<{ photo: Picture; face: Face }> = {
  name: 'covered face',
  limit: 22,
  measure: ({ photo, face }) =>
    withArena(() => {
      const { center, height: unit } = face;
      const window = { x: center.x - unit, y: center.y - unit, width: 2 * unit, height: 2 * unit };
      const square = toLab(resamplePicture(photo, window, { width: side, height: side }));
      const light = gaussianBlur(planeOf(square.lightness, square), 2).data;
      const isNear = (some: readonly number[], x: number, y: number, distance: number) =>
        some.some((i) => Math.hypot(pointOf(face, i).x - x, pointOf(face, i).y - y) < distance * unit);
      const skin: number[] = [];
      for (let i = 0; i < meshPoints; i++) {
        const { x, y } = pointOf(face, i);
        if (isNear(features, x, y, besideFeatures) || isNear(faceOval, x, y, besideBorder)) continue;
        const column = Math.round(((x - window.x) / window.width) * side);
        const row = Math.round(((y - window.y) / window.height) * side);
        if (column >= 0 && row >= 0 && column < side && row < side) skin.push(light[row * side + column]!);
      }
      skin.sort((a, b) => a - b);
      const at = (share: number) => skin[Math.floor(share * (skin.length - 1))] ?? 0;
      return { measure: at(0.5) - at(0.05), regions: [] };
    }),
};
