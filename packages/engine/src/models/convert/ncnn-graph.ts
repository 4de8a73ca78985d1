import { type Attribute, constant, integers, node, onnxFile, port } from './onnx-file.ts';

/**
 * One line of an ncnn graph: type, name, count of inputs, count of outputs, inputs, outputs, then `key=value`, where a
 * key of -23300 - n is the list number n, its length first: https://github.com/Tencent/ncnn/wiki/param-and-model-file-structure
 */
interface Layer {
  type: string;
  name: string;
  inputs: string[];
  output: string;
  values: Map<number, number[]>;
}

/** The ONNX graph so far. Values keep the names that they have in ncnn. */
interface Conversion {
  nodes: Buffer[];
  constants: Map<string, Buffer>;
  weights: WeightReader;
}

type Converter = (graph: Conversion, layer: Layer) => void;

/** Before weights: whether they have 16 bits or 32. */
const halfTag = 0x01306b47;
const singleTag = 0;

/** In `Cast`, by ONNX's numbers of element types. */
const toFloat = { to: 1 } as const;

/** Two pictures and a time become what lies between them, by operators that came with this operator set. */
const operatorSet = 16;

/**
 * Converts RIFE, a network that interpolates frames, from ncnn to ONNX. The model takes `first` and `last`, RGB from 0
 * to 1 of one size in multiples of 32, and `time`, from 0 at the first to 1 at the last. It gives `flow`, which says for
 * each pixel of the picture between them how far away, across and down, it lies in the first and then in the last, and
 * `share`, how much of it comes from the first. With these two, pictures of any size and their alpha are carried.
 * Weights are copied as they are, followed by nodes that widen and transpose them, which the runtime folds as it loads
 * the model.
 */
export function convertNcnnGraph(weights: Buffer, topology?: Buffer): Buffer {
  if (!topology) throw new Error('The graph is missing.');
  const graph: Conversion = { nodes: [], constants: new Map(), weights: new WeightReader(weights) };
  addPixelGrid(graph);
  const layers = readLayers(topology.toString('utf8'), { in0: 'first', in1: 'last', in2: 'time everywhere' });
  const share = layers.find(({ type }) => type === 'Sigmoid')!;
  const flow = flowBefore(layers, share);
  // What follows only warps the pictures once more, at the size of the network's input.
  for (const layer of layers.slice(0, layers.indexOf(share) + 1)) {
    const convert = converters[layer.type];
    if (!convert) throw new Error(`The layer ${layer.type} cannot be converted.`);
    convert(graph, layer);
  }
  if (graph.weights.left > 0) throw new Error(`${graph.weights.left} bytes of weights are left over.`);
  add(graph, 'Identity', [flow], 'flow');
  add(graph, 'Identity', [share.output], 'share');
  const size = ['height', 'width'] as const;
  return onnxFile(
    {
      nodes: graph.nodes,
      constants: [...graph.constants.values()],
      inputs: [port('first', [1, 3, ...size]), port('last', [1, 3, ...size]), port('time', [1])],
      outputs: [port('flow', [1, 4, ...size]), port('share', [1, 1, ...size])],
    },
    operatorSet,
  );
}

/** The layers, with one name for each value: `Split` only gives a value several. */
function readLayers(text: string, inputNames: Record<string, string>): Layer[] {
  const names = new Map(Object.entries(inputNames));
  const layers: Layer[] = [];
  for (const line of text.split('\n').slice(2)) {
    const words = line.split(/\s+/).filter(Boolean);
    if (words.length === 0) continue;
    const [type, name] = words as [string, string];
    const [inputCount, outputCount] = [Number(words[2]), Number(words[3])];
    const inputs = words.slice(4, 4 + inputCount).map((input) => names.get(input) ?? input);
    const outputs = words.slice(4 + inputCount, 4 + inputCount + outputCount);
    if (type === 'Split') for (const output of outputs) names.set(output, inputs[0]!);
    else if (type !== 'Input') {
      const values = new Map(words.slice(4 + inputCount + outputCount).map(readValue));
      layers.push({ type, name, inputs, output: outputs[0]!, values });
    }
  }
  return layers;
}

function readValue(pair: string): [key: number, values: number[]] {
  const [key, text] = pair.split('=') as [string, string];
  const values = text.split(',').map(Number);
  return Number(key) <= -23300 ? [-23300 - Number(key), values.slice(1)] : [Number(key), values];
}

