import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createFalClient } from '@fal-ai/client';
import OpenAI, { toFile } from 'openai';
import sharp from 'sharp';
import type { Engine, EngineAttempt } from '../../../src/engines/engine.ts';
import { type EnginesPlan, readEnginesFile } from '../../../src/engines/engines-file.ts';
import { engineFor } from '../../../src/engines/routing.ts';
import type { AppError } from '../../../src/errors.ts';
import { inspectHere } from '../../support/decode-here.ts';
import { type FalServer, falServer } from '../../support/fal-server.ts';
import { until } from '../../support/harness.ts';
import { falPlan, openaiImagesPlan } from '../../support/hosted.ts';
import {
  type OpenaiImagesServer,
  openaiError,
  openaiImagesServer,
  type PlannedAnswer,
} from '../../support/openai-images-server.ts';
import { directRun, type RunFields, remoteEngines, sampleVideo } from '../../support/remote.ts';

const photo = await sharp({ create: { width: 90, height: 120, channels: 3, background: '#c08060' } })
  .jpeg()
  .toBuffer();

let openai: OpenaiImagesServer;
let fal: FalServer;
before(async () => {
  openai = await openaiImagesServer();
  fal = await falServer();
});
after(async () => {
  await Promise.all([openai.stop(), fal.stop()]);
});
beforeEach(() => {
  openai.requests.length = 0;
  openai.planned.length = 0;
  openai.picture = null;
  fal.inputs.length = 0;
  fal.cancelled.length = 0;
  Object.assign(fal, { stuckAs: null, output: null, outputField: 'images' });
  fal.planned = { submit: [], status: [], result: [], file: [] };
  fal.calls = { submit: 0, status: 0, result: 0, file: 0 };
});

interface Run {
  engine: Engine;
  attempts: EngineAttempt[];
  handles: string[];
  stop: AbortController;
  work: ReturnType<Engine['run']>;
}

/** A run on engines of its own, so that none rests by what a test before it did. */
async function withRun<T>(
  plan: EnginesPlan,
  use: (run: Run) => Promise<T>,
  { fields = {}, handle = null }: { fields?: RunFields; handle?: string | null } = {},
): Promise<T> {
  const engines = remoteEngines(plan);
  const { request, context, handles, stop, clean } = await directRun(
    fields.filter === null && fields.family === 'self_prompt_v2' ? null : photo,
    fields,
    handle,
  );
  const engine = engineFor(engines, request);
  const attempts: EngineAttempt[] = [];
  const work = engine.run(request, { ...context, attempted: (attempt) => void attempts.push(attempt) });
  work.catch(() => {});
  try {
    return await use({ engine, attempts, handles, stop, work });
  } finally {
    stop.abort('shutdown');
    await work.catch(() => {});
    await Promise.all(engines.map((each) => each.close()));
    await clean();
  }
}

const fails = (work: Promise<unknown>): Promise<AppError> =>
  work.then(
    () => assert.fail('it was made'),
    (error: AppError) => error,
  );

describe('the engines file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'guise-hosted-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const env = { OPENAI_API_KEY: 'a', FAL_KEY: 'b' };
  const read = (engines: unknown) => {
    const file = join(folder, 'engines.json');
    writeFileSync(file, JSON.stringify(engines));
    return readEnginesFile(file, env);
  };
  const page = readFileSync('docs/hosted-engines.md', 'utf8');
  const documented = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)![1]!);

  test('of the documentation can be used', () => {
    const { engines } = read(documented);
    assert.deepEqual(Object.keys(engines), ['openai', 'fal-video', 'laptop']);
  });

  test('must say that photos leave before they can', () => {
    for (const name of ['openai', 'fal-video']) {
      const { photos_leave: _, ...entry } = documented.engines[name];
      assert.throws(() => read({ engines: { [name]: entry }, routes: [] }), /photos_leave: must be/);
    }
  });
});

