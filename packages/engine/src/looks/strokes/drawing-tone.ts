import { blurReduced } from '../../pixels/gaussian-blur.ts';
import { smoothPlane } from '../../pixels/guided-filter.ts';
import { lumaPlane } from '../../pixels/picture.ts';
import type { Plane } from '../../pixels/plane.ts';
import { type ReducedPlane, rowReader } from '../../pixels/reduce.ts';
import { clamp, clamp01, mix, smoothstep } from '../../pixels/scalar.ts';
import { withArena } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';
import type { Subject } from '../subject/subject.ts';

const forRows = rowsOf(import.meta.url);

/**
 * Lightness for drawing lines from. Grain is smoothed; light and shade are evened out, so that a face in shade gets the
 * same lines as one in the sun; irises, nostrils and lips are darkened, without which bright faces lost their pupils.
 */
export function drawingTone(subject: Subject): Plane {
  const { picture, unit, width, height, face, features } = subject;
  return withArena(() => {
    const light = smoothPlane(lumaPlane(picture), clamp(unit * 0.014, 2, 9), 0.055);
    const wide = blurReduced(light, unit * 0.3);
    const near = blurReduced(light, clamp(unit * 0.045, 3, 20));
    // Large faces show their irises as they are; darkened, they get specks around the lips.
    const boost = smoothstep(520, 300, unit);
    forRows(toneRows, height, { width, wide, near, boost, face, features }, { light: light.data });
    return light;
  });
}

interface ToneInput {
  width: number;
  wide: ReducedPlane;
  near: ReducedPlane;
  boost: number;
  face: Float32Array;
  features: Float32Array;
}

export function toneRows(
  { width, wide, near, boost, face, features }: ToneInput,
  { light }: { light: Float32Array },
  from: number,
  to: number,
): void {
  const onFace = mix(0.35, 0.9, boost);
  const onFeatures = mix(0.7, 1.3, boost);
  const readWide = rowReader(wide, width);
  const readNear = rowReader(near, width);
  for (let y = from; y < to; y++) {
    const wideRow = readWide(y);
    const nearRow = readNear(y);
    for (let x = 0, i = y * width; x < width; x++, i++) {
      const value = light[i]!;
      const detail = Math.min(0.02, value - nearRow[x]!) * (onFace * face[i]! + onFeatures * features[i]!);
      light[i] = clamp01((0.62 * (value + 0.03)) / (wideRow[x]! * 0.75 + 0.13) + detail);
    }
  }
}
