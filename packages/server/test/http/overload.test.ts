import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { startApp } from '../../src/app/all-in-one.ts';
import { defaultHttpLimits } from '../../src/http/server.ts';
import { photo, request, startTestServer, temporaryConfig, until } from '../support/harness.ts';
import { testEngine } from '../support/test-engine.ts';

test('an overloaded server answers 503 OVERLOADED with Retry-After, but tells that it is alive', async (t) => {
  const config = temporaryConfig();
  // Any process has more than this.
  const overload = { sampleIntervalMs: 20, maxHeapUsedBytes: 1 };
  const app = await startApp(config, () => [testEngine()], { limits: { ...defaultHttpLimits, overload } });
  t.after(async () => {
    await app.stop();
    rmSync(config.dataDir, { recursive: true, force: true });
  });
  const headers = { 'x-api-key': app.demoKey! };
  const get = (path: string) => request(app.url, 'GET', path, undefined, headers);
  const refused = await until(async () => {
    const answer = await get('/v6/filters');
    return answer.status === 503 && answer;
  });
  assert.equal(refused.body.error_code, 'OVERLOADED');
  assert.equal(refused.body.request_id, refused.headers.get('x-request-id'));
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.equal((await get('/ready')).status, 503);
  for (const path of ['/health', '/metrics']) assert.equal((await get(path)).status, 200, path);
});

test('large bodies on many connections are no overload', async (t) => {
  const server = await startTestServer();
  t.after(() => server.stop());
  const account = await server.account(100_000);
  const body = { prompt: 'a lake', image: photo, padding: 'x'.repeat(8_000_000) };
  const statuses = await Promise.all(
    Array.from({ length: 24 }, async () => (await account.call('POST', '/v2/run/self-prompt', body)).status),
  );
  assert.deepEqual(new Set(statuses), new Set([200]));
});
