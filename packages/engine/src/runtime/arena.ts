import { isMainThread } from 'node:worker_threads';

/** A range of bytes in one of the arena's buffers. */
interface Block {
  buffer: SharedArrayBuffer;
  start: number;
  end: number;
}

/** Pages of a buffer that were never written cost no memory. */
const bufferBytes = 128 * 1024 * 1024;

/**
 * Memory that worker threads share and that is reused as soon as no step needs it. Separate shared arrays would be
 * left to the garbage collector, which does not count shared memory: sixty unreferenced planes of two megapixels kept
 * 560 MB, arrays that are not shared 120 MB. So all of them are blocks of a few large buffers that are never freed.
 */
class Arena {
  /** Free blocks, by buffer and address. The first one that fits is taken, which keeps used memory together. */
  readonly #free: Block[] = [];
  /** Blocks of the innermost `run`; null outside of any. */
  #taken: Block[] | null = null;

  /** A block of at least this many bytes with undefined content, or null outside of `run`. */
  take(bytes: number): Block | null {
    if (!this.#taken) return null;
    // Blocks start at cache lines, so that two threads never write to the same one.
    const size = Math.max(64, Math.ceil(bytes / 64) * 64);
    let free = this.#free.find(({ start, end }) => end - start >= size);
    if (!free) {
      const length = Math.max(bufferBytes, size);
      free = { buffer: new SharedArrayBuffer(length), start: 0, end: length };
      this.#free.push(free);
    }
    const block = { buffer: free.buffer, start: free.start, end: free.start + size };
    free.start = block.end;
    if (free.start === free.end) this.#free.splice(this.#free.indexOf(free), 1);
    this.#taken.push(block);
    return block;
  }

  run<T>(work: () => T): T {
    const outer = this.#taken;
    const taken: Block[] = [];
    this.#taken = taken;
    try {
      const result = work();
      if (!outer) return copyShared(result) as T;
      for (const { buffer, byteOffset } of viewsIn(result).filter(isShared)) {
        const at = taken.findIndex((block) => block.buffer === buffer && block.start === byteOffset);
        if (at >= 0) outer.push(...taken.splice(at, 1));
      }
      return result;
    } finally {
      this.#taken = outer;
      for (const block of taken) this.#release(block);
    }
  }

  #release(block: Block): void {
    const free = this.#free;
    const before = free.find(({ buffer, end }) => buffer === block.buffer && end === block.start);
    const after = free.find(({ buffer, start }) => buffer === block.buffer && start === block.end);
    if (before && after) {
      before.end = after.end;
      free.splice(free.indexOf(after), 1);
    } else if (before) before.end = block.end;
    else if (after) after.start = block.start;
    else {
      // In front of the next free block of its buffer, else behind the last one.
      let at = free.findIndex(({ buffer, start }) => buffer === block.buffer && start > block.start);
      if (at < 0) at = free.findLastIndex(({ buffer }) => buffer === block.buffer) + 1;
      free.splice(at, 0, { ...block });
    }
  }
}

/**
 * The arena of the main thread. It is not handed in because every function that works on pixels allocates: it would be
 * one more parameter of each of them and of all their callers, and a second arena would only hold memory twice.
 */
const arena = new Arena();

/**
 * Runs the work, then releases every array that was allocated meanwhile except those it returns, which stay until the
 * surrounding `withArena` ends. The outermost one returns copies that belong to the caller. So whatever outlives the
 * work has to be part of what it returns.
 */
export function withArena<T>(work: () => T): T {
  // Threads that render video frames hold few planes and share none of them.
  return isMainThread ? arena.run(work) : work();
}

/** Numbers with undefined values, for what is written in full. Shared between threads inside of `withArena`. */
export function allocate(length: number): Float32Array {
  const block = arena.take(length * 4);
  return block ? new Float32Array(block.buffer, block.start, length) : new Float32Array(length);
}

export function allocateZeros(length: number): Float32Array {
  return allocate(length).fill(0);
}

/** As `allocate`, for labels of regions and tiles. */
export function allocateIntegers(length: number): Int32Array {
  const block = arena.take(length * 4);
  return block ? new Int32Array(block.buffer, block.start, length) : new Int32Array(length);
}

export function allocateCopy(values: Float32Array): Float32Array {
  const copy = allocate(values.length);
  copy.set(values);
  return copy;
}

export function isShared(view: ArrayBufferView): boolean {
  return view.buffer instanceof SharedArrayBuffer;
}

/** Every typed array in a value made of objects and arrays. */
export function viewsIn(value: unknown): ArrayBufferView[] {
  if (ArrayBuffer.isView(value)) return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(viewsIn) : [];
}

/** The value with every shared array in it copied; everything else is passed on as it is. */
function copyShared(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return isShared(value) ? (value as Float32Array).slice() : value;
  if (Array.isArray(value)) return value.map(copyShared);
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copyShared(part)]));
}
