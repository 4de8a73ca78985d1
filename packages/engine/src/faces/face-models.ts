import type { PictureModel } from '../models/models.ts';
import { Tensor } from '../models/onnxruntime.ts';
import { session } from '../models/sessions.ts';
import type { Picture } from '../pixels/picture.ts';

export interface FaceModelOutput {
  shape: readonly number[];
  data: Float32Array;
}

/** Runs a face model on pictures of the model's own size, one after another as planes, and returns its outputs. */
export async function runFaceModel(
  model: PictureModel,
  values: Float32Array,
  count = 1,
): Promise<FaceModelOutput[]> {
  const network = await session(model);
  const [width, height] = model.input.size!;
  const input = new Tensor('float32', values, [count, 3, height, width]);
  const outputs = await network.run({ [network.inputNames[0]!]: input });
  return Object.values(outputs).map(({ dims, data }) => ({ shape: dims, data: data as Float32Array }));
}

/** A crop as the values a model takes: plane after plane, in the model's range. */
export function modelInput({ planes }: Picture, { input: { scale, shift } }: PictureModel): Float32Array {
  const [{ length }] = planes;
  const values = new Float32Array(3 * length);
  for (const [channel, plane] of planes.entries()) {
    const from = channel * length;
    for (let i = 0; i < length; i++) values[from + i] = plane[i]! * 255 * scale + shift;
  }
  return values;
}
