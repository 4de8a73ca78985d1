import { selfieMulticlass } from '../models/models.ts';
import { Tensor } from '../models/onnxruntime.ts';
import { session } from '../models/sessions.ts';
import { channelsOf, lumaOf, type Picture } from '../pixels/picture.ts';
import type { Plane } from '../pixels/plane.ts';
import { resample, type Window } from '../pixels/resample.ts';
import { withArena } from '../runtime/arena.ts';
import { liftedShadows, readCurve, type ToneCurve } from './tone-curve.ts';

/** What the network tells apart, in the order of its answer. Things are bags, glasses, phones and shoes. */
export const bodyClasses = ['background', 'hair', 'bodySkin', 'faceSkin', 'clothes', 'things'] as const;

export type BodyClass = (typeof bodyClasses)[number];

/** For each class its share of every pixel. */
export type ClassShares = Record<BodyClass, Float32Array>;

const [inputWidth, inputHeight] = selfieMulticlass.input.size!;
const pixels = inputWidth * inputHeight;

/** The side of the square that every window of a photo is given to the network in. */
export const classSide = inputHeight;

/** The network's answers span only about 4: twice that makes it as decided as it is right. */
const gain = 2;

/** A window of which more is darker than this has its shadows lifted, where that is asked for. */
const darkShare = 0.25;
const darkLuma = 0.2;

/**
 * Runs the network of body classes over a window of the photo, stretched to its square. `lifted` runs it once more on a
 * dark window, with lifted shadows, and gives the mean: black boots are told by the one or by the other.
 */
export async function runClassPass(
  photo: Picture,
  window: Window,
  lifted: boolean,
): Promise<Record<BodyClass, Plane>> {
  const channels = withArena(() =>
    channelsOf(photo).map(
      (channel) => resample(channel, window, { width: inputWidth, height: inputHeight }).data,
    ),
  );
  const shares = newShares(pixels);
  const curves = lifted && isDark(channels) ? [null, liftedShadows] : [null];
  for (const curve of curves) addShares(await classify(channels, curve), 1 / curves.length, shares);
  const planeOf = (name: BodyClass) => ({ width: inputWidth, height: inputHeight, data: shares[name] });
  return {
    background: planeOf('background'),
    hair: planeOf('hair'),
    bodySkin: planeOf('bodySkin'),
    faceSkin: planeOf('faceSkin'),
    clothes: planeOf('clothes'),
    things: planeOf('things'),
  };
}

function isDark([red, green, blue]: readonly Float32Array[]): boolean {
  let dark = 0;
  for (let i = 0; i < pixels; i++) if (lumaOf(red![i]!, green![i]!, blue![i]!) < darkLuma) dark++;
  return dark > darkShare * pixels;
}

/** Shares of no class at all. */
export function newShares(length: number): ClassShares {
  const none = () => new Float32Array(length);
  return {
    background: none(),
    hair: none(),
    bodySkin: none(),
    faceSkin: none(),
    clothes: none(),
    things: none(),
  };
}

/** The network's answer: for every pixel a number for each class. */
async function classify(channels: readonly Float32Array[], curve: ToneCurve | null): Promise<Float32Array> {
  const { scale, shift } = selfieMulticlass.input;
  const values = new Float32Array(3 * pixels);
  for (const [channel, plane] of channels.entries()) {
    for (let i = 0; i < pixels; i++)
      values[3 * i + channel] = readCurve(curve, plane[i]!) * 255 * scale + shift;
  }
  const network = await session(selfieMulticlass);
  const input = new Tensor('float32', values, [1, inputHeight, inputWidth, 3]);
  const { output } = await network.run({ input });
  return output!.data as Float32Array;
}

/** Adds the softmax of an answer, times a weight, in place. */
function addShares(answer: Float32Array, weight: number, shares: ClassShares): void {
  const planes = bodyClasses.map((name) => shares[name]);
  const count = planes.length;
  const powers = new Float32Array(count);
  for (let i = 0, at = 0; i < pixels; i++, at += count) {
    let sum = 0;
    for (let k = 0; k < count; k++) {
      powers[k] = Math.exp(gain * answer[at + k]!);
      sum += powers[k]!;
    }
    for (let k = 0; k < count; k++) planes[k]![i]! += (weight * powers[k]!) / sum;
  }
}
