import { statfs } from 'node:fs/promises';

/** Asking takes 50 µs of a thread: one answer serves for this long. */
const askEveryMs = 1000;

/** Whether a folder's disk has less space left than there must be before more is accepted. */
export interface DiskSpace {
  isShort(): Promise<boolean>;
  /** Null where it holds no photos and results. */
  freeBytes(): Promise<number | null>;
}

/** `leastFreeBytes` of 0 is no limit. */
export function diskSpace(folder: string, leastFreeBytes: number, holdsBlobs = true): DiskSpace {
  let askedAt = Number.NEGATIVE_INFINITY;
  let short: Promise<boolean> = Promise.resolve(false);
  const ask = async () => {
    return (await freeBytesOf(folder)) < leastFreeBytes;
  };
  return {
    isShort() {
      if (leastFreeBytes === 0) return short;
      if (performance.now() - askedAt >= askEveryMs) {
        askedAt = performance.now();
        short = ask();
      }
      return short;
    },
    freeBytes: async () => (holdsBlobs ? freeBytesOf(folder) : null),
  };
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
