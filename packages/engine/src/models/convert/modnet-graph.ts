import { attribute } from './onnx-file.ts';
import { attributeName, type Graph, type Node, readGraph, type Weights, writeGraph } from './onnx-graph.ts';

/**
 * Rewrites MODNet's graph for the runtime, which computes convolutions in blocks of channels and has to copy its data
 * out of that layout and back wherever a node does not fit it. The outputs are the same to 1e-5, in three quarters of
 * the time: docs/decisions/010-modnet-graph.md.
 */
export function arrangeModNet(model: Buffer): Buffer {
  const graph = readGraph(model);
  convolveBeforeResize(graph);
  splitNorms(graph);
  splitPhotoInputs(graph);
  for (const node of graph.nodes) if (node.op === 'Resize') useHalfPixels(node);
  sortNodes(graph);
  return writeGraph(graph);
}

/** From this many input channels for each output channel on, convolving before the resize is less work. */
const leastReduction = 8;

/**
 * The deepest layer is a 5×5 convolution of 1280 channels that have just been enlarged. The sum over channels and the
 * enlargement can change places: each of the 25 kernel positions is a 1×1 convolution at the small size, which is a
 * quarter of the multiplications; the results are enlarged, shifted to their positions in the kernel and added.
 */
function convolveBeforeResize(graph: Graph): void {
  const producers = producersIn(graph);
  for (const layer of graph.nodes.filter(({ op }) => op === 'Conv')) {
    const resize = producers.get(layer.inputs[0]!);
    const [, weightName, biasName] = layer.inputs as [string, string, string];
    const { dims, values } = graph.weights.get(weightName)!;
    const [outputs, inputs, side] = dims as [number, number, number, number];
    if (resize?.op !== 'Resize' || inputs < leastReduction * outputs) continue;
    const positions = side * side;
    const count = positions * outputs;
    const pointwise = new Float32Array(count * inputs);
    const shift = new Float32Array(count * positions);
    const sum = new Float32Array(outputs * count);
    for (let position = 0; position < positions; position++) {
      for (let o = 0; o < outputs; o++) {
        const channel = position * outputs + o;
        for (let i = 0; i < inputs; i++)
          pointwise[channel * inputs + i] = values[(o * inputs + i) * positions + position]!;
        shift[channel * positions + position] = 1;
        sum[o * count + channel] = 1;
      }
    }
    const out = layer.outputs[0]!;
    const addWeights = (name: string, weights: Weights) => {
      graph.weights.set(`${out}.${name}`, weights);
      return `${out}.${name}`;
    };
    const pointwiseName = addWeights('pointwise', { dims: [count, inputs, 1, 1], values: pointwise });
    const shiftName = addWeights('shift', { dims: [count, 1, side, side], values: shift });
    const sumName = addWeights('sum', { dims: [outputs, count, 1, 1], values: sum });
    const [convolved, enlarged, shifted] = [`${out}.convolved`, `${out}.enlarged`, `${out}.shifted`] as const;
    const half = side >> 1;
    replaceNodes(graph, new Set([layer, resize]), [
      { op: 'Conv', inputs: [resize.inputs[0]!, pointwiseName], outputs: [convolved], attributes: [] },
      { ...resize, inputs: [convolved, ...resize.inputs.slice(1)], outputs: [enlarged] },
      {
        op: 'Conv',
        inputs: [enlarged, shiftName],
        outputs: [shifted],
        attributes: [attribute('group', count), attribute('pads', [half, half, half, half])],
      },
      { op: 'Conv', inputs: [shifted, sumName, biasName], outputs: [out], attributes: [] },
    ]);
    graph.weights.delete(weightName);
  }
}

/** Channels in a block, where registers are widest. */
const blockChannels = 16;

/** From this many channels on, two halves of a layer take no longer than the whole of it. */
const leastHalf = 32;

/**
 * MODNet's IBN layers: the first half of the channels has a batch norm, the other half an instance norm, and the file
 * slices, normalises and joins them. The batch norm becomes part of the convolution's weights, and a large convolution
 * becomes two, one for each half.
 */
