import { type Attribute, constant, integers, node, onnxFile, port } from './onnx-file.ts';

/** Where a tensor lies in a safetensors file. */
interface TensorEntry {
  dtype: string;
  shape: number[];
  data_offsets: [from: number, to: number];
}

/** The ONNX graph so far, and the published tensors. */
interface Conversion {
  nodes: Buffer[];
  constants: Buffer[];
  has(name: string): boolean;
  tensor(name: string): { shape: number[]; bytes: Buffer };
}

const headSize = 32;
const hiddenAxis = 2;

/**
 * Makes the ONNX model of a BERT encoder from its weights in half precision (safetensors). It takes the numbers of
 * word pieces, texts of one length together, and gives the mean of each text's last layer. Weights are copied as they
 * are, followed by nodes that widen and transpose them, which the runtime folds as it loads the model; the table of
 * words stays in half precision, and only the rows in use are widened.
 */
export function buildBertGraph(file: Buffer): Buffer {
  const graph = readTensors(file);
  const { shape: words } = graph.tensor('embeddings.word_embeddings.weight');
  const hidden = words[1]!;
  addFloats(graph, 'head-scale', [1 / Math.sqrt(headSize)]);
  addFloats(graph, 'epsilon', [1e-12]);
  addFloats(graph, 'half', [0.5]);
  addFloats(graph, 'one', [1]);
  addFloats(graph, 'two', [2]);
  addFloats(graph, 'root-of-two', [Math.SQRT2]);
  graph.constants.push(integers('heads-apart', [0, 0, hidden / headSize, headSize]));
  graph.constants.push(integers('heads-joined', [0, 0, hidden]));
  let state = embed(graph);
  for (let layer = 0; graph.has(`encoder.layer.${layer}.output.dense.weight`); layer++) {
    state = encode(graph, `encoder.layer.${layer}`, state);
  }
  add(graph, 'ReduceMean', [state], 'embedding', { axes: [1], keepdims: 0 });
  return onnxFile({
    nodes: graph.nodes,
    constants: graph.constants,
    inputs: [port('pieces', ['count', 'length'], 'int64'), port('places', ['length'], 'int64')],
    outputs: [port('embedding', ['count', hidden])],
  });
}

function readTensors(file: Buffer): Conversion {
  const start = 8 + Number(file.readBigUInt64LE(0));
  const entries = JSON.parse(file.toString('utf8', 8, start)) as Record<string, TensorEntry | undefined>;
  return {
    nodes: [],
    constants: [],
    has: (name) => entries[name] !== undefined,
    tensor(name) {
      const entry = entries[name];
      if (entry?.dtype !== 'F16') throw new Error(`There is no tensor ${name} in half precision.`);
      const [from, to] = entry.data_offsets;
      return { shape: entry.shape, bytes: file.subarray(start + from, start + to) };
    },
  };
}

function add(
  graph: Conversion,
  op: string,
  inputs: readonly string[],
  output: string,
  attributes: Record<string, Attribute> = {},
): string {
  graph.nodes.push(node(op, inputs, output, attributes));
  return output;
}

function addFloats(graph: Conversion, name: string, values: readonly number[]): void {
  const bytes = new Uint8Array(Float32Array.from(values).buffer);
  graph.constants.push(constant(name, 'float32', values.length === 1 ? [] : [values.length], bytes));
}

/** A published tensor in single precision. */
function widened(graph: Conversion, name: string): string {
  const { shape, bytes } = graph.tensor(name);
  graph.constants.push(constant(`${name}:half`, 'float16', shape, bytes));
  return add(graph, 'Cast', [`${name}:half`], name, { to: 1 });
}

/** The rows of a table in half precision that `indices` name, in single precision. */
function rows(graph: Conversion, table: string, indices: string): string {
  const { shape, bytes } = graph.tensor(table);
  graph.constants.push(constant(table, 'float16', shape, bytes));
  add(graph, 'Gather', [table, indices], `${table}:rows`);
  return add(graph, 'Cast', [`${table}:rows`], `${table}:widened`, { to: 1 });
}

