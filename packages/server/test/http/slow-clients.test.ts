import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readlinkSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApp } from '../../src/app/all-in-one.ts';
import type { App } from '../../src/app/api-node.ts';
import { defaultHttpLimits } from '../../src/http/server.ts';
import { caseOf } from '../support/contract-cases.ts';
import { request, temporaryConfig, until } from '../support/harness.ts';
import { testEngine } from '../support/test-engine.ts';

/** A tenth of the usual times, so that the test does not wait a minute. */
const limits = { ...defaultHttpLimits, headersMs: 1000, requestMs: 6000, connectionCheckIntervalMs: 200 };
/** Refused clients may read why for a second; the rest is for a busy machine. */
const slackMs = 1000 + 3000;

const config = temporaryConfig();
let app: App;
before(async () => {
  app = await startApp(config, () => [testEngine()], { limits });
});
after(async () => {
  await app.stop();
  rmSync(config.dataDir, { recursive: true, force: true });
});

interface SlowClient {
  /** Milliseconds until the server had closed the connection for good. */
  closed: Promise<number>;
  heard(): string;
}

/** Sends `first` and then a byte every 100 ms, reads what comes, and never hangs up by itself. */
function slowClient(first: string, byte: string | null): SlowClient {
  const { hostname, port } = new URL(app.url);
  const socket: Socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const began = Date.now();
  let heard = '';
  socket.setEncoding('latin1').on('data', (text) => {
    heard += text;
  });
  socket.on('error', () => {});
  socket.write(first);
  const drip = byte === null ? undefined : setInterval(() => socket.writable && socket.write(byte), 100);
  const closed = new Promise<number>((resolve) => {
    // Without a byte to send, the end of what the server says is all there is to see.
    socket.on(byte === null ? 'end' : 'close', () => {
      clearInterval(drip);
      socket.destroy();
      resolve(Date.now() - began);
    });
  });
  return { closed, heard: () => heard };
}

function readlinkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** A connection from an address of this machine, with what the server has answered on it. */
async function openFrom(url: string, localAddress: string, first: string) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress }).on('error', () => {});
  await once(socket, 'connect');
  let heard = '';
  socket.setEncoding('latin1').on('data', (text) => {
    heard += text;
  });
  socket.write(first);
  const closed = once(socket, 'close');
  return { socket, closed, isClosed: () => socket.destroyed, heard: () => heard };
}

test('a connection that is idle for longest makes room, of the same address first; one that is being answered does not', async (t) => {
  const crowded = await startApp(temporaryConfig(), () => [testEngine()], {
    capacity: { connections: { atOnce: 4, atOnceOfOwner: 2 } },
  });
  t.after(() => crowded.stop());
  const get = `GET /health HTTP/1.1\r\nhost: test\r\n\r\n`;
  const idle = async (address: string) => {
    const client = await openFrom(crowded.url, address, get);
    await until(async () => client.heard().includes('200 OK'));
    return client;
  };
  // A stream of changes is answered for as long as its caller stays.
  const stream = () =>
    openFrom(
      crowded.url,
      '127.0.0.2',
      `GET /v1/changes HTTP/1.1\r\nhost: test\r\nx-api-key: ${crowded.demoKey}\r\n\r\n`,
    );
  const first = await idle('127.0.0.1');
  const [second, third] = [await idle('127.0.0.1'), await idle('127.0.0.1')];
  await first.closed;
  assert.deepEqual([second.isClosed(), third.isClosed()], [false, false]);

  const busy = await stream();
  await until(async () => busy.heard().includes('200 OK'));
  const another = await stream();
  await until(async () => another.heard().includes('200 OK'));
  // Its address has two that are being answered, and no idle one.
  const refused = await stream();
  await refused.closed;
  assert.equal(refused.heard(), '');
  // All four are taken; of the idle ones the second is the oldest.
  await idle('127.0.0.3');
  await second.closed;
  assert.deepEqual(
    [third, busy, another].map((client) => client.isClosed()),
    [false, false, false],
  );
  for (const { socket } of [third, busy, another]) socket.destroy();
});

test('behind a trusted proxy, the address that it forwards has its share of requests, and no other waits for it', async (t) => {
  const config = temporaryConfig({ trustedProxies: ['127.0.0.1'] });
  const crowded = await startApp(config, () => [testEngine()], {
    capacity: { connections: { atOnce: 4, atOnceOfOwner: 2 } },
  });
  t.after(() => crowded.stop());
  const ask = (path: string, address: string, signal?: AbortSignal) =>
    fetch(crowded.url + path, {
      headers: { 'x-api-key': crowded.demoKey!, 'x-forwarded-for': address },
      ...(signal && { signal }),
    });
  const streams = new AbortController();
  for (let i = 0; i < 2; i++)
    assert.equal((await ask('/v1/changes', '203.0.113.1', streams.signal)).status, 200);
  const refused = await ask('/v1/users/me', '203.0.113.1');
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '2']);
  assert.equal((await ask('/v1/users/me', '203.0.113.2')).status, 200);
  const metrics = await (await fetch(`${crowded.url}/metrics`)).text();
  assert.match(metrics, /^guise_admission_running\{row="change_streams"\} 2$/m);
  assert.match(metrics, /^guise_admission_refused_total\{row="requests"\} 1$/m);
  streams.abort();
});

