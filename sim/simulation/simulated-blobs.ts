import { Readable } from 'node:stream';
import { assertBlobKey, type Blobs } from '@guise/server/store/blobs.ts';
import { StorageFull, storageUnavailable } from '@guise/server/store/storage-unavailable.ts';
import { epochMs } from './scheduler.ts';
import { call, type Simulation } from './simulation.ts';

/** The bucket, or the disk, of an installation, with what is stored in it. */
export interface BlobStore {
  contents: Map<string, { bytes: Buffer; modified: number }>;
  /** As processes use it. */
  blobs: Blobs;
  /** How many calls it has taken and not ended. */
  callsUnderWay: number;
  /** Called before a blob is removed. */
  onRemove: (key: string) => void;
}

/** A silent bucket is given up after so long, as `blobs-s3.ts` does. */
export const silenceMs = 90_000;

export function createBlobStore(simulation: Simulation): BlobStore {
  const { scheduler, conditions } = simulation;
  const random = simulation.random.fork('storage');
  const server = scheduler.start('storage');
  const contents: BlobStore['contents'] = new Map();
  const latencyMs = () =>
    conditions.storage === 'slow' ? random.between(500, 8000) : random.between(0.5, 15);

  /** Does the work, unless the storage has a fault now: then it may be done or not, and the caller is told nothing of it. */
  const serve = <T>(name: string, key: string, work: () => T): Promise<T> =>
    call(simulation, server, latencyMs, () => {
      store.callsUnderWay++;
      return act(name, key, work).finally(() => store.callsUnderWay--);
    });

  const act = async <T>(name: string, key: string, work: () => T): Promise<T> => {
    const { storage } = conditions;
    if (storage === 'silent') {
      const isDone = random.chance(0.2);
      await scheduler.wait(silenceMs);
      if (isDone) work();
      throw storageUnavailable(new Error(`${name} ${key}: no answer`));
    }
    // Bytes trickle, so that no limit of silence is reached.
    while (conditions.storage === 'stalling') await scheduler.wait(1000);
    if (storage === 'full' && name === 'put') throw new StorageFull();
    if (storage === 'failing' && random.chance(0.6)) {
      if (random.chance(0.3)) work();
      throw storageUnavailable(new Error(`${name} ${key}: status 503`));
    }
    return work();
  };

  const store: BlobStore = {
    contents,
    callsUnderWay: 0,
    onRemove: () => {},
    blobs: {
      async put(key, given, signal) {
        assertBlobKey(key);
        const bytes = await readAll(given);
        const stored = serve('put', key, () => {
          contents.set(key, { bytes, modified: epochMs + scheduler.now });
        });
        await brokenOffBy(signal, stored);
      },
      read: (key) => serve('read', key, () => contents.get(key)?.bytes),
      open(key, signal) {
        const opened = serve('open', key, () => {
          const bytes = contents.get(key)?.bytes;
          if (!bytes) return undefined;
          const stream = () => Readable.from([bytes], { objectMode: false });
          return { size: bytes.length, stream, close: async () => {} };
        });
        return brokenOffBy(signal, opened);
      },
      remove(key, signal) {
        const removed = serve('remove', key, () => {
          if (!contents.has(key)) return;
          store.onRemove(key);
          contents.delete(key);
        });
        return brokenOffBy(signal, removed);
      },
      async *list(prefix) {
        const page = await serve('list', prefix, () =>
          [...contents].filter(([key]) => key.startsWith(`${prefix}/`)),
        );
        // A listing that was lost on the way ends early.
        const isCut = conditions.storage === 'failing' && random.chance(0.3);
        const listed = isCut ? page.slice(0, Math.floor(page.length / 2)) : page;
        for (const [key, { modified }] of listed) yield { key, modified };
      },
    },
  };
  return store;
}

/** The caller no longer waits; what it asked for may still be done. */
function brokenOffBy<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (!signal) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const breakOff = () => reject(storageUnavailable(new Error('Request aborted')));
  signal.addEventListener('abort', breakOff, { once: true });
  if (signal.aborted) breakOff();
  // Nobody is left to be told of an error that comes later.
  work.catch(() => {});
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', breakOff));
}

async function readAll(given: Uint8Array | AsyncIterable<Uint8Array>): Promise<Buffer> {
  if (given instanceof Uint8Array) return Buffer.from(given);
  const parts: Uint8Array[] = [];
  for await (const part of given) parts.push(part);
  return Buffer.concat(parts);
}
