import type { GraphPart } from '../models.ts';
import { type Attribute, constant, integers, node, onnxFile, port } from './onnx-file.ts';

/** What is read of a TensorFlow.js graph model. */
interface TfjsModel {
  modelTopology: { node: TfjsNode[] };
  weightsManifest: { weights: TfjsWeight[] }[];
}

interface TfjsNode {
  name: string;
  op: string;
  input?: string[];
  attr?: Record<string, TfjsAttribute>;
}

/** Strings are in base64, integers are strings. */
interface TfjsAttribute {
  s?: string;
  list?: { s?: string[]; i?: string[] };
  shape?: { dim: { size: string }[] };
}

interface TfjsWeight {
  name: string;
  shape: number[];
  dtype: 'float32' | 'int32';
  quantization?: { dtype: string };
}

/** The ONNX graph so far, and what is known of the weights it uses. */
interface Conversion {
  nodes: Buffer[];
  constants: Buffer[];
  inputs: Buffer[];
  weights: Map<string, TfjsWeight>;
  /** Values of the weights that are integers: sizes, axes. */
  integers: Map<string, Int32Array>;
  /** Weights that have a transposed copy already. */
  transposed: Set<string>;
}

/**
 * Converts a TensorFlow.js graph of convolutions to an ONNX model. TensorFlow keeps channels last, ONNX first: the
 * weights are copied as they are, followed by nodes that transpose them, which the runtime folds as it loads the model.
 */
export function convertTfjsGraph(weights: Buffer, topology?: Buffer, part?: GraphPart): Buffer {
  const { modelTopology, weightsManifest } = JSON.parse(String(topology)) as TfjsModel;
  const nodes = part ? nodesOfPart(modelTopology.node, part) : modelTopology.node;
  const consumed = new Set(nodes.flatMap((each) => each.input ?? []));
  const graph: Conversion = {
    nodes: [],
    constants: [],
    inputs: [],
    weights: new Map(),
    integers: new Map(),
    transposed: new Set(),
  };
  let at = 0;
  for (const weight of weightsManifest.flatMap((group) => group.weights)) {
    const bytes = weight.shape.reduce((product, size) => product * size, isHalf(weight) ? 2 : 4);
    if (!part || consumed.has(weight.name)) addWeight(graph, weight, weights.subarray(at, at + bytes));
    at += bytes;
  }
  for (const each of nodes) {
    const convert = converters[each.op];
    if (!convert) throw new Error(`The operation ${each.op} cannot be converted.`);
    convert(graph, each, each.input ?? []);
  }
  const outputs = nodes.filter(({ op, name }) => op !== 'Const' && !consumed.has(name));
  return onnxFile({ ...graph, outputs: outputs.map(({ name }) => port(name)) });
}

/** What the outputs of a part are computed by, from its input on, which takes the place of the graph's own. */
function nodesOfPart(nodes: readonly TfjsNode[], { input, outputs }: GraphPart): TfjsNode[] {
  const placeholder = nodes.find(({ op }) => op === 'Placeholder')!;
  const byName = new Map(nodes.map((each) => [each.name, each]));
  byName.set(input, { ...placeholder, name: input });
  const needed = new Set<string>();
  const need = (name: string): void => {
    if (needed.has(name)) return;
    needed.add(name);
    for (const each of byName.get(name)?.input ?? []) need(each);
  };
  for (const output of outputs) need(output);
  return nodes.flatMap(({ name }) => (needed.has(name) ? [byName.get(name)!] : []));
}

const isHalf = ({ quantization }: TfjsWeight) => quantization?.dtype === 'float16';

function addWeight(graph: Conversion, weight: TfjsWeight, bytes: Buffer): void {
  const { name, shape, dtype } = weight;
  graph.weights.set(name, weight);
  if (dtype === 'int32') {
    graph.integers.set(name, new Int32Array(new Uint8Array(bytes).buffer));
  } else if (isHalf(weight)) {
    graph.constants.push(constant(`${name}:half`, 'float16', shape, bytes));
    graph.nodes.push(node('Cast', [`${name}:half`], name, { to: 1 }));
  } else {
    graph.constants.push(constant(name, 'float32', shape, bytes));
  }
}

