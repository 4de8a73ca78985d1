import { subscribe } from 'node:diagnostics_channel';
import { createEngine } from '@guise/engine/engine.ts';
import type { RenderRequest } from '@guise/engine/request.ts';
import { stages } from '@guise/engine/runtime/stages.ts';

/** What one picture cost, in seconds. */
export interface Cost {
  seconds: number;
  /** CPU of all threads: on busy cores it tells more than the clock. */
  cpu: number;
  /** In the order they began. */
  stages: [name: string, seconds: number][];
}

const engine = createEngine({ modelsDir: process.argv[2] ?? null });
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

process.on('message', async (request: RenderRequest) => {
  spent.clear();
  current = 'start';
  since = performance.now();
  const started = since;
  const cpu = process.cpuUsage();
  await engine.render(request, { signal: new AbortController().signal, progress: () => {} });
  begin('end');
  const { user, system } = process.cpuUsage(cpu);
  const cost: Cost = {
    seconds: (performance.now() - started) / 1000,
    cpu: (user + system) / 1e6,
    stages: [...spent],
  };
  process.send!(cost);
});
await engine.warmUp();
process.send!('ready');
