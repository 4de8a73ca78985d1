import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { createGunzip } from 'node:zlib';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';

/** What a tar archive holds. The content is read once, before the next entry is asked for, or skipped. */
export interface TarEntry {
  name: string;
  /** False for folders and links. */
  isFile: boolean;
  content: AsyncIterable<Uint8Array>;
}

/** The entries of a tar archive, of one that npm has made or of a plain one, without holding any of them whole. */
export async function* readTar(file: string, kind: 'gzip' | 'plain'): AsyncGenerator<TarEntry> {
  const source = createReadStream(file, { highWaterMark: 2 ** 18 });
  const tar = kind === 'gzip' ? pipeline(source, createGunzip(), () => {}) : source;
  const entries = (Readable.toWeb(tar) as ReadableStream<Uint8Array>).pipeThrough(
    createTarDecoder({ strict: true }),
  );
  try {
    for await (const { header, body } of entries as NodeStream<ParsedTarEntry>) {
      const content = body as NodeStream<Uint8Array>;
      yield { name: header.name, isFile: (header.type ?? 'file') === 'file', content };
      // Read to its end: cancelling a body would close that of the next entry, which modern-tar has begun already.
      for await (const _ of content);
    }
  } finally {
    // The decoder would go on reading what nobody asks for.
    tar.destroy();
  }
}