describe('the fakes are services that the official libraries take', () => {
  test('openai edits photos and generates, and reads errors', async () => {
    const client = new OpenAI({ apiKey: openai.key, baseURL: openai.url, maxRetries: 0 });
    const image = await toFile(photo, 'photo.jpg', { type: 'image/jpeg' });
    const model = 'gpt-image-2';
    const edited = await client.images.edit({ image: [image, image], model, prompt: 'x', size: '1024x1024' });
    assert.ok(edited.data?.[0]?.b64_json);
    assert.equal(edited.usage?.output_tokens, 1_000);
    assert.equal(openai.requests[0]!.photos.length, 2);
    assert.ok((await client.images.generate({ model, prompt: 'x' })).data?.[0]?.b64_json);
    openai.planned.push(openaiError(400, 'moderation_blocked', 'safety_violations=[x]'));
    await assert.rejects(client.images.generate({ model, prompt: 'x' }), { code: 'moderation_blocked' });
  });

  test('@fal-ai/client submits, follows, reads the result and errors, and cancels', async () => {
    const client = createFalClient({
      credentials: fal.key,
      requestMiddleware: async (request) => ({
        ...request,
        url: request.url.replace('https://queue.fal.run', fal.url),
      }),
    });
    const id = 'fal-ai/flux-2/klein/4b/edit';
    const { request_id: requestId } = await client.queue.submit(id, {
      input: { prompt: 'x', image_urls: [] },
    });
    assert.equal((await client.queue.status(id, { requestId })).status, 'COMPLETED');
    const { data } = await client.queue.result(id, { requestId });
    assert.ok((data as { images: { url: string }[] }).images[0]!.url);
    await client.queue.cancel(id, { requestId });
    assert.deepEqual(fal.cancelled, [requestId]);
    fal.planned.result.push({ status: 422, body: falRefusal });
    await assert.rejects(client.queue.result(id, { requestId }), { status: 422 });
  });
});

const falRefusal = {
  detail: [
    { loc: ['body', 'image_urls', 0], msg: 'flagged', type: 'content_policy_violation', input: 'SECRET' },
  ],
};

describe('a picture at a service of OpenAI’s images interface', () => {
  test('is asked for with the photo, the words of the filter and the size, and its cost is counted', async () => {
    const dollars_per_million = { text: 5, image_in: 8, image_out: 30 };
    const plan = openaiImagesPlan(openai, { dollars_per_million, extra: { quality: 'medium' } });
    await withRun(plan, async ({ work, attempts, handles, engine }) => {
      const { file, applied } = await work;
      assert.deepEqual(await inspectHere(await readFile(file)), {
        type: 'image/png',
        width: 1200,
        height: 1800,
      });
      const [{ path, fields, photos }] = openai.requests as [OpenaiImagesServer['requests'][number]];
      assert.equal(path, '/v1/images/edits');
      assert.deepEqual([fields.model, fields.size, fields.quality], ['gpt-image-2', '1200x1808', 'medium']);
      assert.match(fields.prompt!, /^Keep every person of the photo with their own face/);
      assert.equal(photos.length, 1);
      assert.deepEqual(attempts, [
        { server: 'hosted', cause: null, cost: (100 * 5 + 1_000 * 8 + 1_000 * 30) / 1e6 },
      ]);
      assert.equal(JSON.parse(handles[0]!).isOpen, true);
      assert.equal(engine.sendsPhotosTo, 'OpenAI');
      assert.ok(applied.length > 0);
    });
  });

  test('from words alone is generated', async () => {
    const fields = {
      family: 'self_prompt_v2',
      params: { prompt: 'a <b>barn</b>', ratio: 'square' },
      filter: null,
    };
    await withRun(openaiImagesPlan(openai), ({ work }) => work, { fields: fields as RunFields });
    const [{ path, fields: sent }] = openai.requests as [OpenaiImagesServer['requests'][number]];
    assert.equal(path, '/v1/images/generations');
    assert.equal(sent.size, '1280x1280');
    // A server may read settings in tags out of a prompt.
    assert.ok(!sent.prompt!.includes('<'));
  });

  test('comes from sd-server too, without a key, with its settings in the prompt', async () => {
    const server = await openaiImagesServer({ isSdCpp: true });
    const settings = {
      key: null,
      photos_leave: undefined,
      megapixels: 0.25,
      sd_cpp: { sample_params: { sample_steps: 4 } },
    };
    await withRun(openaiImagesPlan(server, settings), async ({ work, engine, attempts }) => {
      await work;
      assert.match(
        server.requests[0]!.fields.prompt!,
        / <sd_cpp_extra_args>\{"seed":\d+,"sample_params":\{"sample_steps":4\}\}<\/sd_cpp_extra_args>$/,
      );
      assert.equal(engine.sendsPhotosTo, undefined);
      assert.deepEqual(attempts, [{ server: 'hosted', cause: null }]);
    });
    await server.stop();
  });
});

