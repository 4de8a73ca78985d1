import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
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

/** A server whose proxy asks `authorize`. `handled` has how each of its requests ended. */
async function serveProxy(authorize: () => boolean) {
  const handled: Promise<void>[] = [];
  const told: unknown[] = [];
  const proxy = createKeyProxy({ baseUrl: server.url, apiKey: 'k', prefix: '/api/guise', authorize });
  const handle = toNodeHandler(proxy, (error) => told.push(error));
  const own = createServer((request, response) => handled.push(handle(request, response)));
  own.listen(0, '127.0.0.1');
  await once(own, 'listening');
  const { port } = own.address() as AddressInfo;
  return { port, handled, told, close: () => own.close().closeAllConnections() };
}

/** The status line of what a server answers to this text. */
async function answerTo(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1', () => socket.write(text));
  const [bytes] = await once(socket, 'data');
  socket.destroy();
  return String(bytes).split('\r\n')[0]!;
}

const fromPage = 'HTTP/1.1\r\nHost: page\r\n';

test('requests that are none are answered with 400, and end nothing', async () => {
  const { port, handled, told, close } = await serveProxy(() => true);
  for (const line of ['GET //', 'TRACE /'])
    assert.equal(await answerTo(port, `${line} ${fromPage}\r\n`), 'HTTP/1.1 400 Bad Request', line);
  await Promise.all(handled);
  assert.deepEqual(told, []);
  close();
});

test('a phone that drops while it uploads ends its own request only', async () => {
  const asked = Promise.withResolvers<void>();
  const { port, handled, told, close } = await serveProxy(() => {
    asked.resolve();
    return true;
  });
  const headers = `${fromPage}Content-Type: application/json\r\nContent-Length: 5000\r\n`;
  const phone = connect(port, '127.0.0.1', () =>
    phone.write(`POST /api/guise/v6/run/face_swap ${headers}\r\n{"base64":`),
  );
  await asked.promise;
  phone.destroy();
  await handled[0];
  assert.deepEqual(told, []);
  close();
});

test('what `authorize` throws is told to whoever runs the server, and is 500 for the visitor', async () => {
  const fault = new Error('The sessions cannot be read.');
  const { port, handled, told, close } = await serveProxy(() => {
    throw fault;
  });
  const line = await answerTo(port, `GET /api/guise/v6/filters ${fromPage}\r\n`);
  assert.equal(line, 'HTTP/1.1 500 Internal Server Error');
  await Promise.all(handled);
  assert.deepEqual(told, [fault]);
  close();
});

test('an answer that breaks off is broken off for the page, too', async (t) => {
  const own = createServer(
    toNodeHandler(async () => {
      const pieces = ['data: 1', null];
      const pull = (stream: ReadableStreamDefaultController<Uint8Array>) => {
        const piece = pieces.shift();
        if (piece) stream.enqueue(new TextEncoder().encode(piece));
        else stream.error(new Error('The connection was lost.'));
      };
      return new Response(new ReadableStream({ pull }));
    }),
  );
  t.after(() => own.close().closeAllConnections());
  own.listen(0, '127.0.0.1');
  await once(own, 'listening');
  const address = `http://127.0.0.1:${(own.address() as AddressInfo).port}/`;
  await assert.rejects(async () => (await fetch(address)).text());
});
