import { type FileHandle, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { syncFolder, writeDurably } from '../../durable-files.ts';
import { ifMissing } from '../../missing-file.ts';
import { withSlashes } from '../../platform.ts';
import { assertBlobKey, type Blobs, type OpenBlob } from '../blobs.ts';
import { rethrowDiskError } from '../storage-unavailable.ts';

/** Large enough for few trips through the thread pool, small enough to hold little memory. */
const chunkBytes = 256 * 1024;

export function diskBlobs(folder: string): Blobs {
  const createdFolders = new Set<string>();
  const pathOf = (key: string) => {
    assertBlobKey(key);
    return join(folder, key);
  };

  return {
    async put(key, bytes) {
      const path = pathOf(key);
      const parent = dirname(path);
      if (!createdFolders.has(parent)) {
        await createFolder(parent).catch(rethrowDiskError);
        createdFolders.add(parent);
      }
      const file = await open(path, 'w', 0o600).catch(rethrowDiskError);
      try {
        await writeDurably(file, path, bytes);
      } catch (error) {
        // A partly written blob cannot be used, and would take space of a disk that may be full.
        await rm(path, { force: true });
        rethrowDiskError(error as Error);
      }
    },
    async read(key) {
      return readFile(pathOf(key)).catch(ifMissing(undefined));
    },
    async open(key) {
      const file = await open(pathOf(key), 'r').catch(ifMissing(undefined));
      return file && openBlob(file);
    },
    async remove(key) {
      await rm(pathOf(key), { force: true });
    },
    async *list(prefix) {
      const names = await readdir(join(folder, prefix), { recursive: true, withFileTypes: true }).catch(
        ifMissing(undefined),
      );
      for (const entry of names ?? []) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name);
        const found = await stat(path).catch(ifMissing(undefined));
        if (found) yield { key: withSlashes(path.slice(folder.length + 1)), modified: found.mtimeMs };
      }
    },
  };
}

async function createFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (!first) return;
  for (let at = path; at.length >= first.length; at = dirname(at)) await syncFolder(dirname(at));
}

async function openBlob(file: FileHandle): Promise<OpenBlob> {
  const { size } = await file.stat();
  return {
    size,
    stream: (range) =>
      // The stream closes the file: a generator that was never started would not run its `finally`.
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
