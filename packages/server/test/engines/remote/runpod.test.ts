import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, beforeEach, describe, test } from 'node:test';
import sharp from 'sharp';
import type { Engine } from '../../../src/engines/engine.ts';
import { engineFor } from '../../../src/engines/routing.ts';
import { failureText, progressOf, resultOf } from '../../../src/engines/runpod/runpod-result.ts';
import { until } from '../../support/harness.ts';
import { directRun, type RunFields, remoteEngines, runpodPlan, sampleVideo } from '../../support/remote.ts';
import { type RunpodServer, runpodServer } from '../../support/runpod-server.ts';

const photo = await sharp({ create: { width: 90, height: 120, channels: 3, background: '#c08060' } })
  .jpeg()
  .toBuffer();
const group: RunFields = { family: 'multi_swap_v5', params: { outpaint: false } };

let server: RunpodServer;
const polling = { firstMs: 40, longestMs: 120, troubleMs: 500 };
let engines: Engine[];
before(async () => {
  server = await runpodServer({ runMs: 150 });
  engines = remoteEngines(runpodPlan(server), { polling });
});
after(async () => {
  await Promise.all(engines.map((engine) => engine.close()));
  await server.stop();
});
beforeEach(() => {
  server.behave();
  for (const list of [server.submitted, server.cancelled, server.inputs, server.policies, server.requests])
    list.length = 0;
});

async function begin(fields: RunFields = group, handle: string | null = null, isTriedAgain = false) {
  const run = await directRun(photo, fields, handle);
  const work = engineFor(engines, run.request).run(run.request, { ...run.context, isTriedAgain });
  work.catch(() => {});
  return { ...run, work };
}

describe('a run on a RunPod endpoint', () => {
  test('sends the graph with photos under names of its own, and the time limits', async () => {
    const runs = [await begin(), await begin()];
    await Promise.all(runs.map((run) => run.work.finally(run.clean)));
    const names = server.inputs.flatMap(({ images }) => images.map((image) => image.name));
    assert.equal(new Set(names).size, 2);
    assert.equal(server.inputs[0]!.workflow['2']!.inputs!.image, names[0]);
    assert.deepEqual(server.policies[0], { executionTimeout: 60_000, ttl: 120_000 });
  });

  test('stores its handle before it waits, and tells of its progress', async () => {
    const run = await begin();
    await until(async () => run.handles.length === 1);
    assert.equal(JSON.parse(run.handles[0]!).id, server.submitted[0]);
    await run.work;
    assert.ok(
      run.progress.some((done) => done > 0.1 && done < 0.9),
      run.progress.join(),
    );
    await run.clean();
  });

  test('holds all calls back for as long as 429 says', async () => {
    Object.assign(server.faults, { tooMany: 1, retryAfterSeconds: 1 });
    const runs = [await begin(), await begin()];
    await Promise.all(runs.map((run) => run.work.finally(run.clean)));
    const [refused, ...later] = server.requests;
    const next = later.filter(({ at }) => at - refused!.at > 200);
    // Those that were under way already may have arrived at once; everything after it waited.
    assert.ok(next[0]!.at - refused!.at >= 950, `${next[0]!.at - refused!.at} ms`);
    assert.equal(server.submitted.length, 2);
  });

  test('is cancelled over there, again when the cancel is lost, and no other is', async () => {
    server.faults.loseCancels = 2;
    server.faults.never = true;
    const [one, other] = [await begin(), await begin()];
    await until(async () => one.handles.length + other.handles.length === 2);
    one.stop.abort('cancelled');
    await assert.rejects(one.work);
    await until(async () => server.cancelled.length === 1);
    assert.deepEqual(server.cancelled, [JSON.parse(one.handles[0]!).id]);
    server.faults.never = false;
    await other.work;
    await Promise.all([one.clean(), other.clean()]);
  });

  test('goes on after a shutdown, and is picked up by its handle', async () => {
    const first = await begin();
    await until(async () => first.handles.length === 1);
    first.stop.abort('shutdown');
    await assert.rejects(first.work);
    const second = await begin(group, first.handles[0]!);
    await second.work;
    assert.deepEqual([server.submitted.length, server.cancelled.length], [1, 0]);
    await Promise.all([first.clean(), second.clean()]);
  });

  for (const [what, faults] of Object.entries({
    'whose status does not come for long': { broken: 'status' },
    'whose result cannot be fetched': { link: 'http://127.0.0.1:9/result.png' },
  }))
    test(`${what} is left to the next try of the job`, async () => {
      Object.assign(server.faults, faults);
      const first = await begin(group, null, true);
      await assert.rejects(first.work, { code: 'ENGINE_BROKE', retryable: true });
      server.behave();
      const second = await begin(group, first.handles.at(-1)!, true);
      await second.work;
      assert.deepEqual([server.submitted.length, server.cancelled.length], [1, 0]);
      await Promise.all([first.clean(), second.clean()]);
    });

  test('that nobody goes on with is stopped there', async () => {
    Object.assign(server.faults, { broken: 'status', never: true });
    const run = await begin();
    await assert.rejects(run.work, { code: 'ENGINE_BROKE' });
    await until(async () => server.cancelled.length === 1);
    assert.equal(run.handles.at(-1), '');
    server.behave();
    await run.clean();
  });

  test('brings a video', async () => {
    const films = await runpodServer({ video: await sampleVideo('mp4') });
    const own = remoteEngines(runpodPlan(films), { polling });
    const params = { prompt: 'snow', model: 'advanced', duration: '4s' };
    const run = await directRun(photo, { family: 'single_frame_video', params, filter: null });
    const { file, type } = await engineFor(own, run.request).run(run.request, run.context);
    assert.equal(type, 'video/mp4');
    assert.equal((await readFile(file)).includes('SECRET-PROMPT'), false);
    await Promise.all(own.map((engine) => engine.close()));
    await Promise.all([films.stop(), run.clean()]);
  });
});

describe('what a worker answers', () => {
  test('is found by the run’s own name among other files, in the old form too', () => {
    const image = (filename: string, data: string) => ({ filename, type: 'base64', data });
    assert.deepEqual(resultOf({ images: [image('other.png', 'x'), image('mine_1.png', 'y')] }, 'mine'), {
      kind: 'base64',
      data: 'y',
    });
    assert.deepEqual(resultOf({ images: [image('mine.png', 'https://bucket/x?sig=1')] }, 'mine'), {
      kind: 'link',
      data: 'https://bucket/x?sig=1',
    });
    assert.deepEqual(resultOf({ message: 'data:image/png;base64,AAAA', status: 'success' }, 'mine'), {
      kind: 'base64',
      data: 'AAAA',
    });
    for (const none of [
      null,
      'text',
      { images: [] },
      { status: 'success_no_images' },
      { images: [image('other.png', 'x')] },
    ])
      assert.equal(resultOf(none, 'mine'), null);
  });

  test('tells progress in many ways', () => {
    for (const [output, done] of [
      [0.4, 0.4],
      [40, 0.4],
      ['Sampling 40%', 0.4],
      ['step 8/20', 0.4],
      [{ progress: 0.4 }, 0.4],
      [{ percent: '40%' }, 0.4],
      ['starting', null],
      [{ progress: {} }, null],
      [null, null],
    ] as const)
      assert.equal(progressOf(output), done);
  });

  test('tells errors in two shapes', () => {
    assert.equal(failureText('no face'), 'no face');
    assert.equal(
      failureText(JSON.stringify({ error_type: 'E', error_message: 'no face', error_traceback: 't' })),
      'E no face',
    );
    assert.equal(failureText({ not: 'text' }), '');
  });
});
