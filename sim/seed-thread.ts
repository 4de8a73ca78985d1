import { parentPort } from 'node:worker_threads';
import { createEmptyDatabases } from './empty-database.ts';
import { runScenario } from './run-scenario.ts';
import type { RunOutcome } from './run-seeds.ts';
import { drawScenario, keepOnly, type Shape } from './scenario.ts';

/** A thread that plays one scenario after the other: time and chance are virtual for a whole thread. */

/** What a thread is asked for. */
export interface SeedRequest {
  seed: number;
  shape: Shape;
  /** The ids of the actions and faults that are played; null for all. */
  only: readonly string[] | null;
  /** Whether the timeline is wanted even if no rule is broken. */
  wantsLines: boolean;
}

const databases = await createEmptyDatabases();
const port = parentPort!;
port.on('message', async (request: SeedRequest | 'stop') => {
  if (request === 'stop') {
    databases.remove();
    port.close();
    return;
  }
  const { seed, shape, only, wantsLines } = request;
  const scenario = keepOnly(drawScenario(seed, shape), only);
  const began = process.threadCpuUsage();
  const { lines, ...report } = await runScenario(scenario, databases);
  const { user, system } = process.threadCpuUsage(began);
  const isShown = report.violation !== null || wantsLines;
  const parts = [...scenario.actions, ...scenario.faults].map(({ id }) => id);
  const outcome: RunOutcome = {
    ...report,
    seed,
    processorMs: (user + system) / 1000,
    lines: isShown ? lines : [],
    parts,
  };
  port.postMessage(outcome);
});
