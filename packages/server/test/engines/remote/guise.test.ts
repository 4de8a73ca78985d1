import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { familyNames } from '@guise/contract/families/families.ts';
import sharp from 'sharp';
import { cannotMake, engineBroke, engineUnfit } from '../../../src/engines/engine.ts';
import { createEngines } from '../../../src/engines/engines.ts';
import type { EnginesPlan } from '../../../src/engines/engines-file.ts';
import type { GuisePlan } from '../../../src/engines/guise/guise-kind.ts';
import { findJobById } from '../../../src/store/job-records.ts';
import { photo, startTestServer, type TestAccount, type TestServer, until } from '../../support/harness.ts';
import { type Link, linkTo } from '../../support/link.ts';
import { sampleVideo } from '../../support/remote.ts';
import { door, type TestEngine, testEngine, untilAborted } from '../../support/test-engine.ts';

/** A laptop at a venue, whose jobs go to the GPUs at home while there is a connection. */
let home: TestServer;
let payer: TestAccount;
let link: Link;
let venue: TestServer;
let guest: TestAccount;
let laptop: TestEngine;

function planFor(plan: Partial<GuisePlan> & Pick<GuisePlan, 'url' | 'key'>): EnginesPlan {
  const engine: GuisePlan = { type: 'guise', jobs: 8, patience_seconds: 20, private_results: false, ...plan };
  return {
    engines: { home: engine },
    routes: [{ families: [...familyNames], engine: 'home', fallback: 'local', workflows: [] }],
    local: true,
  };
}

before(async () => {
  home = await startTestServer({ concurrency: 8 });
  home.engine.result = await sharp({
    create: { width: 1200, height: 1800, channels: 3, background: '#c08060' },
  })
    .png()
    .toBuffer();
  payer = await home.account();
  link = await linkTo(home.url);
  laptop = { ...testEngine(), name: 'local' };
  venue = await startTestServer({}, (config) =>
    createEngines(config, planFor({ url: link.url, key: payer.api_key }), { createLocal: () => laptop }),
  );
  guest = await venue.account();
});
beforeEach(() => {
  home.engine.before = async () => {};
  home.engine.requests.length = 0;
  laptop.requests.length = 0;
});
after(async () => {
  await venue.stop();
  await link.close();
  await home.stop();
});

const run = { base64: photo, filter_id: 12, gender: 1 };
const submit = async (body: object = run, path = '/v6/run/face_swap') => {
  const answer = await guest.call('POST', path, body);
  assert.equal(answer.status, 200, answer.body.error);
  return answer.body.id as string;
};
const atEnd = (id: string, path = '/v6/status/') =>
  until(async () => {
    const { body } = await guest.call('POST', path + id, undefined, { prefer: 'wait=30' });
    return body.status === 'COMPLETED' || body.status === 'FAILED' ? body : undefined;
  }, 60_000);

test('a job is made by the other server, and both sides are charged once', async () => {
  const [here, there] = [await guest.credits(), await payer.credits()];
  const body = await atEnd(await submit());
  assert.deepEqual([body.status, body.applied, body.ignored], ['COMPLETED', ['a thing'], ['another']]);
  assert.deepEqual([home.engine.requests.length, laptop.requests.length], [1, 0]);
  assert.equal(home.engine.requests[0]!.filterRef, '12');
  assert.deepEqual([await guest.credits(), await payer.credits()], [here - 2, there - 2]);
});

test('what neither server uses is said once', async () => {
  const id = await submit({ input_image: photo, style_id: 1, overlay: photo }, '/v3/run/multi_swap');
  const { ignored } = await atEnd(id, '/v3/status_multi_swap/');
  assert.deepEqual(ignored, ['another', 'overlay: this server does not use it']);
});

test('progress comes along', async () => {
  const gate = door();
  home.engine.before = async (request, context) => {
    context.progress(0.5);
    await gate.work(request, context);
  };
  const id = await submit();
  await until(async () => {
    const { body } = await guest.call('POST', `/v6/status/${id}`, undefined, { prefer: 'wait=0' });
    return body.progress > 0.4;
  }, 20_000);
  gate.open();
  assert.equal((await atEnd(id)).status, 'COMPLETED');
});

test('a video is fetched by its link', async () => {
  const picture = home.engine.result;
  home.engine.result = await sampleVideo('mp4');
  const id = await submit(
    { prompt_image: photo, prompt: 'slow zoom', model: 'advanced', duration: '6s' },
    '/v1/run/single_frame_video',
  );
  const body = await atEnd(id, '/v1/status/single_frame_video/');
  home.engine.result = picture;
  assert.equal(body.status, 'COMPLETED', body.output.video_error);
  assert.equal(laptop.requests.length, 0);
});

test('a custom filter goes along with its definition, once', async () => {
  const filter = await guest.call('POST', '/v1/users/me/my-custom-filters', {
    name: 'Snow',
    filter_type: 'face_swap',
    definition: { kind: 'prompt', prompt: 'in deep snow' },
  });
  for (const _ of [1, 2]) {
    const body = await atEnd(await submit({ ...run, filter_id: filter.body.id }));
    assert.equal(body.status, 'COMPLETED', body.error);
  }
  const made = (await payer.call('GET', '/v1/users/me/my-custom-filters')).body;
  assert.equal(made.filter(({ name }: { name: string }) => name.startsWith('Copy ')).length, 1);
  const asked = home.engine.requests.filter(({ jobId }) => !jobId.startsWith('preview'));
  assert.ok(asked.length >= 2 && asked.every(({ prompt }) => prompt === 'in deep snow'));
});

