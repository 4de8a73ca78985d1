import { gaussianBlur } from '../../pixels/gaussian-blur.ts';
import type { LabPicture } from '../../pixels/lab.ts';
import { clamp, smoothstep } from '../../pixels/scalar.ts';

/**
 * The light and tone on skin without its detail: a blur that only skin takes part in. Where there is none (under hair,
 * over eyes and lips) a wider blur speaks.
 */
export function lightOnSkin(lab: LabPicture, skin: Float32Array, sigma: number): LabPicture {
  const { width, height } = lab;
  const total = skin.reduce((sum, value) => sum + value, 0) || 1;
  const smooth = (plane: Float32Array, reach: number) => {
    const weighted = plane.map((value, i) => value * skin[i]!);
    const mean = weighted.reduce((sum, value) => sum + value, 0) / total;
    const near = gaussianBlur({ width, height, data: skin }, reach).data;
    const far = gaussianBlur({ width, height, data: skin }, 4 * reach).data;
    const blurred = gaussianBlur({ width, height, data: weighted }, reach).data;
    const wide = gaussianBlur({ width, height, data: weighted }, 4 * reach).data;
    for (let i = 0; i < plane.length; i++) {
      const around = (wide[i]! + 0.01 * mean) / (far[i]! + 0.01);
      blurred[i] = (blurred[i]! + 0.06 * around) / (near[i]! + 0.06);
    }
    return blurred;
  };
  // Colour holds less of a face's detail than lightness, and mixed lamps change it quickly.
  const colour = 0.6 * sigma;
  return {
    width,
    height,
    lightness: smooth(lab.lightness, sigma),
    a: smooth(lab.a, colour),
    b: smooth(lab.b, colour),
  };
}

/** The mean of a plane over skin. */
export function meanOnSkin(plane: Float32Array, skin: Float32Array): number {
  let sum = 0;
  let total = 0;
  for (let i = 0; i < plane.length; i++) {
    sum += skin[i]! * plane[i]!;
    total += skin[i]!;
  }
  return sum / Math.max(total, 1e-6);
}

/** How much the light on two faces differs from place to place: the standard deviation of the difference, in Lab. */
export function lightUnevenness(one: LabPicture, other: LabPicture, skin: Float32Array): number {
  const total = skin.reduce((sum, value) => sum + value, 0) || 1;
  const variance = (mine: Float32Array, theirs: Float32Array) => {
    let sum = 0;
    let squares = 0;
    for (let i = 0; i < skin.length; i++) {
      const difference = mine[i]! - theirs[i]!;
      sum += skin[i]! * difference;
      squares += skin[i]! * difference ** 2;
    }
    return squares / total - (sum / total) ** 2;
  };
  return Math.sqrt(
    variance(one.lightness, other.lightness) + variance(one.a, other.a) + variance(one.b, other.b),
  );
}

/** Lights that differ from place to place by this much, in Lab, are read finely in their colour, from there on more. */
const unevenFrom = 9;
const unevenTo = 14;

/** A face that is brightened by this much L* is read finely in its lightness, from there on more. */
const brightenedFrom = 25;
const brightenedTo = 40;

/** How far the light on skin is spread, in heights of the face. */
const coarseReach = 0.1;
const fineReach = 0.055;

/** The light on the skin of the template's face and of the guest's. */
export interface BothLights {
  there: LabPicture;
  guest: LabPicture;
}

/**
 * The light on the skin of both faces. Patches of coloured lamps would stay on a face that is lit evenly, and so would
 * shadows that are brightened; there it is read more finely. Elsewhere that would take from the features.
 */
export function lightOnBothFaces(
  there: LabPicture,
  guest: LabPicture,
  skin: Float32Array,
  unit: number,
): BothLights {
  const read = (share: number) => {
    const reach = (coarseReach + share * (fineReach - coarseReach)) * unit;
    return { there: lightOnSkin(there, skin, reach), guest: lightOnSkin(guest, skin, reach) };
  };
  const coarse = read(0);
  const uneven = lightUnevenness(coarse.there, coarse.guest, skin);
  const brightening = meanOnSkin(coarse.there.lightness, skin) - meanOnSkin(coarse.guest.lightness, skin);
  const fineColour = smoothstep(unevenFrom, unevenTo, uneven);
  const fineLightness = smoothstep(brightenedFrom, brightenedTo, brightening);
  const colour = fineColour === 0 ? coarse : read(fineColour);
  const { there: thereLight, guest: guestLight } = fineLightness === 0 ? coarse : read(fineLightness);
  return {
    there: { ...colour.there, lightness: thereLight.lightness },
    guest: { ...colour.guest, lightness: guestLight.lightness },
  };
}

/** How far the colour of skin, of eyes and of lips may stray from the light on skin, in a* and b*. */
const skinStray = 3.5;
const eyeStray = 14;
const lipStray = 20;

/** Where eyes and lips are, 0 to 1, at the size of what is relit. */
export interface EyeAndLipMasks {
  eyes: Float32Array;
  lips: Float32Array;
}

/**
 * Shows a face that is lit like `from` as if it were lit like `to`, in place. A darker light takes the same share from
 * everything. A brighter one lifts what is below the skin so that brows stay dark, yet by less than its share, which
 * would make laugh lines look dirty; and it leaves white where it is, so that teeth and eyes stay below it. Colour changes
 * by about as much as there is light to colour: a shift that makes yellow skin pink would make black brows
 * purple. What strays far from the skin around it is another lamp's colour and is held back, save on eyes and lips.
 */
export function relight(lab: LabPicture, from: LabPicture, to: LabPicture, coloured: EyeAndLipMasks): void {
  const { lightness, a, b } = lab;
  for (let i = 0; i < lightness.length; i++) {
    const was = clamp(from.lightness[i]!, 4, 96);
    const is = clamp(to.lightness[i]!, 4, 96);
    const own = lightness[i]!;
    if (is <= was) lightness[i] = ((own + 16) * (is + 16)) / (was + 16) - 16;
    else
      lightness[i] =
        own <= was
          ? is * (clamp(own, 0, was) / was) ** Math.sqrt(was / is)
          : 100 - ((100 - own) * (100 - is)) / (100 - was);
    const eye = skinStray + coloured.eyes[i]! * (eyeStray - skinStray);
    const stray = eye + coloured.lips[i]! * (lipStray - eye);
    const before = Math.sqrt(clamp(own / was, 0, 1));
    const after = Math.sqrt(clamp(lightness[i]! / is, 0, 1));
    a[i] = after * to.a[i]! + stray * Math.tanh((a[i]! - before * from.a[i]!) / stray);
    b[i] = after * to.b[i]! + stray * Math.tanh((b[i]! - before * from.b[i]!) / stray);
  }
}

/** L* above the light on skin from which on a highlight is hard, and how much more of it stays. */
const hardFrom = 9;
const mostHard = 4;

/**
 * Weakens highlights of hard light, in place: in another picture they lie where no lamp could make them.
 * Eyes and teeth keep theirs.
 */
export function softenHighlights(lab: LabPicture, light: LabPicture, { eyes, lips }: EyeAndLipMasks): void {
  const { lightness } = lab;
  for (let i = 0; i < lightness.length; i++) {
    const hard = lightness[i]! - light.lightness[i]! - hardFrom;
    if (hard <= 0) continue;
    lightness[i]! -= (1 - Math.max(eyes[i]!, lips[i]!)) * (hard - mostHard * Math.tanh(hard / mostHard));
  }
}
