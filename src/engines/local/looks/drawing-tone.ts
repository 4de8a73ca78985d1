import { clamp, smoothstep } from '../colour.ts';
import { smoothPlane } from './guided.ts';
import { gaussian, luma, newPlane, type Plane } from './plane.ts';
import type { Subject } from './subject.ts';
import { mix, within } from './tone.ts';

/**
 * Lightness for drawing lines from: grain smoothed away, light and shade evened out, so that a face in shade gets the
 * same line as one in the sun, and irises, nostrils and lips deepened. Without the last, bright faces lost their pupils.
 */
export function drawingTone(subject: Subject): Plane {
  const { picture, unit, width, height, face, features } = subject;
  const light = smoothPlane(luma(picture), clamp(unit * 0.014, 2, 9), 0.055);
  const wide = gaussian(light, unit * 0.3).data;
  const near = gaussian(light, clamp(unit * 0.045, 3, 20)).data;
  // Large faces show their irises without help; deepened, they get specks around the lips.
  const help = smoothstep(520, 300, unit);
  const tone = newPlane(width, height);
  for (let i = 0; i < tone.data.length; i++) {
    const detail =
      Math.min(0.02, light.data[i]! - near[i]!) *
      (mix(0.35, 0.9, help) * face[i]! + mix(0.7, 1.3, help) * features[i]!);
    tone.data[i] = within((0.62 * (light.data[i]! + 0.03)) / (wide[i]! * 0.75 + 0.13) + detail);
  }
  return tone;
}
