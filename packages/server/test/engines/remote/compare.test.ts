import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { samplePhotos } from '@guise/engine/samples.ts';
import { compareEngines } from '../../../src/engines/compare/compare-engines.ts';
import { temporaryConfig } from '../../support/harness.ts';
import { openaiImagesPlan } from '../../support/hosted.ts';
import {
  type OpenaiImagesServer,
  openaiError,
  openaiImagesServer,
} from '../../support/openai-images-server.ts';
import { testEngine } from '../../support/test-engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'guise-compare-'));
let service: OpenaiImagesServer;
before(async () => {
  service = await openaiImagesServer();
});
after(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Makes pictures, and finds two people in every photo, the second of them missing from every picture. */
const local = () =>
  Object.assign(testEngine(), {
    name: 'local',
    checkIdentity: async () => ({ likeness: [0.834, null], strangers: 1 }),
  });

test('two engines make the same pictures, which are measured, and put on a page that does not say whose they are', async () => {
  const steps: string[] = [];
  // A route that is on trial and has a second take is compared as it is.
  const plan = openaiImagesPlan(service, { dollars_per_picture: 0.04 }, { share: 0.1, fallback: 'next' });
  service.planned.push(undefined as never, openaiError(500, null, 'broken'));
  const compared = await compareEngines(temporaryConfig(), plan, {
    engines: ['hosted', 'local'],
    filters: [1, 2],
    photos: [samplePhotos.twoPeople],
    folder,
    signal: AbortSignal.timeout(60_000),
    progress: (what, done, all) => steps.push(`${what} ${done} of ${all}`),
    createLocal: local,
  });
  const told = compared.map(({ people, pictures }) => [
    people,
    ...pictures.map(({ engine, file, cost_usd, likeness, strangers, error }) => ({
      engine,
      made: file !== null && existsSync(join(folder, file)),
      cost_usd,
      likeness,
      strangers,
      error,
    })),
  ]);
  const measured = { made: true, likeness: [0.83, null], strangers: 1, error: null };
  const here = { engine: 'local', ...measured, cost_usd: null };
  assert.deepEqual(told[0], [2, { engine: 'hosted', ...measured, cost_usd: 0.04 }, here]);
  const [, failed, second] = told[1] as [number, { made: boolean; error: string }, object];
  assert.deepEqual([failed.made, second], [false, here]);
  assert.match(failed.error, /^The picture service did not answer as it should\./);
  assert.deepEqual(steps.at(-1), 'two-people.jpg, local 3 of 4');
  assert.deepEqual(JSON.parse(readFileSync(join(folder, 'comparison.json'), 'utf8')), compared);
  const page = readFileSync(join(folder, 'comparison.html'), 'utf8');
  assert.doesNotMatch(page.replace(/const compared = .*/, ''), /hosted|local/);
  for (const { file } of compared.flatMap(({ pictures }) => pictures))
    assert.doesNotMatch(file ?? '', /hosted|local/);
});

test('an engine that the file does not have is refused with those that it has', async () => {
  const options = { filters: [1], photos: [], folder, signal: AbortSignal.timeout(9000), progress: () => {} };
  const asked = compareEngines(temporaryConfig(), null, {
    ...options,
    engines: ['gpu', 'local'],
    createLocal: local,
  });
  await assert.rejects(asked, /There is no engine gpu\. There is: local\./);
});
