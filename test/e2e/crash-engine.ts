import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cannotMake, type Engine, engineBroke } from '@guise/server/engines/engine.ts';
import { testEngine, tinyPng } from '../../packages/server/test/support/test-engine.ts';

/**
 * An engine of a process that is to be killed. `jobMs` is how long its jobs take, such as `20-60`; a prompt like
 * `wait 500 ms` is done in just that time. It tells its parent when it begins a job and when it is made to stop one.
 */
export function crashEngine(jobMs: string, families?: string[]): Engine {
  const [least = 0, most = 0] = jobMs.split('-').map(Number);
  const engine = testEngine();
  if (families) Object.assign(engine, { abilities: families.map((family) => ({ family })) });
  const run = engine.run;
  engine.before = async ({ jobId, prompt }, { signal }) => {
    process.send?.({ began: jobId });
    signal.addEventListener('abort', () => process.send?.({ stopped: jobId }), { once: true });
    const wait = /^wait (\d+) ms$/.exec(prompt ?? '')?.[1];
    if (wait !== undefined) return sleep(Number(wait), undefined, { signal });
    await sleep(least + Math.random() * (most - least), undefined, { signal });
    if (jobId.startsWith('preview')) return;
    // The last digit of the id decides, so that a job that is tried again after a crash ends as it would have.
    if (jobId.endsWith('0')) throw cannotMake('No face was found in the photo.');
    if (jobId.endsWith('1') && Math.random() < 0.5) throw engineBroke('The engine had a hiccup.');
  };
  engine.run = async (request, context) => {
    const result = await run(request, context);
    // Each picture carries the id of its job: nobody may see another's.
    if (result.type === 'image/png') await appendFile(join(request.scratch, 'result'), request.jobId);
    return result;
  };
  engine.result = tinyPng;
  return engine;
}
