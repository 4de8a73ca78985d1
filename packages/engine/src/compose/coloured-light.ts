import type { Face } from '../faces/face.ts';
import { firstOfIrises, visitIris } from '../faces/red-eye.ts';
import type { BodyClasses } from '../matting/body-classes.ts';
import type { PeoplePhoto } from '../matting/people.ts';
import { labOf, srgbToLinear } from '../pixels/colour.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import { fromLab, type LabPicture, toLab } from '../pixels/lab.ts';
import type { Picture, Planes } from '../pixels/picture.ts';
import { type Plane, planeOf } from '../pixels/plane.ts';
import { resample } from '../pixels/resample.ts';
import { mix, smoothstep } from '../pixels/scalar.ts';
import { withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

/** Hues in degrees between which skin is left alone, and those at which coloured skin ends up at most. */
const leftAlone = { from: 20, to: 85 };
const furthest = { from: 34, to: 71 };
/** Degrees beyond `leftAlone` after which most of the way to `furthest` is gone. */
const softness = 25;

/** Skin with less chroma than this is lit in no colour to speak of. */
const leastChroma = 9;

/** Shares of a photo's skin in coloured light from which on it is cleared, and cleared as a whole: lips are less. */
const colouredShares = { from: 0.1, to: 0.25 };

/** Of an iris's chroma, which is the light's as well. */
const keptOfIris = 0.35;

/**
 * Brings skin that party lights colour magenta, violet, blue or green back to hues of skin, in place; its lightness
 * stays. Light of two colours falls on two sides of a face, so each pixel is brought back by itself. Irises keep their
 * hue.
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
    const skin = resample(gaussianBlur(skinOf(classes), 1.5), whole, photo).data;
    const lab = toLab(photo);
    const irises = irisesOf(photo, faces, lab);
    forRows(hueRows, photo.height, { width: photo.width, skin, strength }, { a: lab.a, b: lab.b });
    for (const { i, share, a, b } of irises) {
      lab.a[i] = mix(lab.a[i]!, mix(a, keptOfIris * a, strength), share);
      lab.b[i] = mix(lab.b[i]!, mix(b, keptOfIris * b, strength), share);
    }
    copySkin(photo.planes, fromLab(lab).planes, skin);
  });
}

/** The pixels of all irises, with their colours, and how much of each is iris. */
function irisesOf(photo: Picture, faces: readonly Face[], lab: LabPicture) {
  const pixels: { i: number; share: number; a: number; b: number }[] = [];
  for (const { points } of faces) {
    for (const first of firstOfIrises) {
      visitIris(photo, points, first, (i, distance) =>
        pixels.push({ i, share: smoothstep(1.2, 0.95, distance), a: lab.a[i]!, b: lab.b[i]! }),
      );
    }
  }
  return pixels;
}

function skinOf({ width, height, shares: { faceSkin, bodySkin }, worth }: BodyClasses): Plane {
  return planeOf(
    faceSkin.map((share, i) => worth[i]! * (share + bodySkin[i]!)),
    { width, height },
  );
}

/** The share of a photo's skin whose hue no skin has in white light. */
function colouredShare({ width, planes: [red, green, blue] }: Picture, classes: BodyClasses): number {
  const skin = skinOf(classes);
  let all = 0;
  let coloured = 0;
  for (let y = 0, i = 0; y < skin.height; y++) {
    const row = Math.floor((y + 0.5) * classes.factor) * width;
    for (let x = 0; x < skin.width; x++, i++) {
      if (skin.data[i]! < 0.7) continue;
      const at = row + Math.floor((x + 0.5) * classes.factor);
      const [, a, b] = labOf(srgbToLinear(red[at]!), srgbToLinear(green[at]!), srgbToLinear(blue[at]!));
      const hue = hueOf(a, b);
      all++;
      if ((hue < leftAlone.from || hue > leftAlone.to) && Math.hypot(a, b) > leastChroma) coloured++;
    }
  }
  return all === 0 ? 0 : coloured / all;
}

const hueOf = (a: number, b: number) => (Math.atan2(b, a) * 180) / Math.PI;

/** The hue that skin of some hue is given. */
function clearedHue(hue: number): number {
  const approach = (from: number, to: number, beyond: number) =>
    mix(from, to, 1 - Math.exp(-beyond / softness));
  if (hue < leftAlone.from) return approach(leftAlone.from, furthest.from, leftAlone.from - hue);
  if (hue > leftAlone.to) return approach(leftAlone.to, furthest.to, hue - leftAlone.to);
  return hue;
}

export function hueRows(
  { width, skin, strength }: { width: number; skin: Float32Array; strength: number },
  { a, b }: Pick<LabPicture, 'a' | 'b'>,
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) {
    const share = strength * smoothstep(0.15, 0.6, skin[i]!);
    if (share === 0) continue;
    const hue = hueOf(a[i]!, b[i]!);
    const cleared = clearedHue(hue);
    if (cleared === hue) continue;
    const chroma = Math.hypot(a[i]!, b[i]!);
    const angle = (cleared * Math.PI) / 180;
    a[i] = mix(a[i]!, chroma * Math.cos(angle), share);
    b[i] = mix(b[i]!, chroma * Math.sin(angle), share);
  }
}

/** Pixels that are no skin keep their exact values. */
function copySkin(photo: Planes, cleared: Planes, skin: Float32Array): void {
  for (let c = 0; c < 3; c++) {
    const [to, from] = [photo[c]!, cleared[c]!];
    for (let i = 0; i < skin.length; i++) if (skin[i]! > 0.15) to[i] = from[i]!;
  }
}
