import { modelUnusable, readModelFile, sha256Of } from '../model-files.ts';
import type { Conversion, GraphPart, Model } from '../models.ts';
import { buildBertGraph } from './bert-graph.ts';
import { arrangeModNet } from './modnet-graph.ts';
import { convertNcnnGraph } from './ncnn-graph.ts';
import { convertTfjsGraph } from './tfjs-graph.ts';
import { convertTfliteGraph } from './tflite-graph.ts';

const converters: Record<Conversion['by'], (weights: Buffer, topology?: Buffer, part?: GraphPart) => Buffer> =
  {
    'tfjs-graph': convertTfjsGraph,
    'tflite-graph': convertTfliteGraph,
    'modnet-graph': arrangeModNet,
    'bert-graph': buildBertGraph,
    'ncnn-graph': convertNcnnGraph,
  };

/**
 * Converts a model's published files to the ONNX model that is run. Every conversion gives the same bytes on every
 * machine, and the table of models names their SHA-256: nothing else is ever run.
 */
export async function convertModel(
  { weights, topology }: Model,
  { by, sha256, part }: Conversion,
): Promise<Buffer> {
  const [bytes, graph] = await Promise.all([readModelFile(weights), topology && readModelFile(topology)]);
  let converted: Buffer;
  try {
    converted = converters[by](bytes, graph, part);
  } catch (cause) {
    throw modelUnusable(weights, 'cannot be converted', cause);
  }
  if (sha256Of(converted) !== sha256) {
    throw modelUnusable(weights, 'converts to another model than the known one');
  }
  return converted;
}
