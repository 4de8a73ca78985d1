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

/** Words are in base64, integers in words. */
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

interface Graph {
  nodes: Buffer[];
  constants: Buffer[];
  inputs: Buffer[];
  weights: Map<string, TfjsWeight>;
  /** Values of the weights that are integers: sizes, axes. */
  integers: Map<string, Int32Array>;
  turned: Set<string>;
}

/**
 * A TensorFlow.js graph of convolutions as an ONNX model. Its pictures have their channels last, an ONNX model's first:
 * the weights go over as they are, with nodes that turn them, which the runtime does once as it loads the model.
 */
export function onnxOfTfjs(weights: Buffer, topology?: Buffer): Buffer {
  const { modelTopology, weightsManifest } = JSON.parse(String(topology)) as TfjsModel;
  const graph: Graph = {
    nodes: [],
    constants: [],
    inputs: [],
    weights: new Map(),
    integers: new Map(),
    turned: new Set(),
  };
  let at = 0;
  for (const weight of weightsManifest.flatMap((group) => group.weights)) {
    const bytes = weight.shape.reduce((product, size) => product * size, isHalf(weight) ? 2 : 4);
    addWeight(graph, weight, weights.subarray(at, at + bytes));
    at += bytes;
  }
  const nodes = modelTopology.node;
  for (const each of nodes) {
    const write = writers[each.op];
    if (!write) throw new Error(`${each.op} is not known`);
    write(graph, each, each.input ?? []);
  }
  const taken = new Set(nodes.flatMap((each) => each.input ?? []));
  const outputs = nodes.filter(({ op, name }) => op !== 'Const' && !taken.has(name));
  return onnxFile({ ...graph, outputs: outputs.map(({ name }) => port(name)) });
}

const isHalf = ({ quantization }: TfjsWeight) => quantization?.dtype === 'float16';

function addWeight(graph: Graph, weight: TfjsWeight, bytes: Buffer): void {
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

type Write = (graph: Graph, node: TfjsNode, inputs: string[]) => void;

const plain =
  (type: string): Write =>
  ({ nodes }, { name }, inputs) =>
    nodes.push(node(type, inputs, name));

const writers: Record<string, Write> = {
  Const: () => {},
  Placeholder({ inputs }, { name, attr }) {
    const [, height, width, channels] = attr!.shape!.shape!.dim.map(({ size }) => Number(size));
    inputs.push(port(name, ['count', channels!, height!, width!]));
  },
  Identity: plain('Identity'),
  Relu: plain('Relu'),
  Sigmoid: plain('Sigmoid'),
  Softmax: plain('Softmax'),
  Add: withWeight('Add'),
  AddV2: withWeight('Add'),
  Mul: withWeight('Mul'),
  Minimum: ({ nodes }, { name }, [value, most]) => nodes.push(node('Clip', [value!, '', most!], name)),
  Maximum: ({ nodes }, { name }, [value, least]) => nodes.push(node('Clip', [value!, least!], name)),
  Prelu(graph, { name }, [value, slope]) {
    graph.nodes.push(node('PRelu', [value!, turn(graph, slope!, [2, 0, 1])], name));
  },
  Conv2D: (graph, each, inputs) => convolve(graph, each, inputs, [3, 2, 0, 1]),
  _FusedConv2D: (graph, each, inputs) => convolve(graph, each, inputs, [3, 2, 0, 1]),
  DepthwiseConv2dNative(graph, each, inputs) {
    const channels = graph.weights.get(inputs[1]!)!.shape[2]!;
    convolve(graph, each, inputs, [2, 3, 0, 1], channels);
  },
  _FusedMatMul(graph, each, inputs) {
    activated(graph, each, [], (output) => graph.nodes.push(node('Gemm', inputs, output)));
  },
  MaxPool({ nodes }, { name, attr }, inputs) {
    const kernel = sides(attr!.ksize);
    nodes.push(node('MaxPool', inputs, name, { ...stepping(attr!), kernel_shape: kernel }));
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
    graph.nodes.push(node('Transpose', [value!], `${name}:last`, { perm: [0, 2, 3, 1] }));
    graph.nodes.push(node('Reshape', [`${name}:last`, `${name}:shape`], name));
  },
  ConcatV2(graph, { name }, inputs) {
    const axis = graph.integers.get(inputs.at(-1)!)![0]!;
    graph.nodes.push(node('Concat', inputs.slice(0, -1), name, { axis: axisHere(axis) }));
  },
  Mean(graph, { name }, [value, axes]) {
    const here = [...graph.integers.get(axes!)!].map(axisHere);
    graph.nodes.push(node('ReduceMean', [value!], name, { axes: here, keepdims: 0 }));
  },
};

function convolve(graph: Graph, each: TfjsNode, inputs: string[], perm: number[], group = 1): void {
  const [picture, kernel, bias, ...slope] = inputs;
  const taken = [picture!, turn(graph, kernel!, perm), ...(bias ? [bias] : [])];
  activated(graph, each, slope, (output) => {
    graph.nodes.push(node('Conv', taken, output, { ...stepping(each.attr!), group }));
  });
}

/** Writes what a fused operation computes, and then its activation, if it has one. */
function activated(
  graph: Graph,
  { name, attr }: TfjsNode,
  slope: string[],
  write: (output: string) => void,
): void {
  const [, activation] = (attr!.fused_ops?.list?.s ?? []).map(word);
  if (!activation) {
    write(name);
    return;
  }
  const value = `${name}:value`;
  write(value);
  writers[activation]!(graph, { name, op: activation }, [value, ...slope]);
}

/** An operation of two values; a weight of one number for each channel is laid along the channels. */
function withWeight(type: string): Write {
  return (graph, { name }, inputs) => {
    const turned = inputs.map((input) => {
      const shape = graph.weights.get(input)?.shape;
      if (shape?.length !== 1) return input;
      graph.nodes.push(node('Unsqueeze', [input], `${name}:along`, { axes: [1, 2] }));
      return `${name}:along`;
    });
    graph.nodes.push(node(type, turned, name));
  };
}

function turn(graph: Graph, weight: string, perm: number[]): string {
  const turned = `${weight}:turned`;
  if (!graph.turned.has(turned)) graph.nodes.push(node('Transpose', [weight], turned, { perm }));
  graph.turned.add(turned);
  return turned;
}

function stepping(attr: Record<string, TfjsAttribute>): Record<string, Attribute> {
  const padding = word(attr.padding!.s!);
  return { strides: sides(attr.strides), auto_pad: padding === 'SAME' ? 'SAME_UPPER' : padding };
}

const word = (base64: string) => Buffer.from(base64, 'base64').toString();

/** Height and width of four sizes. */
const sides = (attribute?: TfjsAttribute) => attribute!.list!.i!.slice(1, 3).map(Number);

/** Where an axis of count, height, width, channels is among count, channels, height, width. */
const axisHere = (axis: number) => [0, 2, 3, 1].at(axis)!;

const channelsFirst = <T>([count, height, width, channels]: T[]) => [count!, channels!, height!, width!];

const pairs = (values: Int32Array) =>
  Array.from({ length: values.length / 2 }, (_, i) => [values[2 * i]!, values[2 * i + 1]!] as const);
