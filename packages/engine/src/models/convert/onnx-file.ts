import { bytes, float, number } from './protobuf.ts';

/** Writes ONNX models byte by byte: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto */

export const elementType = { float32: 1, int64: 7, float16: 10 } as const;

export type ElementType = keyof typeof elementType;

/** A constant, its values little-endian as they lie in memory. */
export function constant(
  name: string,
  type: ElementType,
  dims: readonly number[],
  values: Uint8Array,
): Buffer {
  const shape = dims.map((size) => number(1, size));
  return Buffer.concat([...shape, number(2, elementType[type]), bytes(8, name), bytes(9, values)]);
}

export function integers(name: string, values: readonly number[]): Buffer {
  const content = new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
  return constant(name, 'int64', [values.length], content);
}

/** An integer, several of them, a string, or a number that need not be whole. */
export type Attribute = number | readonly number[] | string | { float: number };

export function node(
  type: string,
  inputs: readonly string[],
  output: string,
  attributes: Record<string, Attribute> = {},
): Buffer {
  const encoded = Object.entries(attributes).map(([name, value]) => attribute(name, value));
  return encodedNode(type, inputs, [output], encoded);
}

export function encodedNode(
  type: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: readonly Buffer[],
): Buffer {
  return Buffer.concat([
    ...inputs.map((name) => bytes(1, name)),
    ...outputs.map((name) => bytes(2, name)),
    bytes(4, type),
    ...attributes.map((encoded) => bytes(5, encoded)),
  ]);
}

export function attribute(name: string, value: Attribute): Buffer {
  if (typeof value === 'number') return Buffer.concat([bytes(1, name), number(3, value), number(20, 2)]);
  if (typeof value === 'string') return Buffer.concat([bytes(1, name), bytes(4, value), number(20, 3)]);
  if ('float' in value) return Buffer.concat([bytes(1, name), float(2, value.float), number(20, 1)]);
  return Buffer.concat([bytes(1, name), ...value.map((item) => number(8, item)), number(20, 7)]);
}

/** A name and a shape; a dimension that is a name is free. Without a shape, it follows from the graph. */
export function port(
  name: string,
  shape?: readonly (number | string)[],
  type: ElementType = 'float32',
): Buffer {
  const dims = shape?.map((size) => bytes(1, typeof size === 'number' ? number(1, size) : bytes(2, size)));
  const tensor = Buffer.concat([number(1, elementType[type]), ...(dims ? [bytes(2, dims)] : [])]);
  return Buffer.concat([bytes(1, name), bytes(2, bytes(1, tensor))]);
}

/** Encoded messages of a graph. */
export interface EncodedGraph {
  nodes: Buffer[];
  inputs: Buffer[];
  outputs: Buffer[];
  constants: Buffer[];
}

/** The version of the format that came with each operator set in use. */
const formats = { 11: 6, 16: 8 } as const;

export function onnxFile(
  { nodes, inputs, outputs, constants }: EncodedGraph,
  operatorSet: keyof typeof formats = 11,
): Buffer {
  const graph = Buffer.concat([
    ...nodes.map((content) => bytes(1, content)),
    bytes(2, 'graph'),
    ...constants.map((content) => bytes(5, content)),
    ...inputs.map((content) => bytes(11, content)),
    ...outputs.map((content) => bytes(12, content)),
  ]);
  const operators = [bytes(1, ''), number(2, operatorSet)];
  return Buffer.concat([number(1, formats[operatorSet]), bytes(7, graph), bytes(8, operators)]);
}
