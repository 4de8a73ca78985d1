import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { photo, startTestServer, type TestServer } from '../../server/test/support/harness.ts';
import { Guise } from '../src/guise.ts';
import { GuiseError } from '../src/guise-error.ts';
import { readEvents } from '../src/server-sent-events.ts';
import { answer, type Handler, serve } from './support/scripted-server.ts';

test('a POST is sent again after 503 and a lost connection, with the same Idempotency-Key', async () => {
  const keys: unknown[] = [];
  const note =
    (next: Handler): Handler =>
    (request, response) => {
      keys.push(request.headers['idempotency-key']);
      next(request, response);
    };
  const server = await serve(
    note(answer(503, {}, { 'retry-after': '0' })),
    note((request) => request.socket.destroy()),
    note(answer(200, { id: 'x', status: 'IN_QUEUE' })),
  );
  const guise = new Guise({ baseUrl: server.baseUrl, apiKey: 'k' });
  assert.equal((await guise.submitBody('face_swap_v6', {})).id, 'x');
  assert.equal(keys.length, 3);
  assert.ok(keys[0]);
  assert.equal(new Set(keys).size, 1);
  server.close();
});

test('a page without https, where browsers have no crypto.randomUUID, sends a POST with a UUID as its key', async (t) => {
  t.mock.property(Object.getPrototypeOf(crypto), 'randomUUID', undefined);
  const keys: unknown[] = [];
  const server = await serve((request, response) => {
    keys.push(request.headers['idempotency-key']);
    answer(200, { id: 'x', status: 'IN_QUEUE' })(request, response);
  });
  const guise = new Guise({ baseUrl: server.baseUrl, apiKey: 'k' });
  await guise.submitBody('face_swap_v6', {});
  assert.match(String(keys[0]), /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  server.close();
});

test('an upload of a backup goes on where the server is, and ends where it takes no more', async () => {
  const sent: string[] = [];
  const received = (bytes: number, complete = false): Handler => {
    const next = answer(200, { received: bytes, complete });
    return (request, response) => {
      sent.push(new URL(request.url!, 'http://guise').searchParams.get('offset')!);
      next(request, response);
    };
  };
  const upload = async (...handlers: Handler[]) => {
    const server = await serve(...handlers);
    const guise = new Guise({ baseUrl: server.baseUrl, apiKey: 'k' });
    await guise.operator.uploadBackup('guise-2026-05-01T18-00-00.tar', new Blob(['0123456789']));
  };
  await upload(received(4), received(10, true));
  assert.deepEqual(sent.splice(0), ['0', '4']);
  await assert.rejects(upload(received(0), received(6), received(6)), { code: 'UPLOAD_STOPPED' });
  assert.deepEqual(sent, ['0', '0', '6']);
});

test('an error has the code, the sentence, the fields and the id of the request; it is not sent again', async () => {
  const fields = [{ path: 'prompt', message: 'is required' }];
  const server = await serve(
    answer(
      422,
      { error_code: 'VALIDATION_ERROR', error: 'prompt is required.', fields },
      { 'x-request-id': 'r1' },
    ),
  );
  const guise = new Guise({ baseUrl: server.baseUrl, apiKey: 'k' });
  await assert.rejects(guise.submitBody('self_prompt_v2', {}), (error: unknown) => {
    assert.ok(error instanceof GuiseError);
    assert.deepEqual(
      [error.code, error.message, error.fields, error.requestId, error.retryable],
      ['VALIDATION_ERROR', 'prompt is required.', fields, 'r1', false],
    );
    return true;
  });
  assert.equal(server.requests(), 1);
  server.close();
});

test('a server that is away is a NETWORK_ERROR with a sentence, and an abort is the abort', async () => {
  const server = await serve((request) => request.socket.destroy());
  const guise = new Guise({ baseUrl: server.baseUrl, apiKey: 'k', retries: 0 });
  await assert.rejects(guise.jobs.list(), { code: 'NETWORK_ERROR', message: /cannot be reached/ });
  await assert.rejects(guise.jobs.list({}, AbortSignal.abort(new Error('mine'))), { message: 'mine' });
  server.close();
});

test('server-sent events are read across pieces, comments left out', async () => {
  const pieces = ['id: 1\nevent: jo', 'b\ndata: {"a":1}\n', '\n: still here\n\ndata: x\ndata: y\n\n'];
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  const events = [];
  for await (const event of readEvents(body)) events.push(event);
  assert.deepEqual(events, [
    { id: '1', type: 'job', data: '{"a":1}' },
    { id: '', type: 'message', data: 'x\ny' },
  ]);
});

test('a lost stream of changes is opened again with the id of the last event', async () => {
  const asked: unknown[] = [];
  const stream =
    (event: string): Handler =>
    (request, response) => {
      asked.push(request.headers['last-event-id']);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(event);
    };
  const server = await serve(
    stream('id: 7-1\nevent: job\ndata: {"id":"a"}\n\n'),
    stream('id: 7-2\nevent: job\ndata: {"id":"b"}\n\n'),
  );
  const guise = new Guise({ baseUrl: server.baseUrl, apiKey: 'k' });
  const seen: unknown[] = [];
  const both = Promise.withResolvers<void>();
  const stop = guise.followChanges({
    onChange(_, value) {
      seen.push((value as { id: string }).id);
      if (seen.length === 2) both.resolve();
    },
  });
  await both.promise;
  stop();
  assert.deepEqual(seen, ['a', 'b']);
  assert.deepEqual(asked.slice(0, 2), [undefined, '7-1']);
  server.close();
});

test('a stream of changes that falls silent is opened again; comments are no silence', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const streams: ReadableStreamDefaultController<Uint8Array>[] = [];
  const guise = new Guise({
    baseUrl: 'http://guise.invalid',
    apiKey: 'k',
    fetch: async (_, init) => {
      const start = (stream: ReadableStreamDefaultController<Uint8Array>) => {
        streams.push(stream);
        init!.signal!.addEventListener('abort', () => stream.error(init!.signal!.reason), { once: true });
      };
      return new Response(new ReadableStream({ start }));
    },
  });
  const states: string[] = [];
  const errors: unknown[] = [];
  const stop = guise.followChanges({
    onChange() {},
    onState: (state) => states.push(state),
    onError: (error) => errors.push(error),
  });
  /** Time goes on, and then everything that waited for it. */
  const after = async (ms: number) => {
    t.mock.timers.tick(ms);
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  };
  await after(0);
  for (let comments = 0; comments < 3; comments++) {
    await after(29_000);
    streams[0]!.enqueue(new TextEncoder().encode(':\n\n'));
    await after(0);
  }
  assert.deepEqual(states, ['connecting', 'open']);
  await after(30_000);
  assert.deepEqual(states, ['connecting', 'open', 'lost']);
  assert.equal((errors[0] as GuiseError).code, 'NETWORK_ERROR');
  await after(1000);
  assert.deepEqual(states, ['connecting', 'open', 'lost', 'open']);
  assert.equal(streams.length, 2);
  stop();
  await after(0);
});

describe('against a server', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.stop());

  test('a job is submitted, followed to its end and read with its result', async () => {
    const { api_key } = await server.account();
    const guise = new Guise({ baseUrl: server.url, apiKey: api_key });
    const ended = Promise.withResolvers<string>();
    const stop = guise.followChanges({
      onChange(type, value) {
        const job = value as { id: string; status: string };
        if (type === 'job' && job.status === 'COMPLETED') ended.resolve(job.id);
      },
    });
    const { id } = await guise.submitBody('face_swap_v6', { base64: photo, filter_id: 1, gender: 0 });
    assert.equal(await ended.promise, id);
    stop();
    const job = await guise.jobs.get(id);
    const picture = await guise.readFile(job.result_url!);
    assert.equal(picture.type, 'image/png');
    assert.ok(picture.size > 0);
  });
});
