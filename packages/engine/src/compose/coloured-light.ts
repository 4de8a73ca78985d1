import type { Face } from '../faces/face.ts';
import { forEachIrisPixel, irisCentres } from '../faces/red-eye.ts';
import type { BodyClasses } from '../matting/body-classes.ts';
import type { PeoplePhoto } from '../matting/people.ts';
import { hueOf, labOf, srgbToLinear } from '../pixels/colour.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import { fromLab, type LabPicture, toLab } from '../pixels/lab.ts';
import type { Picture, Planes } from '../pixels/picture.ts';
import { mapToFloats, type Plane, planeOf } from '../pixels/plane.ts';
import { resample } from '../pixels/resample.ts';
import { mix, smoothstep } from '../pixels/scalar.ts';
import { withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

/**
 * Hues in degrees: from `skin` on skin is left alone, at `cleared` coloured skin ends up at most. From `blue` down to
 * `cyan` less and less is cleared: cyan and green skin is taken for makeup.
 */
const hues = { skin: 20, cleared: 34, blue: -110, cyan: -140 };
/** Degrees below `hues.skin` after which most of the way to `hues.cleared` is gone. */
const softness = 25;

/** Skin with less chroma than this is lit in no colour to speak of; cleared skin has no more than `mostChroma`. */
const leastChroma = 9;
const mostChroma = 28;

/** Shares of a photo's skin in coloured light from which on it is cleared, and cleared as a whole: lips are less. */
const colouredShares = { from: 0.1, to: 0.25 };

/** Pixels with less skin or hair are neither. */
const leastShare = 0.15;

/** Of the chroma of irises, and of hair that is lit violet or blue. Both keep their hue: eyes are blue, hair may be dyed. */
const keptOfIris = 0.35;
const keptOfHair = 0.45;

/**
 * Brings skin that party lights colour magenta, violet or blue back to hues of skin, in place; its lightness stays.
 * Light of two colours falls on two sides of a face, so each pixel is brought back by itself.
 */
export function clearColouredLight({
  photo,
  faces,
  classes,
}: Pick<PeoplePhoto, 'photo' | 'faces' | 'classes'>): void {
  const strength = smoothstep(colouredShares.from, colouredShares.to, colouredShare(photo, classes));
  if (strength === 0) return;
  withArena(() => {
    const whole = { x: 0, y: 0, width: classes.width, height: classes.height };
    const sample = (plane: Plane) => resample(gaussianBlur(plane, 1.5), whole, photo).data;
    const skin = sample(
      planeOf(
        mapToFloats(classes.worth, (_, i) => skinAt(classes, i)),
        classes,
      ),
    );
    const hair = sample(planeOf(classes.shares.hair, classes));
    const lab = toLab(photo);
    const irises = irisesOf(photo, faces, lab);
    forRows(
      clearColourRows,
      photo.height,
      { width: photo.width, skin, hair, strength },
      { a: lab.a, b: lab.b },
    );
    for (const { i, share, a, b } of irises) {
      lab.a[i] = mix(lab.a[i]!, mix(a, keptOfIris * a, strength), share);
      lab.b[i] = mix(lab.b[i]!, mix(b, keptOfIris * b, strength), share);
    }
    copyCleared(photo.planes, fromLab(lab).planes, { skin, hair });
  });
}

/** The pixels of all irises, with their colours, and how much of each is iris. */
function irisesOf(photo: Picture, faces: readonly Face[], lab: LabPicture) {
  const pixels: { i: number; share: number; a: number; b: number }[] = [];
  for (const { points } of faces) {
    for (const first of irisCentres) {
      forEachIrisPixel(photo, points, first, (i, distance) =>
        pixels.push({ i, share: smoothstep(1.2, 0.95, distance), a: lab.a[i]!, b: lab.b[i]! }),
      );
    }
  }
  return pixels;
}

/** How much of a pixel is skin, as far as the classes are worth it. */
function skinAt({ shares, worth }: BodyClasses, i: number): number {
  return worth[i]! * (shares.faceSkin[i]! + shares.bodySkin[i]!);
}

/** The share of a photo's skin that is magenta, violet or blue. */
function colouredShare({ width, planes: [red, green, blue] }: Picture, classes: BodyClasses): number {
  // Some ten thousand pixels tell it.
  const step = 3;
  let all = 0;
  let coloured = 0;
  for (let y = 0; y < classes.height; y += step) {
    const row = Math.floor((y + 0.5) * classes.factor) * width;
    for (let x = 0; x < classes.width; x += step) {
      const i = y * classes.width + x;
      if (skinAt(classes, i) < 0.7) continue;
      const at = row + Math.floor((x + 0.5) * classes.factor);
      const [, a, b] = labOf(srgbToLinear(red[at]!), srgbToLinear(green[at]!), srgbToLinear(blue[at]!));
      const hue = hueOf(a, b);
      all++;
      if (hue > hues.blue && hue < hues.skin && Math.hypot(a, b) > leastChroma) coloured++;
    }
  }
  return all === 0 ? 0 : coloured / all;
}

interface ClearInput {
  width: number;
  /** How much of each pixel is skin, and hair. */
  skin: Float32Array;
  hair: Float32Array;
  strength: number;
}

export function clearColourRows(
  { width, skin, hair, strength }: ClearInput,
  { a, b }: Pick<LabPicture, 'a' | 'b'>,
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) {
    const ofSkin = smoothstep(leastShare, 0.6, skin[i]!);
    const ofHair = smoothstep(leastShare, 0.6, hair[i]!) * (1 - ofSkin);
    if (ofSkin + ofHair === 0) continue;
    const hue = hueOf(a[i]!, b[i]!);
    const share = strength * smoothstep(hues.cyan, hues.blue, hue);
    if (hue >= hues.skin || share === 0) continue;
    const way = 1 - Math.exp((hue - hues.skin) / softness);
    const angle = (mix(hues.skin, hues.cleared, way) * Math.PI) / 180;
    const chroma = Math.hypot(a[i]!, b[i]!);
    // Lips are magenta to red, and keep most of it.
    const cleared = mix(chroma, Math.min(chroma, mostChroma), way ** 3);
    const kept = mix(1, keptOfHair, share * ofHair * way);
    a[i] = mix(kept * a[i]!, cleared * Math.cos(angle), share * ofSkin);
    b[i] = mix(kept * b[i]!, cleared * Math.sin(angle), share * ofSkin);
  }
}

/** Other pixels keep their exact values. */
function copyCleared(
  photo: Planes,
  cleared: Planes,
  { skin, hair }: Pick<ClearInput, 'skin' | 'hair'>,
): void {
  for (let c = 0; c < 3; c++) {
    const [to, from] = [photo[c]!, cleared[c]!];
    for (let i = 0; i < skin.length; i++)
      if (skin[i]! > leastShare || hair[i]! > leastShare) to[i] = from[i]!;
  }
}
