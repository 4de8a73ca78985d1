import { FlatTable } from './flatbuffers.ts';
import { type Attribute, constant, integers, node, onnxFile, port } from './onnx-file.ts';

/**
 * The fields of TensorFlow Lite's tables that are read:
 * https://github.com/tensorflow/tensorflow/blob/master/tensorflow/compiler/mlir/lite/schema/schema.fbs
 */
const inModel = { operatorCodes: 1, subgraphs: 2, buffers: 4 } as const;
const inOperatorCode = { upTo127: 0, any: 3 } as const;
const inSubgraph = { tensors: 0, inputs: 1, outputs: 2, operators: 3 } as const;
const inTensor = { shape: 0, type: 1, buffer: 2 } as const;
const inBuffer = { data: 0 } as const;
const inOperator = { code: 0, inputs: 1, outputs: 2, options: 4 } as const;
/** Of convolutions; the other fields of their options differ from kind to kind. */
const inConvolution = { padding: 0, strideAcross: 1, strideDown: 2 } as const;

const float32 = 0;
const same = 0;
const activations = { none: 0, relu: 1, relu6: 3 } as const;

/** A value of the network; height, width and channels of a picture in this order. */
interface Value {
  name: string;
  shape: number[];
  type: number;
  /** Null where it is computed. */
  constant: Uint8Array | null;
}

/** The ONNX graph so far. */
interface Conversion {
  nodes: Buffer[];
  constants: Buffer[];
}

interface Operator {
  options: FlatTable | null;
  inputs: Value[];
  output: Value;
}

/**
 * Converts a TensorFlow Lite network of 32-bit numbers to an ONNX model whose input is `input` and whose output is
 * `output`. Pictures keep their channels last. ONNX has them first in convolutions and resizing, so these stand between
 * two transpositions, nearly all of which the runtime removes as it loads the model.
 */
export function convertTfliteGraph(file: Buffer): Buffer {
  const model = FlatTable.rootOf(file);
  const codes = model
    .tables(inModel.operatorCodes)
    .map((code) => Math.max(code.byte(inOperatorCode.upTo127), code.integer(inOperatorCode.any)));
  const [subgraph] = model.tables(inModel.subgraphs);
  if (!subgraph) throw new Error('The file has no graph.');
  const values = readValues(subgraph, model.tables(inModel.buffers));
  const graph: Conversion = { nodes: [], constants: [floatConstant('zero', 0), floatConstant('six', 6)] };
  for (const { name, shape, type, constant: bytes } of values) {
    if (bytes && type === float32) graph.constants.push(constant(name, 'float32', shape, bytes));
  }
  for (const each of subgraph.tables(inSubgraph.operators)) {
    const code = codes[each.integer(inOperator.code)]!;
    const convert = converters[code];
    if (!convert) throw new Error(`The operator ${code} cannot be converted.`);
    const inputs = each.integers(inOperator.inputs).filter((index) => index >= 0);
    convert(graph, {
      options: each.table(inOperator.options),
      inputs: inputs.map((index) => values[index]!),
      output: values[each.integers(inOperator.outputs)[0]!]!,
    });
  }
  const input = values.find(({ name }) => name === 'input')!;
  return onnxFile({ ...graph, inputs: [port('input', input.shape)], outputs: [port('output')] });
}

function readValues(subgraph: FlatTable, buffers: readonly FlatTable[]): Value[] {
  const [input] = subgraph.integers(inSubgraph.inputs);
  const [output] = subgraph.integers(inSubgraph.outputs);
  return subgraph.tables(inSubgraph.tensors).map((tensor, index) => {
    const bytes = buffers[tensor.integer(inTensor.buffer)]!.bytes(inBuffer.data);
    return {
      name: index === input ? 'input' : index === output ? 'output' : `value ${index}`,
      shape: tensor.integers(inTensor.shape),
      type: tensor.byte(inTensor.type),
      constant: bytes.length > 0 ? bytes : null,
    };
  });
}