test('requests that came over one connection at once are worked on one after another, and leave with it', async (t) => {
  const served = await startApp(temporaryConfig(), () => [testEngine()]);
  t.after(() => served.stop());
  const key = `host: test\r\nx-api-key: ${served.demoKey}\r\n\r\n`;
  const running = async () =>
    Number(
      /^guise_admission_running\{row="requests"\} (\d+)$/m.exec(
        await (await fetch(`${served.url}/metrics`)).text(),
      )![1],
    );
  const quiet = await running();
  // The stream is answered until its caller leaves: what stands behind it waits.
  const { socket, heard, closed } = await openFrom(
    served.url,
    '127.0.0.1',
    `GET /v1/changes HTTP/1.1\r\n${key}${`GET /v1/users/me HTTP/1.1\r\n${key}`.repeat(50)}`,
  );
  await until(async () => heard().includes('200 OK') && (await running()) === quiet + 51);
  const users = async () =>
    /^guise_http_requests_total\{.*route="\/v1\/users\/me".*$/m.exec(
      await (await fetch(`${served.url}/metrics`)).text(),
    )?.[0];
  assert.equal(await users(), undefined);
  socket.destroy();
  await closed;
  await until(async () => (await running()) === quiet);
  assert.match((await users())!, /status="499"\} 50$/);

  // Whoever comes while they are worked on does not wait for all of them.
  const crowd = await openFrom(served.url, '127.0.0.1', `GET /v1/jobs HTTP/1.1\r\n${key}`.repeat(300));
  const answered = () => crowd.heard().split('200 OK').length - 1;
  await until(async () => answered() > 0);
  const before = answered();
  await fetch(`${served.url}/health`);
  assert.ok(answered() < 300, `all were answered, ${before} of them before`);
  await until(async () => answered() === 300);
  crowd.socket.destroy();

  const ordinary = await openFrom(served.url, '127.0.0.1', `GET /v1/users/me HTTP/1.1\r\n${key}`.repeat(20));
  await until(async () => ordinary.heard().split('200 OK').length === 21);
  ordinary.socket.destroy();
  await until(async () => (await running()) === quiet);
});

const { run } = caseOf('face_swap_v6');
const slowHeaders = () => slowClient(`POST ${run} HTTP/1.1\r\nhost: test\r\nx-slow: `, 'x');
const silent = () => slowClient('', null);
const slowBody = () =>
  slowClient(
    `POST ${run} HTTP/1.1\r\nhost: test\r\nx-api-key: ${app.demoKey}\r\ncontent-length: 100000\r\n\r\n{"base64":"`,
    'A',
  );
const many = (count: number, make: () => SlowClient) => Array.from({ length: count }, make);

test('clients that are slow or silent are closed in time, told why, and health stays fast meanwhile', async () => {
  const headers = [...many(150, slowHeaders), ...many(150, silent)];
  const bodies = many(100, slowBody);
  const slow = Promise.all([...headers, ...bodies].map((client) => client.closed));
  let over = false;
  void slow.then(() => {
    over = true;
  });
  const times: number[] = [];
  while (!over) {
    const began = performance.now();
    assert.equal((await request(app.url, 'GET', '/health')).status, 200);
    times.push(performance.now() - began);
    await sleep(10);
  }
  for (const client of headers) {
    const ms = await client.closed;
    assert.ok(
      ms >= limits.headersMs && ms <= limits.headersMs + limits.connectionCheckIntervalMs + slackMs,
      `${ms} ms`,
    );
  }
  for (const client of bodies) {
    const ms = await client.closed;
    assert.ok(
      ms >= limits.requestMs && ms <= limits.requestMs + limits.connectionCheckIntervalMs + slackMs,
      `${ms} ms`,
    );
    assert.match(client.heard(), /^HTTP\/1.1 408 /);
    assert.match(client.heard(), /"error_code":"VALIDATION_ERROR".*"request_id":/);
  }
  times.sort((a, b) => a - b);
  const p99 = times[Math.floor(times.length * 0.99)]!;
  assert.ok(p99 < 1500, `health p99 ${p99} ms of ${times.length}`);
});

test('clients that hang up before, while or after they are answered leave no file open', {
  skip: process.platform !== 'linux' && 'looks into /proc',
}, async () => {
  const headers = { 'x-api-key': app.demoKey! };
  const prompt = { prompt: 'a hill' };
  const { id } = (await request(app.url, 'POST', '/v2/run/self-prompt', prompt, headers)).body;
  await request(app.url, 'POST', `/v2/status/${id}`, undefined, { ...headers, prefer: 'wait=30' });
  const { hostname, port } = new URL(app.url);
  const results = () =>
    readdirSync('/proc/self/fd')
      .map((fd) => readlinkOf(`/proc/self/fd/${fd}`))
      .filter((path) => path.includes(id)).length;
  for (let n = 0; n < 150; n++) {
    const socket = connect(Number(port), hostname).on('error', () => {});
    const hangUp = () => socket.resetAndDestroy();
    const ask = `POST /v2/status/${id} HTTP/1.1\r\nhost: test\r\nx-api-key: ${app.demoKey}\r\n\r\n`;
    // Some ask again before they have the first answer: theirs wait behind one another.
    socket.write(n % 5 === 0 ? ask.repeat(3) : ask, () => {
      if (n % 3 === 0) hangUp();
      else setTimeout(hangUp, n % 3);
    });
    await once(socket, 'close');
  }
  await until(async () => results() === 0);
});

test('by default headers have 10 s and bodies 60 s, and connections are checked every 2 s', () => {
  const { headersMs, requestMs, connectionCheckIntervalMs } = defaultHttpLimits;
  assert.deepEqual([headersMs, requestMs, connectionCheckIntervalMs], [10_000, 60_000, 2000]);
});
