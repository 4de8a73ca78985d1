import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import timersPromises from 'node:timers/promises';
import type { Random } from '../random.ts';
import { epochMs, type Scheduled, type Scheduler } from './scheduler.ts';

/** What the code of this thread takes for time and chance. */
interface Virtual {
  scheduler: Scheduler;
  random: Random;
}

let virtual: Virtual | null = null;
let isInstalled = false;

/** From here on, time and chance are those of a simulation, for all code of this thread. Null gives the real ones back. */
export function useVirtual(next: Virtual | null): void {
  if (!isInstalled) install();
  isInstalled = true;
  virtual = next;
}

const real = {
  Date,
  setTimeout,
  clearTimeout,
  setInterval,
  clearInterval,
  setImmediate,
  clearImmediate,
  performanceNow: performance.now.bind(performance),
  timeoutSignal: AbortSignal.timeout.bind(AbortSignal),
  mathRandom: Math.random,
  randomBytes: crypto.randomBytes,
  randomUUID: crypto.randomUUID,
  sleep: timersPromises.setTimeout,
  hostname: os.hostname,
};

function install(): void {
  installClocks();
  installTimers();
  installChance();
  // Modules that have imported these by name see the new ones too.
  syncBuiltinESMExports();
}

function installClocks(): void {
  const now = () =>
    virtual
      ? epochMs + Math.floor(virtual.scheduler.now + virtual.scheduler.current.clockOffsetMs)
      : real.Date.now();
  class VirtualDate extends real.Date {
    constructor(...given: [] | [number | string | Date]) {
      if (given.length === 0) super(now());
      else super(...(given as [number]));
    }
    static override now = now;
  }
  globalThis.Date = VirtualDate as DateConstructor;
  performance.now = () =>
    virtual ? virtual.scheduler.now - virtual.scheduler.current.startedAt : real.performanceNow();
}

/** As much of a timer of Node as anybody uses. */
class VirtualTimer {
  entry: Scheduled | null = null;
  ref() {
    return this;
  }
  unref() {
    return this;
  }
  hasRef() {
    return true;
  }
  close() {
    clear(this);
    return this;
  }
  [Symbol.dispose]() {
    clear(this);
  }
}

function clear(timer: unknown): boolean {
  if (!(timer instanceof VirtualTimer)) return false;
  if (timer.entry) timer.entry.cancelled = true;
  timer.entry = null;
  return true;
}

type Callback = (...args: unknown[]) => void;

function installTimers(): void {
  const once = (callback: Callback, ms: number, args: unknown[]) => {
    const timer = new VirtualTimer();
    timer.entry = virtual!.scheduler.schedule(ms, () => callback(...args));
    return timer;
  };
  const repeat = (callback: Callback, ms: number, args: unknown[]) => {
    const timer = new VirtualTimer();
    const { scheduler } = virtual!;
    const again = () => {
      timer.entry = scheduler.schedule(ms, again);
      callback(...args);
    };
    timer.entry = scheduler.schedule(ms, again);
    return timer;
  };
  const atLeast = (ms: unknown) => Math.max(1, Number(ms) || 0);
  const { setTimeout: later, setInterval: often, setImmediate: soon } = real;
  const named = {
    setTimeout: (callback: Callback, ms?: number, ...args: unknown[]) =>
      virtual ? once(callback, atLeast(ms), args) : later(callback, ms, ...args),
    setInterval: (callback: Callback, ms?: number, ...args: unknown[]) =>
      virtual ? repeat(callback, atLeast(ms), args) : often(callback, ms, ...args),
    setImmediate: (callback: Callback, ...args: unknown[]) =>
      virtual ? once(callback, 0, args) : soon(callback, ...args),
    clearTimeout: (timer: NodeJS.Timeout) => clear(timer) || real.clearTimeout(timer),
    clearInterval: (timer: NodeJS.Timeout) => clear(timer) || real.clearInterval(timer),
    clearImmediate: (timer: NodeJS.Immediate) => clear(timer) || real.clearImmediate(timer),
  };
  Object.assign(globalThis, named);
  Object.assign(timersPromises, { setTimeout: virtualSleep });
  AbortSignal.timeout = (ms) => (virtual ? timeoutSignal(ms) : real.timeoutSignal(ms));
}

async function virtualSleep<T>(ms?: number, value?: T, options?: { signal?: AbortSignal }): Promise<T> {
  if (!virtual) return real.sleep(ms, value, options) as Promise<T>;
  const { signal } = options ?? {};
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const entry = virtual.scheduler.schedule(ms ?? 1, () => resolve(value as T));
  const stop = () => {
    entry.cancelled = true;
    reject(new DOMException('The operation was aborted', { name: 'AbortError', cause: signal?.reason }));
  };
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  return promise.finally(() => signal?.removeEventListener('abort', stop));
}

function timeoutSignal(ms: number): AbortSignal {
  const controller = new AbortController();
  virtual!.scheduler.schedule(ms, () =>
    controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
  );
  return controller.signal;
}

function installChance(): void {
  Math.random = () => (virtual ? virtual.random.next() : real.mathRandom());
  const randomBytes = (size: number) => {
    if (!virtual) return real.randomBytes(size);
    const bytes = Buffer.alloc(size);
    virtual.random.fill(bytes);
    return bytes;
  };
  const randomUUID = () => {
    if (!virtual) return real.randomUUID();
    const bytes = randomBytes(16);
    bytes[6] = (bytes[6]! & 0x0f) | 0x40;
    bytes[8] = (bytes[8]! & 0x3f) | 0x80;
    return bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
  };
  Object.assign(crypto, { randomBytes, randomUUID });
  // A job's row names the process that runs it by its host.
  Object.assign(os, { hostname: () => (virtual ? virtual.scheduler.current.name : real.hostname()) });
}