function splitNorms(graph: Graph): void {
  const producers = producersIn(graph);
  const consumers = consumersIn(graph);
  for (const instanceNorm of graph.nodes.filter(({ op }) => op === 'InstanceNormalization')) {
    const instanceSlice = producers.get(instanceNorm.inputs[0]!)!;
    const layer = producers.get(instanceSlice.inputs[0]!)!;
    const join = consumers.get(instanceNorm.outputs[0]!)!;
    const batchNorm = producers.get(join.inputs[0]!)!;
    const batchSlice = producers.get(batchNorm.inputs[0]!)!;
    const half = foldBatchNorm(graph, layer, batchNorm);
    const activation = consumers.get(join.outputs[0]!)!;
    if (half < leastHalf) {
      join.inputs[0] = batchSlice.outputs[0]!;
      const added = half < blockChannels ? [] : [returnToBlocks(activation)];
      replaceNodes(graph, new Set([batchNorm]), added);
      continue;
    }
    const batchHalf = channelsOf(graph, layer, 'batch', 0, half);
    const instanceHalf = channelsOf(graph, layer, 'instance', half);
    instanceNorm.inputs[0] = instanceHalf.outputs[0]!;
    const activated = [batchHalf, instanceNorm].map(relu) as [Node, Node];
    const joined = {
      ...join,
      inputs: activated.map(({ outputs }) => outputs[0]!),
      outputs: activation.outputs,
    };
    const inBlocks = returnToBlocks(activated[1]);
    replaceNodes(graph, new Set([layer, batchSlice, instanceSlice, batchNorm, join, activation]), [
      batchHalf,
      instanceHalf,
      ...activated,
      inBlocks,
      joined,
    ]);
  }
}

/** Multiplies the batch norm of a layer's first channels into the layer's weights; returns how many channels those are. */
function foldBatchNorm({ weights }: Graph, layer: Node, norm: Node): number {
  const [gamma, beta, mean, variance] = norm.inputs.slice(1).map((name) => weights.get(name)!.values) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const { dims, values } = weights.get(layer.inputs[1]!)!;
  const bias = weights.get(layer.inputs[2]!)!.values;
  const each = values.length / dims[0]!;
  for (let c = 0; c < gamma.length; c++) {
    const scale = gamma[c]! / Math.sqrt(variance[c]! + 1e-5);
    for (let k = c * each; k < (c + 1) * each; k++) values[k] = values[k]! * scale;
    bias[c] = (bias[c]! - mean[c]!) * scale + beta[c]!;
  }
  return gamma.length;
}

/** A convolution that computes some of another's channels. */
function channelsOf({ weights }: Graph, layer: Node, name: string, from: number, to?: number): Node {
  const [input, weightName, biasName] = layer.inputs as [string, string, string];
  const { dims, values } = weights.get(weightName)!;
  const each = values.length / dims[0]!;
  const output = `${layer.outputs[0]}.${name}`;
  const part = values.slice(from * each, (to ?? dims[0]!) * each);
  const bias = weights.get(biasName)!.values.slice(from, to);
  weights.set(`${output}.weight`, { dims: [bias.length, ...dims.slice(1)], values: part });
  weights.set(`${output}.bias`, { dims: [bias.length], values: bias });
  const inputs = [input, `${output}.weight`, `${output}.bias`];
  return { op: 'Conv', inputs, outputs: [output], attributes: layer.attributes };
}

function relu({ outputs: [from] }: Node): Node {
  return { op: 'Relu', inputs: [from!], outputs: [`${from}.relu`], attributes: [] };
}

/** Adds a 1×1 pooling behind a node: it changes nothing, but is computed in blocks, so that what follows can be, too. */
function returnToBlocks(node: Node): Node {
  const { outputs } = node;
  node.outputs = outputs.map((name) => `${name}.before-blocks`);
  const attributes = [attribute('kernel_shape', [1, 1])];
  return { op: 'MaxPool', inputs: node.outputs, outputs, attributes };
}

const photoChannels = 3;

