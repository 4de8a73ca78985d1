import type { Face } from '../faces/face.ts';
import { distanceToFace, medianHeight } from '../faces/face-outline.ts';
import { boxMean } from '../pixels/box-mean.ts';
import type { Picture } from '../pixels/picture.ts';
import { type Plane, planeOf } from '../pixels/plane.ts';
import { findRegions } from '../pixels/regions.ts';
import { clamp, smoothstep } from '../pixels/scalar.ts';
import { missingBody } from './torso-pass.ts';
import { findTranslucent } from './translucency.ts';

/** How far a pixel is from people's faces, in their heights. */
interface Distance {
  /** To the nearest face. */
  head: number;
  /** To the side of the nearest body: of the line down from a chin. Infinite above all chins. */
  body: number;
}

function distanceTo(faces: readonly Face[], x: number, y: number): Distance {
  let body = Infinity;
  for (const { center, height } of faces) {
    if (y > center.y) body = Math.min(body, Math.abs(x - center.x) / height);
  }
  return { head: distanceToFace(faces, x, y), body };
}

/**
 * Whether a matte is worth a second pass: bodies end below their chins, broad parts are translucent, or much lies
 * beside the bodies that is not skin, as furniture does. Most photos of one person need none.
 */
export function needsSecondPass(matte: Plane, photo: Picture, faces: readonly Face[]): boolean {
  const { width, height, data: alpha } = matte;
  const unit = medianHeight(faces);
  const { undecided, breadth } = findTranslucent(matte, unit);
  const isSkin = skinTest(photo, faces);
  let translucent = 0;
  let beside = 0;
  const step = 3;
  for (let y = 0; y < height; y += step) {
    for (let x = 0; x < width; x += step) {
      const i = y * width + x;
      if (alpha[i]! < 0.08) continue;
      const { head, body } = distanceTo(faces, x, y);
      if (undecided[i] === 1 && breadth[i]! > 0.5 && head > 1.8) translucent++;
      if (alpha[i]! > 0.5 && head > 1.8 && body > 1.7 && body < Infinity && !isSkin(i)) beside++;
    }
  }
  const area = (unit / step) ** 2;
  return (
    translucent > 0.15 * area ||
    beside > 0.4 * area ||
    faces.some((face) => missingBody(matte, face, faces) > 0.05)
  );
}

/**
 * Corrects a matte by a second pass, in place. Below the chins the second pass may add (dark trousers that the first
 * did not find), beside the bodies it may take away (an arm of a sofa), but no skin and nothing of heads.
 */
export function mergeSecondPass(matte: Plane, second: Plane, photo: Picture, faces: readonly Face[]): void {
  const { width, height, data: alpha } = matte;
  const loss = new Float32Array(alpha.length);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const change = second.data[i]! - alpha[i]!;
      if (Math.abs(change) < 0.1) continue;
      const { head, body } = distanceTo(faces, x, y);
      if (change > 0) alpha[i] = alpha[i]! + change * smoothstep(1.6, 1.1, body);
      else loss[i] = -change * smoothstep(1, 1.4, body) * smoothstep(1.5, 2, head);
    }
  }
  keepSkin(loss, photo, faces);
  for (let i = 0; i < alpha.length; i++) alpha[i] = alpha[i]! - loss[i]!;
  dropScraps(matte, loss, medianHeight(faces));
}

/** Removes narrow pieces that are left beside the furniture that was removed. */
function dropScraps(matte: Plane, loss: Float32Array, unit: number): void {
  if (!loss.some((value) => value > 0.3)) return;
  const { data: alpha } = matte;
  const mean = (values: Float32Array, radius: number) => boxMean(planeOf(values, matte), radius * unit).data;
  const gone = mean(loss, 0.3);
  const core = mean(alpha, 0.07).map((value) => (value > 0.85 ? 1 : 0));
  const near = mean(core, 0.15);
  for (let i = 0; i < alpha.length; i++) {
    if (alpha[i]! <= 0 || gone[i]! <= 0.02) continue;
    const scrap = smoothstep(0.02, 0.06, gone[i]!) * smoothstep(0.04, 0.005, near[i]!);
    alpha[i] = alpha[i]! * (1 - scrap);
  }
}

/** Undoes losses that are mostly skin: a missing limb is worse than furniture that stays. */
function keepSkin(loss: Float32Array, photo: Picture, faces: readonly Face[]): void {
  const isSkin = skinTest(photo, faces);
  const { labels, areas } = findRegions(planeOf(loss, photo), 0.05, 'above');
  const skin = new Float32Array(areas.length);
  for (let i = 0; i < loss.length; i++) if (labels[i]! > 0 && isSkin(i)) skin[labels[i]!]!++;
  for (let i = 0; i < loss.length; i++) {
    const label = labels[i]!;
    if (label === 0 || skin[label]! > 0.45 * areas[label]!) loss[i] = 0;
  }
}

/** Tells skin by the colour of the photo's own faces, whatever light is on them. */
function skinTest({ planes, width, height }: Picture, faces: readonly Face[]): (i: number) => boolean {
  const [red, green, blue] = planes;
  const tones = faces.map(({ center, width: w, height: h }) => {
    const tone = { red: 0, green: 0, sum: 0, count: 0 };
    for (let dy = -0.2; dy <= 0.3; dy += 0.05) {
      for (let dx = -0.25; dx <= 0.25; dx += 0.05) {
        const x = clamp(Math.round(center.x + dx * w), 0, width - 1);
        const i = clamp(Math.round(center.y + dy * h), 0, height - 1) * width + x;
        tone.red += red[i]!;
        tone.green += green[i]!;
        tone.sum += red[i]! + green[i]! + blue[i]!;
        tone.count++;
      }
    }
    return { red: tone.red / tone.sum, green: tone.green / tone.sum, level: tone.sum / tone.count };
  });
  return (i) => {
    const sum = red[i]! + green[i]! + blue[i]! + 1e-3;
    return tones.some(
      (tone) =>
        sum > 0.4 * tone.level && Math.hypot(red[i]! / sum - tone.red, green[i]! / sum - tone.green) < 0.045,
    );
  };
}
