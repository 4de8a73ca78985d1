import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertTfjsGraph } from '../../../src/models/convert/tfjs-graph.ts';
import { InferenceSession, Tensor } from '../../../src/models/onnxruntime.ts';

interface Weight {
  shape: number[];
  values: number[];
  dtype?: 'int32' | 'float16';
}

const words = (...list: string[]) => list.map((word) => Buffer.from(word).toString('base64'));

const steps = (stride: number, padding: string, ...fused: string[]) => ({
  strides: { list: { i: ['1', `${stride}`, `${stride}`, '1'] } },
  padding: { s: words(padding)[0] },
  fused_ops: { list: { s: words(...fused) } },
});

/** Runs one operation, as a TensorFlow.js graph would name it, on a picture of rows of pixels of channels. */
async function run(
  { op, attr = {} }: { op: string; attr?: object },
  [height, width, channels]: [number, number, number],
  pixels: number[],
  weights: Weight[],
): Promise<{ dims: readonly number[]; data: number[] }> {
  const names = weights.map((_, i) => `weight${i}`);
  const shape = [-1, height, width, channels].map((size) => ({ size: `${size}` }));
  const topology = {
    modelTopology: {
      node: [
        { name: 'picture', op: 'Placeholder', attr: { shape: { shape: { dim: shape } } } },
        ...names.map((name) => ({ name, op: 'Const' })),
        { name: 'made', op, input: ['picture', ...names], attr },
      ],
    },
    weightsManifest: [
      {
        weights: weights.map(({ dtype, shape }, i) => ({
          name: names[i],
          shape,
          dtype: dtype === 'int32' ? 'int32' : 'float32',
          ...(dtype === 'float16' ? { quantization: { dtype } } : {}),
        })),
      },
    ],
  };
  const bytes = weights.map(({ dtype, values }) => {
    if (dtype === 'int32') return new Uint8Array(Int32Array.from(values).buffer);
    if (dtype === 'float16') return new Uint8Array(Uint16Array.from(values, halfOf).buffer);
    return new Uint8Array(Float32Array.from(values).buffer);
  });
  const model = convertTfjsGraph(Buffer.concat(bytes), Buffer.from(JSON.stringify(topology)));
  const session = await InferenceSession.create(model, { logSeverityLevel: 3 });
  const planes = Float32Array.from(
    { length: pixels.length },
    (_, i) => pixels[(i % (height * width)) * channels + Math.floor(i / (height * width))]!,
  );
  const { made } = await session.run({
    picture: new Tensor('float32', planes, [1, channels, height, width]),
  });
  return { dims: made!.dims, data: [...(made!.data as Float32Array)] };
}

/** Of powers of two. */
const halfOf = (value: number) => (Math.log2(value) + 15) << 10;

test('a convolution of stride two pads below and to the right first, as TensorFlow does', async () => {
  const picture = Array.from({ length: 16 }, (_, i) => i);
  const kernel = { shape: [3, 3, 1, 1], values: [0, 0, 0, 0, 0, 0, 0, 0, 1] };
  const made = await run({ op: 'Conv2D', attr: steps(2, 'SAME') }, [4, 4, 1], picture, [kernel]);
  assert.deepEqual(made, { dims: [1, 1, 2, 2], data: [10, 0, 0, 0] });
});

test('a kernel goes from all channels of a place to all channels of another', async () => {
  const kernel = { shape: [1, 1, 2, 3], values: [1, 10, 100, 2, 20, 200] };
  const bias = { shape: [3], values: [0.5, 0, -1000] };
  const fused = { op: '_FusedConv2D', attr: steps(1, 'VALID', 'BiasAdd', 'Relu') };
  const made = await run(fused, [1, 2, 2], [1, 2, 3, 4], [kernel, bias]);
  assert.deepEqual(made, { dims: [1, 3, 1, 2], data: [5.5, 11.5, 50, 110, 0, 100] });
});

