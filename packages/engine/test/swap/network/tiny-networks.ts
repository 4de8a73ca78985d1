import { integers, node, onnxFile, port } from '../../../src/models/convert/onnx-file.ts';
import { initializer, type Store } from '../../support/onnx-initializer.ts';

/** One step around, times two: a product the wrong way round and a missing normalisation both show. */
export function shiftMatrix(rows = 512): Float32Array {
  const matrix = new Float32Array(rows * 512);
  for (let i = 0; i < rows; i++) matrix[i * 512 + ((i + 1) % 512)] = 2;
  return matrix;
}

export interface SwapperOptions {
  /** How strongly the first three numbers of the source tint red, green and blue; 0 gives the target back. */
  tint?: number;
  matrix?: { store: Store; rows?: number } | null;
  side?: number;
  /** Names and order of the inputs. */
  inputs?: [string, string];
}

/** A swapper with an inswapper's inputs, output and matrix. */
export function tinySwapper({
  tint = 1,
  matrix = { store: 'float_data' },
  side = 128,
  inputs = ['target', 'source'],
}: SwapperOptions = {}): Buffer {
  const [target, source] = inputs;
  const square = [1, 3, side, side];
  return onnxFile({
    nodes: [
      node('Slice', [source, 'start', 'end', 'axis'], 'sliced'),
      node('Reshape', ['sliced', 'shape'], 'colour'),
      node('Mul', ['colour', 'tint'], 'tinted'),
      node('Add', [target, 'tinted'], 'sum'),
      node('Clip', ['sum', 'low', 'high'], 'output'),
    ],
    inputs: [port(source, [1, 512]), port(target, square)],
    outputs: [port('output', square)],
    constants: [
      integers('start', [0]),
      integers('end', [3]),
      integers('axis', [1]),
      integers('shape', [1, 3, 1, 1]),
      initializer({ name: 'tint', dims: [], values: [tint] }),
      initializer({ name: 'low', dims: [], values: [0] }),
      initializer({ name: 'high', dims: [], values: [1] }),
      ...(matrix
        ? [
            initializer({
              name: 'buff2fs',
              dims: [matrix.rows ?? 512, 512],
              values: shiftMatrix(matrix.rows),
              store: matrix.store,
            }),
          ]
        : []),
    ],
  });
}

/** An embedder whose embedding is the first 512 of the means of 7×7 squares: red row by row, then green. */
export function tinyEmbedder({ gain = 1, channels = 3 } = {}): Buffer {
  return onnxFile({
    nodes: [
      node('AveragePool', ['input.1'], 'pooled', { kernel_shape: [7, 7], strides: [7, 7] }),
      node('Flatten', ['pooled'], 'flat', { axis: 1 }),
      node('Slice', ['flat', 'start', 'end', 'axis'], 'sliced'),
      node('Mul', ['sliced', 'gain'], '683'),
    ],
    inputs: [port('input.1', ['batch', channels, 112, 112])],
    outputs: [port('683', ['batch', 512])],
    constants: [
      integers('start', [0]),
      integers('end', [512]),
      integers('axis', [1]),
      initializer({ name: 'gain', dims: [], values: [gain] }),
    ],
  });
}
