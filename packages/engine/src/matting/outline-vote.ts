import type { Plane, Size } from '../pixels/plane.ts';
import { resample } from '../pixels/resample.ts';
import { clamp, smoothstep } from '../pixels/scalar.ts';
import type { KnownOutline, NearestFaces } from './nearest-face.ts';

/**
 * What each counts where all three have a say: any two of them win. With the classes and the matte alone it is .62 to
 * .38.
 */
const weights = { classes: 0.4, outlines: 0.34, matte: 0.26 };
const weightsOfTwo = { classes: 0.62, matte: 0.38 };

/**
 * How much of each pixel is in somebody's outline. Whoever has none that is trusted is where the body classes have them.
 */
export function peopleInOutlines(
  outlines: readonly (KnownOutline | null)[],
  { width, height, nearest, people }: NearestFaces,
  size: Size,
): Plane {
  const inside = new Float32Array(width * height);
  for (const [index, outline] of outlines.entries()) {
    if (!outline?.trusted) {
      for (let i = 0; i < inside.length; i++) if (nearest[i] === index) inside[i] = people[i]!;
      continue;
    }
    const whole = { x: 0, y: 0, width: outline.width, height: outline.height };
    const { data } = resample(outline, whole, { width, height });
    for (let i = 0; i < inside.length; i++) {
      inside[i] = Math.max(inside[i]!, smoothstep(-1, 1, data[i]!));
    }
  }
  const whole = { x: 0, y: 0, width, height };
  return resample({ width, height, data: inside }, whole, size);
}

/**
 * Gives the outlines their say, in place: the vote of the classes and the matte over what `person` becomes is the vote
 * of all three over what it was.
 */
export function addOutlineVote(person: Plane, matte: Plane, outlined: Plane): void {
  for (let i = 0; i < person.data.length; i++) {
    const vote =
      weights.classes * person.data[i]! +
      weights.outlines * clamp(outlined.data[i]!, 0, 1) +
      weights.matte * matte.data[i]!;
    person.data[i] = clamp((vote - weightsOfTwo.matte * matte.data[i]!) / weightsOfTwo.classes, 0, 1);
  }
}
