import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { photo, request, startTestServer, type TestAccount, type TestServer } from '../support/harness.ts';

let server: TestServer;
let account: TestAccount;
before(async () => {
  server = await startTestServer();
  account = await server.account();
});
after(() => server.stop());

/** All that the server answers to these bytes, until it closes the connection. */
function answersTo(bytes: string): Promise<string> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  return text(socket);
}

const head = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'host: test', `x-api-key: ${account.api_key}`, ...headers, '', ''].join('\r\n');

test('answers of JSON have these headers, in this order', async () => {
  const definition = { kind: 'prompt', prompt: 'a lake' };
  const filter = { name: 'Lake', filter_type: 'face_swap', definition };
  const { body: made } = await account.call('POST', '/v1/users/me/my-custom-filters', filter);
  const { body: alias } = await account.call('POST', '/api/alias/', { ai_filter: made.id, project: 'Gala' });
  const { body: run } = await account.call('POST', '/v2/run/self-prompt', { prompt: 'a lake' });
  const namesOf = async (line: string) => {
    const [start = '', ...lines] = (await answersTo(head(line, 'connection: close'))).split('\r\n');
    assert.equal(start, 'HTTP/1.1 200 OK');
    return lines.slice(0, lines.indexOf('')).map((header) => header.replace(/:.*/, ''));
  };
  const ours = ['x-request-id', 'x-content-type-options'];
  const body = ['content-type', 'content-length'];
  const nodes = ['Date', 'Connection'];
  assert.deepEqual(await namesOf(`GET /api/alias/${alias.id}/`), [...ours, 'etag', ...body, ...nodes]);
  assert.deepEqual(await namesOf(`POST /v2/status/${run.id}`), [...ours, ...body, ...nodes]);
});

test('JSON is read under every content type, and without one', async () => {
  const body = JSON.stringify({ prompt: 'a lake' });
  const types = [
    'application/json',
    'text/plain',
    'image/png',
    'nonsense;;;',
    '"',
    'application/json; charset=',
  ];
  for (const type of [...types.map((name) => `content-type: ${name}`), 'x-no: type']) {
    const sent = head(
      'POST /v2/run/self-prompt',
      `content-length: ${body.length}`,
      'connection: close',
      type,
    );
    assert.match(await answersTo(sent + body), /^HTTP\/1.1 200 /, type);
  }
});

test('a byte order mark before a body is skipped', async () => {
  const run = await account.call('POST', '/v2/run/self-prompt', '\ufeff{"prompt":"a lake"}');
  assert.equal(run.status, 200);
  const half = await account.call('POST', '/v2/run/self-prompt', Buffer.from([0xef, 0xbb, 0x7b, 0x7d]));
  assert.deepEqual([half.status, half.body.error_code], [400, 'INVALID_JSON']);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const token = await request(server.url, 'POST', '/token', '\ufeffusername=nobody&password=x', form);
  assert.equal(token.body.error_code, 'UNAUTHORIZED');
});

test('integers come as digits, and booleans as words or as 0 and 1', async () => {
  const run = { input_image: photo, style_id: '1', seed: '7' };
  for (const [outpaint, read] of [
    [true, true],
    ['true', true],
    [1, true],
    ['1', true],
    [false, false],
    ['false', false],
    [0, false],
    ['0', false],
  ]) {
    const { id } = (await account.call('POST', '/v5/run/multi_swap', { ...run, outpaint })).body;
    await account.call('POST', `/v5/status_multi_swap/${id}`, undefined, { prefer: 'wait=20' });
    const { params } = server.engine.requests.find(({ jobId }) => jobId === id)!;
    assert.deepEqual(params, { style_id: 1, seed: 7, outpaint: read }, JSON.stringify(outpaint));
  }
  for (const outpaint of ['yes', '', 2, [], {}]) {
    const { status, body } = await account.call('POST', '/v5/run/multi_swap', { ...run, outpaint });
    assert.deepEqual([status, body.fields], [422, [{ path: 'outpaint', message: 'must be true or false' }]]);
  }
});

const me = (headers: Record<string, string>, query = '') =>
  request(server.url, 'GET', `/v1/users/me${query}`, undefined, headers);

