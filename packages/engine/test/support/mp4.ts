/** A reader of MP4 files: what a player learns about a video before it decodes anything. */
export interface Mp4 {
  /** The boxes at the top, in order. */
  boxes: string[];
  width: number;
  height: number;
  frames: number;
  /** Frames a second, exact. */
  fps: number;
  seconds: number;
  codec: string;
  /** 100 is High. */
  profile: number;
  /** Of H.264's high profiles: 1 is 4:2:0. */
  chroma: number;
  bits: number;
  /** Primaries, transfer, matrix, full range; 1, 1, 1, false is BT.709 as television has it. */
  colour: [number, number, number, boolean] | null;
  /** The numbers, from 1, of the frames that can be decoded by themselves. */
  keyFrames: number[];
}

interface Box {
  type: string;
  body: Buffer;
}

export function readMp4(file: Buffer): Mp4 {
  const top = boxesOf(file);
  const media = path(top, 'moov', 'trak', 'mdia');
  const header = find(media, 'mdhd');
  const version = header[0]!;
  const timescale = header.readUInt32BE(version === 1 ? 20 : 12);
  const table = path(media, 'minf', 'stbl');
  const times = find(table, 'stts');
  const runs = Array.from({ length: times.readUInt32BE(4) }, (_, i) => ({
    count: times.readUInt32BE(8 + 8 * i),
    delta: times.readUInt32BE(12 + 8 * i),
  }));
  const frames = runs.reduce((sum, { count }) => sum + count, 0);
  const ticks = runs.reduce((sum, { count, delta }) => sum + count * delta, 0);
  // A sample description begins with its version and the number of its entries.
  const [entry] = boxesOf(find(table, 'stsd').subarray(8));
  const parts = boxesOf(entry!.body.subarray(78));
  const settings = find(parts, 'avcC');
  const sync = find(table, 'stss');
  return {
    boxes: top.map(({ type }) => type),
    width: entry!.body.readUInt16BE(24),
    height: entry!.body.readUInt16BE(26),
    frames,
    fps: (frames * timescale) / ticks,
    seconds: ticks / timescale,
    codec: entry!.type,
    profile: settings[1]!,
    ...formatOf(settings),
    keyFrames: Array.from({ length: sync.readUInt32BE(4) }, (_, i) => sync.readUInt32BE(8 + 4 * i)),
  };
}

/** What the first parameter set of H.264's high profiles says about its frames. */
function formatOf(settings: Buffer): Pick<Mp4, 'chroma' | 'bits' | 'colour'> {
  const set = settings.subarray(8, 8 + settings.readUInt16BE(6));
  // Zeros that could be taken for the start of a unit are broken up by a 3.
  const bytes = [...set].filter((byte, i) => !(byte === 3 && set[i - 1] === 0 && set[i - 2] === 0));
  const bits = bitReader(bytes.slice(4));
  bits.code();
  const chroma = bits.code();
  const depth = 8 + bits.code();
  bits.code();
  bits.take(1);
  if (bits.take(1) === 1) throw new Error('scaling lists are not read');
  bits.code();
  const order = bits.code();
  if (order === 0) bits.code();
  if (order === 1) throw new Error('this order of frames is not read');
  bits.code();
  bits.take(1);
  bits.code();
  bits.code();
  if (bits.take(1) === 0) bits.take(1);
  bits.take(1);
  if (bits.take(1) === 1) for (let side = 0; side < 4; side++) bits.code();
  return { chroma, bits: depth, colour: bits.take(1) === 1 ? colourOf(bits) : null };
}

/** From the part of a parameter set that tells players how to show what is decoded. */
function colourOf(bits: BitReader): Mp4['colour'] {
  if (bits.take(1) === 1 && bits.take(8) === 255) bits.take(32);
  if (bits.take(1) === 1) bits.take(1);
  if (bits.take(1) === 0) return null;
  bits.take(3);
  const full = bits.take(1) === 1;
  return bits.take(1) === 1 ? [bits.take(8), bits.take(8), bits.take(8), full] : null;
}

interface BitReader {
  take(count: number): number;
  /** An unsigned Exp-Golomb code. */
  code(): number;
}

function bitReader(bytes: readonly number[]): BitReader {
  let at = 0;
  const take = (count: number) => {
    let value = 0;
    for (let i = 0; i < count; i++, at++) value = value * 2 + ((bytes[at >> 3]! >> (7 - (at & 7))) & 1);
    return value;
  };
  const code = () => {
    let zeros = 0;
    while (take(1) === 0) if (++zeros > 31) throw new Error('a broken parameter set');
    return 2 ** zeros - 1 + take(zeros);
  };
  return { take, code };
}

function boxesOf(bytes: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const large = bytes.readUInt32BE(at) === 1;
    const size = large ? Number(bytes.readBigUInt64BE(at + 8)) : bytes.readUInt32BE(at) || bytes.length - at;
    if (size < 8 || at + size > bytes.length) throw new Error(`a box at ${at} is broken`);
    boxes.push({
      type: bytes.toString('latin1', at + 4, at + 8),
      body: bytes.subarray(at + (large ? 16 : 8), at + size),
    });
    at += size;
  }
  return boxes;
}

function find(boxes: readonly Box[], type: string): Buffer {
  const box = boxes.find((one) => one.type === type);
  if (!box) throw new Error(`there is no ${type} among ${boxes.map((one) => one.type).join(', ')}`);
  return box.body;
}

function path(boxes: readonly Box[], ...types: string[]): Box[] {
  return types.reduce((inside, type) => boxesOf(find(inside, type)), [...boxes]);
}
