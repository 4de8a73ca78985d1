import { constant, elementType, encodedNode } from './onnx-file.ts';
import { bytes, messageFields } from './protobuf.ts';

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

const inModel = { graph: 7 } as const;
const inGraph = { node: 1, initializer: 5 } as const;
const inNode = { input: 1, output: 2, op: 4, attribute: 5 } as const;
const inTensor = { dims: 1, type: 2, name: 8, raw: 9 } as const;
const inAttribute = { name: 1 } as const;

export function readGraph(model: Buffer): Graph {
  const graph: Graph = { nodes: [], weights: new Map(), around: [], within: [] };
  for (const field of messageFields(model)) {
    if (field.number !== inModel.graph) {
      graph.around.push(field.whole);
      continue;
    }
    for (const part of messageFields(field.content)) {
      if (part.number === inGraph.node) graph.nodes.push(readNode(part.content));
      else if (part.number !== inGraph.initializer || !addWeights(graph.weights, part.content))
        graph.within.push(part.whole);
    }
  }
  return graph;
}

export function writeGraph({ nodes, weights, around, within }: Graph): Buffer {
  const graph = [
    ...nodes.map(({ op, inputs, outputs, attributes }) =>
      bytes(inGraph.node, encodedNode(op, inputs, outputs, attributes)),
    ),
    ...[...weights].map(([name, { dims, values }]) =>
      bytes(inGraph.initializer, constant(name, 'float32', dims, bytesOf(values))),
    ),
    ...within,
  ];
  return Buffer.concat([...around, bytes(inModel.graph, graph)]);
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array) =>
  new Uint8Array(buffer, byteOffset, byteLength);

export function attributeName(attribute: Buffer): string {
  for (const { number: at, content } of messageFields(attribute))
    if (at === inAttribute.name) return content.toString();
  return '';
}

function readNode(message: Buffer): Node {
  const node: Node = { op: '', inputs: [], outputs: [], attributes: [] };
  for (const { number: at, content } of messageFields(message)) {
    if (at === inNode.input) node.inputs.push(content.toString());
    else if (at === inNode.output) node.outputs.push(content.toString());
    else if (at === inNode.op) node.op = content.toString();
    else if (at === inNode.attribute) node.attributes.push(content);
  }
  return node;
}

/** False for a constant that is of other numbers or kept in another way. */
function addWeights(weights: Map<string, Weights>, tensor: Buffer): boolean {
  const dims: number[] = [];
  let type = 0;
  let name = '';
  let raw: Buffer | null = null;
  for (const { number: at, value, content } of messageFields(tensor)) {
    if (at === inTensor.dims) dims.push(value);
    else if (at === inTensor.type) type = value;
    else if (at === inTensor.name) name = content.toString();
    else if (at === inTensor.raw) raw = content;
  }
  if (type !== elementType.float32 || !raw) return false;
  const values = new Float32Array(raw.length / 4);
  Buffer.from(values.buffer).set(raw);
  weights.set(name, { dims, values });
  return true;
}
