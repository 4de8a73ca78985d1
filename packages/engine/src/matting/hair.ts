import type { Face } from '../faces/face.ts';
import { distanceToFace, medianHeight } from '../faces/face-outline.ts';
import { boxMean } from '../pixels/box-mean.ts';
import { planeOf } from '../pixels/plane.ts';
import type { ReducedPlane } from '../pixels/reduce.ts';
import type { Window } from '../pixels/resample.ts';
import { mix, smoothstep } from '../pixels/scalar.ts';
import type { BodyClasses } from './body-classes.ts';

/** How far flying hair stands off what the classes call hair, in face heights. */
const reach = 0.14;

/** How far around a thing edges are hard, in face heights. */
const thingReach = 0.04;

/**
 * How near hair is, from 0 to 1, over the whole photo: edges there are strands; elsewhere they are cloth, skin and things
 * such as sunglasses on a head, which are hard. Where people are too small for the classes, everything around a head may be hair.
 */
export function findHair(
  { width, height, factor, shares, worth }: BodyClasses,
  faces: readonly Face[],
): ReducedPlane {
  const unit = medianHeight(faces) / factor;
  const { data } = boxMean(planeOf(shares.hair, { width, height }), Math.max(1, reach * unit));
  const things = boxMean(planeOf(shares.things, { width, height }), Math.max(1, thingReach * unit)).data;
  const hair = new Float32Array(data.length);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      hair[i] = smoothstep(0.02, 0.12, data[i]!) * smoothstep(0.08, 0.015, things[i]!);
      if (worth[i]! >= 1) continue;
      const around = smoothstep(1.7, 1.2, distanceToFace(faces, x * factor, y * factor));
      hair[i] = mix(around, hair[i]!, worth[i]!);
    }
  }
  return { width, height, data: hair, factor };
}

/** How far from a face's middle its profile may reach, in face heights. */
const profileReach = 0.85;

/**
 * Takes the brow and the nose of faces in profile out of the hair, in place: before a white wall they are as bright as
 * the wall, and would be taken for it.
 */
export function hardenProfiles(
  hair: Float32Array,
  { x: left, y: top, width, height }: Window,
  faces: readonly Face[],
): void {
  for (const face of faces) {
    const profile = smoothstep(0.4, 0.6, Math.abs(face.yaw));
    if (profile === 0) continue;
    const [centerX, centerY] = [face.center.x - left, face.center.y - top];
    const reach = profileReach * face.height;
    const firstX = Math.max(0, Math.floor(centerX - reach));
    const lastX = Math.min(width - 1, Math.ceil(centerX + reach));
    const lastY = Math.min(height - 1, Math.ceil(centerY + reach));
    for (let y = Math.max(0, Math.floor(centerY - reach)); y <= lastY; y++) {
      for (let x = firstX; x <= lastX; x++) {
        const away = distanceToFace([face], x + left, y + top);
        hair[y * width + x]! *= 1 - profile * smoothstep(profileReach, 0.7, away);
      }
    }
  }
}
