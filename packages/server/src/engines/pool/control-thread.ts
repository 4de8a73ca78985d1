import { once } from 'node:events';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { AbortReason } from '../abort.ts';

/** What a child and the server have beside messages: both go on while the child's main thread is in a long computation. */
export interface ControlPipes {
  /** Where the child shows that it lives, and how often. */
  heartbeat: number;
  everyMs: number;
  /** Where the server writes an `WorkAbort` a line. */
  aborts: number;
}

/** Says that a piece of work is to stop. */
export interface WorkAbort {
  /** As the work is numbered: when this comes, the child may be at the next one. */
  work: number;
  reason: AbortReason;
}

/**
 * Starts a thread that writes the process's resident memory to a pipe, and reads what is to be aborted from another. It
 * goes on while the main thread computes, and stops when the process is stopped. The thread gets its program as text: a
 * module in TypeScript would load the type stripper a second time, 18 MB and 60 ms more. Settles after its first
 * heartbeat, with the port that aborts come from.
 */
export async function startControlThread(pipes: ControlPipes): Promise<MessagePort> {
  const program = `(${control})(require('node:worker_threads'), require('node:fs'), require('node:net'))`;
  // It allocates next to nothing; with Node's defaults it would reserve as much as a whole program.
  const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 };
  const { port1, port2 } = new MessageChannel();
  const workerData = { ...pipes, port: port2 };
  const thread = new Worker(program, { eval: true, workerData, transferList: [port2], resourceLimits });
  thread.unref();
  await once(thread, 'message');
  return port1;
}

/** Runs in the thread, so it uses nothing but its parameters and globals. */
function control(
  { parentPort, workerData }: typeof import('node:worker_threads'),
  { writeSync }: typeof import('node:fs'),
  { Socket }: typeof import('node:net'),
): void {
  const { heartbeat, everyMs, aborts, port } = workerData as ControlPipes & { port: MessagePort };
  const beat = () => {
    try {
      writeSync(heartbeat, `${process.memoryUsage.rss()}\n`);
    } catch {
      // The server is gone; the main thread learns of it by itself.
    }
  };
  let text = '';
  new Socket({ fd: aborts, readable: true, writable: false })
    .setEncoding('utf8')
    .on('data', (chunk: string) => {
      const lines = (text + chunk).split('\n');
      text = lines.pop()!;
      for (const line of lines) port.postMessage(JSON.parse(line));
    })
    .on('error', () => {});
  beat();
  parentPort?.postMessage(null);
  setInterval(beat, everyMs);
}
