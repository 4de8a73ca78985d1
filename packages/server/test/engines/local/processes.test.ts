/** @ownProcess It counts the children of its process, and gives them an environment. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { requestFor } from '@guise/contract/families/requests.ts';
import sharp from 'sharp';
import { onePerson } from '../../../../engine/test/support/sample-photos.ts';
import { readConfig } from '../../../src/config.ts';
import type { Engine, EngineRequest } from '../../../src/engines/engine.ts';
import { localEngine } from '../../../src/engines/local/local-engine.ts';
import { childrenOf } from '../../support/children.ts';
import { decodesHere } from '../../support/decode-here.ts';
import { shareModelCache } from '../../support/shared-models.ts';

const scratch = mkdtempSync(join(tmpdir(), 'guise-processes-'));
const ownOptions = process.env.NODE_OPTIONS;
let engine: Engine;
let portrait: EngineRequest;
/** Without a photo, which is made in a fraction of the time. */
let scene: EngineRequest;

before(async () => {
  // Every picture of this file is made without a network.
  process.env.NODE_OPTIONS = `--import=${new URL('./no-network.ts', import.meta.url)}`;
  shareModelCache(scratch);
  engine = localEngine({ ...readConfig({}), concurrency: 2, dataDir: scratch });
  const params = { gender: 1, ratio: 'square', quality_mode: 'v6' } as const;
  const parts = { jobId: 'job', filterRef: null, scratch, via: [] };
  portrait = {
    ...requestFor('face_swap_v6', params, { kind: 'scene', scene: 'aurora' }),
    ...parts,
    images: [await onePerson()],
  };
  const prompt = { prompt: 'northern lights', ratio: 'square' } as const;
  scene = { ...requestFor('self_prompt_v2', prompt, null), ...parts, images: [] };
});
after(async () => {
  await engine.close();
  if (ownOptions === undefined) delete process.env.NODE_OPTIONS;
  else process.env.NODE_OPTIONS = ownOptions;
  rmSync(scratch, { recursive: true, force: true });
});

const make = (
  request: EngineRequest,
  fields: { signal?: AbortSignal; progress?: (done: number) => void } = {},
) =>
  engine.run(
    { ...request, scratch: mkdtempSync(join(scratch, 'run-')) },
    {
      signal: new AbortController().signal,
      progress: () => {},
      decoder: decodesHere.forJob(new AbortController().signal),
      handle: null,
      saveHandle: async () => {},
      ...fields,
    },
  );

const onLinux = { skip: process.platform !== 'linux' && 'looks into /proc' };

test('the engine’s processes are those that no connection leaves alive', onLinux, async () => {
  await make(portrait);
  const [pid] = childrenOf('pool-child');
  assert.match(readFileSync(`/proc/${pid}/environ`, 'utf8'), /--import=\S+no-network\.ts/);
  const call = "import('node:net').then((net) => net.connect(9, '127.0.0.1'))";
  await assert.rejects(promisify(execFile)(process.execPath, ['-e', call]), { code: 86 });
});

test('two pictures at once take two workers', onLinux, async () => {
  const made = await Promise.all([make(scene), make(scene)]);
  for (const { file } of made) assert.equal((await sharp(file).metadata()).width, 1280);
  assert.equal(childrenOf('pool-child').length, 2);
});

test('a picture that is cancelled half-way is given up, and the next one is made', async () => {
  const stop = new AbortController();
  const cancelled = make(portrait, {
    signal: stop.signal,
    progress: (done) => {
      if (done >= 0.2) stop.abort(new Error('the guest left'));
    },
  });
  await assert.rejects(cancelled, /the guest left/);
  assert.equal((await sharp((await make(scene)).file).metadata()).width, 1280);
});

test('the people of a generated picture are compared with the photo in the engine’s processes', async () => {
  const [photo] = portrait.images;
  const made = { photos: [photo!], picture: photo!, guest: { gender: 1 } };
  const found = await engine.checkIdentity!(made, AbortSignal.timeout(30_000));
  assert.deepEqual(found, { likeness: [1], strangers: 0 });
});
