import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { photo, startTestServer, type TestServer } from '../../server/test/support/harness.ts';
import { Guise } from '../src/guise.ts';
import { createKeyProxy } from '../src/key-proxy.ts';
import { toNodeHandler } from '../src/node-handler.ts';

let server: TestServer;
let page: Guise;
let address: string;
let mayRun = true;
const proxyServer = createServer();
before(async () => {
  server = await startTestServer();
  const { api_key } = await server.account();
  const proxy = createKeyProxy({
    baseUrl: server.url,
    apiKey: api_key,
    prefix: '/api/guise',
    authorize: () => mayRun,
    maxBodyBytes: 100_000,
  });
  proxyServer.on('request', toNodeHandler(proxy));
  proxyServer.listen(0, '127.0.0.1');
  await once(proxyServer, 'listening');
  address = `http://127.0.0.1:${(proxyServer.address() as AddressInfo).port}/api/guise`;
  page = new Guise({ baseUrl: address, retries: 0 });
});
after(async () => {
  proxyServer.close().closeAllConnections();
  await server.stop();
});

test('a page without a key makes a picture through the proxy, with progress', async () => {
  const seen: string[] = [];
  const picture = await page.faceSwap(
    { photo: Buffer.from(photo, 'base64'), filter: 1, gender: 'male' },
    { onProgress: ({ status }) => seen.push(status) },
  );
  assert.equal(picture.mediaType, 'image/png');
  assert.equal(seen.at(-1), 'COMPLETED');
  assert.ok((await page.catalogs.list('face_swap')).length > 0);
});

test('errors of the server come through with their code and the id of the request', async () => {
  const run = page.faceSwap({ photo: Buffer.from(photo, 'base64'), filter: 9999, gender: 'male' });
  await assert.rejects(run, { code: 'FILTER_NOT_FOUND', requestId: /\w/ });
});

test('what a page has no need of is not passed on: the account, its keys, its other jobs', async () => {
  for (const call of [() => page.account.me(), () => page.keys.list(), () => page.jobs.list()])
    await assert.rejects(call, { code: 'NOT_FOUND' });
  for (const path of ['/v6/status/../../v1/keys', '/v6/status/%2e%2e%2fkeys', '/v1/jobs/x/events/..'])
    assert.equal((await fetch(address + path, { method: 'POST' })).status, 404);
});

test('a visitor who may not use the key, and a body that is too large, are refused', async () => {
  const large = page.faceSwap({ photo: Buffer.alloc(200_000), filter: 1, gender: 'male' });
  await assert.rejects(large, { code: 'PAYLOAD_TOO_LARGE' });
  mayRun = false;
  await assert.rejects(page.catalogs.list('face_swap'), { code: 'UNAUTHORIZED' });
  mayRun = true;
});