describe('a run in the queue of fal', () => {
  test('is submitted with the photo in it, privately, followed, and its cost is counted', async () => {
    await withRun(falPlan(fal, { dollars_per_megapixel: 0.014 }), async ({ work, attempts }) => {
      await work;
      const [input] = fal.inputs as [Record<string, unknown>];
      assert.match((input.image_urls as string[])[0]!, /^data:image\/jpeg;base64,/);
      assert.deepEqual(input.image_size, { width: 1200, height: 1808 });
      assert.deepEqual([input.num_inference_steps, input.sync_mode], [4, true]);
      const headers = fal.headers.at(-1)!;
      assert.deepEqual([headers['x-fal-store-io'], headers['x-fal-request-timeout']], ['0', '300']);
      assert.ok(Math.abs(attempts[0]!.cost! - 0.014 * 1.2 * 1.808) < 1e-9);
    });
  });

  test('brings a video of the length asked for', async () => {
    Object.assign(fal, { output: await sampleVideo('mp4', 2), outputField: 'video' });
    const params = { prompt: 'snow', model: 'advanced', duration: '4s' };
    const fields: RunFields = { family: 'single_frame_video', params, filter: null };
    const settings = { photos: ['image_url'], size: 'omit' as const, durations: ['5', '10'] };
    await withRun(falPlan(fal, settings), async ({ work }) => assert.equal((await work).type, 'video/mp4'), {
      fields,
    });
    assert.equal(fal.inputs[0]!.duration, '5');
    assert.equal(typeof fal.inputs[0]!.image_url, 'string');
  });

  test('is cancelled there when the job is', async () => {
    fal.stuckAs = 'IN_PROGRESS';
    await withRun(falPlan(fal), async ({ work, handles, stop }) => {
      await until(async () => handles.length === 2);
      stop.abort('cancelled');
      await assert.rejects(work);
      await until(async () => fal.cancelled.length === 1);
    });
  });

  test('is found again by its stored handle, and paid once', async () => {
    fal.stuckAs = 'IN_QUEUE';
    const handle = await withRun(falPlan(fal), async ({ handles, stop, work }) => {
      await until(async () => handles.length === 2);
      stop.abort('shutdown');
      await assert.rejects(work);
      return handles[1]!;
    });
    fal.stuckAs = null;
    await withRun(falPlan(fal), ({ work }) => work, { handle });
    assert.deepEqual([fal.calls.submit, fal.cancelled.length], [1, 0]);
  });

  test('whose result cannot be fetched is fetched again, not made again', async () => {
    fal.planned.file.push({ status: 503, body: {} });
    const handle = await withRun(falPlan(fal, { sync_mode: false }), async ({ work, handles }) => {
      assert.equal((await fails(work)).retryable, true);
      return handles.at(-1)!;
    });
    await withRun(falPlan(fal, { sync_mode: false }), ({ work }) => work, { handle });
    assert.equal(fal.calls.submit, 1);
  });

  test('that has ended is asked for its result again when the connection breaks or a gateway fails', async () => {
    fal.planned.result.push('drop', { status: 502, body: null });
    await withRun(falPlan(fal), ({ work }) => work);
    assert.deepEqual([fal.calls.submit, fal.calls.result], [1, 3]);
  });

  test('whose result does not come for long is kept for the next try, and paid once', async () => {
    fal.planned.result.push('drop', 'drop', 'drop');
    const handle = await withRun(falPlan(fal), async ({ work, handles, attempts }) => {
      assert.equal((await fails(work)).retryable, true);
      assert.match(attempts[0]!.cause!, /the result is made, but could not be fetched/);
      return handles.at(-1)!;
    });
    await withRun(falPlan(fal), ({ work }) => work, { handle });
    assert.equal(fal.calls.submit, 1);
  });

  test('sends its key nowhere else, whatever the answer says', async () => {
    const elsewhere = 'http://127.0.0.1:9/x';
    const urls = { status_url: elsewhere, response_url: elsewhere, cancel_url: elsewhere };
    fal.planned.submit.push({ status: 200, body: { request_id: 'a', status: 'IN_QUEUE', ...urls } });
    await withRun(falPlan(fal), async ({ work }) => {
      assert.match(String((await fails(work)).cause), /an address outside of the queue/);
    });
    assert.equal(fal.calls.status, 0);
  });
});

