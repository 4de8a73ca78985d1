/** A place in deflated data where a block begins. */
export interface BlockPlace {
  bit: number;
  /** Bytes that the data holds from there on. */
  inflated: number;
}

/** Blocks of deflaters have some 16 KB: further back, which takes 10 ms, no block is looked for. */
const mostBytesBack = 96 * 1024;
const checksumBytes = 4;
/** Where blocks begin that mean nothing in the end, which only somebody writes who wants to, no more than this is read. */
const mostBitsRead = 16 * 8 * mostBytesBack;

/**
 * The last block of data in zlib's format that begins at least `ended` bytes before the end of what it holds. It is
 * looked for from the end, at every bit: only where a block begins, the codes of all that follows mean something and end
 * with the data. So nothing before it has to be read. Null where there is none near the end.
 */
export function findBlock(
  deflated: Buffer,
  { from, ended }: { from: number; ended: number },
): BlockPlace | null {
  const start = Math.max(0, deflated.length - mostBytesBack);
  const last = deflated.subarray(start, Math.max(start, deflated.length - checksumBytes));
  const input: Bits = { bytes: Buffer.concat([last, Buffer.alloc(padding)]), at: 0 };
  const end = 8 * last.length;
  const first = Math.max(0, from + 1 - 8 * start);
  const known = new Map<number, number>();
  let bitsRead = 0;
  for (let bit = end - 1; bit >= first && bitsRead < mostBitsRead; bit--) {
    if (!mayBegin(input.bytes, bit)) continue;
    input.at = bit;
    const inflated = skipToEnd(input, end, known);
    bitsRead += input.at - bit;
    if (inflated >= 0) known.set(bit, inflated);
    if (inflated >= ended) return { bit: 8 * start + bit, inflated };
  }
  return null;
}

/** A read behind the end gives zeros, in which no block ends. */
const padding = 64;

/** Bits of deflated data, the lowest of a byte first. */
interface Bits {
  bytes: Buffer;
  at: number;
}

/** 25 bits from a place on, and perhaps some more. */
function peek(bytes: Buffer, at: number): number {
  const from = at >>> 3;
  const low = bytes[from]! | (bytes[from + 1]! << 8) | (bytes[from + 2]! << 16) | (bytes[from + 3]! << 24);
  return low >>> (at & 7);
}

function take(input: Bits, count: number): number {
  const value = peek(input.bytes, input.at) & ((1 << count) - 1);
  input.at += count;
  return value;
}

/** Whether a block with codes of its own may begin there, by its counts and its code of code lengths. */
function mayBegin(bytes: Buffer, bit: number): boolean {
  const bits = peek(bytes, bit);
  const isOfCodes = ((bits >>> 1) & 3) === 2 && ((bits >>> 3) & 31) < 30 && ((bits >>> 8) & 31) < 30;
  if (!isOfCodes) return false;
  const given = ((bits >>> 13) & 15) + 4;
  let unused = 128;
  for (let i = 0; i < given; i++) {
    const length = peek(bytes, bit + 17 + 3 * i) & 7;
    if (length > 0) unused -= 128 >>> length;
  }
  return unused === 0;
}

/**
 * How many bytes all blocks from here on hold, by how many those at known places do; -1 where these bits are no blocks up
 * to the end.
 */
function skipToEnd(input: Bits, end: number, known: ReadonlyMap<number, number>): number {
  for (let inflated = 0; ; ) {
    const rest = known.get(input.at);
    if (rest !== undefined) return inflated + rest;
    const isLast = take(input, 1) === 1;
    const type = take(input, 2);
    const skipped = type === 0 ? skipStored(input) : skipCompressed(input, codesOf(input, type), end);
    if (skipped < 0 || input.at > end) return -1;
    inflated += skipped;
    // The last byte need not be full.
    if (isLast) return end - input.at < 8 ? inflated : -1;
  }
}

function skipStored(input: Bits): number {
  input.at = (input.at + 7) & ~7;
  const length = take(input, 16);
  const check = take(input, 16);
  input.at += 8 * length;
  return (length ^ check) === 0xffff ? length : -1;
}

/** For every possible `bits`, `symbol << 4 | length`; 0 where no code begins so. */
interface CodeTable {
  entries: Uint16Array;
  bits: number;
}

interface Codes {
  literals: CodeTable;
  distances: CodeTable;
}

const lengthBase = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115];
const lengthBases = Uint16Array.from([...lengthBase, 131, 163, 195, 227, 258]);
const lengthExtra = Uint8Array.from([...Array.from({ length: 28 }, (_, i) => Math.max(0, (i >> 2) - 1)), 0]);
const distanceExtra = Uint8Array.from({ length: 30 }, (_, i) => Math.max(0, (i >> 1) - 1));
const endOfBlock = 256;