const scalar = (name: string, value: number) =>
  constant(name, 'float32', [], new Uint8Array(Float32Array.of(value).buffer));

/** Adds what an operation of TensorFlow is in ONNX. */
type Convert = (graph: Conversion, node: TfjsNode, inputs: string[]) => void;

const sameOperation =
  (type: string): Convert =>
  ({ nodes }, { name }, inputs) =>
    nodes.push(node(type, inputs, name));

const converters: Record<string, Convert> = {
  Const: () => {},
  Placeholder({ inputs }, { name, attr }) {
    const [, height, width, channels] = attr!.shape!.shape!.dim.map(({ size }) => Number(size));
    inputs.push(port(name, ['count', channels!, height!, width!]));
  },
  Identity: sameOperation('Identity'),
  Relu: sameOperation('Relu'),
  Relu6(graph, { name }, [value]) {
    const [low, high] = [`${name}:low`, `${name}:high`];
    graph.constants.push(scalar(low, 0), scalar(high, 6));
    graph.nodes.push(node('Clip', [value!, low, high], name));
  },
  Sigmoid: sameOperation('Sigmoid'),
  Softmax: sameOperation('Softmax'),
  Add: withChannelWeight('Add'),
  AddV2: withChannelWeight('Add'),
  Mul: withChannelWeight('Mul'),
  Minimum: ({ nodes }, { name }, [value, high]) => nodes.push(node('Clip', [value!, '', high!], name)),
  Maximum: ({ nodes }, { name }, [value, low]) => nodes.push(node('Clip', [value!, low!], name)),
  Prelu(graph, { name }, [value, slope]) {
    graph.nodes.push(node('PRelu', [value!, transpose(graph, slope!, [2, 0, 1])], name));
  },
  Conv2D: (graph, each, inputs) => convolve(graph, each, inputs, [3, 2, 0, 1]),
  _FusedConv2D: (graph, each, inputs) => convolve(graph, each, inputs, [3, 2, 0, 1]),
  DepthwiseConv2dNative(graph, each, inputs) {
    const channels = graph.weights.get(inputs[1]!)!.shape[2]!;
    convolve(graph, each, inputs, [2, 3, 0, 1], channels);
  },
  FusedDepthwiseConv2dNative: (graph, each, inputs) => converters.DepthwiseConv2dNative!(graph, each, inputs),
  ResizeBilinear(graph, { name }, [value, size]) {
    const named = (part: string) => `${name}:${part}`;
    // Count and channels stay as they are.
    graph.nodes.push(node('Shape', [value!], named('shape')));
    graph.constants.push(
      integers(named('from'), [0]),
      integers(named('to'), [2]),
      integers(named('sides'), [...graph.integers.get(size!)!]),
      constant(named('none'), 'float32', [0], new Uint8Array()),
    );
    graph.nodes.push(
      node('Slice', [named('shape'), named('from'), named('to')], named('others')),
      node('Concat', [named('others'), named('sides')], named('size'), { axis: 0 }),
      node('Resize', [value!, named('none'), named('none'), named('size')], name, {
        mode: 'linear',
        coordinate_transformation_mode: 'half_pixel',
      }),
    );
  },
  _FusedMatMul(graph, each, inputs) {
    addActivated(graph, each, [], (output) => graph.nodes.push(node('Gemm', inputs, output)));
  },
  MaxPool({ nodes }, { name, attr }, inputs) {
    const kernel = heightAndWidth(attr!.ksize);
    nodes.push(node('MaxPool', inputs, name, { ...stridesAndPadding(attr!), kernel_shape: kernel }));
  },
  Pad(graph, { name }, [value, paddings]) {
    // Before and after, for each of: count, height, width, channels.
    const pads = channelsFirst(pairs(graph.integers.get(paddings!)!));
    const flat = [...pads.map(([before]) => before), ...pads.map(([, after]) => after)];
    graph.constants.push(integers(`${name}:pads`, flat));
    graph.nodes.push(node('Pad', [value!, `${name}:pads`], name));
  },
  Reshape(graph, { name }, [value, shape]) {
    const [, ...rest] = graph.integers.get(shape!)!;
    graph.constants.push(integers(`${name}:shape`, [0, ...rest]));
    graph.nodes.push(node('Transpose', [value!], `${name}:channels-last`, { perm: [0, 2, 3, 1] }));
    graph.nodes.push(node('Reshape', [`${name}:channels-last`, `${name}:shape`], name));
  },
  ConcatV2(graph, { name }, inputs) {
    const axis = graph.integers.get(inputs.at(-1)!)![0]!;
    graph.nodes.push(node('Concat', inputs.slice(0, -1), name, { axis: channelsFirstAxis(axis) }));
  },
  Mean(graph, { name }, [value, axes]) {
    const onnxAxes = [...graph.integers.get(axes!)!].map(channelsFirstAxis);
    graph.nodes.push(node('ReduceMean', [value!], name, { axes: onnxAxes, keepdims: 0 }));
  },
};

