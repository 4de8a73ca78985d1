/** As much of ONNX as it takes to rewrite a graph: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto */

export interface Node {
  op: string;
  inputs: string[];
  outputs: string[];
  /** As they are in the file. */
  attributes: Buffer[];
}

/** A constant of 32-bit numbers. */
export interface Weights {
  dims: number[];
  values: Float32Array;
}

export interface Graph {
  nodes: Node[];
  weights: Map<string, Weights>;
  /** The model's fields around the graph, and the graph's own that are neither nodes nor weights. */
  around: Buffer[];
  within: Buffer[];
}

interface Field {
  number: number;
  /** Of a number. */
  value: number;
  /** Of bytes and messages. */
  content: Buffer;
  /** With its tag. */
  whole: Buffer;
}

const inModel = { graph: 7 } as const;
const inGraph = { node: 1, initializer: 5 } as const;
const inNode = { input: 1, output: 2, op: 4, attribute: 5 } as const;
const inTensor = { dims: 1, type: 2, name: 8, raw: 9 } as const;
const inAttribute = { name: 1, integer: 3, text: 4, integers: 8, type: 20 } as const;
const attributeTypes = { integer: 2, text: 3, integers: 7 } as const;
const float32 = 1;

export function readGraph(model: Buffer): Graph {
  const graph: Graph = { nodes: [], weights: new Map(), around: [], within: [] };
  for (const field of fieldsOf(model)) {
    if (field.number !== inModel.graph) {
      graph.around.push(field.whole);
      continue;
    }
    for (const part of fieldsOf(field.content)) {
      if (part.number === inGraph.node) graph.nodes.push(readNode(part.content));
      else if (part.number !== inGraph.initializer || !addWeights(graph.weights, part.content))
        graph.within.push(part.whole);
    }
  }
  return graph;
}

export function writeGraph({ nodes, weights, around, within }: Graph): Buffer {
  const graph = [
    ...nodes.flatMap((node) => message(inGraph.node, writeNode(node))),
    ...[...weights].flatMap(([name, tensor]) => message(inGraph.initializer, writeWeights(name, tensor))),
    ...within,
  ];
  return Buffer.concat([...around, ...message(inModel.graph, graph)]);
}

export function textAttribute(name: string, text: string): Buffer {
  const type = number(inAttribute.type, attributeTypes.text);
  return Buffer.concat([...bytes(inAttribute.name, name), ...bytes(inAttribute.text, text), type]);
}

export function integersAttribute(name: string, values: readonly number[]): Buffer {
  return Buffer.concat([
    ...bytes(inAttribute.name, name),
    ...values.map((value) => number(inAttribute.integers, value)),
    number(inAttribute.type, attributeTypes.integers),
  ]);
}

export function integerAttribute(name: string, value: number): Buffer {
  return Buffer.concat([
    ...bytes(inAttribute.name, name),
    number(inAttribute.integer, value),
    number(inAttribute.type, attributeTypes.integer),
  ]);
}

export function attributeName(attribute: Buffer): string {
  for (const { number: at, content } of fieldsOf(attribute))
    if (at === inAttribute.name) return content.toString();
  return '';
}

function readNode(message: Buffer): Node {
  const node: Node = { op: '', inputs: [], outputs: [], attributes: [] };
  for (const { number: at, content } of fieldsOf(message)) {
    if (at === inNode.input) node.inputs.push(content.toString());
    else if (at === inNode.output) node.outputs.push(content.toString());
    else if (at === inNode.op) node.op = content.toString();
    else if (at === inNode.attribute) node.attributes.push(content);
  }
  return node;
}

function writeNode({ op, inputs, outputs, attributes }: Node): Buffer[] {
  return [
    ...inputs.flatMap((name) => bytes(inNode.input, name)),
    ...outputs.flatMap((name) => bytes(inNode.output, name)),
    ...bytes(inNode.op, op),
    ...attributes.flatMap((attribute) => message(inNode.attribute, [attribute])),
  ];
}

/** False for a constant that is of other numbers or kept in another way. */
function addWeights(weights: Map<string, Weights>, tensor: Buffer): boolean {
  const dims: number[] = [];
  let type = 0;
  let name = '';
  let raw: Buffer | null = null;
  for (const { number: at, value, content } of fieldsOf(tensor)) {
    if (at === inTensor.dims) dims.push(value);
    else if (at === inTensor.type) type = value;
    else if (at === inTensor.name) name = content.toString();
    else if (at === inTensor.raw) raw = content;
  }
  if (type !== float32 || !raw) return false;
  const values = new Float32Array(raw.length / 4);
  Buffer.from(values.buffer).set(raw);
  weights.set(name, { dims, values });
  return true;
}

function writeWeights(name: string, { dims, values }: Weights): Buffer[] {
  return [
    ...dims.map((size) => number(inTensor.dims, size)),
    number(inTensor.type, float32),
    ...bytes(inTensor.name, name),
    ...message(inTensor.raw, [Buffer.from(values.buffer, values.byteOffset, values.byteLength)]),
  ];
}

function* fieldsOf(message: Buffer): Generator<Field> {
  const nothing = message.subarray(0, 0);
  for (let position = 0; position < message.length; ) {
    const start = position;
    const tag = readVarint(message, position);
    let [value, content, end] = [0, nothing, tag.next];
    const type = tag.value % 8;
    if (type === 0) ({ value, next: end } = readVarint(message, tag.next));
    else {
      let length = type === 1 ? 8 : 4;
      if (type === 2) ({ value: length, next: end } = readVarint(message, tag.next));
      content = message.subarray(end, end + length);
      end += length;
    }
    position = end;
    yield { number: Math.floor(tag.value / 8), value, content, whole: message.subarray(start, end) };
  }
}

function readVarint(message: Buffer, from: number): { value: number; next: number } {
  let value = 0;
  let scale = 1;
  for (let at = from; at < message.length; at++, scale *= 128) {
    value += (message[at]! & 127) * scale;
    if (message[at]! < 128) return { value, next: at + 1 };
  }
  throw new RangeError('The model ends within a number.');
}

function number(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)]);
}

function bytes(field: number, text: string): Buffer[] {
  return message(field, [Buffer.from(text)]);
}

/** In pieces, which are joined once: the weights are 26 MB. */
function message(field: number, parts: readonly Buffer[]): Buffer[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return [varint(field * 8 + 2), varint(length), ...parts];
}

function varint(value: number): Buffer {
  const groups: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) groups.push((rest % 128) | 128);
  return Buffer.from([...groups, rest]);
}