describe('a service that may have charged for nothing', () => {
  for (const [kind, plan, sends] of [
    ['openai_images', () => openaiImagesPlan(openai), () => openai.requests.length],
    ['fal', () => falPlan(fal), () => fal.calls.submit],
  ] as const) {
    const sent = (handles: string[]) => handles.at(-1)!;
    test(`${kind}: a process that is killed while it sends costs one more request, and never a third`, async () => {
      openai.planned.push('hang', 'hang');
      fal.planned.submit.push('hang', 'hang');
      let handle: string | null = null;
      for (const killed of [1, 2]) {
        handle = await withRun(
          plan(),
          async ({ handles, work, stop }) => {
            await until(async () => sends() === killed);
            stop.abort('shutdown');
            await assert.rejects(work);
            return sent(handles);
          },
          { handle },
        );
      }
      await withRun(
        plan(),
        async ({ work, attempts }) => {
          const error = await fails(work);
          assert.deepEqual([error.code, error.retryable], ['ENGINE_BROKE', false]);
          assert.match(String(error.cause), /2 requests for this job may have been charged/);
          assert.match(attempts[0]!.cause!, /it may have charged that request/);
        },
        { handle },
      );
      assert.equal(sends(), 2);
    });

    test(`${kind}: a connection that is lost is tried once more`, async () => {
      openai.planned.push('drop', 'drop');
      fal.planned.submit.push('drop', 'drop');
      const first = await withRun(plan(), async ({ work, handles }) => ({
        error: await fails(work),
        handle: sent(handles),
      }));
      assert.equal(first.error.retryable, true);
      await withRun(plan(), async ({ work }) => assert.equal((await fails(work)).retryable, false), {
        handle: first.handle,
      });
      assert.equal(sends(), 2);
    });
  }

  test('rests at once when its operator has to see to it, and says why', async () => {
    openai.planned.push(openaiError(401, 'invalid_api_key', 'Incorrect API key provided'));
    await withRun(openaiImagesPlan(openai), async ({ work, engine }) => {
      await fails(work);
      const [report] = engine.servers!.list();
      assert.deepEqual([report!.state, report!.reason], ['resting', 'key refused']);
    });
  });

  test('that answers 429 is waited for by all jobs, as long as it says', async () => {
    const tooMany: PlannedAnswer = {
      ...openaiError(429, 'rate_limit_exceeded', 'slow'),
      headers: { 'retry-after': '1' },
    };
    openai.planned.push(tooMany);
    fal.planned.submit.push({ status: 429, body: { detail: 'slow' }, headers: { 'retry-after': '1' } });
    const began = performance.now();
    await withRun(openaiImagesPlan(openai), ({ work }) => work);
    assert.ok(performance.now() - began >= 950);
    await withRun(falPlan(fal), ({ work }) => work);
    assert.deepEqual([openai.requests.length, fal.calls.submit], [2, 2]);
  });
});
