import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A photo that lies in the folder, and is written to its end. */
export interface PhotoFile {
  name: string;
  path: string;
  size: number;
  mtimeMs: number;
}

interface Seen extends PhotoFile {
  /** When it was first seen with this size and time, on the monotonic clock. */
  since: number;
}

const photoNames = /^[^.].*\.(?:jpe?g|png|webp)$/i;
export const isPhotoName = (name: string): boolean => photoNames.test(name);

const settledMs = 1000;
/** A file without an end that has not grown for so long will not grow any more. */
const abandonedMs = 30_000;

/** Tells which photos of a folder are complete. Cameras and network shares write slowly, and may pause in between. */
export function photoFiles(folder: string, now: () => number = () => performance.now()) {
  const seen = new Map<string, Seen>();
  return {
    /** The complete ones, oldest first. */
    async list(): Promise<PhotoFile[]> {
      const names = (await readdir(folder, { withFileTypes: true }))
        .filter((entry) => entry.isFile() && isPhotoName(entry.name))
        .map((entry) => entry.name);
      for (const name of seen.keys()) if (!names.includes(name)) seen.delete(name);
      const complete: PhotoFile[] = [];
      for (const name of names) {
        const file = await look(name);
        if (file && (await isComplete(file))) complete.push(file);
      }
      return complete.toSorted((a, b) => a.mtimeMs - b.mtimeMs || (a.name < b.name ? -1 : 1));
    },
  };

  async function look(name: string): Promise<Seen | null> {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (!found) return null;
    const { size, mtimeMs } = found;
    const before = seen.get(name);
    if (before && before.size === size && before.mtimeMs === mtimeMs) return before;
    const file = { name, path, size, mtimeMs, since: now() };
    seen.set(name, file);
    return file;
  }

  async function isComplete(file: Seen): Promise<boolean> {
    const ageMs = now() - file.since;
    if (file.size === 0 || ageMs < settledMs) return false;
    return ageMs >= abandonedMs || (await hasEnd(file));
  }
}

/** Whether a picture has the end that its format asks for. */
async function hasEnd({ path, size }: PhotoFile): Promise<boolean> {
  const file = await open(path, 'r').catch(() => null);
  if (!file) return false;
  try {
    const head = Buffer.alloc(12);
    await file.read(head, 0, 12, 0);
    // Cameras append data after the end of a JPEG: it is looked for, not expected to be last.
    const tail = Buffer.alloc(Math.min(size, 64 * 1024));
    await file.read(tail, 0, tail.length, size - tail.length);
    if (head.readUInt16BE(0) === 0xffd8) return tail.includes(Buffer.from([0xff, 0xd9]));
    if (head.toString('latin1', 1, 4) === 'PNG') return tail.includes('IEND');
    if (head.toString('latin1', 0, 4) === 'RIFF') return size >= head.readUInt32LE(4) + 8;
    return true;
  } catch {
    return false;
  } finally {
    await file.close();
  }
}