test('a slope of its own for each channel, from weights of half precision', async () => {
  const kernel = { shape: [1, 1, 2, 2], values: [1, 0, 0, 1] };
  const bias = { shape: [2], values: [0, 0] };
  const slope = { shape: [1, 1, 2], values: [0.5, 4], dtype: 'float16' as const };
  const fused = { op: '_FusedConv2D', attr: steps(1, 'VALID', 'BiasAdd', 'Prelu') };
  const made = await run(fused, [1, 2, 2], [-1, -1, 2, -3], [kernel, bias, slope]);
  assert.deepEqual(made.data, [-0.5, 2, -4, -12]);
});

test('a kernel for each channel by itself', async () => {
  const kernel = { shape: [1, 2, 2, 1], values: [1, 10, 2, 20] };
  const depthwise = { op: 'DepthwiseConv2dNative', attr: steps(1, 'VALID') };
  const made = await run(depthwise, [1, 2, 2], [1, 2, 3, 4], [kernel]);
  assert.deepEqual(made, { dims: [1, 2, 1, 1], data: [7, 100] });
});

test('a shape is filled in the order of pixels, not of planes', async () => {
  const shape = { shape: [3], values: [1, 4, 1], dtype: 'int32' as const };
  const made = await run({ op: 'Reshape' }, [1, 2, 2], [1, 2, 3, 4], [shape]);
  assert.deepEqual(made, { dims: [1, 4, 1], data: [1, 2, 3, 4] });
});

test('channels are added by padding, and means are taken over places', async () => {
  const pads = { shape: [4, 2], values: [0, 0, 0, 0, 0, 0, 0, 1], dtype: 'int32' as const };
  const padded = await run({ op: 'Pad' }, [1, 2, 1], [5, 7], [pads]);
  assert.deepEqual(padded, { dims: [1, 2, 1, 2], data: [5, 7, 0, 0] });
  const axes = { shape: [2], values: [1, 2], dtype: 'int32' as const };
  const mean = await run({ op: 'Mean' }, [1, 2, 2], [1, 2, 3, 4], [axes]);
  assert.deepEqual(mean, { dims: [1, 2], data: [2, 3] });
});

test('a weight for each channel is added to every place, one number to everything', async () => {
  const each = { shape: [2], values: [10, 20] };
  const sum = await run({ op: 'Add' }, [1, 2, 2], [1, 2, 3, 4], [each]);
  assert.deepEqual(sum.data, [11, 13, 22, 24]);
  const least = await run({ op: 'Minimum' }, [1, 2, 2], [1, 2, 3, 4], [{ shape: [], values: [2.5] }]);
  assert.deepEqual(least.data, [1, 2.5, 2, 2.5]);
});

test('a picture is enlarged between the centres of its pixels, and values are held between 0 and 6', async () => {
  const size = { shape: [2], values: [1, 4], dtype: 'int32' as const };
  const wide = await run({ op: 'ResizeBilinear' }, [1, 2, 1], [0, 4], [size]);
  assert.deepEqual(wide, { dims: [1, 1, 1, 4], data: [0, 1, 3, 4] });
  const held = await run({ op: 'Relu6' }, [1, 3, 1], [-1, 2, 9], []);
  assert.deepEqual(held.data, [0, 2, 6]);
});

test('a part of a graph takes its input in the place of a node, and leaves out what it does not need', async () => {
  const shape = { shape: { dim: [1, 1, 2, 1].map((size) => ({ size: `${size}` })) } };
  const node = (name: string, op: string, ...input: string[]) => ({ name, op, input });
  const topology = {
    modelTopology: {
      node: [
        { ...node('picture', 'Placeholder'), attr: { shape } },
        node('scaled', 'Unheard', 'picture'),
        node('positive', 'Relu', 'scaled'),
        node('chosen', 'Unheard', 'positive'),
      ],
    },
    weightsManifest: [],
  };
  const part = { input: 'scaled', outputs: ['positive'] };
  const model = convertTfjsGraph(Buffer.alloc(0), Buffer.from(JSON.stringify(topology)), part);
  const session = await InferenceSession.create(model, { logSeverityLevel: 3 });
  const { positive } = await session.run({ scaled: new Tensor('float32', [-1, 1], [1, 1, 1, 2]) });
  assert.deepEqual([...(positive!.data as Float32Array)], [0, 1]);
});

test('an operation that is not known is named', async () => {
  await assert.rejects(run({ op: 'Unheard' }, [1, 1, 1], [1], []), /Unheard/);
});
