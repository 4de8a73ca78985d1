/** Files of the network: our layers, and BlazeFace's weights as TensorFlow.js keeps them. */
export interface FaceNetFiles {
  layers: BufferSource;
  weights: ArrayBuffer;
  /** The JSON that says where each weight is. */
  topology: string;
}

/** What the network says of the cells of one grid over its input. */
export interface FaceGrid {
  /** Cells in a row, and in a column. */
  cells: number;
  /** Boxes that each cell may have. */
  perCell: number;
  /** One for each box, before the sigmoid. */
  scores: Float32Array;
  /** 16 numbers for each box, in pixels of the input: its middle from the middle of the cell, its size, six points. */
  boxes: Float32Array;
}

export interface FaceNet {
  /** Finds faces in `inputSide` x `inputSide` pixels of RGBA. */
  run(photo: Uint8ClampedArray): FaceGrid[];
}

export const inputSide = 256;

/** The functions of face-net.c. Places in memory are numbers. */
interface Layers {
  convolve_photo(photo: number, side: number, weights: number, bias: number, target: number): void;
  convolve_channels(
    ...args: [source: number, side: number, channels: number, weights: number, stride: number, target: number]
  ): void;
  pool(source: number, side: number, channels: number, target: number): void;
  mix_channels(...args: number[]): void;
}

/** Where the weights and the bias of a layer lie that mixes channels. */
interface Mix {
  weights: number;
  bias: number;
  /** Channels before and after it. */
  from: number;
  to: number;
}

interface MixCall {
  source: number;
  pixels: number;
  target: number;
  /** What is added to the first channels, with how many it has. */
  added?: { at: number; channels: number };
  /** Whether negative values become zero. */
  isPositive?: boolean;
}

/** Channels before and after each block of the network, and whether it halves the side. */
const blocks = [
  ...repeat(7, [24, 24, 1]),
  [24, 24, 2],
  ...repeat(7, [24, 24, 1]),
  [24, 48, 2],
  ...repeat(7, [48, 48, 1]),
  [48, 96, 2],
  ...repeat(7, [96, 96, 1]),
] as const;

function repeat<T>(count: number, value: T): T[] {
  return Array.from({ length: count }, () => value);
}

const firstChannels = 24;
const lastChannels = 96;
const pageBytes = 65_536;
/** What the layers make lies behind the weights: three times the largest, which is the first one's. */
const layerBytes = (inputSide / 2) ** 2 * firstChannels * 4;
const workBytes = inputSide ** 2 * 4 + 3 * layerBytes + 4 * 16 * 16 * lastChannels * 4;

/** BlazeFace of the back camera in WebAssembly. It is the network that the engine finds faces with, too. */
export function openFaceNet({ layers, weights, topology }: FaceNetFiles): FaceNet {
  const pages = Math.ceil((weights.byteLength + 16_384 + workBytes) / pageBytes);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: 1024 });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(layers), { env: { memory } });
  const net = exports as unknown as Layers;
  const room = reserveIn(memory);
  const placed = placeWeights(weightsInOrder(topology, weights), room.put);
  const photoAt = room.take(inputSide ** 2 * 4);
  const turns = [room.take(layerBytes), room.take(layerBytes), room.take(layerBytes)] as const;
  const headAt = room.take(16 * 16 * lastChannels * 4);

  const mix = (layer: Mix, { source, pixels, target, added, isPositive = false }: MixCall) =>
    net.mix_channels(
      ...[source, pixels, layer.from, layer.weights, layer.bias, layer.to],
      ...[added?.at ?? 0, added?.channels ?? 0, Number(isPositive), target],
    );
  const readHead = (layer: Mix, source: number, side: number, channels: number) => {
    mix(layer, { source, pixels: side ** 2, target: headAt });
    const values = new Float32Array(memory.buffer, headAt, side ** 2 * layer.to);
    return values.filter((_, at) => at % layer.to < channels);
  };
  return {
    run(photo) {
      new Uint8ClampedArray(memory.buffer, photoAt, photo.length).set(photo);
      let [now, apart, other] = turns as readonly [number, number, number];
      let side = inputSide / 2;
      net.convolve_photo(photoAt, inputSide, placed.first.weights, placed.first.bias, now);
      for (const { each, stride, ...layer } of placed.blocks) {
        net.convolve_channels(now, side, layer.from, each, stride, apart);
        if (stride === 2) net.pool(now, side, layer.from, other);
        side /= stride;
        // What is added has the channels of before: the new ones have none.
        const [at, target] = stride === 2 ? [other, now] : [now, other];
        const added = { at, channels: layer.from };
        mix(layer, { source: apart, pixels: side ** 2, target, added, isPositive: true });
        [now, other] = [target, at];
      }
      const fine = {
        cells: side,
        perCell: 2,
        scores: readHead(placed.fineScores, now, side, 2),
        boxes: readHead(placed.fineBoxes, now, side, 32),
      };
      const cells = side / 2;
      net.convolve_channels(now, side, lastChannels, placed.last.each, 2, apart);
      mix(placed.last, { source: apart, pixels: cells ** 2, target: other, isPositive: true });
      const coarse = {
        cells,
        perCell: 6,
        scores: readHead(placed.coarseScores, other, cells, 6),
        boxes: readHead(placed.coarseBoxes, other, cells, 96),
      };
      return [fine, coarse];
    },
  };
}

