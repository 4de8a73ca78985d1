import { type FileHandle, open, readFile } from 'node:fs/promises';
import { bytesOf, CutOff, type Field, fieldsOf, varintsOf } from '../../models/convert/protobuf.ts';
import { operatorModelUnusable } from './operator-model.ts';

/** Length of an embedding and of the latent that the swapper takes. */
export const embeddingLength = 512;

const matrixName = 'buff2fs';
const matrixBytes = embeddingLength * embeddingLength * 4;

/** TensorProto's data types. */
const float32 = 1;
const float16 = 10;

interface Initializer {
  name: string;
  dims: number[];
  type: number;
  /** Where its numbers are: as such (`float_data`), as bytes (`raw_data`) or as halves in integers (`int32_data`). */
  floats?: Field;
  raw?: Field;
  integers?: Field;
  external: boolean;
}

/**
 * The matrix that makes of an embedding what an inswapper takes as its source, or null when the file has none. It is
 * the graph's last initializer and no node uses it, so the runtime drops it and it has to be read from the file itself.
 */
export function readLatentMatrix(file: string): Promise<Float32Array | null> {
  return withModel(file, async (handle) => {
    const initializers = await initializersOf(handle, file);
    // A graph that was saved again may have lost the name, but hardly the place.
    const last = initializers.at(-1);
    const matrix =
      initializers.find(({ name }) => name === matrixName) ?? (last && hasSize(last) ? last : null);
    if (!matrix) return null;
    if (!hasSize(matrix)) {
      throw operatorModelUnusable(file, `holds a matrix of ${matrix.dims.join('×')} where 512×512 is needed`);
    }
    return checked(await numbersOf(handle, matrix, file), file);
  });
}

/** Walks the whole file, which tells a cut-off copy in milliseconds and in better words than the runtime has. */
export async function checkWhole(file: string): Promise<void> {
  await withModel(file, (handle) => initializersOf(handle, file));
}

async function withModel<T>(file: string, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  let handle: FileHandle;
  try {
    handle = await open(file);
  } catch (cause) {
    throw operatorModelUnusable(file, 'cannot be read', cause);
  }
  try {
    return await use(handle);
  } catch (cause) {
    if (!(cause instanceof CutOff)) throw cause;
    throw operatorModelUnusable(file, 'is cut off or is no ONNX model; copy it again', cause);
  } finally {
    await handle.close();
  }
}

/** The matrix from a file of its own: 512×512 float32, little endian, row by row. */
export async function readMatrixFile(file: string): Promise<Float32Array> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (cause) {
    throw operatorModelUnusable(file, 'cannot be read', cause);
  }
  if (bytes.length !== matrixBytes) {
    throw operatorModelUnusable(
      file,
      `has ${bytes.length} bytes where a matrix of 512×512 has ${matrixBytes}`,
    );
  }
  return checked(floatsOf(bytes), file);
}

async function initializersOf(handle: FileHandle, file: string): Promise<Initializer[]> {
  const { size } = await handle.stat();
  const graph = await lastField(handle, 0, size, 7);
  if (!graph) throw operatorModelUnusable(file, 'is not an ONNX model');
  const initializers: Initializer[] = [];
  for await (const field of fieldsOf(handle, graph.start, graph.end)) {
    if (field.number === 5 && field.type === 2) initializers.push(await readInitializer(handle, field));
  }
  if (initializers.some(({ external }) => external)) {
    throw operatorModelUnusable(file, 'keeps weights in another file; export it with its weights inside');
  }
  return initializers;
}

function hasSize({ dims }: Initializer): boolean {
  return dims.length === 2 && dims.every((size) => size === embeddingLength);
}

async function lastField(
  handle: FileHandle,
  start: number,
  end: number,
  number: number,
): Promise<Field | null> {
  let last: Field | null = null;
  for await (const field of fieldsOf(handle, start, end)) {
    if (field.number === number && field.type === 2) last = field;
  }
  return last;
}

async function readInitializer(handle: FileHandle, message: Field): Promise<Initializer> {
  const initializer: Initializer = { name: '', dims: [], type: 0, external: false };
  for await (const field of fieldsOf(handle, message.start, message.end)) {
    if (field.number === 1 && field.type === 0) initializer.dims.push(field.value);
    else if (field.number === 1) initializer.dims.push(...varintsOf(await bytesOf(handle, field)));
    else if (field.number === 2) initializer.type = field.value;
    else if (field.number === 4) initializer.floats = field;
    else if (field.number === 5) initializer.integers = field;
    else if (field.number === 8) initializer.name = (await bytesOf(handle, field)).toString();
    else if (field.number === 9) initializer.raw = field;
    else if (field.number === 14 && field.value === 1) initializer.external = true;
  }
  return initializer;
}

async function numbersOf(handle: FileHandle, tensor: Initializer, file: string): Promise<Float32Array> {
  const { type, floats, raw, integers } = tensor;
  if (type === float32 && (floats || raw)) return floatsOf(await bytesOf(handle, (raw ?? floats)!));
  if (type === float16 && raw) {
    const bytes = await bytesOf(handle, raw);
    return Float32Array.from({ length: bytes.length / 2 }, (_, i) => halfToNumber(bytes.readUInt16LE(2 * i)));
  }
  if (type === float16 && integers)
    return Float32Array.from(varintsOf(await bytesOf(handle, integers)), halfToNumber);
  throw operatorModelUnusable(
    file,
    `holds its matrix as data type ${type}, which is neither float nor float16`,
  );
}

function floatsOf(bytes: Buffer): Float32Array {
  return Float32Array.from({ length: Math.floor(bytes.length / 4) }, (_, i) => bytes.readFloatLE(4 * i));
}

function halfToNumber(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

function checked(matrix: Float32Array, file: string): Float32Array {
  if (matrix.length !== embeddingLength ** 2) {
    throw operatorModelUnusable(file, `holds ${matrix.length} numbers in its matrix of 512×512`);
  }
  if (!matrix.every(Number.isFinite))
    throw operatorModelUnusable(file, 'holds a matrix with values that are no numbers');
  return matrix;
}
