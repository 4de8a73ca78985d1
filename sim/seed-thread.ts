import { parentPort } from 'node:worker_threads';
import { runScenario } from './run-scenario.ts';
import { drawScenario, keepOnly } from './scenario.ts';
import type { RunOutcome, SeedRequest } from './seed-messages.ts';
import { createReusedDatabase } from './simulation/reused-database.ts';

/** A thread that plays one scenario after the other: time and chance are virtual for a whole thread. */

const database = await createReusedDatabase();
const port = parentPort!;
port.on('message', async (request: SeedRequest | 'stop') => {
  if (request === 'stop') {
    database.remove();
    port.close();
    return;
  }
  const { seed, shape, only, wantsLines } = request;
  const scenario = keepOnly(drawScenario(seed, shape), only);
  const began = process.threadCpuUsage();
  const { lines, ...report } = await runScenario(scenario, database);
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