/** Puts the weights of all layers into memory, in the order of the file. A layer makes a multiple of eight channels. */
function placeWeights(ordered: Weight[], put: (values: Float32Array) => number) {
  const next = (width?: number) => put(padTo(ordered.shift()!, width));
  const nextMix = (from: number, to: number, width?: number): Mix => ({
    weights: next(width),
    bias: next(width),
    from,
    to,
  });
  return {
    first: { weights: next(), bias: next() },
    blocks: blocks.map(([from, to, stride]) => ({ each: next(), stride, ...nextMix(from, to) })),
    last: { each: next(), ...nextMix(lastChannels, lastChannels) },
    coarseBoxes: nextMix(lastChannels, 96),
    fineBoxes: nextMix(lastChannels, 32),
    coarseScores: nextMix(lastChannels, 8, 8),
    fineScores: nextMix(lastChannels, 8, 8),
  };
}

/** Hands out places of a memory one after the other. */
function reserveIn(memory: WebAssembly.Memory) {
  let at = 1024;
  const take = (bytes: number) => {
    const place = at;
    at += Math.ceil(bytes / 16) * 16;
    return place;
  };
  return {
    take,
    put(values: Float32Array): number {
      const place = take(values.byteLength);
      new Float32Array(memory.buffer, place, values.length).set(values);
      return place;
    },
  };
}

/** A weight, or a bias, whose last dimension has `width` zeros or values. */
function padTo({ values, width: own }: Weight, width = own): Float32Array {
  if (width === own) return values;
  const padded = new Float32Array((values.length / own) * width);
  for (let row = 0; row < values.length / own; row++)
    padded.set(values.subarray(row * own, (row + 1) * own), row * width);
  return padded;
}

interface Weight {
  values: Float32Array;
  /** The last dimension. */
  width: number;
}

/** The weights in the order of the layers, which is that of the numbers in their names. */
function weightsInOrder(topology: string, bytes: ArrayBuffer): Weight[] {
  const { weightsManifest } = JSON.parse(topology) as {
    weightsManifest: { weights: { name: string; shape: number[]; dtype: string }[] }[];
  };
  let at = 0;
  const found: (Weight & { number: number })[] = [];
  for (const { name, shape, dtype } of weightsManifest.flatMap(({ weights }) => weights)) {
    const length = shape.reduce((product, size) => product * size, 1);
    const values = new Float32Array(bytes, at, length);
    at += 4 * length;
    if (dtype !== 'float32') continue;
    const number = Number(/^unknown(?:_(\d+))?$/.exec(name)?.[1] ?? -1);
    found.push({ values, width: shape.at(-1)!, number });
  }
  return found.sort((a, b) => a.number - b.number);
}
