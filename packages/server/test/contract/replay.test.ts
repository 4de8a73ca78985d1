import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { cannotMake } from '../../src/engines/engine.ts';
import { photo, startTestServer, type TestAccount, type TestServer, until } from '../support/harness.ts';
import { door } from '../support/test-engine.ts';
import { difference, type Expected } from './replay/match-answer.ts';

// Requests as clients of the interface send them, byte by byte, from the files in replay/. Every field of every answer
// is held against the interface.

interface Step {
  request: [method: string, path: string];
  headers?: Record<string, string>;
  /** As it goes over the wire, with names in double braces for what is known only now. */
  body?: string;
  /** Sent in chunks, without a length. */
  chunked?: boolean;
  status: number;
  answer?: Expected;
  /** What every answer is until the last one: the request is repeated. */
  while?: Expected;
  /** The code of an error, whose shape is that of all errors. */
  code?: string;
  /** Fields of the answer that later steps name. */
  keep?: Record<string, string>;
}

interface Client {
  client: string;
  headers: Record<string, string>;
  /** Whether jobs end only after an answer of `while`. */
  holds?: boolean;
  steps: Step[];
}

const folder = join(import.meta.dirname, 'replay');
const clients = globSync('*.json', { cwd: folder })
  .filter((file) => file !== 'shapes.json')
  .sort()
  .map((file) => ({
    name: basename(file, '.json'),
    ...(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Client),
  }));

let server: TestServer;
let account: TestAccount;
let known: Record<string, string>;
before(async () => {
  server = await startTestServer({ statusWaitMs: 20_000, runsPerMinute: 0 });
  account = await server.account(1000);
  const filter = async (name: string, filter_type: string) => {
    const definition = { kind: 'scene', scene: 'alpine-lake' };
    const body = { name, filter_type, definition };
    return (await account.call('POST', '/v1/users/me/my-custom-filters', body)).body.id as string;
  };
  known = {
    key: account.api_key,
    token: account.access_token,
    email: account.email,
    poor_key: (await server.account(0)).api_key,
    photo,
    photo_with_escaped_slashes: photo.replaceAll('/', '\\/'),
    photo_in_lines: photo.replaceAll(/.{76}/g, '$&\\r\\n'),
    filter: await filter('Gala', 'face_swap'),
    other_filter: await filter('Ball', 'face_swap'),
    group_filter: await filter('Choir', 'multi_swap'),
  };
});
after(() => server.stop());

const fill = (text: string) =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => known[name] ?? assert.fail(`no ${name} is known`));

interface RawAnswer {
  status: number;
  body: unknown;
}

/** Sends exactly these bytes and headers, in this order; a client that expects 100 Continue waits for it. */
function send({ request: [method, path], body, chunked }: Step, headers: Record<string, string>) {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const bytes = body === undefined ? undefined : Buffer.from(fill(body));
  const length = bytes && !chunked ? { 'Content-Length': String(bytes.length) } : {};
  const call = httpRequest(server.url + fill(path), { method, headers: { ...headers, ...length } });
  call.on('error', reject).on('response', async (answer) => {
    const text = Buffer.concat(await answer.toArray()).toString();
    const isJson = /^application\/(vnd\.guise\.map\+)?json\b/.test(answer.headers['content-type'] ?? '');
    resolve({ status: answer.statusCode!, body: isJson ? JSON.parse(text) : text });
  });
  if (headers.Expect) call.on('continue', () => call.end(bytes)).flushHeaders();
  else if (bytes && chunked) {
    call.write(bytes.subarray(0, 100));
    call.end(bytes.subarray(100));
  } else call.end(bytes);
  return promise;
}

/** The last answer to a step: of one that is repeated, the first that is not what it is until then. */
async function replay(step: Step, headers: Record<string, string>, onWhile: () => void): Promise<RawAnswer> {
  const own = Object.fromEntries(
    Object.entries({ ...headers, ...step.headers }).map(([name, value]) => [name, fill(value)]),
  );
  if (step.while === undefined) return send(step, own);
  let repeated = 0;
  let ended: string | undefined;
  const last = await until(async () => {
    const answer = await send(step, own);
    ended = difference(answer.body, step.while!, fill);
    if (ended !== undefined) return answer;
    repeated++;
    onWhile();
    return false;
  });
  assert.ok(repeated > 0, `the job was never seen before its end: ${ended}`);
  return last;
}

for (const { name, client, headers, holds = false, steps } of clients) {
  test(`${name} is answered as the interface says: ${client}`, async () => {
    let gate = door();
    server.engine.before = async (request, context) => {
      if (holds) await gate.work(request, context);
      if (request.prompt?.includes('refuses')) throw cannotMake('No face was found in the photo.');
    };
    for (const step of steps) {
      const what = step.request.join(' ');
      const { status, body } = await replay(step, headers, () => gate.open());
      assert.equal(status, step.status, `${what}: ${JSON.stringify(body).slice(0, 300)}`);
      const expected = step.code === undefined ? step.answer! : '$shape:error';
      assert.equal(difference(body, expected, fill), undefined, what);
      const fields = body as Record<string, string>;
      if (step.code !== undefined)
        assert.deepEqual([fields.error_code, fields.error], [step.code, fields.detail], what);
      for (const [name, field] of Object.entries(step.keep ?? {})) known[name] = fields[field]!;
      if (step.while !== undefined) gate = door();
    }
  });
}

test('the replayed requests reach every run and status path of the interface', () => {
  const used = new Set(
    clients.flatMap(({ steps }) => steps.map(({ request }) => request.join(' ').replace(/\/$/, ''))),
  );
  const paths = `
    POST /v6/run/face_swap                     POST /v6/status/{{job}}
    POST /v5/run/face_swap                     POST /v5/status/{{job}}
    POST /v1/run/faceswap                      POST /v2/run/self-prompt
    POST /v2/status/{{job}}                    POST /v5/run/multi_swap
    POST /v5/run/multi_swap_self_prompt        POST /v5/status_multi_swap/{{job}}
    POST /v1/run/stylized_multi_swap           POST /v1/run/stylized_multi_swap_self_prompt
    POST /v1/status_stylized_multi_swap/{{job}}
    GET /v4/multi_swap_styles                  POST /v4/multi_swap_styles
    POST /v1/status_multi_swap/{{job}}         GET /v1/filters
    GET /v5/filters                            GET /v6/filters
    GET /v1/realistic_multiswap_styles         GET /v1/stylized_multiswap_styles
    GET /v1/users/me/my-custom-filters         GET /my-aliases
    POST /v1/run/single_frame_video            POST /v1/run/first_last_frame_video
    POST /v1/status/single_frame_video/{{job}}  GET /api/alias
    GET /api/alias/{{alias}}                   POST /api/alias
    PATCH /api/alias/{{alias}}                 DELETE /api/alias/{{alias}}`;
  const missing = paths
    .trim()
    .split(/ {2,}|\n\s*/)
    .filter((path) => !used.has(path));
  assert.deepEqual(missing, []);
});
