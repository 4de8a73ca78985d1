import { promisify } from 'node:util';
import { deflate, deflateRawSync, type Inflate, inflate } from 'node:zlib';
import { findBlock } from './deflate-blocks.ts';

const deflateAll = promisify(deflate);
const headerBytes = 2;
const checksumBytes = 4;
/** What is compressed anew is as large as before, whatever the level: filtered rows of photos leave little to match. */
const level = 1;

/**
 * The first `length` bytes of data in zlib's format, of the `inflatedLength` that it holds, in the same format and in parts. Its blocks
 * are kept up to the one that holds the cut: from there alone is compressed anew, where such a block is found.
 */
export async function cutDeflated(
  deflated: Buffer,
  { length, inflatedLength }: { length: number; inflatedLength: number },
): Promise<Buffer[]> {
  const inflating = inflateAll(deflated, inflatedLength);
  // While another thread inflates.
  const cut = findBlock(deflated, { from: 8 * headerBytes, ended: inflatedLength - length });
  const { inflated, read } = await inflating;
  if (inflated.length !== inflatedLength) throw new Error('the data holds less than it says');
  const kept = inflated.subarray(0, length);
  const windowBits = (deflated[0]! >> 4) + 8;
  // Smaller windows are those of small data. The block was found from where the data ends, which must be its end.
  if (!cut || windowBits < 15 || read !== deflated.length) return [await deflateAll(kept, { level })];
  const tail = deflateRawSync(kept.subarray(inflatedLength - cut.inflated), { level });
  const checksum = Buffer.alloc(checksumBytes);
  checksum.writeUInt32BE(checksumWithout(inflated, length, deflated.readUInt32BE(read - checksumBytes)));
  return [...keptBlocks(deflated, cut.bit), tail, checksum];
}

/** In one piece, with how many bytes were read. */
function inflateAll(deflated: Buffer, length: number): Promise<{ inflated: Buffer; read: number }> {
  return new Promise((resolve, reject) => {
    inflate(deflated, { maxOutputLength: length, chunkSize: length, info: true }, (error, result) => {
      if (error) return reject(error);
      // As the documentation has it; the types say that it is a buffer.
      const { buffer, engine } = result as unknown as { buffer: Buffer; engine: Inflate };
      resolve({ inflated: buffer, read: engine.bytesWritten });
    });
  });
}

/** The header and the bits up to a block, and an empty block that ends with a whole byte. */
function keptBlocks(deflated: Buffer, bit: number): Buffer[] {
  const whole = bit >>> 3;
  const rest = bit & 7;
  const begun = deflated[whole]! & ((1 << rest) - 1);
  // The three bits that begin a stored block are zero, as are those that fill the byte.
  const filled = rest > 5 ? [begun, 0] : [begun];
  return [deflated.subarray(0, whole), Buffer.from([...filled, 0, 0, 0xff, 0xff])];
}

const adlerPrime = 65_521;

/** The Adler-32 of the first bytes, from that of all of them. */
function checksumWithout(bytes: Buffer, length: number, whole: number): number {
  let [a, b] = [whole & 0xffff, whole >>> 16];
  for (let i = bytes.length - 1; i >= length; i--) {
    b = (b - a + adlerPrime) % adlerPrime;
    a = (a - bytes[i]! + adlerPrime) % adlerPrime;
  }
  return ((b << 16) | a) >>> 0;
}
