import type { FileHandle } from 'node:fs/promises';

/**
 * The wire format: https://protobuf.dev/programming-guides/encoding/
 *
 * By hand, in 130 lines. Packages decode a whole message in memory and write it anew: `pbf` (0.2 MB, 2 dependencies),
 * `@bufbuild/protobuf` (2 MB), `protobufjs` (3.9 MB, 1 dependency), `onnx-proto` with ONNX's messages (19 MB, 16
 * dependencies). Here an operator's model of half a gigabyte is searched in its file without reading its weights, and
 * fields that a conversion does not know are copied byte by byte: the SHA-256 of what it makes is in the table of models.
 */

/** A field of a protobuf message in a file: a number, or where its bytes lie. */
export interface Field {
  number: number;
  /** The wire type: 0 number, 1 eight bytes, 2 bytes or message, 5 four bytes. */
  type: number;
  /** Of a number; the largest that occurs here are sizes below 2^53. */
  value: number;
  start: number;
  end: number;
}

/** The message does not end where it says it does. */
export class CutOff extends Error {}

/**
 * The fields of a message between two places of a file, one after another. Only tags and lengths are read, so that
 * the half gigabyte of weights between them costs nothing.
 */
export async function* fieldsOf(file: FileHandle, start: number, end: number): AsyncGenerator<Field> {
  const head = Buffer.alloc(20);
  let position = start;
  while (position < end) {
    const { bytesRead } = await file.read(head, 0, Math.min(head.length, end - position), position);
    const tag = readVarint(head, 0, bytesRead);
    const number = Math.floor(tag.value / 8);
    const type = tag.value % 8;
    const field: Field = { number, type, value: 0, start: position + tag.next, end: position + tag.next };
    if (type === 0) {
      const varint = readVarint(head, tag.next, bytesRead);
      field.value = varint.value;
      field.end = position + varint.next;
    } else if (type === 2) {
      const length = readVarint(head, tag.next, bytesRead);
      field.start = position + length.next;
      field.end = field.start + length.value;
    } else if (type === 1) field.end += 8;
    else if (type === 5) field.end += 4;
    else throw new CutOff(`wire type ${type}`);
    if (field.end > end) throw new CutOff(`a field ends at ${field.end} of ${end}`);
    yield field;
    position = field.end;
  }
}

export async function bytesOf(file: FileHandle, { start, end }: Field): Promise<Buffer> {
  const bytes = Buffer.alloc(end - start);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
  if (bytesRead < bytes.length) throw new CutOff(`${bytesRead} of ${bytes.length} bytes`);
  return bytes;
}

/** The numbers of a packed repeated field. */
export function varintsOf(bytes: Buffer): number[] {
  const values: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { value, next } = readVarint(bytes, at, bytes.length);
    values.push(value);
    at = next;
  }
  return values;
}

function readVarint(bytes: Buffer, from: number, end: number): { value: number; next: number } {
  let value = 0;
  let scale = 1;
  for (let at = from; at < end; at++) {
    const byte = bytes[at]!;
    value += (byte & 127) * scale;
    if (byte < 128) return { value, next: at + 1 };
    scale *= 128;
  }
  throw new CutOff('a number has no end');
}

/** A field of a message in memory. */
export interface MessageField {
  number: number;
  /** Of a number. */
  value: number;
  /** Of bytes and messages. */
  content: Buffer;
  /** With its tag. */
  whole: Buffer;
}

export function* messageFields(message: Buffer): Generator<MessageField> {
  const nothing = message.subarray(0, 0);
  for (let position = 0; position < message.length; ) {
    const start = position;
    const tag = readVarint(message, position, message.length);
    let [value, content, end] = [0, nothing, tag.next];
    const type = tag.value % 8;
    if (type === 0) ({ value, next: end } = readVarint(message, tag.next, message.length));
    else {
      let length = type === 1 ? 8 : 4;
      if (type === 2) ({ value: length, next: end } = readVarint(message, tag.next, message.length));
      content = message.subarray(end, end + length);
      end += length;
    }
    position = end;
    yield { number: Math.floor(tag.value / 8), value, content, whole: message.subarray(start, end) };
  }
}

/** A field that holds a number from zero up. */
export function number(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)]);
}

/** A field that holds a number of 32 bits that need not be whole. */
export function float(field: number, value: number): Buffer {
  const content = Buffer.alloc(4);
  content.writeFloatLE(value);
  return Buffer.concat([varint(field * 8 + 5), content]);
}

/** A field that holds text, bytes or a message, which may come in pieces. */
export function bytes(field: number, content: string | Uint8Array | readonly Uint8Array[]): Buffer {
  const pieces =
    typeof content === 'string'
      ? [Buffer.from(content)]
      : content instanceof Uint8Array
        ? [content]
        : content;
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return Buffer.concat([varint(field * 8 + 2), varint(length), ...pieces]);
}

export function varint(value: number): Buffer {
  const groups: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) groups.push((rest % 128) | 128);
  return Buffer.from([...groups, rest]);
}