/** A text is one sentence, so every piece has the first of the two types. */
function embed(graph: Conversion): string {
  graph.constants.push(integers('first', [0]));
  const words = rows(graph, 'embeddings.word_embeddings.weight', 'pieces');
  const places = rows(graph, 'embeddings.position_embeddings.weight', 'places');
  const types = rows(graph, 'embeddings.token_type_embeddings.weight', 'first');
  add(graph, 'Add', [words, places], 'placed');
  add(graph, 'Add', ['placed', types], 'embedded');
  return normalise(graph, 'embeddings.LayerNorm', 'embedded');
}

function encode(graph: Conversion, layer: string, state: string): string {
  const attended = attend(graph, `${layer}.attention`, state);
  const inner = dense(graph, `${layer}.intermediate.dense`, attended);
  const outer = dense(graph, `${layer}.output.dense`, gelu(graph, inner));
  add(graph, 'Add', [outer, attended], `${layer}:sum`);
  return normalise(graph, `${layer}.output.LayerNorm`, `${layer}:sum`);
}

function attend(graph: Conversion, attention: string, state: string): string {
  const heads = (part: string, perm: number[]) => {
    const flat = dense(graph, `${attention}.self.${part}`, state);
    const apart = add(graph, 'Reshape', [flat, 'heads-apart'], `${flat}:apart`);
    return add(graph, 'Transpose', [apart], `${flat}:heads`, { perm });
  };
  const query = heads('query', [0, 2, 1, 3]);
  const key = heads('key', [0, 2, 3, 1]);
  const value = heads('value', [0, 2, 1, 3]);
  add(graph, 'MatMul', [query, key], `${attention}:products`);
  add(graph, 'Mul', [`${attention}:products`, 'head-scale'], `${attention}:scores`);
  add(graph, 'Softmax', [`${attention}:scores`], `${attention}:shares`, { axis: 3 });
  add(graph, 'MatMul', [`${attention}:shares`, value], `${attention}:heads`);
  add(graph, 'Transpose', [`${attention}:heads`], `${attention}:apart`, { perm: [0, 2, 1, 3] });
  add(graph, 'Reshape', [`${attention}:apart`, 'heads-joined'], `${attention}:joined`);
  const output = dense(graph, `${attention}.output.dense`, `${attention}:joined`);
  add(graph, 'Add', [output, state], `${attention}:sum`);
  return normalise(graph, `${attention}.output.LayerNorm`, `${attention}:sum`);
}

function dense(graph: Conversion, layer: string, input: string): string {
  const weight = widened(graph, `${layer}.weight`);
  const bias = widened(graph, `${layer}.bias`);
  add(graph, 'Transpose', [weight], `${weight}:transposed`, { perm: [1, 0] });
  add(graph, 'MatMul', [input, `${weight}:transposed`], `${layer}:product`);
  return add(graph, 'Add', [`${layer}:product`, bias], layer);
}

/** Written so that the runtime sees a layer normalisation in it, which the operator set has no operator for. */
function normalise(graph: Conversion, norm: string, input: string): string {
  const axes = { axes: [hiddenAxis] };
  add(graph, 'ReduceMean', [input], `${norm}:mean`, axes);
  add(graph, 'Sub', [input, `${norm}:mean`], `${norm}:centred`);
  add(graph, 'Pow', [`${norm}:centred`, 'two'], `${norm}:squares`);
  add(graph, 'ReduceMean', [`${norm}:squares`], `${norm}:variance`, axes);
  add(graph, 'Add', [`${norm}:variance`, 'epsilon'], `${norm}:positive`);
  add(graph, 'Sqrt', [`${norm}:positive`], `${norm}:deviation`);
  add(graph, 'Div', [`${norm}:centred`, `${norm}:deviation`], `${norm}:unit`);
  add(graph, 'Mul', [`${norm}:unit`, widened(graph, `${norm}.weight`)], `${norm}:scaled`);
  return add(graph, 'Add', [`${norm}:scaled`, widened(graph, `${norm}.bias`)], norm);
}

/** x · (1 + erf(x / √2)) / 2, in the order in which the runtime knows it as one operator. */
function gelu(graph: Conversion, input: string): string {
  add(graph, 'Div', [input, 'root-of-two'], `${input}:divided`);
  add(graph, 'Erf', [`${input}:divided`], `${input}:erf`);
  add(graph, 'Add', [`${input}:erf`, 'one'], `${input}:shifted`);
  add(graph, 'Mul', [input, `${input}:shifted`], `${input}:doubled`);
  return add(graph, 'Mul', [`${input}:doubled`, 'half'], `${input}:gelu`);
}
