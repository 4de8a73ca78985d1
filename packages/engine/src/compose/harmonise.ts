import type { Face } from '../faces/face.ts';
import type { Cutout } from '../matting/cutout.ts';
import { hueOf, labOf, luminance, toLinear } from '../pixels/colour.ts';
import { percentileOfSorted } from '../pixels/percentile.ts';
import { mapPlanes, type Picture, type Planes } from '../pixels/picture.ts';
import { clamp } from '../pixels/scalar.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import type { SceneLight } from '../scenes/scenes.ts';
import { faceGains, spreadFaceGains } from './face-light.ts';
import { type LinearRgb, type PlateLight, shadesOfGrey, unitLuminance } from './plate-light.ts';
import { glaresOver, removeVeilingGlare } from './veiling-glare.ts';

const forRows = rowsOf(import.meta.url);

/** Linear luminance that the light on a face must reach in any scene. */
const leastLight = 0.11;

/** Less colour than this makes skin look ill, whatever the plate has. */
const leastSaturation = 0.92;

/**
 * The share of the plate's veil that lies before people, and the most that it lifts their blacks. A plate's blacks are
 * far off, with all of the air before them; people stand near. With 0.8 of it black clothes were grey and faces milky.
 */
const veilOfPeople = 0.35;
const mostLift = 0.012;

/** How far the light of a scene may move the colour of skin in a*b*: a share of its chroma, and at most. */
const mostSkinShift = { share: 0.2, distance: 7 };

/** Hues, in degrees, that skin has in any light: below it is purple, above it is green. */
const skinHues = { from: 25, to: 70 };

/** Degrees by which skin may turn towards green: without its red it looks ill. Towards red it is only warm. */
const mostTowardsGreen = 5;

/** What brings the people of a photo to a plate's exposure, white balance, saturation and black level. */
export interface Harmony {
  /** The lens's glare over each face. */
  glares: LinearRgb[];
  /** Exposure and white balance, per channel. */
  gain: LinearRgb;
  /** An additional gain on each face in the photo's shadow. */
  faceGains: number[];
  saturation: number;
  /** Is added to blacks, in the plate's mean colour. */
  blackLift: number;
  blackTint: LinearRgb;
}

/**
 * Takes the lens's glare from people and brings them to the plate's exposure, white balance, saturation and black level,
 * in place. A full transfer of colour statistics turned people blue at night; these are the separate steps of a
 * retoucher, each limited by what skin can look like. What is done is measured by the colour of the photo's light, or
 * known from another shot of the same people. Returns it.
 */
export function harmonise(
  cutout: Cutout,
  plate: PlateLight,
  light: SceneLight,
  given: LinearRgb | Harmony,
): Harmony {
  const { alpha, colour, width, height, faces } = cutout;
  const glares = 'glares' in given ? given.glares : glaresOver(cutout);
  removeVeilingGlare(cutout, glares);
  const harmony = 'glares' in given ? given : { glares, ...measureHarmony(cutout, plate, light, given) };
  const { faceGains: gains, ...rest } = harmony;
  const faceGain = spreadFaceGains(cutout, faces, gains)?.data ?? null;
  forRows(harmoniseRows, height, { ...rest, alpha, width, faceGain }, { colour });
  return harmony;
}

function measureHarmony(
  cutout: Cutout,
  plate: PlateLight,
  light: SceneLight,
  photoLight: LinearRgb,
): Omit<Harmony, 'glares'> {
  const skin = measureSkin(cutout, cutout.faces);
  const exposure = exposureFor(skin, light.key);
  const whiteBalance = whiteBalanceFor(skin.mean, sceneIlluminant(plate, light), photoLight);
  return {
    gain: whiteBalance.map((value) => value * exposure) as LinearRgb,
    faceGains: faceGains(
      cutout.faces.map((face) => lightOn(measureSkin(cutout, [face])) * exposure),
      leastLight,
    ),
    saturation: clamp((plate.chroma / (meanChroma(cutout) + 1)) ** 0.25, leastSaturation, 1),
    blackLift: clamp((plate.black - blackLevel(cutout) * exposure) * veilOfPeople, -0.01, mostLift),
    blackTint: plate.mean.map((value) => value / (luminance(...plate.mean) + 0.02)) as LinearRgb,
  };
}

