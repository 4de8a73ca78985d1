import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startTestServer } from '../support/harness.ts';
import { fuzzBodies } from './bodies.ts';

/** `npm run test:fuzz` asks for more. */
const count = Number(process.env.BODIES ?? 1000);

test(`${count} generated bodies: no answer is 5xx, every error has the one shape, the server stays healthy`, async () => {
  const report = await fuzzBodies({ count, seed: 7 });
  assert.deepEqual(report.violations, []);
  assert.equal(report.sent, count);
  // They got past every check there is, and were stopped at each.
  assert.ok(report.answers[200]! > 50 && report.answers[201]! > 2, JSON.stringify(report.answers));
  for (const code of ['INVALID_JSON', 'VALIDATION_ERROR', 'FILTER_NOT_FOUND', 'INVALID_IMAGE']) {
    assert.ok(report.codes[code]! > 0, `${code}: ${report.codes[code]}`);
  }
});

test('bodies a million levels deep are refused wherever they stand', async (t) => {
  const server = await startTestServer();
  t.after(() => server.stop());
  const account = await server.account();
  const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
  const filter = `{"name":"deep","filter_type":"multi_swap","definition":{"kind":"workflow","bindings":{},"workflow":{"a":${deep}}}}`;
  for (const [path, body] of [
    ['/v6/run/face_swap', deep],
    ['/v2/run/self-prompt', `{"prompt":${deep}}`],
    ['/v5/run/multi_swap_self_prompt', `{"prompt":"x","input_images":${deep}}`],
    ['/v1/users/me/my-custom-filters', filter],
  ] as const) {
    const answer = await account.call('POST', path, body);
    assert.equal(answer.status, 400, path);
    assert.equal(answer.body.error_code, 'INVALID_JSON');
  }
});

test('a client that sends its whole body before it reads is told why it was refused', async (t) => {
  const server = await startTestServer();
  t.after(() => server.stop());
  const account = await server.account();
  const { hostname, port } = new URL(server.url);
  const body = Buffer.alloc(6_000_000, 'A');
  for (const [path, key, status] of [
    ['/v6/run/face_swap', 'gk_wrong', 401],
    ['/api/alias/', account.api_key, 413],
  ] as const) {
    const socket = connect(Number(port), hostname);
    const head = `POST ${path} HTTP/1.1\r\nhost: test\r\nx-api-key: ${key}\r\ncontent-length: ${body.length}\r\n\r\n`;
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.write(head);
      socket.write(body, () => resolve());
    });
    assert.match(await text(socket), new RegExp(`^HTTP/1.1 ${status} `));
  }
});