/** Adds what an operator of TensorFlow Lite is in ONNX. */
type Convert = (graph: Conversion, operator: Operator) => void;

/** By the operators' numbers in the schema. */
const converters: Record<number, Convert> = {
  // ADD
  0: (graph, operator) => calculate(graph, 'Add', operator),
  // CONV_2D
  3: (graph, operator) =>
    convolve(graph, operator, {
      perm: [0, 3, 1, 2],
      group: 1,
      activation: 3,
      spread: paddingAndDilation(operator, { down: 5, across: 4 }),
    }),
  // DEPTHWISE_CONV_2D
  4: (graph, operator) =>
    convolve(graph, operator, {
      perm: [3, 0, 1, 2],
      group: operator.inputs[0]!.shape[3]!,
      activation: 4,
      spread: paddingAndDilation(operator, { down: 6, across: 5 }),
    }),
  // MUL
  18: (graph, operator) => calculate(graph, 'Mul', operator),
  // RESHAPE
  22(graph, { inputs: [value], output }) {
    graph.constants.push(integers(`${output.name}:shape`, output.shape));
    graph.nodes.push(node('Reshape', [value!.name, `${output.name}:shape`], output.name));
  },
  // RESIZE_BILINEAR
  23: (graph, operator) => resize(graph, operator, { alignCorners: 2, halfPixel: 3, mode: 'linear' }),
  // SOFTMAX
  25({ nodes }, { inputs: [value], output }) {
    nodes.push(node('Softmax', [value!.name], output.name, { axis: value!.shape.length - 1 }));
  },
  // TRANSPOSE
  39({ nodes }, { inputs: [value, order], output }) {
    nodes.push(node('Transpose', [value!.name], output.name, { perm: integersOf(order!) }));
  },
  // TRANSPOSE_CONV: its first input is the shape of its output.
  67(graph, { options, inputs: [, kernel, picture, ...bias], output }) {
    const operator = { options, inputs: [picture!, kernel!, ...bias], output };
    convolve(graph, operator, {
      type: 'ConvTranspose',
      perm: [3, 0, 1, 2],
      group: 1,
      activation: 3,
      spread: { pads: transposedPads(operator) },
    });
  },
  // SUM
  74({ nodes }, { options, inputs: [value, axes], output }) {
    const { length } = value!.shape;
    const positive = integersOf(axes!).map((axis) => (axis + length) % length);
    nodes.push(node('ReduceSum', [value!.name], output.name, { axes: positive, keepdims: options!.byte(0) }));
  },
  // RESIZE_NEAREST_NEIGHBOR
  97: (graph, operator) => resize(graph, operator, { alignCorners: 0, halfPixel: 1, mode: 'nearest' }),
};

/** A sum or a product of two values, and its activation. */
function calculate(graph: Conversion, type: string, { options, inputs, output }: Operator): void {
  const names = inputs.map(({ name }) => name);
  addActivated(graph, options?.byte(0) ?? activations.none, output.name, (to) =>
    graph.nodes.push(node(type, names, to)),
  );
}

interface Convolution {
  type?: string;
  /** Brings the kernel into ONNX's order. */
  perm: number[];
  group: number;
  /** The field of its options that names its activation. */
  activation: number;
  /** How it treats the border, and what lies between its taps. */
  spread: Record<string, Attribute>;
}

function convolve(
  graph: Conversion,
  { options, inputs: [picture, kernel, bias], output }: Operator,
  { type = 'Conv', perm, group, activation, spread }: Convolution,
): void {
  const weights = `${output.name}:weights`;
  graph.nodes.push(node('Transpose', [kernel!.name], weights, { perm }));
  const strides = [
    options!.integer(inConvolution.strideDown, 1),
    options!.integer(inConvolution.strideAcross, 1),
  ];
  withChannelsFirst(graph, picture!.name, output.name, (from, to) =>
    addActivated(graph, options!.byte(activation), to, (value) => {
      const names = [from, weights, ...(bias ? [bias.name] : [])];
      graph.nodes.push(node(type, names, value, { group, strides, ...spread }));
    }),
  );
}

