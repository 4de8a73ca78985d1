import { selfieMulticlass } from '../models/models.ts';
import { Tensor } from '../models/onnxruntime.ts';
import { session } from '../models/sessions.ts';
import { addSoftmax } from '../pixels/kernels/wasm-kernels.ts';
import { channelsOf, lumaOf, mapChannels, type Picture } from '../pixels/picture.ts';
import { planeOf } from '../pixels/plane.ts';
import { resample, type Window } from '../pixels/resample.ts';
import { allocateCopy, allocateZeros, withArena } from '../runtime/arena.ts';
import { liftedShadows, type ToneCurve, writeNetworkInput } from './tone-curve.ts';

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

/** What the network is given of a window: red, green and blue of its square. */
export type ClassInput = readonly Float32Array[];

/** Windows of a photo, each stretched to the network's square. */
export function classInputs(photo: Picture, windows: readonly Window[]): ClassInput[] {
  return withArena(() => {
    const shared = mapChannels(photo, (channel) => planeOf(allocateCopy(channel.data), channel));
    return windows.map((window) =>
      channelsOf(shared).map(
        (channel) => resample(channel, window, { width: inputWidth, height: inputHeight }).data,
      ),
    );
  });
}

/**
 * Runs the network of body classes. `lifted` runs it once more on a dark window, with lifted shadows, and gives the
 * mean: black boots are told by the one or by the other.
 */
export async function runClassPass(input: ClassInput, lifted: boolean): Promise<ClassShares> {
  const curves = lifted && isDark(input) ? [null, liftedShadows] : [null];
  const answers: Float32Array[] = [];
  for (const curve of curves) answers.push(await classify(input, curve));
  return withArena(() => {
    const shares = newShares(pixels);
    const targets = bodyClasses.map((name) => shares[name]);
    const size = { width: inputWidth, height: inputHeight };
    for (const answer of answers) addSoftmax({ answer, ...size, gain, weight: 1 / answers.length, targets });
    return shares;
  });
}

function isDark([red, green, blue]: ClassInput): boolean {
  let dark = 0;
  for (let i = 0; i < pixels; i++) if (lumaOf(red![i]!, green![i]!, blue![i]!) < darkLuma) dark++;
  return dark > darkShare * pixels;
}

/** Shares of no class at all. */
export function newShares(length: number): ClassShares {
  const none = () => allocateZeros(length);
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
async function classify(channels: ClassInput, curve: ToneCurve | null): Promise<Float32Array> {
  const { scale, shift } = selfieMulticlass.input;
  const values = new Float32Array(3 * pixels);
  for (const [channel, plane] of channels.entries())
    writeNetworkInput(values, plane, curve, { gain: 255 * scale, shift, start: channel, stride: 3 });
  const network = await session(selfieMulticlass);
  const input = new Tensor('float32', values, [1, inputHeight, inputWidth, 3]);
  const { output } = await network.run({ input });
  return output!.data as Float32Array;
}
