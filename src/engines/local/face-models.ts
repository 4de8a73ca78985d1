import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { GraphModel } from '@tensorflow/tfjs-converter';
import type * as TensorFlow from '@tensorflow/tfjs-core';
import { AppError } from '../../errors.ts';
import { modelUnusable, packageFolder, readModelFile } from './model-files.ts';
import type { Model } from './models.ts';

// The packages' `import` entries are browser bundles with extensionless paths that Node refuses; `require` has its own.
const require = createRequire(import.meta.url);

const wasmPackage = '@tensorflow/tfjs-backend-wasm';

let backend: Promise<typeof TensorFlow> | undefined;
const graphs = new Map<Model, Promise<GraphModel>>();

/** Runs a face model on one input of the model's own size and returns its outputs, in the model's order. */
export async function runFaceModel(
  model: Model,
  values: Float32Array,
  count = 1,
): Promise<FaceModelOutput[]> {
  const [tf, graph] = await Promise.all([tensorFlow(), faceGraph(model)]);
  const [width, height] = model.input.size!;
  const input = tf.tensor4d(values, [count, height, width, 3]);
  const outputs = [graph.execute(input)].flat();
  const read = outputs.map((output) => ({
    shape: output.shape,
    data: output.dataSync() as Float32Array,
  }));
  tf.dispose([input, ...outputs]);
  return read;
}

export interface FaceModelOutput {
  shape: number[];
  data: Float32Array;
}

/** Loads a face model without running it. */
export function faceGraph(model: Model): Promise<GraphModel> {
  let graph = graphs.get(model);
  if (!graph) {
    graph = open(model);
    graph.catch(() => graphs.delete(model));
    graphs.set(model, graph);
  }
  return graph;
}

function tensorFlow(): Promise<typeof TensorFlow> {
  backend ??= startBackend();
  return backend;
}

async function startBackend(): Promise<typeof TensorFlow> {
  const tf: typeof TensorFlow = require('@tensorflow/tfjs-core');
  const wasm: typeof import('@tensorflow/tfjs-backend-wasm') = require(wasmPackage);
  const folder = packageFolder(wasmPackage);
  if (!folder) throw new AppError('MODEL_UNUSABLE', `${wasmPackage} is missing. Run npm ci again.`);
  wasm.setWasmPaths(join(folder, 'dist/'));
  await tf.setBackend('wasm');
  return tf;
}

interface Topology {
  format: string;
  modelTopology: object;
  signature: object;
  weightsManifest: { weights: TensorFlow.io.WeightsManifestEntry[] }[];
}

async function open(model: Model): Promise<GraphModel> {
  await tensorFlow();
  const converter: typeof import('@tensorflow/tfjs-converter') = require('@tensorflow/tfjs-converter');
  const [json, weights] = await Promise.all([readModelFile(model.topology!), readModelFile(model.weights)]);
  const topology = JSON.parse(json.toString()) as Topology;
  try {
    return await converter.loadGraphModel({
      load: async () => ({
        format: topology.format,
        modelTopology: topology.modelTopology,
        signature: topology.signature,
        weightSpecs: topology.weightsManifest.flatMap((group) => group.weights),
        weightData: new Uint8Array(weights).buffer,
      }),
    });
  } catch (cause) {
    throw modelUnusable(model.weights, 'cannot be loaded', cause);
  }
}
