import { gaussianBlur } from '../../pixels/gaussian-blur.ts';
import type { LabPicture } from '../../pixels/lab.ts';
import { whiteNoise } from '../../pixels/noise.ts';

/** At full size, 0 to 1: bare skin of both faces, and the features of the guest. */
export interface DetailRegions {
  skin: Float32Array;
  features: Float32Array;
}

/** Blurs to try, least first: one that is not enough makes the face look pasted, too much makes it wax. */
const blurs = [0, 0.45, 0.6, 0.8, 1, 1.3, 1.7, 2.2];

/** Below this the photo's own pixels are as fine as the template's. */
const leastEnlargement = 1.2;

const grainSeed = 478;

/** Amounts of sharpening to try, least first. */
const sharpenings = [0.4, 0.8, 1.2, 1.6];

/** L* that sharpening changes a pixel by at most: a bright line beside a brow is worse than a soft brow. */
const mostSharpening = 9;

/**
 * Gives the guest's face the template's sharpness and grain, in place. Sharpness is judged on eyes, brows and lips, as
 * fine detail against middling, so that a strong contrast does not pass for sharpness; grain on bare skin. A face that
 * was enlarged (patch pixels per pixel of the photo) is sharpened where it has detail.
 */
export function matchDetail(
  lit: LabPicture,
  template: LabPicture,
  regions: DetailRegions,
  enlargement: number,
): void {
  const { width, height } = lit;
  const wanted = sharpnessOf(template.lightness, regions.features, width, height);
  if (enlargement > leastEnlargement) sharpen(lit, regions.features, wanted, enlargement);
  for (const sigma of blurs) {
    const blurred = gaussianBlur({ width, height, data: lit.lightness }, sigma).data;
    if (sigma !== blurs.at(-1) && sharpnessOf(blurred, regions.features, width, height) > 1.12 * wanted)
      continue;
    if (sigma === 0) break;
    lit.lightness = blurred;
    lit.a = gaussianBlur({ width, height, data: lit.a }, sigma).data;
    lit.b = gaussianBlur({ width, height, data: lit.b }, sigma).data;
    break;
  }
  const theirs = fineOf(template.lightness, width, height);
  const mine = fineOf(lit.lightness, width, height);
  const ratio = meanOver(theirs, regions.skin) / meanOver(mine, regions.skin);
  if (ratio < 1) {
    calm(lit.lightness, mine, regions.skin, Math.max(0.45, ratio));
  } else {
    const [more, less] = [grainOf(theirs, width, regions.skin), grainOf(mine, width, regions.skin)];
    const amount = Math.sqrt(Math.max(0, more * more - less * less));
    addGrain(lit.lightness, width, height, amount, regions.skin);
  }
}

/** Until eyes, brows and lips are as sharp as the template's; skin by less, where it would be noise that is sharpened. */
function sharpen(lit: LabPicture, features: Float32Array, wanted: number, enlargement: number): void {
  const { width, height } = lit;
  const plain = lit.lightness;
  const sigma = Math.min(2, 0.4 * enlargement);
  const soft = gaussianBlur({ width, height, data: plain }, sigma).data;
  const where = gaussianBlur({ width, height, data: features }, 3 * sigma).data;
  for (const amount of sharpenings) {
    if (sharpnessOf(lit.lightness, features, width, height) > 0.9 * wanted) return;
    lit.lightness = plain.map((value, i) => {
      const more = amount * (0.35 + 0.65 * where[i]!) * (value - soft[i]!);
      return value + mostSharpening * Math.tanh(more / mostSharpening);
    });
  }
}

function sharpnessOf(plane: Float32Array, region: Float32Array, width: number, height: number): number {
  const one = gaussianBlur({ width, height, data: plane }, 1).data;
  const three = gaussianBlur({ width, height, data: one }, 2.8).data;
  const fine = plane.map((value, i) => value - one[i]!);
  const middling = one.map((value, i) => value - three[i]!);
  return meanOver(fine, region) / (meanOver(middling, region) + 1e-3);
}

function fineOf(plane: Float32Array, width: number, height: number): Float32Array {
  const blurred = gaussianBlur({ width, height, data: plane }, 1).data;
  return plane.map((value, i) => value - blurred[i]!);
}

/** The side of blocks that grain is measured in, in pixels. */
const grainBlock = 8;

/** Of all blocks of skin, the share with the least detail: the rest have wrinkles, freckles and strands. */
const plainShare = 0.25;

/** The size of a picture's grain: that of its fine part in the plainest blocks of skin. */
function grainOf(fine: Float32Array, width: number, skin: Float32Array): number {
  const columns = Math.ceil(width / grainBlock);
  const sums = new Float32Array(columns * Math.ceil(fine.length / width / grainBlock));
  const weights = new Float32Array(sums.length);
  for (let i = 0; i < fine.length; i++) {
    const block =
      Math.floor(Math.floor(i / width) / grainBlock) * columns + Math.floor((i % width) / grainBlock);
    sums[block]! += skin[i]! * Math.abs(fine[i]!);
    weights[block]! += skin[i]!;
  }
  const means = sums
    .map((sum, i) => sum / weights[i]!)
    .filter((_, i) => weights[i]! > 0.75 * grainBlock ** 2);
  if (means.length === 0) return meanOver(fine, skin);
  return means.sort()[Math.floor(plainShare * means.length)]!;
}

/** Mean size of the values in a region. */
function meanOver(plane: Float32Array, region: Float32Array): number {
  let sum = 0;
  let total = 0;
  for (let i = 0; i < plane.length; i++) {
    if (region[i] === 0) continue;
    sum += region[i]! * Math.abs(plane[i]!);
    total += region[i]!;
  }
  return total === 0 ? 0 : sum / total;
}

/** Gives a smooth picture the grain that another has on its skin, in place. */
export function copyGrain({ lightness }: LabPicture, smooth: LabPicture, skin: Float32Array): void {
  const { width, height } = smooth;
  const amount = grainOf(fineOf(lightness, width, height), width, skin);
  addGrain(smooth.lightness, width, height, amount, skin);
}

function calm(lightness: Float32Array, fine: Float32Array, skin: Float32Array, share: number): void {
  for (let i = 0; i < lightness.length; i++) lightness[i]! -= (1 - share) * skin[i]! * fine[i]!;
}

/** Grain whose fine part is `amount` in the mean; a little soft, as sensors and JPEG leave it. */
function addGrain(
  lightness: Float32Array,
  width: number,
  height: number,
  amount: number,
  skin: Float32Array,
): void {
  const white = whiteNoise({ width, height }, grainSeed).data.map((value) => value - 0.5);
  const grain = gaussianBlur({ width, height, data: white }, 0.55).data;
  const strength = meanOver(fineOf(grain, width, height), skin);
  if (strength === 0) return;
  const gain = Math.min(amount, 3) / strength;
  for (let i = 0; i < lightness.length; i++) lightness[i]! += gain * grain[i]!;
}
