import { type FileHandle, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { type Blobs, mustBeKey, type OpenBlob } from './blobs.ts';

/** Reads as large as this keep the number of turns through the thread pool small without holding much memory. */
const chunkBytes = 256 * 1024;

export function diskBlobs(folder: string): Blobs {
  const made = new Set<string>();
  const pathOf = (key: string) => join(folder, mustBeKey(key));

  return {
    async put(key, bytes) {
      const path = pathOf(key);
      const parent = dirname(path);
      if (!made.has(parent)) {
        const first = await mkdir(parent, { recursive: true });
        if (first)
          for (let at = parent; at.length >= first.length; at = dirname(at)) await syncFolder(dirname(at));
        made.add(parent);
      }
      const file = await open(path, 'w', 0o600);
      try {
        if (bytes instanceof Uint8Array) await file.writeFile(bytes as Uint8Array<ArrayBuffer>);
        else for await (const chunk of bytes) await file.writeFile(chunk);
        await file.datasync();
      } finally {
        await file.close();
      }
      await syncFolder(parent);
    },
    async read(key) {
      return readFile(pathOf(key)).catch(absent);
    },
    async open(key) {
      const file = await open(pathOf(key), 'r').catch(absent);
      return file && openBlob(file);
    },
    async remove(key) {
      await rm(pathOf(key), { force: true });
    },
    async *list(prefix) {
      const names = await readdir(join(folder, prefix), { recursive: true, withFileTypes: true }).catch(
        absent,
      );
      for (const entry of names ?? []) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name);
        const found = await stat(path).catch(absent);
        if (found) yield { key: path.slice(folder.length + 1), modified: found.mtimeMs };
      }
    },
  };
}

/** A file's name is its folder's data: without this, power loss can take a file that was itself synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

async function openBlob(file: FileHandle): Promise<OpenBlob> {
  const { size } = await file.stat();
  return {
    size,
    stream: (range) =>
      // Closed with the stream: a generator that never began would not run its `finally`.
      Readable.from(chunksOf(file, range?.start ?? 0, range?.end ?? size - 1), { objectMode: false }).once(
        'close',
        () => void file.close(),
      ),
    read: async (buffer, position) => (await file.read(buffer, 0, buffer.length, position)).bytesRead,
    close: () => file.close(),
  };
}

async function* chunksOf(file: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at <= end; ) {
    const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, end - at + 1));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) throw new Error('the blob is shorter than it was');
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}