/**
 * Convolutions of the photo itself joined to other channels: its three channels keep all of them out of blocks. They
 * become two convolutions whose results are added.
 */
function splitPhotoInputs(graph: Graph): void {
  const producers = producersIn(graph);
  const isPhoto = (name: string) =>
    name === 'input' || (producers.get(name)?.op === 'Resize' && producers.get(name)!.inputs[0] === 'input');
  for (const layer of graph.nodes.filter(({ op }) => op === 'Conv')) {
    const join = producers.get(layer.inputs[0]!);
    const at = join?.op === 'Concat' ? join.inputs.findIndex(isPhoto) : -1;
    if (!join || at < 0) continue;
    const [, weightName, biasName] = layer.inputs as [string, string, string];
    const weights = graph.weights.get(weightName)!;
    const inputs = weights.dims[1]!;
    const out = layer.outputs[0]!;
    const others = join.inputs.filter((_, i) => i !== at);
    const [photo, rest] =
      at === 0 ? splitInputs(weights, photoChannels) : splitInputs(weights, inputs - photoChannels).reverse();
    graph.weights.set(`${out}.photo.weight`, photo!);
    graph.weights.set(`${out}.rest.weight`, rest!);
    const { attributes } = layer;
    replaceNodes(graph, new Set([layer]), [
      ...(others.length > 1 ? [{ ...join, inputs: others, outputs: [`${out}.others`] }] : []),
      {
        op: 'Conv',
        inputs: [join.inputs[at]!, `${out}.photo.weight`],
        outputs: [`${out}.photo`],
        attributes,
      },
      {
        op: 'Conv',
        inputs: [others.length > 1 ? `${out}.others` : others[0]!, `${out}.rest.weight`, biasName],
        outputs: [`${out}.rest`],
        attributes,
      },
      { op: 'Add', inputs: [`${out}.photo`, `${out}.rest`], outputs: [out], attributes: [] },
    ]);
  }
}

/** The weights of a convolution's first `at` input channels, and of the others. */
function splitInputs({ dims, values }: Weights, at: number): [Weights, Weights] {
  const [outputs, inputs, ...kernel] = dims as [number, number, ...number[]];
  const each = kernel.reduce((product, size) => product * size, 1);
  const part = (from: number, to: number): Weights => {
    const copy = new Float32Array(outputs * (to - from) * each);
    for (let o = 0; o < outputs; o++) {
      copy.set(values.subarray((o * inputs + from) * each, (o * inputs + to) * each), o * (to - from) * each);
    }
    return { dims: [outputs, to - from, ...kernel], values: copy };
  };
  return [part(0, at), part(at, inputs)];
}

/** The same positions as `pytorch_half_pixel` for sides longer than one pixel, and the runtime has it for blocks. */
function useHalfPixels(resize: Node): void {
  const mode = 'coordinate_transformation_mode';
  resize.attributes = resize.attributes.map((encoded) =>
    attributeName(encoded) === mode ? attribute(mode, 'half_pixel') : encoded,
  );
}

function producersIn({ nodes }: Graph): Map<string, Node> {
  return new Map(nodes.flatMap((node) => node.outputs.map((name) => [name, node])));
}

/** The node that takes a result; of several, the last. */
function consumersIn({ nodes }: Graph): Map<string, Node> {
  return new Map(nodes.flatMap((node) => node.inputs.map((name) => [name, node])));
}

function replaceNodes(graph: Graph, removed: ReadonlySet<Node>, added: readonly Node[]): void {
  graph.nodes = [...graph.nodes.filter((node) => !removed.has(node)), ...added];
}

/** Orders nodes behind those whose results they take, and drops those whose results nobody takes. */
function sortNodes(graph: Graph): void {
  const producers = producersIn(graph);
  const sorted = new Set<Node>();
  const visit = (name: string): void => {
    const node = producers.get(name);
    if (!node || sorted.has(node)) return;
    node.inputs.forEach(visit);
    sorted.add(node);
  };
  visit('output');
  graph.nodes = [...sorted];
}