test('a key or a token comes in every header and under every scheme that clients send it', async () => {
  for (const secret of [account.api_key, account.access_token]) {
    for (const name of ['X-API-Key', 'api-key', 'apikey', 'Authorization']) {
      for (const scheme of ['', 'Bearer ', 'bearer  ', 'Token ', 'Api-Key ', 'ApiKey ', 'Key ']) {
        const answer = await me({ [name]: `${scheme}${secret}` });
        assert.deepEqual([answer.status, answer.body.email], [200, account.email], `${name}: ${scheme}`);
      }
    }
  }
  const others = { 'x-api-key': '', 'api-key': ' ', authorization: account.api_key };
  assert.equal((await me(others)).status, 200);
});

test('what is no key is refused in every header, and a key in a query too', async () => {
  const stale = `${account.api_key.slice(0, -1)}${account.api_key.endsWith('a') ? 'b' : 'a'}`;
  for (const name of ['X-API-Key', 'api-key', 'apikey', 'Authorization'])
    for (const value of [stale, `Token ${stale}`, `Digest ${account.api_key}`, 'Bearer', 'Token a b', '"'])
      assert.equal((await me({ [name]: value })).status, 401, `${name}: ${value}`);
  for (const name of ['key', 'api_key', 'apikey', 'api-key', 'x-api-key', 'access_token', 'token'])
    assert.equal((await me({}, `?${name}=${account.api_key}`)).status, 401, name);
});

test('a connection goes on after a body that is not JSON', async () => {
  const wrong = `${head('POST /v2/run/self-prompt', 'content-length: 1')}{`;
  const answers = await answersTo(wrong + head('GET /health', 'connection: close'));
  assert.match(answers, /^HTTP\/1.1 400 [\s\S]*"INVALID_JSON"[\s\S]*HTTP\/1.1 200 /);
});

test('methods that no route has are refused like all others, with and without a body', async () => {
  for (const method of ['QUERY', 'PROPFIND', 'TRACE', 'OPTIONS', 'PUT']) {
    for (const [path, status] of [
      ['/v6/filters', 405],
      ['/nothing', 404],
    ] as const) {
      for (const body of ['', '{}']) {
        const sent = head(`${method} ${path}`, `content-length: ${body.length}`, 'connection: close');
        assert.match(await answersTo(sent + body), new RegExp(`^HTTP/1.1 ${status} `), `${method} ${path}`);
      }
    }
  }
});

test('a path that cannot be decoded or has too long an id is 404, with X-Request-Id', async () => {
  for (const path of ['/%zz', '/v6/status/%', `/v1/jobs/${'x'.repeat(600)}/cancel`]) {
    const answer = await request(server.url, 'POST', path);
    assert.equal(answer.status, 404, path);
    assert.equal(answer.body.error_code, 'NOT_FOUND');
    assert.equal(answer.body.request_id, answer.headers.get('x-request-id'));
  }
});

test('HEAD is answered as GET is, without the body', async () => {
  for (const path of [
    '/health',
    '/docs',
    '/docs/swagger-ui.css',
    '/v6/filters',
    '/previews/face_swap/1.webp',
  ]) {
    const headers = { 'x-api-key': account.api_key, 'accept-encoding': 'identity' };
    const [whole, bare] = await Promise.all(
      ['GET', 'HEAD'].map((method) => fetch(server.url + path, { method, headers })),
    );
    assert.equal(bare!.status, 200, path);
    assert.equal(await bare!.text(), '');
    assert.equal(Number(bare!.headers.get('content-length')), (await whole!.bytes()).length, path);
  }
});

test('an answer that waits behind another on its connection comes in its turn', async () => {
  const { id } = (await account.call('POST', '/v2/run/self-prompt', { prompt: 'a lake' })).body;
  await account.call('POST', `/v2/status/${id}`, undefined, { prefer: 'wait=20' });
  const status = head(`POST /v2/status/${id}`);
  const answers = await answersTo(status + status + head('GET /health', 'connection: close'));
  assert.equal(answers.match(/"status":"COMPLETED"/g)?.length, 2);
  assert.match(answers, /\{"status":"ok"\}$/);
});
