import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** After so many bytes the buffers that sockets were read into are collected. */
const collectAfterBytes = 16 * 1024 * 1024;

/**
 * Collects the buffers that Node reads sockets into, 64 KB each, while they are few. V8 by itself waits for some 70 MB
 * of them, and their memory is not given back to the system: 40 bodies of 25 MB left a bare Node server at 148 MB
 * instead of 62 MB. Collected every 16 MB they left it at 91 MB, and the bodies were read in 0.6 s instead of 2.8 s,
 * because the memory was used again while it was in the cache. A collection of young objects took 0.7 ms.
 */
export class ReadBuffers {
  readonly #collect = exposedCollector();
  #bytes = 0;

  count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < collectAfterBytes) return;
    this.#bytes = 0;
    this.#collect({ type: 'minor' });
  }
}

type Collector = (options: { type: 'minor' }) => void;

/** V8 gives its collector to contexts that are made while this flag is set. */
function exposedCollector(): Collector {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collector;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