/** Colour of the light that the photo was taken in. */
export function photoIlluminant({ planes }: Picture): LinearRgb {
  const step = Math.max(1, Math.floor(planes[0].length / 60_000));
  return shadesOfGrey(
    mapPlanes(planes, (plane) => {
      const taken = new Float32Array(Math.ceil(plane.length / step));
      for (let i = 0; i < taken.length; i++) taken[i] = plane[i * step]!;
      return toLinear(taken);
    }),
  );
}

interface HarmoniseInput extends Pick<Harmony, 'gain' | 'saturation' | 'blackLift' | 'blackTint'> {
  alpha: Float32Array;
  width: number;
  /** An additional gain around faces in the photo's shadow. */
  faceGain: Float32Array | null;
}

export function harmoniseRows(
  { alpha, width, gain, faceGain, saturation, blackLift, blackTint }: HarmoniseInput,
  { colour }: { colour: Planes },
  from: number,
  to: number,
): void {
  const [red, green, blue] = colour;
  for (let i = from * width; i < to * width; i++) {
    if (alpha[i]! < 0.004) continue;
    const local = faceGain ? faceGain[i]! : 1;
    let r = red[i]! * gain[0] * local;
    let g = green[i]! * gain[1] * local;
    let b = blue[i]! * gain[2] * local;
    const level = luminance(r, g, b);
    // Above this level less than a thousandth of the lift would be left.
    const lift = level < 0.5 ? blackLift * Math.exp(-14 * level) : 0;
    r = level + (r - level) * saturation + lift * blackTint[0];
    g = level + (g - level) * saturation + lift * blackTint[1];
    b = level + (b - level) * saturation + lift * blackTint[2];
    // Highlights are compressed by a shoulder instead of clipped, at the same hue.
    const highest = Math.max(r, g, b);
    const shoulder = highest > 0.8 ? (0.8 + 0.2 * (1 - Math.exp((0.8 - highest) / 0.2))) / highest : 1;
    red[i] = Math.max(0, r * shoulder);
    green[i] = Math.max(0, g * shoulder);
    blue[i] = Math.max(0, b * shoulder);
  }
}

interface Skin {
  mean: LinearRgb;
  luminance: number;
  /** Luminance of the brightest parts of the faces (eyes, teeth, shine), which depends on the light, not on the skin. */
  highlight: number;
}

function measureSkin(cutout: Cutout, faces: readonly Face[]): Skin {
  const mean: LinearRgb = [0, 0, 0];
  const levels: number[] = [];
  for (const face of faces) {
    eachFacePixel(cutout, face, (i) => {
      for (let c = 0; c < 3; c++) mean[c] = mean[c]! + cutout.colour[c]![i]!;
      levels.push(luminance(cutout.colour[0][i]!, cutout.colour[1][i]!, cutout.colour[2][i]!));
    });
  }
  const count = Math.max(1, levels.length);
  const skin = mean.map((value) => value / count) as LinearRgb;
  const sorted = Float32Array.from(levels).sort();
  return { mean: skin, luminance: luminance(...skin) + 1e-4, highlight: percentileOfSorted(sorted, 0.97) };
}

function eachFacePixel(cutout: Cutout, face: Face, visit: (i: number) => void): void {
  const left = face.center.x - 0.3 * face.width - cutout.x;
  const top = face.center.y - 0.2 * face.height - cutout.y;
  const step = Math.max(1, Math.round(face.height / 90));
  for (let y = Math.round(top); y < top + 0.55 * face.height; y += step) {
    for (let x = Math.round(left); x < left + 0.6 * face.width; x += step) {
      if (x >= 0 && y >= 0 && x < cutout.width && y < cutout.height) visit(y * cutout.width + x);
    }
  }
}

