import { type InferenceSession, Tensor } from '../models/onnxruntime.ts';
import { withFileSession } from '../models/sessions.ts';
import { channelOf, type Picture } from '../pixels/picture.ts';
import type { Plane } from '../pixels/plane.ts';
import { resample } from '../pixels/resample.ts';
import { withArena } from '../runtime/arena.ts';

/** The files of SAM 2: one encodes a photo, the other draws an outline for each set of prompts. */
export interface OutlineModel {
  encoder: string;
  decoder: string;
}

/** The side of the encoder's input, which the photo is stretched to. It is fixed in the file. */
const inputSide = 1024;
/** The side of the decoder's masks. */
export const maskSide = 256;

/**
 * ImageNet's means and deviations. Without them the scores of five people at a table were .25 to .76 instead of .29 to
 * .91.
 */
const mean = [0.485, 0.456, 0.406] as const;
const deviation = [0.229, 0.224, 0.225] as const;

/** What the decoder makes of a label: a point that is not on the person, one that is, and two corners of a box. */
export const promptLabels = { off: 0, on: 1, upperLeft: 2, lowerRight: 3 } as const;

export interface Prompt {
  /** In shares of the photo's width and height. */
  x: number;
  y: number;
  label: keyof typeof promptLabels;
}

/** One of the decoder's answers: above 0 is the person. */
export interface OutlineCandidate extends Plane {
  /** How well the network thinks that it fits, as intersection over union. */
  score: number;
}

/** Draws outlines on one photo. */
export interface OutlineDecoder {
  /** Three candidates for these prompts, starting from an earlier answer where there is one. */
  decode(prompts: readonly Prompt[], earlier?: Plane): Promise<OutlineCandidate[]>;
}

/**
 * Encodes a photo and lends the decoder of its outlines. The encoder is closed before the decoder is opened: it takes
 * 760 MB while it is open, and is needed once.
 */
export async function withOutlineDecoder<T>(
  model: OutlineModel,
  photo: Picture,
  use: (decoder: OutlineDecoder) => Promise<T>,
): Promise<T> {
  const embedding = await withFileSession(model.encoder, (network) => encode(network, photo));
  return withFileSession(model.decoder, (network) =>
    use({ decode: (prompts, earlier) => decode(network, embedding, prompts, earlier) }),
  );
}

async function encode(network: InferenceSession, photo: Picture): Promise<InferenceSession.OnnxValueMapType> {
  const image = new Tensor('float32', prepareInput(photo), [1, 3, inputSide, inputSide]);
  return network.run({ image });
}

function prepareInput(photo: Picture): Float32Array {
  const size = { width: inputSide, height: inputSide };
  const whole = { x: 0, y: 0, width: photo.width, height: photo.height };
  const input = new Float32Array(3 * inputSide ** 2);
  withArena(() => {
    for (const channel of [0, 1, 2] as const) {
      const { data } = resample(channelOf(photo, channel), whole, size);
      const target = input.subarray(channel * data.length, (channel + 1) * data.length);
      for (let i = 0; i < data.length; i++) target[i] = (data[i]! - mean[channel]) / deviation[channel];
    }
  });
  return input;
}

async function decode(
  network: InferenceSession,
  embedding: InferenceSession.OnnxValueMapType,
  prompts: readonly Prompt[],
  earlier?: Plane,
): Promise<OutlineCandidate[]> {
  const area = maskSide ** 2;
  const points = Float32Array.from(prompts.flatMap(({ x, y }) => [x * inputSide, y * inputSide]));
  const labels = Float32Array.from(prompts, ({ label }) => promptLabels[label]);
  const start = earlier ? earlier.data.map(limitLogit) : new Float32Array(area);
  const { masks, iou_predictions: scores } = await network.run({
    ...embedding,
    point_coords: new Tensor('float32', points, [1, prompts.length, 2]),
    point_labels: new Tensor('float32', labels, [1, prompts.length]),
    mask_input: new Tensor('float32', start, [1, 1, maskSide, maskSide]),
    has_mask_input: new Tensor('float32', [earlier ? 1 : 0], [1]),
  });
  const data = masks!.data as Float32Array;
  return Array.from(scores!.data as Float32Array, (score, i) => ({
    score,
    width: maskSide,
    height: maskSide,
    data: data.slice(i * area, (i + 1) * area),
  }));
}

/** The decoder was trained on earlier answers within these limits. */
const limitLogit = (value: number) => Math.max(-32, Math.min(32, value));
