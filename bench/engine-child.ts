import { subscribe } from 'node:diagnostics_channel';
import { stages } from '@guise/engine/runtime/stages.ts';
import { configure, run, warmUp } from '@guise/engine/worker.ts';
import type { EngineRequest } from '@guise/server/engines/engine.ts';

/** What one picture cost, in seconds. */
export interface Cost {
  seconds: number;
  /** CPU of all threads: on busy cores it tells more than the clock. */
  cpu: number;
  /** In the order they began. */
  stages: [name: string, seconds: number][];
}

const spent = new Map<string, number>();
let current = 'start';
let since = 0;
const begin = (stage: string) => {
  const now = performance.now();
  spent.set(current, (spent.get(current) ?? 0) + (now - since) / 1000);
  current = stage;
  since = now;
};
subscribe(stages.name, (stage) => begin(String(stage)));

process.on('message', async (request: EngineRequest) => {
  spent.clear();
  current = 'start';
  since = performance.now();
  const started = since;
  const cpu = process.cpuUsage();
  await run(request, {
    signal: new AbortController().signal,
    handle: null,
    progress: () => {},
    saveHandle: async () => {},
  });
  begin('end');
  const { user, system } = process.cpuUsage(cpu);
  const cost: Cost = {
    seconds: (performance.now() - started) / 1000,
    cpu: (user + system) / 1e6,
    stages: [...spent],
  };
  process.send!(cost);
});
configure(JSON.parse(process.argv[2] ?? 'null'));
await warmUp();
process.send!('ready');
