import { type MessagePort, workerData } from 'node:worker_threads';

/** What a thread of the row pool is given when it starts. */
export interface RowThread {
  /** Counts from 1; the thread that starts the others is 0. No two that run at a time have the same number. */
  number: number;
  tasks: MessagePort;
  failures: MessagePort;
  /** Counts the tasks that were posted; row threads wait for it to change. */
  wakeCounter: Int32Array;
  /** The memory of the arena whose planes the tasks are about. */
  memory: WebAssembly.Memory;
}

/** Of this thread, or null when no row pool started it. */
export const rowThread: RowThread | null =
  (workerData as { rowThread?: RowThread } | null)?.rowThread ?? null;
