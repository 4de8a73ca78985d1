import { Tensor } from 'onnxruntime-node';
import type { Model } from '../models/models.ts';
import { session } from '../models/sessions.ts';

export interface FaceModelOutput {
  shape: readonly number[];
  data: Float32Array;
}

/** Runs a face model on pictures of the model's own size, one after another as planes, and returns its outputs. */
export async function runFaceModel(
  model: Model,
  values: Float32Array,
  count = 1,
): Promise<FaceModelOutput[]> {
  const network = await session(model);
  const [width, height] = model.input.size!;
  const input = new Tensor('float32', values, [count, 3, height, width]);
  const outputs = await network.run({ [network.inputNames[0]!]: input });
  return Object.values(outputs).map(({ dims, data }) => ({ shape: dims, data: data as Float32Array }));
}
