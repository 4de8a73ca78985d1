import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** How a child shows that it lives: where it writes, and how often. */
export interface Heartbeat {
  descriptor: number;
  everyMs: number;
}

/**
 * Starts a thread that writes the process's resident memory to a pipe. It goes on while the main thread is in a long
 * computation, and stops when the process is stopped. The thread gets its program as text: a module in TypeScript would
 * load the type stripper a second time, 18 MB and 60 ms more. Settles after its first heartbeat.
 */
export async function startHeartbeatThread(heartbeat: Heartbeat): Promise<void> {
  const program = `(${sendHeartbeats})(require('node:worker_threads'), require('node:fs'))`;
  // It allocates next to nothing; with Node's defaults it would reserve as much as a whole program.
  const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 };
  const thread = new Worker(program, { eval: true, workerData: heartbeat, resourceLimits });
  thread.unref();
  await once(thread, 'message');
}

/** Runs in the thread, so it uses nothing but its parameters and globals. */
function sendHeartbeats(
  { parentPort, workerData }: typeof import('node:worker_threads'),
  { writeSync }: typeof import('node:fs'),
): void {
  const { descriptor, everyMs } = workerData as Heartbeat;
  const beat = () => {
    try {
      writeSync(descriptor, `${process.memoryUsage.rss()}\n`);
    } catch {
      // The server is gone; the main thread learns of it by itself.
    }
  };
  beat();
  parentPort?.postMessage(null);
  setInterval(beat, everyMs);
}
