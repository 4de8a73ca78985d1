/** Writes small ONNX models byte by byte: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto */

export function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}

const number = (field: number, value: number) => Buffer.concat([varint(field * 8), varint(value)]);
const bytes = (field: number, value: Buffer | string) => {
  const content = Buffer.from(value);
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);
};

const float = 1;
const int64 = 7;
const float16 = 10;

export type Store = 'float_data' | 'raw_data' | 'fp16' | 'fp16 in int32_data' | 'external';

interface Initializer {
  name: string;
  dims: number[];
  values: ArrayLike<number>;
  store?: Store | 'int64';
}

export function initializer({ name, dims, values, store = 'raw_data' }: Initializer): Buffer {
  const fields = dims.map((size) => number(1, size));
  const floats = Buffer.from(Float32Array.from(values).buffer);
  if (store === 'float_data') fields.push(number(2, float), bytes(4, floats));
  else if (store === 'raw_data') fields.push(number(2, float), bytes(9, floats));
  else if (store === 'int64') {
    fields.push(
      number(2, int64),
      bytes(9, Buffer.from(BigInt64Array.from(Array.from(values, BigInt)).buffer)),
    );
  } else if (store === 'fp16') {
    fields.push(number(2, float16), bytes(9, Buffer.from(Uint16Array.from(values, half).buffer)));
  } else if (store === 'fp16 in int32_data') {
    fields.push(
      number(2, float16),
      bytes(5, Buffer.concat(Array.from(values, (value) => varint(half(value))))),
    );
  } else {
    const location = Buffer.concat([bytes(1, 'location'), bytes(2, 'weights.bin')]);
    fields.push(number(2, float), bytes(13, location), number(14, 1));
  }
  return Buffer.concat([...fields, bytes(8, name)]);
}

/** Exact for the few numbers that the tests use: zeros and powers of two. */
function half(value: number): number {
  return value === 0 ? 0 : (Math.log2(value) + 15) << 10;
}

export interface Attribute {
  name: string;
  /** One integer, or a list of them. */
  value: number | number[];
}

export function node(type: string, inputs: string[], output: string, attributes: Attribute[] = []): Buffer {
  return Buffer.concat([
    ...inputs.map((name) => bytes(1, name)),
    bytes(2, output),
    bytes(4, type),
    ...attributes.map(({ name, value }) =>
      bytes(
        5,
        Array.isArray(value)
          ? Buffer.concat([bytes(1, name), ...value.map((item) => number(8, item)), number(20, 7)])
          : Buffer.concat([bytes(1, name), number(3, value), number(20, 2)]),
      ),
    ),
  ]);
}

/** A name and a shape; a dimension that is a word is free. */
export function port(name: string, shape: (number | string)[]): Buffer {
  const dims = shape.map((size) => bytes(1, typeof size === 'number' ? number(1, size) : bytes(2, size)));
  const tensor = Buffer.concat([number(1, float), bytes(2, Buffer.concat(dims))]);
  return Buffer.concat([bytes(1, name), bytes(2, bytes(1, tensor))]);
}

export interface Graph {
  nodes: Buffer[];
  inputs: Buffer[];
  outputs: Buffer[];
  initializers: Buffer[];
}

/** Version 6 of the format and operator set 11, as swap models have them. */
export function model({ nodes, inputs, outputs, initializers }: Graph): Buffer {
  const graph = Buffer.concat([
    ...nodes.map((content) => bytes(1, content)),
    bytes(2, 'tiny'),
    ...initializers.map((content) => bytes(5, content)),
    ...inputs.map((content) => bytes(11, content)),
    ...outputs.map((content) => bytes(12, content)),
  ]);
  return Buffer.concat([
    number(1, 6),
    bytes(7, graph),
    bytes(8, Buffer.concat([bytes(1, ''), number(2, 11)])),
  ]);
}