function paddingAndDilation(
  { options }: Operator,
  dilation: { down: number; across: number },
): Record<string, Attribute> {
  return {
    auto_pad: options!.byte(inConvolution.padding) === same ? 'SAME_UPPER' : 'VALID',
    dilations: [options!.integer(dilation.down, 1), options!.integer(dilation.across, 1)],
  };
}

/**
 * What a transposed convolution leaves out before and after, of height and width. ONNX's own SAME_UPPER would leave an
 * odd pixel out on the other side, which shifts everything by it.
 */
function transposedPads({ options, inputs: [picture, kernel], output }: Operator): number[] {
  const strides = [
    options!.integer(inConvolution.strideDown, 1),
    options!.integer(inConvolution.strideAcross, 1),
  ];
  const surplus = strides.map((stride, i) => {
    const axis = i + 1;
    return stride * (picture!.shape[axis]! - 1) + kernel!.shape[axis]! - output.shape[axis]!;
  });
  return [...surplus.map((all) => Math.floor(all / 2)), ...surplus.map((all) => Math.ceil(all / 2))];
}

function resize(
  graph: Conversion,
  { options, inputs: [picture], output }: Operator,
  { alignCorners, halfPixel, mode }: { alignCorners: number; halfPixel: number; mode: 'linear' | 'nearest' },
): void {
  const transformation = options!.byte(alignCorners)
    ? 'align_corners'
    : options!.byte(halfPixel)
      ? 'half_pixel'
      : 'asymmetric';
  // TensorFlow Lite takes the pixel that holds the middle of the new one. With `floor`, ONNX takes the one before it:
  // the answer then lies two of 256 pixels too far right and down.
  const nearest = transformation === 'half_pixel' ? 'round_prefer_ceil' : 'floor';
  const [count, height, width, channels] = output.shape;
  const none = `${output.name}:none`;
  const sizes = `${output.name}:sizes`;
  graph.constants.push(constant(none, 'float32', [0], new Uint8Array()));
  graph.constants.push(integers(sizes, [count!, channels!, height!, width!]));
  withChannelsFirst(graph, picture!.name, output.name, (from, to) =>
    graph.nodes.push(
      node('Resize', [from, none, none, sizes], to, {
        mode,
        coordinate_transformation_mode: transformation,
        ...(mode === 'nearest' ? { nearest_mode: nearest } : {}),
      }),
    ),
  );
}

/** Adds an operation on a picture with its channels first, between two transpositions. */
function withChannelsFirst(
  graph: Conversion,
  input: string,
  output: string,
  addOperation: (from: string, to: string) => void,
): void {
  const [from, to] = [`${output}:from`, `${output}:to`];
  graph.nodes.push(node('Transpose', [input], from, { perm: [0, 3, 1, 2] }));
  addOperation(from, to);
  graph.nodes.push(node('Transpose', [to], output, { perm: [0, 2, 3, 1] }));
}

/** Adds an operation, and then its activation, if it has one. */
function addActivated(
  graph: Conversion,
  activation: number,
  output: string,
  addOperation: (output: string) => void,
): void {
  if (activation === activations.none) {
    addOperation(output);
    return;
  }
  const value = `${output}:value`;
  addOperation(value);
  if (activation === activations.relu) graph.nodes.push(node('Relu', [value], output));
  else if (activation === activations.relu6) graph.nodes.push(node('Clip', [value, 'zero', 'six'], output));
  else throw new Error(`The activation ${activation} cannot be converted.`);
}

const integersOf = ({ constant: bytes }: Value) => [...new Int32Array(new Uint8Array(bytes!).buffer)];

const floatConstant = (name: string, value: number) =>
  constant(name, 'float32', [], new Uint8Array(Float32Array.of(value).buffer));