/** The value whose parts the warps after the share take as their flow. */
function flowBefore(layers: readonly Layer[], share: Layer): string {
  const after = layers.slice(layers.indexOf(share) + 1);
  const cropped = after.find(({ type }) => type === 'Crop');
  if (!cropped) throw new Error('The graph has no flow.');
  return cropped.inputs[0]!;
}

/** Reads the file of weights from its beginning to its end. */
class WeightReader {
  readonly #file: Buffer;
  #position = 0;

  constructor(file: Buffer) {
    this.#file = file;
  }

  get left(): number {
    return this.#file.length - this.#position;
  }

  /** Weights with a tag before them, filled up to four bytes. */
  readTagged(count: number): { type: 'float16' | 'float32'; bytes: Buffer } {
    const tag = this.#take(4).readUInt32LE(0);
    if (tag === singleTag) return { type: 'float32', bytes: this.#take(4 * count) };
    if (tag !== halfTag) throw new Error(`The weights have the tag ${tag}.`);
    const bytes = this.#take(2 * count);
    this.#take(count % 2 === 0 ? 0 : 2);
    return { type: 'float16', bytes };
  }

  readFloats(count: number): Buffer {
    return this.#take(4 * count);
  }

  #take(length: number): Buffer {
    if (length > this.left) throw new Error('The weights are cut off.');
    this.#position += length;
    return this.#file.subarray(this.#position - length, this.#position);
  }
}

function add(
  graph: Conversion,
  op: string,
  inputs: readonly string[],
  output: string,
  attributes: Record<string, Attribute> = {},
): string {
  graph.nodes.push(node(op, inputs, output, attributes));
  return output;
}

/** The name of a constant with these values, one of all that are alike. */
function floats(graph: Conversion, values: readonly number[]): string {
  const name = `float ${values.join(' ')}`;
  const bytes = new Uint8Array(Float32Array.from(values).buffer);
  graph.constants.set(name, constant(name, 'float32', [values.length], bytes));
  return name;
}

function indices(graph: Conversion, ...values: number[]): string {
  const name = `index ${values.join(' ')}`;
  graph.constants.set(name, integers(name, values));
  return name;
}

/** A value of a layer; what ncnn leaves out has its default. */
function setting({ values }: Layer, key: number, otherwise = 0): number {
  return values.get(key)?.[0] ?? otherwise;
}

function convertConvolution(graph: Conversion, layer: Layer): void {
  const [channels, side, count] = [setting(layer, 0), setting(layer, 1), setting(layer, 6)];
  const transposed = layer.type === 'Deconvolution';
  const { type, bytes } = graph.weights.readTagged(count);
  const stored = `${layer.name} weights`;
  const shape = [channels, count / channels / side ** 2, side, side];
  graph.constants.set(stored, constant(stored, type, shape, bytes));
  const biases = `${layer.name} biases`;
  graph.constants.set(biases, constant(biases, 'float32', [channels], graph.weights.readFloats(channels)));
  let weights = type === 'float16' ? add(graph, 'Cast', [stored], `${stored} widened`, toFloat) : stored;
  // ONNX has the channels that come in first.
  if (transposed) weights = add(graph, 'Transpose', [weights], `${stored} turned`, { perm: [1, 0, 2, 3] });
  const [stride, pad] = [setting(layer, 3, 1), setting(layer, 4)];
  const hasLeakyRelu = setting(layer, 9) === 2;
  const sum = hasLeakyRelu ? `${layer.output} linear` : layer.output;
  add(graph, transposed ? 'ConvTranspose' : 'Conv', [layer.inputs[0]!, weights, biases], sum, {
    kernel_shape: [side, side],
    pads: [pad, pad, pad, pad],
    strides: [stride, stride],
  });
  if (hasLeakyRelu) add(graph, 'LeakyRelu', [sum], layer.output, { alpha: { float: setting(layer, 10) } });
}

const binaryOperators = ['Add', 'Sub', 'Mul', 'Div'] as const;

function convertBinary(graph: Conversion, layer: Layer): void {
  const operator = binaryOperators[setting(layer, 0)];
  if (!operator) throw new Error(`The operator ${setting(layer, 0)} of ${layer.name} cannot be converted.`);
  const constants = setting(layer, 1) === 1 ? [floats(graph, [setting(layer, 2)])] : [];
  add(graph, operator, [...layer.inputs, ...constants], layer.output);
}