function convolve(graph: Conversion, each: TfjsNode, inputs: string[], perm: number[], group = 1): void {
  const [picture, kernel, bias, ...slope] = inputs;
  const onnxInputs = [picture!, transpose(graph, kernel!, perm), ...(bias ? [bias] : [])];
  addActivated(graph, each, slope, (output) => {
    graph.nodes.push(node('Conv', onnxInputs, output, { ...stridesAndPadding(each.attr!), group }));
  });
}

/** Adds what a fused operation computes, and then its activation, if it has one. */
function addActivated(
  graph: Conversion,
  { name, attr }: TfjsNode,
  slope: string[],
  addOperation: (output: string) => void,
): void {
  const [, activation] = (attr!.fused_ops?.list?.s ?? []).map(decodeText);
  if (!activation) {
    addOperation(name);
    return;
  }
  const value = `${name}:value`;
  addOperation(value);
  converters[activation]!(graph, { name, op: activation }, [value, ...slope]);
}

/** An operation of two values; a weight of one number for each channel gets a height and a width of one. */
function withChannelWeight(type: string): Convert {
  return (graph, { name }, inputs) => {
    const shaped = inputs.map((input) => {
      const shape = graph.weights.get(input)?.shape;
      if (shape?.length !== 1) return input;
      graph.nodes.push(node('Unsqueeze', [input], `${name}:channels`, { axes: [1, 2] }));
      return `${name}:channels`;
    });
    graph.nodes.push(node(type, shaped, name));
  };
}

function transpose(graph: Conversion, weight: string, perm: number[]): string {
  const transposed = `${weight}:transposed`;
  if (!graph.transposed.has(transposed)) graph.nodes.push(node('Transpose', [weight], transposed, { perm }));
  graph.transposed.add(transposed);
  return transposed;
}

function stridesAndPadding(attr: Record<string, TfjsAttribute>): Record<string, Attribute> {
  const padding = decodeText(attr.padding!.s!);
  return { strides: heightAndWidth(attr.strides), auto_pad: padding === 'SAME' ? 'SAME_UPPER' : padding };
}

const decodeText = (base64: string) => Buffer.from(base64, 'base64').toString();

/** Height and width of four sizes. */
const heightAndWidth = (attribute?: TfjsAttribute) => attribute!.list!.i!.slice(1, 3).map(Number);

/** The axis of count, channels, height, width that stands for one of count, height, width, channels. */
const channelsFirstAxis = (axis: number) => [0, 2, 3, 1].at(axis)!;

const channelsFirst = <T>([count, height, width, channels]: T[]) => [count!, channels!, height!, width!];

const pairs = (values: Int32Array) =>
  Array.from({ length: values.length / 2 }, (_, i) => [values[2 * i]!, values[2 * i + 1]!] as const);
