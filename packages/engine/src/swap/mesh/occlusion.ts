import type { Face } from '../../faces/face.ts';
import { guidedFilter } from '../../pixels/guided-filter.ts';
import { toLab } from '../../pixels/lab.ts';
import type { Picture } from '../../pixels/picture.ts';
import { planeOf } from '../../pixels/plane.ts';
import { enlarge, reducePicture } from '../../pixels/reduce.ts';
import { clamp } from '../../pixels/scalar.ts';
import { blurAndThreshold, faceParts } from './face-parts.ts';
import { analysisFactor, cutPatch, pointsInPatch } from './patch.ts';
import { findSkin, likelihood } from './skin.ts';

/** For every pixel of the picture 1, and 0 where hair or a hand lies over the face. */
export function visibleFace(picture: Picture, face: Face): Float32Array {
  const visible = new Float32Array(picture.width * picture.height).fill(1);
  const patch = cutPatch(picture, face, 0.1 * face.height);
  const { width } = patch.picture;
  const factor = analysisFactor(face);
  const unit = face.height / factor;
  const lab = toLab(reducePicture(patch.picture, factor));
  const points = pointsInPatch(face.points, patch, factor);
  const parts = faceParts(points, points, unit, lab.width, lab.height);
  const strangeness = findSkin(lab, parts.oval, parts.skinSample, parts.features);
  const covered = strangeness.map(
    (value, i) => parts.oval[i]! * (1 - Math.max(likelihood(value), parts.inner[i]!, parts.features[i]!)),
  );
  const calm = blurAndThreshold(covered, lab.width, lab.height, 0.02 * unit, 0.5);
  const { data: followed } = guidedFilter({
    guide: patch.picture,
    plane: enlarge(planeOf(calm, lab), patch.picture, factor),
    radius: 0.035 * face.height,
    epsilon: 1e-3,
  });
  for (let i = 0; i < followed.length; i++) {
    const at = (patch.top + Math.floor(i / width)) * picture.width + patch.left + (i % width);
    visible[at] = 1 - clamp(followed[i]!, 0, 1);
  }
  return visible;
}
