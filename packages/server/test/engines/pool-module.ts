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
import { tinyPng } from '../support/test-engine.ts';

/** What a pool's children run in the tests: the prompt says what happens. */
const acts: Record<string, (context: EngineContext) => Promise<void>> = {
  works: async () => {},
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
    throw new TypeError('cannot read the secret path');
  },
  crashes: async () => process.abort(),
  'waits for its abort': ({ signal }) => sleep(3_600_000, undefined, { signal }),
  'ignores its abort': async ({ progress }) => {
    progress(0.1);
    await sleep(10);
    for (;;);
  },
};

export const createRunner = (): Runner => ({ run });

async function run(request: EngineRequest, context: EngineContext): Promise<EngineResult> {
  await acts[request.prompt!]!(context);
  const file = join(request.scratch, 'result');
  await writeFile(file, tinyPng);
  return { file, type: 'image/png', applied: [{ kind: 'input', value: String(process.pid) }], ignored: [] };
}
