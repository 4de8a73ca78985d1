import { type InferenceSession, Tensor } from '../models/onnxruntime.ts';
import { channelsOf, type Picture, type Planes } from '../pixels/picture.ts';
import { cutPart } from '../pixels/plane.ts';
import type { Window } from '../pixels/resample.ts';

/** The file of Real-ESRGAN ×2. */
export interface UpscaleModel {
  network: string;
}

/** How much larger the network draws what it is shown. */
export const upscaleFactor = 2;

/** The network shuffles pixels in squares of two. */
export const inputMultiple = 2;

/** A window of whole pixels at twice its size, drawn by the network; its sides are multiples of `inputMultiple`. */
export async function upscaleWindow(
  network: InferenceSession,
  picture: Picture,
  window: Window,
): Promise<Picture> {
  const area = window.width * window.height;
  const values = new Float32Array(3 * area);
  for (const [i, channel] of channelsOf(picture).entries()) {
    values.set(cutPart(channel, window).data.subarray(0, area), i * area);
  }
  const input = new Tensor('float32', values, [1, 3, window.height, window.width]);
  const { output } = await network.run({ input });
  const data = output!.data as Float32Array;
  const count = upscaleFactor ** 2 * area;
  const planes = [0, 1, 2].map((i) =>
    data.slice(i * count, (i + 1) * count).map((value) => Math.min(1, Math.max(0, value))),
  ) as unknown as Planes;
  return { width: upscaleFactor * window.width, height: upscaleFactor * window.height, planes };
}
