import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  cannotMake,
  type EngineContext,
  type EngineRequest,
  type EngineResult,
  engineBroke,
} from '../../src/engines/engine.ts';
import type { Runner } from '../../src/engines/pool/runner.ts';
import { tinyPng } from '../support/tiny-results.ts';

const kept: Buffer[] = [];

/** What a pool's children run in the tests: the prompt says what happens. */
const acts: Record<string, (context: EngineContext) => Promise<void>> = {
  works: async () => {},
  'tells its environment': async () => {},
  'works for a while': () => sleep(150),
  'shows progress': async ({ progress, saveHandle }) => {
    progress(0.25);
    await saveHandle('remote-run-7');
    progress(0.75);
  },
  refuses: async () => {
    throw cannotMake('No face was found.');
  },
  breaks: async () => {
    throw engineBroke('The engine had a hiccup.');
  },
  throws: async () => {
    throw new Error('cannot read the secret path');
  },
  'has a wrong type': async () => {
    throw new TypeError('undefined is not a plane');
  },
  'overflows the stack': async () => {
    const deeper = (): number => 1 + deeper();
    deeper();
  },
  computes: async () => {
    // As long as that comes to no event; blocked, it takes no time of the processor.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4000);
  },
  'keeps memory': async () => void kept.push(Buffer.alloc(300 * 2 ** 20, 1)),
  'takes ever more memory': async () => {
    for (;;) {
      kept.push(Buffer.alloc(20 * 2 ** 20, 1));
      await sleep(20);
    }
  },
  crashes: async () => process.abort(),
  'shows progress and waits': async ({ progress, signal }) => {
    progress(0.5);
    await sleep(3_600_000, undefined, { signal });
  },
  'waits for its abort': ({ signal }) => sleep(3_600_000, undefined, { signal }),
  'computes and asks whether to stop': async ({ progress, signal }) => {
    progress(0.1);
    await sleep(10);
    for (;;) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      signal.throwIfAborted();
    }
  },
  'ignores its abort': async ({ progress }) => {
    progress(0.1);
    await sleep(10);
    // Never comes back to what it is told, and takes no time of the processor.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
};

export const createRunner = (): Runner => ({ run });

async function run(request: EngineRequest, context: EngineContext): Promise<EngineResult> {
  await acts[request.prompt!]!(context);
  const file = join(request.scratch, 'result');
  await writeFile(file, tinyPng);
  const said = request.prompt === 'tells its environment' ? JSON.stringify(process.env) : String(process.pid);
  return { file, type: 'image/png', applied: [{ kind: 'input', value: said }], ignored: [] };
}
