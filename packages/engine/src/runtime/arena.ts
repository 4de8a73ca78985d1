import { rowThread } from './row-thread.ts';

/** A range of addresses in the arena's memory. */
interface Block {
  start: number;
  end: number;
}

/** The unit that WebAssembly memory grows by. */
const pageBytes = 65_536;
/** One less than 4 GB, so that the memory's length is a number of 32 bits too. */
const mostPages = 65_535;
/** Pages that were never written cost no memory. */
const stepPages = 2048;

/**
 * Memory that row threads share and that is reused as soon as no step needs it. Separate shared arrays would be left
 * to the garbage collector, which does not count shared memory: sixty unreferenced planes of two megapixels kept
 * 560 MB, arrays that are not shared 120 MB. So all of them are blocks of one memory that grows and is never freed. It
 * is WebAssembly's, so that kernels find every plane at its address (docs/decisions/013-pixel-stack.md).
 */
class Arena {
  #memory: WebAssembly.Memory | null = null;
  /** The memory's buffer after each growth: every one is another object, and views of all of them stay valid. */
  readonly #buffers: SharedArrayBuffer[] = [];
  /** Free blocks by address. The first one that fits is taken, which keeps used memory together. */
  readonly #free: Block[] = [];
  /** Blocks of the innermost `run`; null outside of any. */
  #taken: Block[] | null = null;

  /**
   * Reserved when it is first asked for; a row thread has the memory of the thread that started it. The first page is
   * never handed out: to a C compiler the address 0 is no place at all.
   */
  get memory(): WebAssembly.Memory {
    this.#memory ??=
      rowThread?.memory ?? new WebAssembly.Memory({ initial: 1, maximum: mostPages, shared: true });
    return this.#memory;
  }

  /** Where at least this many bytes with undefined content begin, or null outside of `run`. */
  take(bytes: number): { buffer: SharedArrayBuffer; start: number } | null {
    if (!this.#taken) return null;
    // Blocks start at cache lines, so that two threads never write to the same one.
    const size = Math.max(64, Math.ceil(bytes / 64) * 64);
    let at = this.#free.findIndex(({ start, end }) => end - start >= size);
    if (at < 0) {
      this.#grow(size);
      at = this.#free.length - 1;
    }
    const free = this.#free[at]!;
    const block = { start: free.start, end: free.start + size };
    free.start = block.end;
    if (free.start === free.end) this.#free.splice(at, 1);
    this.#taken.push(block);
    return { buffer: this.#buffers.at(-1)!, start: block.start };
  }

  holds(view: ArrayBufferView): boolean {
    return (this.#buffers as ArrayBufferLike[]).includes(view.buffer);
  }

  run<T>(work: () => T): T {
    const outer = this.#taken;
    const taken: Block[] = [];
    this.#taken = taken;
    try {
      const result = work();
      if (!outer) return copyShared(result) as T;
      for (const view of viewsIn(result).filter((view) => this.holds(view))) {
        const at = taken.findIndex(({ start }) => start === view.byteOffset);
        if (at >= 0) outer.push(...taken.splice(at, 1));
      }
      return result;
    } finally {
      this.#taken = outer;
      for (const block of taken) this.#release(block);
    }
  }

  /** Makes the last free block large enough. */
  #grow(size: number): void {
    const end = this.memory.buffer.byteLength;
    const last = this.#free.at(-1);
    const tail = last?.end === end ? end - last.start : 0;
    const wanted = Math.ceil((size - tail) / pageBytes);
    const left = mostPages - end / pageBytes;
    if (wanted > left) throw new Error('The planes of one picture need more than 4 GB.');
    this.memory.grow(Math.max(wanted, Math.min(stepPages, left)));
    const grown: ArrayBufferLike = this.memory.buffer;
    if (grown instanceof SharedArrayBuffer) this.#buffers.push(grown);
    this.#release({ start: end, end: this.memory.buffer.byteLength });
  }

  #release({ start, end }: Block): void {
    const free = this.#free;
    const at = free.findLastIndex((block) => block.end <= start) + 1;
    const before = free[at - 1]?.end === start ? free[at - 1] : undefined;
    const after = free[at]?.start === end ? free[at] : undefined;
    if (before && after) {
      before.end = after.end;
      free.splice(at, 1);
    } else if (before) before.end = end;
    else if (after) after.start = start;
    else free.splice(at, 0, { start, end });
  }
}

/**
 * The arena of this thread. It is not handed in because every function that works on pixels allocates: it would be one
 * more parameter of each of them and of all their callers, and a second arena would only hold memory twice.
 */
const arena = new Arena();

/**
 * Runs the work, then releases every array that was allocated meanwhile except those it returns, which stay until the
 * surrounding `withArena` ends. The outermost one returns copies that belong to the caller. So whatever outlives the
 * work has to be part of what it returns.
 */
export function withArena<T>(work: () => T): T {
  // What a row thread writes has been allocated by the thread that posted the task.
  return rowThread ? work() : arena.run(work);
}

/** Numbers with undefined values, for what is written in full. Shared between threads inside of `withArena`. */
export function allocate(length: number): Float32Array {
  const place = arena.take(length * 4);
  return place ? new Float32Array(place.buffer, place.start, length) : new Float32Array(length);
}

export function allocateZeros(length: number): Float32Array {
  return allocate(length).fill(0);
}

/** As `allocate`, for labels of regions and tiles. */
export function allocateIntegers(length: number): Int32Array {
  const place = arena.take(length * 4);
  return place ? new Int32Array(place.buffer, place.start, length) : new Int32Array(length);
}

export function allocateBytes(length: number): Uint8Array {
  const place = arena.take(length);
  return place ? new Uint8Array(place.buffer, place.start, length) : new Uint8Array(length);
}

export function allocateCopy(values: Float32Array): Float32Array {
  const copy = allocate(values.length);
  copy.set(values);
  return copy;
}

/** The address of an array in the arena. Only the thread that has allocated it can tell. */
export function addressOf(view: ArrayBufferView): number {
  if (!arena.holds(view)) throw new Error('This array is not in the arena: allocate it inside of withArena.');
  return view.byteOffset;
}

/** The address of the array's values in the arena: its own, or that of a copy that lasts as what is allocated here. */
export function copyToArena(view: ArrayBufferView): number {
  if (arena.holds(view)) return view.byteOffset;
  const copy = takeBytes(view.byteLength);
  copy.set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  return copy.byteOffset;
}

/** The address of room with undefined content. */
export function reserveBytes(length: number): number {
  return takeBytes(length).byteOffset;
}

function takeBytes(length: number): Uint8Array {
  const place = arena.take(length);
  if (!place) throw new Error('Kernels have to be called inside of withArena.');
  return new Uint8Array(place.buffer, place.start, length);
}

/** The memory that the arrays of `withArena` lie in. */
export function arenaMemory(): WebAssembly.Memory {
  return arena.memory;
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