function convertWeightedSum(graph: Conversion, layer: Layer): void {
  const terms = layer.inputs.map((input, i) => {
    const factor = layer.values.get(1)?.[i] ?? 1;
    return factor === 1 ? input : add(graph, 'Mul', [input, floats(graph, [factor])], `${layer.name} ${i}`);
  });
  add(graph, 'Add', terms, layer.output);
}

function convertResize(graph: Conversion, layer: Layer): void {
  if (setting(layer, 0) !== 2) throw new Error(`${layer.name} does not resize bilinearly.`);
  const scales = floats(graph, [1, 1, setting(layer, 1), setting(layer, 2)]);
  add(graph, 'Resize', [layer.inputs[0]!, '', scales], layer.output, {
    mode: 'linear',
    coordinate_transformation_mode: 'half_pixel',
  });
}

function convertCrop(graph: Conversion, layer: Layer): void {
  const from = indices(graph, layer.values.get(9)![0]!);
  const to = indices(graph, layer.values.get(10)![0]!);
  add(graph, 'Slice', [layer.inputs[0]!, from, to, indices(graph, 1)], layer.output);
}

/** Each pixel from where the flow points to, at most the border of the picture. */
function convertWarp(graph: Conversion, { name, inputs, output }: Layer): void {
  const [picture, flow] = inputs as [string, string];
  add(graph, 'Transpose', [flow], `${name} flow`, { perm: [0, 2, 3, 1] });
  add(graph, 'Add', [`${name} flow`, 'pixels'], `${name} from`);
  add(graph, 'Mul', [`${name} from`, 'grid step'], `${name} scaled`);
  add(graph, 'Sub', [`${name} scaled`, floats(graph, [1])], `${name} grid`);
  const sampling = { mode: 'bilinear', padding_mode: 'border', align_corners: 1 };
  add(graph, 'GridSample', [picture, `${name} grid`], output, sampling);
}

/**
 * Where each pixel lies, what makes a grid of pixels one from -1 to 1, as warps take it, and the time for every pixel.
 */
function addPixelGrid(graph: Conversion): void {
  graph.constants.set('zero', constant('zero', 'int64', [], new Uint8Array(8)));
  graph.constants.set('one', constant('one', 'int64', [], Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0)));
  add(graph, 'Shape', ['first'], 'size', { start: 2, end: 4 });
  for (const [axis, place] of [
    ['height', 'zero'],
    ['width', 'one'],
  ] as const) {
    add(graph, 'Gather', ['size', place], axis);
    add(graph, 'Range', ['zero', axis, 'one'], `${axis} range`);
    add(graph, 'Cast', [`${axis} range`], `${axis} pixels`, toFloat);
  }
  add(graph, 'Concat', [indices(graph, 1), 'size', indices(graph, 1)], 'plane', { axis: 0 });
  add(graph, 'Unsqueeze', ['height pixels', indices(graph, 1, 2)], 'rows');
  add(graph, 'Unsqueeze', ['width pixels', indices(graph, 1)], 'columns');
  add(graph, 'Expand', ['rows', 'plane'], 'y');
  add(graph, 'Expand', ['columns', 'plane'], 'x');
  add(graph, 'Concat', ['x', 'y'], 'pixels', { axis: 3 });
  add(graph, 'Cast', ['size'], 'size in floats', toFloat);
  add(graph, 'Gather', ['size in floats', indices(graph, 1, 0)], 'width and height');
  add(graph, 'Sub', ['width and height', floats(graph, [1])], 'farthest');
  add(graph, 'Div', [floats(graph, [2]), 'farthest'], 'grid step');
  add(graph, 'Concat', [indices(graph, 1, 1), 'size'], 'time shape', { axis: 0 });
  add(graph, 'Expand', ['time', 'time shape'], 'time everywhere');
}

const converters: Record<string, Converter | undefined> = {
  Convolution: convertConvolution,
  Deconvolution: convertConvolution,
  BinaryOp: convertBinary,
  Eltwise: convertWeightedSum,
  Interp: convertResize,
  Crop: convertCrop,
  'rife.Warp': convertWarp,
  ReLU: (graph, layer) =>
    add(graph, 'LeakyRelu', layer.inputs, layer.output, { alpha: { float: setting(layer, 0) } }),
  Sigmoid: (graph, layer) => add(graph, 'Sigmoid', layer.inputs, layer.output),
  Concat: (graph, layer) => add(graph, 'Concat', layer.inputs, layer.output, { axis: 1 }),
  PixelShuffle: (graph, layer) =>
    add(graph, 'DepthToSpace', layer.inputs, layer.output, { blocksize: setting(layer, 0), mode: 'CRD' }),
};