/**
 * The light on a face: the brighter of skin and 0.6 of its highlights, so that dark skin in good light is not taken for
 * an underexposed photo.
 */
function lightOn(skin: Skin): number {
  return Math.max(skin.luminance, 0.6 * skin.highlight);
}

/** Factor on people's linear light, towards the brightness of the scene's key light. */
function exposureFor(skin: Skin, key: number): number {
  const stops = clamp(0.62 * Math.log2((0.9 * key) / lightOn(skin)), -1.25, 0.9);
  const darkest = Math.min(1, 0.16 / skin.luminance);
  return clamp(2 ** stops, darkest, Math.max(darkest, 0.62 / skin.luminance));
}

/** Half the illuminant measured in the plate, half the light that the scene's file declares. */
function sceneIlluminant(plate: PlateLight, light: SceneLight): LinearRgb {
  const declared = unitLuminance(
    light.color.map((value, c) => 0.65 * value + 0.35 * light.fill[c]!) as LinearRgb,
  );
  return plate.illuminant.map((value, c) => 0.5 * value + 0.5 * declared[c]!) as LinearRgb;
}

/** Gain per channel that brings people from the photo's light towards the scene's, at unchanged luminance of skin. */
function whiteBalanceFor(skin: LinearRgb, scene: LinearRgb, photo: LinearRgb): LinearRgb {
  const gain = scene.map(
    (value, c) => clamp(value, 0.45, 2) ** 0.38 / clamp(photo[c]!, 0.45, 2) ** 0.25,
  ) as LinearRgb;
  const change = luminance(...multiply(skin, gain)) / luminance(...skin);
  const balanced = gain.map((value) => value / change) as LinearRgb;
  const [, a0, b0] = labOf(...skin);
  const mostShift = Math.min(mostSkinShift.distance, mostSkinShift.share * Math.hypot(a0, b0));
  // In coloured light skin had another hue in its photo already.
  const hue0 = hueOf(a0, b0);
  const least = Math.min(skinHues.from, hue0);
  const most = Math.max(hue0, Math.min(skinHues.to, hue0 + mostTowardsGreen));
  // The change is weakened until skin moves by little and keeps a hue that skin can have.
  let strength = 1;
  for (let attempt = 0; attempt < 12; attempt++) {
    const weakened = balanced.map((value) => value ** strength) as LinearRgb;
    const [, a, b] = labOf(...multiply(skin, weakened));
    const hue = hueOf(a, b);
    if (Math.hypot(a - a0, b - b0) < mostShift && hue >= least && hue <= most) return weakened;
    strength *= 0.8;
  }
  return balanced.map((value) => value ** strength) as LinearRgb;
}

function multiply(colour: LinearRgb, gain: LinearRgb): LinearRgb {
  return [colour[0] * gain[0], colour[1] * gain[1], colour[2] * gain[2]];
}

/** Mean chroma in Lab of solid pixels. */
function meanChroma({ colour, alpha }: Cutout): number {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < alpha.length; i += 17) {
    if (alpha[i]! <= 0.9) continue;
    const [, a, b] = labOf(colour[0][i]!, colour[1][i]!, colour[2][i]!);
    sum += Math.hypot(a, b);
    count++;
  }
  return sum / Math.max(1, count);
}

/** Luminance that a fiftieth of the solid pixels lie below. */
function blackLevel({ colour, alpha }: Cutout): number {
  const levels: number[] = [];
  for (let i = 0; i < alpha.length; i += 13) {
    if (alpha[i]! > 0.9) levels.push(luminance(colour[0][i]!, colour[1][i]!, colour[2][i]!));
  }
  return percentileOfSorted(Float32Array.from(levels).sort(), 0.02);
}