test('what is wrong with the photo is told in the words of the other server, and nobody pays', async () => {
  home.engine.before = async () => {
    throw cannotMake('No face was found in the photo.');
  };
  const [here, there] = [await guest.credits(), await payer.credits()];
  const body = await atEnd(await submit());
  assert.deepEqual([body.status, body.error], ['FAILED', 'No face was found in the photo.']);
  assert.equal(laptop.requests.length, 0);
  assert.deepEqual([await guest.credits(), await payer.credits()], [here, there]);
});

test('what breaks on the other server is made here', async () => {
  home.engine.before = async () => {
    throw engineUnfit('Broken.');
  };
  const there = await payer.credits();
  const body = await atEnd(await submit());
  assert.equal(body.status, 'COMPLETED');
  assert.ok(body.applied.includes('made by the local engine, because home could not'));
  assert.deepEqual([laptop.requests.length, await payer.credits()], [1, there]);
});

test('a cancel reaches the other server', async () => {
  home.engine.before = untilAborted;
  const there = await payer.credits();
  const id = await submit();
  await until(async () => home.engine.requests.length === 1, 20_000);
  await guest.call('POST', `/v1/jobs/${id}/cancel`);
  await until(async () => (await payer.credits()) === there, 20_000);
  const [job] = (await payer.call('GET', '/v1/jobs?limit=1')).body.jobs;
  assert.deepEqual([job.status, job.error], ['FAILED', 'The job was cancelled.']);
});

test('a run that has been here before is refused', async () => {
  const seen = Promise.withResolvers<readonly string[]>();
  home.engine.before = async ({ via }) => seen.resolve(via);
  assert.equal((await atEnd(await submit())).status, 'COMPLETED');
  const via = await seen.promise;
  assert.equal(via.length, 2);
  const back = await guest.call('POST', '/v6/run/face_swap', run, { 'x-guise-via': via.join(', ') });
  assert.deepEqual([back.status, back.body.error_code], [508, 'ENGINE_LOOP']);
  const other = await payer.call('POST', '/v6/run/face_swap', run, { 'x-guise-via': 'nonsense' });
  assert.deepEqual([other.status, other.body.error_code], [422, 'VALIDATION_ERROR']);
});

test('without anybody else to make it, a job goes on there after a connection that was lost for long', async () => {
  const own = await linkTo(home.url);
  const plan = planFor({ url: own.url, key: payer.api_key, patience_seconds: 1 });
  const routes = plan.routes.map(({ fallback: _, ...route }) => route);
  const alone = await startTestServer({}, (config) =>
    createEngines(config, { ...plan, routes, local: false }),
  );
  const caller = await alone.account();
  const gate = door();
  home.engine.before = gate.work;
  const there = await payer.credits();
  const { id } = (await caller.call('POST', '/v6/run/face_swap', run)).body;
  await until(async () => (await alone.db.one(findJobById, { id }))?.handle?.includes('"id":"'), 20_000);
  own.cut();
  await until(async () => (await alone.db.one(findJobById, { id }))!.retries === 1, 60_000);
  own.restore();
  gate.open();
  const ended = await until(async () => {
    const { body } = await caller.call('POST', `/v6/status/${id}`, undefined, { prefer: 'wait=30' });
    return body.status === 'COMPLETED' || body.status === 'FAILED' ? body : undefined;
  }, 60_000);
  assert.equal(ended.status, 'COMPLETED', ended.error);
  assert.deepEqual([home.engine.requests.length, await payer.credits()], [1, there - 2]);
  await alone.stop();
  await own.close();
});

test('under a connection that is cut and restored, each of 100 jobs is made once by whoever can', async () => {
  home.engine.before = async () => {
    await sleep(20);
    if (Math.random() < 0.05) throw engineBroke('Broken, but not for long.');
  };
  const [here, there] = [await guest.credits(), await payer.credits()];
  const ids: Promise<string>[] = [];
  for (let i = 0; i < 100; i++) {
    // With all eight slots taken by jobs that are there when the link is cut, none would be left for the venue.
    if (i === 28) for (const id of ids) await atEnd(await id);
    ids.push(submit());
    if (i === 30) link.cut();
    if (i === 70) {
      // On a busy machine the cut is noticed late.
      await until(async () => laptop.requests.length > 0, 60_000);
      link.restore();
    }
    await sleep(25);
  }
  const ended = await Promise.all((await Promise.all(ids)).map((id) => atEnd(id)));
  assert.deepEqual([...new Set(ended.map(({ status }) => status))], ['COMPLETED']);
  assert.equal(await guest.credits(), here - 200);
  const byLaptop = laptop.requests.length;
  assert.ok(byLaptop > 0 && byLaptop < 100, `${byLaptop} of 100 were made at the venue`);
  assert.equal(await payer.credits(), there - 2 * (100 - byLaptop));
  await until(async () => {
    laptop.requests.length = 0;
    await atEnd(await submit());
    return laptop.requests.length === 0;
  }, 30_000);
});
