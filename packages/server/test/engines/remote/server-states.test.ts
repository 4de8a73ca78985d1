import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ServerReport } from '@guise/contract/operator/operator.ts';
import { pino } from 'pino';
import sharp from 'sharp';
import { readConfig } from '../../../src/config.ts';
import { versionProblem } from '../../../src/engines/comfyui/version.ts';
import { createEngines } from '../../../src/engines/engines.ts';
import { inspections } from '../../../src/engines/inspections.ts';
import { engineFor } from '../../../src/engines/routing.ts';
import { serversOfEngine, unavailableFamilies, watchServers } from '../../../src/jobs/server-states.ts';
import { type ComfyuiServer, comfyuiServer } from '../../support/comfyui-server.ts';
import { startTestServer, type TestAccount, type TestServer, until } from '../../support/harness.ts';
import {
  comfyuiPlan,
  directRun,
  type RunFields,
  remoteEngines,
  withShortWaits,
} from '../../support/remote.ts';

const photo = await sharp({ create: { width: 90, height: 120, channels: 3, background: '#c08060' } })
  .jpeg()
  .toBuffer();
const group: RunFields = { family: 'multi_swap_v5', params: { outpaint: false } };
const timeLimits = { silentPollMs: 60, pollMs: 200, healthMs: 150, noServerMs: 600 };

describe('a ComfyUI that is too old', () => {
  test('is one before 0.3.57, or one that does not say', () => {
    for (const good of ['0.3.57', '0.3.64', '0.7.0', 'v1.0.0', '0.4.1-dev'])
      assert.equal(versionProblem(good), null, good);
    for (const bad of ['0.3.44', '0.3.56', '0.2.99'])
      assert.match(versionProblem(bad)!, /^ComfyUI .* too old/);
    for (const bad of [null, '', 'unknown']) assert.match(versionProblem(bad)!, /does not say/);
  });

  for (const version of ['0.3.44', '0.3.50']) {
    test(`gets no jobs, and the doctor says why: ${version}`, async () => {
      const [old, good] = [await comfyuiServer(), await comfyuiServer()];
      old.faults.version = version;
      const alone = remoteEngines(comfyuiPlan([old]), { timeLimits });
      const run = await directRun(photo, group);
      await assert.rejects(engineFor(alone, run.request).run(run.request, run.context), (error: Error) => {
        assert.equal(error.message, 'The GPU servers of this installation are too old.');
        assert.match(
          (error.cause as Error).message,
          new RegExp(`: ComfyUI ${version} is too old: Guise needs`),
        );
        return true;
      });
      const both = remoteEngines(comfyuiPlan([old, good]), { timeLimits });
      for (let n = 0; n < 3; n++) await engineFor(both, run.request).run(run.request, run.context);
      assert.deepEqual([old.accepted.length, good.finished.length], [0, 3]);
      const [doctor] = inspections(comfyuiPlan([old]));
      await assert.rejects(doctor!.check(), { message: versionProblem(version)! });
      await Promise.all([...alone, ...both].map((engine) => engine.close()));
      await Promise.all([old.stop(), good.stop(), run.clean()]);
    });
  }
});

describe('the state of servers', () => {
  let one: ComfyuiServer;
  let other: ComfyuiServer;
  let service: TestServer;
  let account: TestAccount;
  before(async () => {
    [one, other] = [await comfyuiServer(), await comfyuiServer()];
    service = await startTestServer({}, (config) =>
      createEngines(config, withShortWaits(comfyuiPlan([one, other]), { timeLimits })),
    );
    account = await service.account();
  });
  after(async () => {
    await service.stop();
    await one.stop();
  });
  const ready = async () => {
    const { status, body } = await account.call('GET', '/ready');
    return { status, body, servers: body.engines[0].servers as Omit<ServerReport, 'address'>[] };
  };
  const figure = async (name: string) =>
    ((await account.call('GET', '/metrics')).body as string)
      .split('\n')
      .filter((line) => line.startsWith(name));

  test('is in /ready and /metrics; everybody sees it without addresses, and 503 when all are away', async () => {
    await other.stop();
    await until(async () => (await ready()).servers[1]!.state === 'down', 20_000);
    const { status, body, servers } = await ready();
    assert.deepEqual([status, body.families_unavailable], [200, []]);
    const { since, ...first } = servers[0]!;
    const up = { state: 'up', running: 0, queue: 0, version: '0.3.64', reason: null };
    assert.deepEqual(first, { ...up, last_error: null, last_error_at: null });
    const no = 'GET system_stats: no answer';
    assert.deepEqual([servers[1]!.last_error, servers[1]!.reason], [no, no]);
    assert.ok(servers[1]!.last_error_at! >= since! && servers[1]!.since! > since!);
    assert.doesNotMatch(JSON.stringify(body), /127\.0\.0\.1/);
    const ups = await figure('guise_engine_server_up{');
    assert.deepEqual(ups.map((line) => line.at(-1)).join(), '1,0');
    assert.ok(ups[1]!.includes(new URL(other.url).host));
    assert.deepEqual(await figure('guise_workers{'), [
      'guise_workers{engine="gpu"} 1',
      'guise_workers{engine="local"} 1',
    ]);

    await one.kill();
    await until(async () => (await ready()).status === 503, 20_000);
    const gone = await ready();
    assert.equal(gone.body.status, 'not ready');
    assert.ok(gone.body.families_unavailable.includes('face_swap_v6'));
    await one.start();
    await until(async () => (await ready()).status === 200, 20_000);
    // What is over has its time, and is no longer the reason of anything.
    const [back] = (await ready()).servers;
    assert.deepEqual([back!.state, back!.reason, back!.last_error], ['up', null, no]);
    assert.ok(back!.since! > back!.last_error_at!);
  });
});

test('what a stand-in or another engine makes is not unavailable', () => {
  const down = {
    address: 'a:1',
    state: 'down',
    running: 0,
    queue: null,
    version: null,
    last_error: null,
  } as const;
  const abilities = [{ family: 'face_swap_v6' as const }];
  const gpu = { name: 'gpu', abilities, servers: [down] };
  assert.deepEqual(unavailableFamilies([{ engines: [gpu] }]), ['face_swap_v6']);
  assert.deepEqual(unavailableFamilies([{ engines: [{ ...gpu, has_fallback: true }] }]), []);
  assert.deepEqual(unavailableFamilies([{ engines: [gpu, { name: 'local', abilities }] }]), []);
  const up = { ...down, state: 'up', running: 2 } as const;
  const workers = [{ engines: [gpu] }, { engines: [{ ...gpu, servers: [up] }] }];
  assert.deepEqual(unavailableFamilies(workers), []);
  assert.deepEqual(serversOfEngine(workers, 'gpu'), [up]);
});

test('the log has a line at its usual level when a server goes down and when it comes back', async () => {
  const server = await comfyuiServer();
  const engines = remoteEngines(comfyuiPlan([server]), { timeLimits });
  const lines: { msg: string; engine: string; state: string }[] = [];
  watchServers(
    engines,
    pino({ level: readConfig({}).logLevel }, { write: (line) => void lines.push(JSON.parse(line)) }),
    () => {},
  );
  await server.kill();
  await until(async () => lines.length === 1, 20_000);
  await server.start();
  await until(async () => lines.length === 2, 20_000);
  assert.deepEqual(
    lines.map(({ msg, engine, state }) => [msg, engine, state]),
    [
      ['a server of an engine gets no jobs', 'gpu', 'down'],
      ['a server of an engine is back', 'gpu', 'up'],
    ],
  );
  await Promise.all(engines.map((engine) => engine.close()));
  await server.stop();
});