/** How many bytes the block holds, or -1. What they are does not matter, so that nothing is copied. */
function skipCompressed(input: Bits, codes: Codes | null, end: number): number {
  if (!codes) return -1;
  const { bytes } = input;
  const { literals, distances } = codes;
  const literalMask = (1 << literals.bits) - 1;
  const distanceMask = (1 << distances.bits) - 1;
  let { at } = input;
  let inflated = 0;
  while (at < end) {
    const bits = peek(bytes, at);
    const literal = literals.entries[bits & literalMask]!;
    const codeLength = literal & 15;
    at += codeLength;
    if (literal === 0) break;
    if (literal < endOfBlock << 4) {
      inflated++;
      continue;
    }
    const symbol = (literal >>> 4) - endOfBlock - 1;
    if (symbol < 0) {
      input.at = at;
      return inflated;
    }
    if (symbol >= lengthBases.length) break;
    const extra = lengthExtra[symbol]!;
    inflated += lengthBases[symbol]! + ((bits >>> codeLength) & ((1 << extra) - 1));
    const distance = distances.entries[peek(bytes, at + extra) & distanceMask]!;
    if (distance === 0) break;
    at += extra + (distance & 15) + distanceExtra[distance >>> 4]!;
  }
  input.at = at;
  return -1;
}

/** The codes of a block of this type, after its first three bits. Null where there are none. */
function codesOf(input: Bits, type: number): Codes | null {
  if (type === 2) return readCodes(input);
  return type === 1 ? fixedCodes : null;
}

/** The order in which the lengths of the codes of code lengths are written. */
const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

function readCodes(input: Bits): Codes | null {
  const literalCount = take(input, 5) + 257;
  const distanceCount = take(input, 5) + 1;
  const given = take(input, 4) + 4;
  const lengthLengths = new Uint8Array(lengthOrder.length);
  for (let i = 0; i < given; i++) lengthLengths[lengthOrder[i]!] = take(input, 3);
  const lengths = readLengths(input, tableOf(lengthLengths), literalCount + distanceCount);
  if (!lengths) return null;
  const literals = lengths.subarray(0, literalCount);
  const distances = lengths.subarray(literalCount);
  // One distance, or none, needs no complete code.
  const isWhole = unusedOf(literals) === 0 && unusedOf(distances) >= 0 && literals[endOfBlock] !== 0;
  return isWhole ? { literals: tableOf(literals), distances: tableOf(distances) } : null;
}

function readLengths(input: Bits, { entries, bits }: CodeTable, count: number): Uint8Array | null {
  const lengths = new Uint8Array(count);
  for (let i = 0; i < count; ) {
    const entry = entries[peek(input.bytes, input.at) & ((1 << bits) - 1)]!;
    if (entry === 0) return null;
    input.at += entry & 15;
    const symbol = entry >>> 4;
    if (symbol < 16) {
      lengths[i++] = symbol;
      continue;
    }
    if (symbol === 16 && i === 0) return null;
    const value = symbol === 16 ? lengths[i - 1]! : 0;
    const times =
      symbol === 16 ? 3 + take(input, 2) : symbol === 17 ? 3 + take(input, 3) : 11 + take(input, 7);
    if (i + times > count) return null;
    lengths.fill(value, i, i + times);
    i += times;
  }
  return lengths;
}

const mostBits = 15;

/** How many codes of 15 bits are left beside those of these lengths; below 0 where they are too many. */
function unusedOf(lengths: Uint8Array): number {
  let unused = 1 << mostBits;
  for (const length of lengths) if (length > 0) unused -= 1 << (mostBits - length);
  return unused;
}

/** The table of canonical codes of these lengths, which are written with their first bit lowest. */
function tableOf(lengths: Uint8Array): CodeTable {
  const counts = new Uint16Array(mostBits + 1);
  for (const length of lengths) if (length > 0) counts[length]!++;
  const next = new Uint16Array(mostBits + 2);
  let bits = 1;
  for (let length = 1; length <= mostBits; length++) {
    next[length + 1] = (next[length]! + counts[length]!) << 1;
    if (counts[length]! > 0) bits = length;
  }
  const entries = new Uint16Array(1 << bits);
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    const entry = (symbol << 4) | length;
    const begins = reversed(next[length]!++, length);
    for (let at = begins; at < entries.length; at += 1 << length) entries[at] = entry;
  }
  return { entries, bits };
}

function reversed(code: number, length: number): number {
  let result = 0;
  for (let bit = 0; bit < length; bit++) result |= ((code >>> bit) & 1) << (length - 1 - bit);
  return result;
}

const fixedCodes: Codes = {
  literals: tableOf(
    Uint8Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8)),
  ),
  distances: tableOf(new Uint8Array(30).fill(5)),
};
