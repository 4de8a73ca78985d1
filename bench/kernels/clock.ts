/** What one run took, in milliseconds and bytes. */
export interface Cost {
  wall: number;
  /** Of all threads of the process: on busy cores it tells more than the wall clock. */
  cpu: number;
  /** The part of `cpu` that was spent between the engine's planes and the library's own memory or format. */
  copying: number;
  /** Bytes written meanwhile. */
  copied: number;
}

/** Times one run. A candidate prepares what the engine would have already, then starts it. */
export class Clock {
  readonly cost: Cost = { wall: 0, cpu: 0, copying: 0, copied: 0 };
  #wall = 0;
  #cpu = process.cpuUsage();

  start(): void {
    this.#cpu = process.cpuUsage();
    this.#wall = performance.now();
  }

  stop(): void {
    this.cost.wall = performance.now() - this.#wall;
    this.cost.cpu = millisecondsSince(this.#cpu);
  }

  /** Runs work that only copies or converts, and counts it. */
  copy<T extends ArrayBufferView>(work: () => T): T {
    const started = process.cpuUsage();
    const copy = work();
    this.cost.copying += millisecondsSince(started);
    this.cost.copied += copy.byteLength;
    return copy;
  }
}

function millisecondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** One way to do an operation: gives the planes it made. */
export type Candidate = (clock: Clock) => readonly Plane[] | Promise<readonly Plane[]>;

export type Plane = Float32Array | Uint8Array;
