import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, describe, test } from 'node:test';
import { families } from '@guise/contract/families/families.ts';
import { requestFor } from '@guise/contract/families/requests.ts';
import { sentencesOf } from '@guise/contract/notes.ts';
import { startApp } from '../../src/app/all-in-one.ts';
import type { Engine, EngineContext, EngineRequest } from '../../src/engines/engine.ts';
import { type PoolOptions, processPool } from '../../src/engines/pool/pool.ts';
import { AppError } from '../../src/errors.ts';
import { childrenOf } from '../support/children.ts';
import { decodesHere } from '../support/decode-here.ts';
import { request, temporaryConfig, until } from '../support/harness.ts';
import { tinyPng } from '../support/test-engine.ts';

const scratch = mkdtempSync(join(tmpdir(), 'guise-pool-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

const module = new URL('./pool-module.ts', import.meta.url);
const abilities = families.map((family) => ({ family: family.name }));
const pools: Engine[] = [];
const pool = (size: number, options: Partial<PoolOptions> = {}) => {
  const made = processPool({ name: 'test', module, size, abilities, ...options });
  pools.push(made);
  return made;
};
afterEach(() => Promise.all(pools.splice(0).map((made) => made.close())));

const asked = (does: string): EngineRequest => ({
  ...requestFor('self_prompt_v2', { prompt: does, ratio: 'portrait' }, null),
  jobId: 'job',
  filterRef: null,
  images: [],
  scratch,
  via: [],
});
const context = (fields: Partial<EngineContext> = {}): EngineContext => ({
  signal: new AbortController().signal,
  progress: () => {},
  decoder: decodesHere.forJob(new AbortController().signal),
  handle: null,
  saveHandle: async () => {},
  ...fields,
});
/** The process that did the work. */
const pidOf = async (engine: Engine, does = 'works') =>
  Number(sentencesOf(await engine.run(asked(does), context())).applied[0]);
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const children = () => childrenOf('pool-child');
const onLinux = { skip: process.platform !== 'linux' && 'looks into /proc' };

describe('a pool of child processes', () => {
  test('runs the module’s work outside this process and keeps the child for the next', async () => {
    const engine = pool(1);
    const { file, type, ignored } = await engine.run(asked('works'), context());
    assert.deepEqual(readFileSync(file), tinyPng);
    assert.deepEqual([type, ignored], ['image/png', []]);
    const pid = await pidOf(engine);
    assert.notEqual(pid, process.pid);
    assert.equal(await pidOf(engine), pid);
  });

  test('hands on progress and handles', async () => {
    const seen: number[] = [];
    const handles: string[] = [];
    await pool(1).run(
      asked('shows progress'),
      context({
        progress: (done) => seen.push(done),
        saveHandle: async (handle) => void handles.push(handle),
      }),
    );
    assert.deepEqual(seen, [0.25, 0.75]);
    assert.deepEqual(handles, ['remote-run-7']);
  });

  for (const [does, code, retryable, sentence] of [
    ['refuses', 'ENGINE_REFUSED', false, 'No face was found.'],
    ['breaks', 'ENGINE_BROKE', true, 'The engine had a hiccup.'],
    ['throws', 'ENGINE_BROKE', true, 'Something went wrong on the server while making this.'],
    ['has a wrong type', 'ENGINE_BROKE', false, 'Something went wrong on the server while making this.'],
    ['overflows the stack', 'ENGINE_BROKE', false, 'Something went wrong on the server while making this.'],
    ['crashes', 'ENGINE_BROKE', true, 'The engine stopped in the middle of the work.'],
  ] as const) {
    test(`work that ${does} is an error of kind ${code}, and the next work goes well`, async () => {
      const engine = pool(1);
      await assert.rejects(engine.run(asked(does), context()), (error) => {
        assert.ok(error instanceof AppError);
        assert.deepEqual([error.code, error.retryable, error.message], [code, retryable, sentence]);
        return true;
      });
      await pidOf(engine);
    });
  }

  test('ends a child that had nothing to do for as long as is set', onLinux, async () => {
    const engine = pool(1, { idleMs: 50 });
    const pid = await pidOf(engine);
    await until(async () => !isAlive(pid));
    assert.notEqual(await pidOf(engine), pid);
  });

  test('keeps as many children as are to stay, however long they have nothing to do', onLinux, async () => {
    const engine = pool(2, { idleMs: 50, staying: 1 });
    const pids = await Promise.all([1, 2].map(() => pidOf(engine, 'works for a while')));
    await until(async () => children().length === 1);
    const pid = await pidOf(engine);
    assert.ok(pids.includes(pid), `${pid} is new`);
  });

  test('has never more children than its size', onLinux, async () => {
    const engine = pool(2);
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, children().length);
    }, 10);
    const pids = await Promise.all(Array.from({ length: 8 }, () => pidOf(engine, 'works for a while')));
    clearInterval(watch);
    assert.equal(most, 2);
    assert.equal(new Set(pids).size, 2);
  });

  test('work that stops when it is told to leaves its child alive', async () => {
    const engine = pool(1);
    const pid = await pidOf(engine);
    const stop = new AbortController();
    const work = engine.run(asked('waits for its abort'), context({ signal: stop.signal }));
    setTimeout(() => stop.abort('cancelled'), 50);
    await assert.rejects(work, (reason) => reason === 'cancelled');
    assert.equal(await pidOf(engine), pid);
  });

  test('work that computes without a break stops at its next check, and leaves its child alive', async () => {
    const engine = pool(1);
    const before = await pidOf(engine);
    for (let round = 0; round < 3; round++) {
      const stop = new AbortController();
      const progress = () => stop.abort('cancelled');
      const began = performance.now();
      const work = engine.run(
        asked('computes and asks whether to stop'),
        context({ signal: stop.signal, progress }),
      );
      await assert.rejects(work, (error) => error === 'cancelled');
      assert.ok(performance.now() - began < 1400, 'it was killed, not stopped');
    }
    assert.equal(await pidOf(engine), before);
  });

  test('a child that ignores its abort is killed after a grace of 1.5 s, and another takes its place', async () => {
    const engine = pool(1);
    const pid = await pidOf(engine);
    const stop = new AbortController();
    let told = 0;
    const progress = () => {
      told = Date.now();
      stop.abort('cancelled');
    };
    const work = engine.run(asked('ignores its abort'), context({ signal: stop.signal, progress }));
    await assert.rejects(work, (reason) => reason === 'cancelled');
    const ms = Date.now() - told;
    assert.ok(ms > 1400 && ms < 10_000, `${ms} ms`);
    assert.ok(!isAlive(pid));
    assert.notEqual(await pidOf(engine), pid);
  });

  test('work that is cancelled while it waits for a child gives up its place in the line at once', async () => {
    const engine = pool(1);
    const stop = new AbortController();
    const busy = engine.run(asked('waits for its abort'), context({ signal: stop.signal }));
    const impatient = new AbortController();
    const waiting = engine.run(asked('works'), context({ signal: impatient.signal }));
    impatient.abort('cancelled');
    await assert.rejects(waiting, (reason) => reason === 'cancelled');
    const next = pidOf(engine);
    stop.abort('over');
    await assert.rejects(busy);
    assert.ok(isAlive(await next));
  });

  test('a child that cannot be started is an error of that work alone', async () => {
    const engine = pool(1);
    const { execPath } = process;
    process.execPath = join(scratch, 'no-such-program');
    try {
      await assert.rejects(
        engine.run(asked('works'), context()),
        (error) => error instanceof AppError && error.retryable,
      );
    } finally {
      process.execPath = execPath;
    }
    await pidOf(engine);
  });

  test('a module that does not load is an error, not a wait without end', async () => {
    const engine = pool(1, { module: new URL('data:text/javascript,process.exit(3)') });
    await assert.rejects(
      engine.run(asked('works'), context()),
      (error) => error instanceof AppError && error.retryable,
    );
  });

  test('a child gets what it needs of the environment, and no secret', async (t) => {
    const secrets = {
      DATABASE_URL: 'postgres://secret',
      GUISE_S3_SECRET: 'secret',
      AWS_SESSION_TOKEN: 'secret',
    };
    Object.assign(process.env, secrets);
    t.after(() => {
      for (const name of Object.keys(secrets)) delete process.env[name];
    });
    const said = sentencesOf(await pool(1).run(asked('tells its environment'), context())).applied[0]!;
    const environment = JSON.parse(said) as Record<string, string>;
    assert.doesNotMatch(said, /secret/);
    assert.equal(environment.PATH, process.env.PATH);
    assert.equal(environment.ORT_DISABLE_TELEMETRY, '1');
  });

  test('a child that is stopped is killed after its silence, and its work can be tried again', async () => {
    const engine = pool(1, { limits: { silenceMs: 3000 } });
    const pid = await pidOf(engine);
    const stopped = engine.run(asked('waits for its abort'), context());
    process.kill(pid, 'SIGSTOP');
    await assert.rejects(stopped, {
      code: 'ENGINE_BROKE',
      retryable: true,
      message: 'The engine stopped answering in the middle of the work.',
    });
    assert.ok(!isAlive(pid));
    assert.notEqual(await pidOf(engine), pid);
  });

  test('a child that computes for longer than that is left alone', async () => {
    const engine = pool(1, { limits: { silenceMs: 3000 } });
    assert.equal(await pidOf(engine, 'computes'), await pidOf(engine));
  });

  test('an idle child that is stopped is replaced as well', onLinux, async () => {
    const engine = pool(1, { limits: { silenceMs: 3000 }, warm: true });
    const pid = await pidOf(engine);
    process.kill(pid, 'SIGSTOP');
    const [other] = await until(async () => {
      const alive = children();
      return alive.length === 1 && alive[0] !== pid && alive;
    });
    assert.equal(await pidOf(engine), other);
  });

  test('a child that holds more memory than its budget is replaced after its work', onLinux, async () => {
    const engine = pool(1, { limits: { memory: 250 * 2 ** 20 } });
    const pid = await pidOf(engine);
    assert.equal(await pidOf(engine, 'keeps memory'), pid);
    await until(async () => !isAlive(pid));
    const next = await pidOf(engine);
    assert.notEqual(next, pid);
    assert.equal(await pidOf(engine), next);
  });

  test('a child that takes ever more memory is killed, and its work is not tried again', async () => {
    const engine = pool(1, { limits: { memoryAtMost: 400 * 2 ** 20 } });
    const pid = await pidOf(engine);
    await assert.rejects(engine.run(asked('takes ever more memory'), context()), {
      code: 'ENGINE_BROKE',
      retryable: false,
      message: 'This needed more memory than the server allows and was stopped.',
    });
    assert.ok(!isAlive(pid));
    await pidOf(engine);
  });

  test('closing ends the children, the work they had and the work that waited', onLinux, async () => {
    const engine = pool(1, { warm: true });
    const busy = assert.rejects(engine.run(asked('ignores its abort'), context()));
    const waiting = assert.rejects(engine.run(asked('works'), context()));
    await until(async () => children().length === 1);
    await engine.close();
    await Promise.all([busy, waiting]);
    assert.deepEqual(children(), []);
    await assert.rejects(engine.run(asked('works'), context()));
    assert.deepEqual(children(), []);
  });
});

test('a child that crashes costs one try of one job, and not the server', async (t) => {
  const engine = pool(1);
  const crashing: Engine = {
    ...engine,
    run: (wanted, given) => engine.run({ ...wanted, prompt: acts.shift() ?? 'works' }, given),
  };
  const acts: string[] = [];
  const config = temporaryConfig({ concurrency: 1 });
  const app = await startApp(config, () => [crashing]);
  t.after(async () => {
    await app.stop();
    rmSync(config.dataDir, { recursive: true, force: true });
  });
  const headers = { 'x-api-key': app.demoKey! };
  acts.push('crashes');
  const { id } = (await request(app.url, 'POST', '/v2/run/self-prompt', { prompt: 'a hill' }, headers)).body;
  const done = await request(app.url, 'POST', `/v2/status/${id}`, undefined, {
    ...headers,
    prefer: 'wait=30',
  });
  assert.equal(done.body.status, 'COMPLETED');
  assert.equal((await request(app.url, 'GET', '/health')).status, 200);
});
