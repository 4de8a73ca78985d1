import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertTfliteGraph } from '../../../src/models/convert/tflite-graph.ts';
import { InferenceSession, Tensor } from '../../../src/models/onnxruntime.ts';

/** A value of a FlatBuffers table: an integer, a byte, a table, or a vector of tables, integers or bytes. */
type Field =
  | number
  | { byte: number }
  | Table
  | Table[]
  | { integers: number[] }
  | { bytes: Uint8Array }
  | null;
/** The fields of a table in their order; null has its default. */
interface Table {
  fields: Field[];
}

const table = (...fields: Field[]): Table => ({ fields });

/** Writes a file that begins with the table. Every part is padded to four bytes; offsets point forward. */
function encodeFile(root: Table): Buffer {
  const parts: Buffer[] = [];
  let length = 0;
  const add = (bytes: Buffer) => {
    const at = length;
    const padded = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
    parts.push(padded);
    length += padded.length;
    return at;
  };
  const links: { from: number; to: () => number }[] = [];
  const places = new Map<object, number>();
  const link = (from: number, to: object) => links.push({ from, to: () => places.get(to)! });
  const addTable = (one: Table) => {
    const list = Buffer.alloc(4 + 2 * one.fields.length);
    list.writeUInt16LE(list.length, 0);
    one.fields.forEach((field, i) => {
      list.writeUInt16LE(field === null ? 0 : 4 + 4 * i, 4 + 2 * i);
    });
    const listAt = add(list);
    const body = Buffer.alloc(4 + 4 * one.fields.length);
    const at = length;
    body.writeInt32LE(at - listAt, 0);
    one.fields.forEach((field, i) => {
      if (typeof field === 'number') body.writeInt32LE(field, 4 + 4 * i);
      else if (field && 'byte' in field) body.writeUInt8(field.byte, 4 + 4 * i);
    });
    places.set(one, add(body));
    one.fields.forEach((field, i) => {
      if (field === null || typeof field === 'number' || 'byte' in field) return;
      if (Array.isArray(field)) {
        const vector = Buffer.alloc(4 + 4 * field.length);
        vector.writeUInt32LE(field.length, 0);
        const vectorAt = add(vector);
        places.set(field, vectorAt);
        field.forEach((each, k) => {
          link(vectorAt + 4 + 4 * k, each);
          addTable(each);
        });
      } else if ('fields' in field) addTable(field);
      else {
        const content =
          'bytes' in field ? field.bytes : new Uint8Array(Int32Array.from(field.integers).buffer);
        const head = Buffer.alloc(4);
        head.writeUInt32LE('bytes' in field ? content.length : content.length / 4, 0);
        places.set(field, add(Buffer.concat([head, content])));
      }
      link(at + 4 + 4 * i, field);
    });
  };
  const start = add(Buffer.alloc(4));
  link(start, root);
  addTable(root);
  const file = Buffer.concat(parts);
  for (const { from, to } of links) file.writeUInt32LE(to() - from, from);
  return file;
}

interface Operation {
  code: number;
  options: Table | null;
  /** Shapes of input and output. */
  from: number[];
  to: number[];
  /** Constants between them in the operator's order; the picture stands at `pictureAt`. */
  constants: { shape: number[]; values: Float32Array | Int32Array }[];
  pictureAt?: number;
}

/** Runs one operation of TensorFlow Lite on a picture of rows of pixels of channels. */
async function run({ code, options, from, to, constants, pictureAt = 0 }: Operation, picture: number[]) {
  const type = (values: Float32Array | Int32Array) => ({ byte: values instanceof Float32Array ? 0 : 2 });
  const buffers = constants.map(({ values }) => table({ bytes: new Uint8Array(values.buffer) }));
  const tensors = [
    table({ integers: from }, { byte: 0 }, 0),
    table({ integers: to }, { byte: 0 }, 0),
    ...constants.map(({ shape, values }, i) => table({ integers: shape }, type(values), i + 1)),
  ];
  const inputs = constants.map((_, i) => i + 2);
  inputs.splice(pictureAt, 0, 0);
  const operator = table(0, { integers: inputs }, { integers: [1] }, null, options);
  const subgraph = table(tensors, { integers: [0] }, { integers: [1] }, [operator]);
  const codeTable = table({ byte: Math.min(code, 127) }, null, null, code);
  const file = encodeFile(table(3, [codeTable], [subgraph], null, [table(null), ...buffers]));
  const session = await InferenceSession.create(convertTfliteGraph(file), { logSeverityLevel: 3 });
  const { output } = await session.run({ input: new Tensor('float32', Float32Array.from(picture), from) });
  await session.release();
  return { dims: [...output!.dims], data: [...(output!.data as Float32Array)] };
}

const floats = (...values: number[]) => Float32Array.from(values);

test('a convolution of stride 2 begins at the first pixel of an even picture, and has its activation', async () => {
  const { dims, data } = await run(
    {
      code: 3,
      // Padding, strides, activation (RELU).
      options: table({ byte: 0 }, 2, 2, { byte: 1 }),
      from: [1, 2, 4, 1],
      to: [1, 1, 2, 1],
      constants: [
        { shape: [1, 1, 1, 1], values: floats(2) },
        { shape: [1], values: floats(-7) },
      ],
    },
    [1, 2, 6, 4, 5, 6, 7, 8],
  );
  assert.deepEqual({ dims, data }, { dims: [1, 1, 2, 1], data: [0, 5] });
});

test('a depthwise convolution keeps channels apart', async () => {
  const { data } = await run(
    {
      code: 4,
      options: table({ byte: 1 }, 1, 1, 1),
      from: [1, 1, 2, 2],
      to: [1, 1, 1, 2],
      constants: [
        { shape: [1, 1, 2, 2], values: floats(1, 10, 2, 20) },
        { shape: [2], values: floats(0, 0.5) },
      ],
    },
    [1, 2, 3, 4],
  );
  assert.deepEqual(data, [7, 100.5]);
});

test('the odd pixel of a transposed convolution is left out at the end', async () => {
  const { data } = await run(
    {
      code: 67,
      options: table({ byte: 0 }, 2, 2),
      from: [1, 1, 2, 1],
      to: [1, 2, 4, 1],
      constants: [
        { shape: [4], values: Int32Array.of(1, 2, 4, 1) },
        { shape: [1, 3, 3, 1], values: floats(0, 0, 0, 1, 2, 3, 0, 0, 0) },
      ],
      pictureAt: 2,
    },
    [1, 10],
  );
  // Whole: 1 2 3+10 20 30 in the second of three rows; of five columns the last goes, of three rows the last.
  assert.deepEqual(data, [0, 0, 0, 0, 1, 2, 13, 20]);
});

test('the nearest pixel of an enlargement by two is the one that holds the middle of the new one', async () => {
  const { data } = await run(
    {
      code: 97,
      options: table(null, { byte: 1 }),
      from: [1, 1, 3, 1],
      to: [1, 1, 6, 1],
      constants: [{ shape: [2], values: Int32Array.of(1, 6) }],
    },
    [1, 2, 3],
  );
  assert.deepEqual(data, [1, 1, 2, 2, 3, 3]);
});

test('an operator that is not known is an error that names it', async () => {
  const unknown = { code: 5, options: null, from: [1, 1, 1, 1], to: [1, 1, 1, 1], constants: [] };
  await assert.rejects(run(unknown, [1]), /operator 5 cannot/);
});
