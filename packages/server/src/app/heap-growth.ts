import { setFlagsFromString } from 'node:v8';

/**
 * Lets V8's heap double before it is collected again. V8 itself goes by how fast the heap grew last: after ten idle
 * seconds it collects when 8 MB are new, Buffers counted. The picture of one job is more than that on its way, so that
 * every job met two or three collections, of 60 to 200 ms each, between the end of its engine and its answer. Called
 * when the server has started: before, it would only make the heap of an idle server larger.
 */
export function letHeapDouble(): void {
  setFlagsFromString('--heap-growing-percent=100');
}
