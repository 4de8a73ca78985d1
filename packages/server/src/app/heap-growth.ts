import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the heap of new objects at 2 MB while modules are loaded. V8 would let it grow to 64 MB meanwhile, of which an idle
 * server then needs 0.2 and keeps all.
 */
export function holdNewSpace(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Lets new objects have more than that, and V8's heap double before it is collected again. V8 itself goes by how fast
 * the heap grew last: after ten idle seconds it collects when 8 MB are new, Buffers counted. The picture of one job is
 * more than that on its way, so that every job met two or three collections, of 60 to 200 ms each, between the end of its
 * engine and its answer. Called when the server has started: before, it would only make the heap of an idle server
 * larger.
 */
export function letHeapDouble(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  setFlagsFromString('--heap-growing-percent=100');
}
