import { isMainThread } from 'node:worker_threads';

/**
 * Planes that threads can share, used again as soon as nobody needs them. One by one they would be left to the garbage
 * collector, which does not count shared memory: sixty planes of two megapixels that nobody held any more kept 560 MB,
 * plain ones 120 MB. So they are parts of a few large buffers that stay. What was never used of those costs nothing.
 */
const segmentBytes = 128 * 1024 * 1024;

interface Part {
  buffer: SharedArrayBuffer;
  start: number;
  end: number;
}

/** What is free, in order: what is used stays together at the front. */
const holes: Part[] = [];

/** What the work that runs now has taken; null outside of any. */
let taken: Part[] | null = null;

/** Numbers whose values are left over from somebody else: for what is written in full. */
export function floats(length: number): Float32Array {
  if (!taken) return new Float32Array(length);
  const { buffer, start } = take(length * 4);
  return new Float32Array(buffer, start, length);
}

export function zeros(length: number): Float32Array {
  return taken ? floats(length).fill(0) : new Float32Array(length);
}

/** The same for numbers of regions and tiles. */
export function integers(length: number): Int32Array {
  if (!taken) return new Int32Array(length);
  const { buffer, start } = take(length * 4);
  return new Int32Array(buffer, start, length);
}

export function copyOf(values: Float32Array): Float32Array {
  const copy = floats(values.length);
  copy.set(values);
  return copy;
}

/**
 * Does the work and then gives back every plane that was taken meanwhile, but for those it returns: they stay until
 * the work around it ends. The outermost one returns copies that belong to the caller. So whatever outlives the work
 * has to be part of what it returns.
 */
export function scratch<T>(work: () => T): T {
  // Threads that render frames have few planes and no helpers.
  if (!isMainThread) return work();
  const around = taken;
  const own: Part[] = [];
  taken = own;
  try {
    const value = work();
    if (!around) return detached(value) as T;
    for (const { buffer, byteOffset } of sharedViews(value)) {
      const at = own.findIndex((part) => part.buffer === buffer && part.start === byteOffset);
      if (at >= 0) around.push(...own.splice(at, 1));
    }
    return value;
  } finally {
    taken = around;
    for (const part of own) giveBack(part);
  }
}

export function isShared(view: ArrayBufferView): boolean {
  return view.buffer instanceof SharedArrayBuffer;
}

export function viewsIn(value: unknown): ArrayBufferView[] {
  if (ArrayBuffer.isView(value)) return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(viewsIn) : [];
}

function sharedViews(value: unknown): ArrayBufferView[] {
  return viewsIn(value).filter(isShared);
}

function take(bytes: number): Part {
  // Threads that write side by side should not write to one line of the cache.
  const size = Math.max(64, Math.ceil(bytes / 64) * 64);
  let hole = holes.find(({ start, end }) => end - start >= size);
  if (!hole) {
    const length = Math.max(segmentBytes, size);
    hole = { buffer: new SharedArrayBuffer(length), start: 0, end: length };
    holes.push(hole);
  }
  const part = { buffer: hole.buffer, start: hole.start, end: hole.start + size };
  hole.start = part.end;
  if (hole.start === hole.end) holes.splice(holes.indexOf(hole), 1);
  taken!.push(part);
  return part;
}

function giveBack(part: Part): void {
  const before = holes.find((hole) => hole.buffer === part.buffer && hole.end === part.start);
  const after = holes.find((hole) => hole.buffer === part.buffer && hole.start === part.end);
  if (before && after) {
    before.end = after.end;
    holes.splice(holes.indexOf(after), 1);
  } else if (before) before.end = part.end;
  else if (after) after.start = part.start;
  else {
    // In front of the next one of its buffer, else behind all others of it.
    let at = holes.findIndex((hole) => hole.buffer === part.buffer && hole.start > part.start);
    if (at < 0) at = holes.findLastIndex((hole) => hole.buffer === part.buffer) + 1;
    holes.splice(at, 0, { ...part });
  }
}

/** The value with every shared array in it copied; everything else is passed on as it is. */
function detached(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return isShared(value) ? (value as Float32Array).slice() : value;
  if (Array.isArray(value)) return value.map(detached);
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, detached(part)]));
}
