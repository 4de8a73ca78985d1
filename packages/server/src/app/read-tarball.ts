import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** A file of a tarball. Its content is read once, before the next entry is asked for, or skipped. */
export interface TarEntry {
  name: string;
  content: AsyncGenerator<Buffer>;
}

const blockBytes = 512;

/**
 * The files of an npm tarball, one after the other, without holding any of them whole. npm writes plain names of fewer
 * than 100 bytes, or splits them into prefix and name; longer ones stand in records of their own, which are skipped.
 */
export async function* readTarball(file: string): AsyncGenerator<TarEntry> {
  const unpacked = pipeline(createReadStream(file), createGunzip(), () => {});
  const chunks: AsyncIterator<Buffer> = unpacked[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  async function* read(bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0; ) {
      if (rest.length === 0) {
        const { done, value } = await chunks.next();
        if (done) throw new Error('The tarball ends early.');
        rest = value;
      }
      const part = rest.subarray(0, left);
      rest = rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  try {
    for (;;) {
      const header = await collect(read(blockBytes));
      // A block of zeros ends the archive.
      if (header[0] === 0) return;
      const size = Number.parseInt(textOf(header, 124, 12), 8);
      const content = read(size);
      const isFile = header[156] === 0x30 || header[156] === 0;
      if (isFile) {
        const prefix = textOf(header, 345, 155);
        const name = textOf(header, 0, 100);
        yield { name: prefix === '' ? name : `${prefix}/${name}`, content };
      }
      await skip(content);
      await skip(read((blockBytes - (size % blockBytes)) % blockBytes));
    }
  } finally {
    unpacked.destroy();
  }
}

function textOf(header: Buffer, from: number, length: number): string {
  const [text = ''] = header.toString('utf8', from, from + length).split('\0');
  return text.trim();
}

async function collect(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all);
}

async function skip(parts: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of parts);
}
