import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { childEnvironment } from '@guise/engine/runtime/child-environment.ts';
import type { ControlPipes, WorkAbort } from './control-thread.ts';

export interface ChildOptions {
  /** A `RunnerModule`. */
  module: URL;
  /** Handed to the module's `createRunner`. */
  settings?: unknown;
  limits?: Partial<ChildLimits>;
  tempDir?: string;
  /** Stands before the command. */
  prefix: readonly string[];
  /** How far it stands back behind other processes: 0 to 19, as `nice` has it. */
  niceness?: number;
}

/** What is expected of a child. */
export interface ChildLimits {
  /** A child that holds more than so many bytes after its work is replaced. */
  memory: number;
  /** One that holds more than so many bytes in the middle of its work is killed, and the work fails. */
  memoryAtMost: number;
  /** One that sends no heartbeat for so long is killed, and the work is tried again by another. */
  silenceMs: number;
}

const noLimits: ChildLimits = { memory: Infinity, memoryAtMost: Infinity, silenceMs: 30_000 };

/** A child process with what its heartbeats tell. */
export interface EngineChild {
  process: ChildProcess;
  /** Its resident memory in bytes, at its last heartbeat or the end of its last work. */
  memory: number;
  /** How many pieces of work it was given. */
  works: number;
  /** Tells it to stop a piece of work, also in the middle of a computation. */
  abort(abort: WorkAbort): void;
  /** The limit that it was killed for. */
  killedFor: BrokenLimit | null;
  isOverMemory(): boolean;
  killFor(limit: BrokenLimit): void;
}

type BrokenLimit = 'memory' | 'silence';

/** What a child gets to send its first heartbeat, which takes half a second on a machine that is not busy. */
const startMs = 30_000;

/** The first descriptors after the channel for messages. */
const heartbeatDescriptor = 4;
const abortsDescriptor = 5;

export function startChild(options: ChildOptions): EngineChild {
  const { module, settings = null, limits, tempDir, prefix, niceness = 0 } = options;
  const { memory, memoryAtMost, silenceMs } = { ...noLimits, ...limits };
  const everyMs = Math.min(1000, Math.ceil(silenceMs / 4));
  const pipes: ControlPipes = { heartbeat: heartbeatDescriptor, everyMs, aborts: abortsDescriptor };
  const [execPath, ...execArgv] = [...prefix, process.execPath];
  const started = fork(
    new URL('./pool-child.ts', import.meta.url),
    [module.href, JSON.stringify(settings), JSON.stringify(pipes)],
    {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc', 'pipe', 'pipe'],
      env: { ...childEnvironment(), ...(tempDir !== undefined && { TMPDIR: tempDir }) },
      execPath: execPath!,
      execArgv,
      // Bytes of pictures are sent as they are.
      serialization: 'advanced',
    },
  );
  // Before it has threads: each of them inherits it.
  if (niceness > 0 && started.pid !== undefined) lowerPriority(started.pid, niceness);
  // Without a free descriptor there are no pipes at all; the error comes as an event.
  const pipeOf = (descriptor: number) => started.stdio?.[descriptor] ?? null;
  const aborts = pipeOf(abortsDescriptor) as Writable | null;
  // Its end is told by its exit.
  aborts?.on('error', () => {});
  const child: EngineChild = {
    process: started,
    memory: 0,
    works: 0,
    abort: (one) => void aborts?.write(`${JSON.stringify(one)}\n`),
    killedFor: null,
    isOverMemory: () => child.memory > memory,
    killFor(limit) {
      child.killedFor ??= limit;
      started.kill('SIGKILL');
    },
  };
  // Counted, not timed: while this process itself is stopped or busy, nobody's silence grows.
  let silentBeats = 0;
  let allowedMs = Math.max(silenceMs, startMs);
  const beats = pipeOf(heartbeatDescriptor) as Readable | null;
  beats?.setEncoding('utf8').on('data', (text: string) => {
    silentBeats = 0;
    allowedMs = silenceMs;
    child.memory = Number(text.trimEnd().split('\n').at(-1));
    if (child.memory > memoryAtMost) child.killFor('memory');
  });
  const watch = setInterval(() => {
    if (silentBeats * everyMs >= allowedMs) child.killFor('silence');
    silentBeats++;
  }, everyMs).unref();
  // A child that could not be started emits an error and never exits.
  started.on('error', () =>
    started.pid === undefined ? started.emit('exit', null, null) : started.kill('SIGKILL'),
  );
  started.once('exit', () => clearInterval(watch));
  return child;
}

function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness);
  } catch {
    // It has ended already, which its exit tells.
  }
}
