import { constant, elementType } from '../../src/models/convert/onnx-file.ts';
import { bytes, number, varint } from '../../src/models/convert/protobuf.ts';

export type Store = 'float_data' | 'raw_data' | 'fp16' | 'fp16 in int32_data' | 'external';

interface Initializer {
  name: string;
  dims: number[];
  values: ArrayLike<number>;
  store?: Store;
}

/** A constant in any of the ways in which files hold one. */
export function initializer({ name, dims, values, store = 'raw_data' }: Initializer): Buffer {
  const floats = new Uint8Array(Float32Array.from(values).buffer);
  if (store === 'raw_data') return constant(name, 'float32', dims, floats);
  if (store === 'fp16') {
    return constant(name, 'float16', dims, new Uint8Array(Uint16Array.from(values, half).buffer));
  }
  const fields = [...dims.map((size) => number(1, size)), bytes(8, name)];
  if (store === 'float_data') fields.push(number(2, elementType.float32), bytes(4, floats));
  else if (store === 'fp16 in int32_data') {
    fields.push(
      number(2, elementType.float16),
      bytes(5, Buffer.concat(Array.from(values, (value) => varint(half(value))))),
    );
  } else {
    const location = Buffer.concat([bytes(1, 'location'), bytes(2, 'weights.bin')]);
    fields.push(number(2, elementType.float32), bytes(13, location), number(14, 1));
  }
  return Buffer.concat(fields);
}

/** Exact for the few numbers that the tests use: zeros and powers of two. */
function half(value: number): number {
  return value === 0 ? 0 : (Math.log2(value) + 15) << 10;
}
