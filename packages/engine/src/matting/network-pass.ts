import { modNet } from '../models/models.ts';
import { Tensor } from '../models/onnxruntime.ts';
import { session } from '../models/sessions.ts';
import { channelOf, type Picture } from '../pixels/picture.ts';
import type { Plane } from '../pixels/plane.ts';
import { resample, type Window } from '../pixels/resample.ts';
import { clamp } from '../pixels/scalar.ts';
import { withArena } from '../runtime/arena.ts';
import { type ToneCurve, writeNetworkInput } from './tone-curve.ts';

export interface Pass {
  /** The part of the photo that the network is given. */
  window: Window;
  /** The short side of its input. */
  side: number;
  /** Applied to the photo first. */
  curve?: ToneCurve | null;
}

/** Runs the matting network over a window of the photo. The matte has the window's size. */
export async function runPass(photo: Picture, { window, side, curve = null }: Pass): Promise<Plane> {
  const size = inputSize(window, side);
  const network = await session(modNet);
  const input = new Tensor('float32', prepareInput(photo, window, size, curve), [
    1,
    3,
    size.height,
    size.width,
  ]);
  const result = await network.run({ input });
  const answer = { ...size, data: result.output!.data as Float32Array };
  const matte = resample(answer, { x: 0, y: 0, ...size }, window);
  for (let i = 0; i < matte.data.length; i++) matte.data[i] = clamp(matte.data[i]!, 0, 1);
  return matte;
}

function inputSize(window: Window, side: number) {
  const scale = side / Math.min(window.width, window.height);
  const { multipleOf = 1 } = modNet.input;
  const fit = (length: number) => Math.max(1, Math.round((length * scale) / multipleOf)) * multipleOf;
  return { width: fit(window.width), height: fit(window.height) };
}

function prepareInput(
  photo: Picture,
  window: Window,
  size: { width: number; height: number },
  curve: ToneCurve | null,
): Float32Array {
  const { scale, shift } = modNet.input;
  const gain = 255 * scale;
  const count = size.width * size.height;
  const input = new Float32Array(3 * count);
  withArena(() => {
    for (const channel of [0, 1, 2] as const) {
      const { data: values } = resample(channelOf(photo, channel), window, size);
      writeNetworkInput(input, values, curve, { gain, shift, start: channel * count, stride: 1 });
    }
  });
  return input;
}
