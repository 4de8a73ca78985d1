import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, test } from 'node:test';
import { createAccount } from '../../src/accounts/accounts.ts';
import { startApp } from '../../src/app/all-in-one.ts';
import type { App } from '../../src/app/api-node.ts';
import { openStorage } from '../../src/app/storage.ts';
import { poolHere } from '../support/decode-here.ts';
import { accountOn, photo, request, type TestAccount, temporaryConfig, until } from '../support/harness.ts';
import { testEngine } from '../support/test-engine.ts';

const mb = 1024 * 1024;
const config = temporaryConfig({ maxBytesInFlight: 8 * mb });
let app: App;
let [greedy, other]: TestAccount[] = [];

async function start(bodyWaitMs: number): Promise<void> {
  app = await startApp(config, () => [testEngine()], { capacity: { bodyWaitMs }, picturePool: poolHere });
  const { db, close } = await openStorage(config);
  const accounts = await Promise.all(
    ['greedy', 'other'].map((name) => createAccount(db, { email: `${name}@example.com`, credits: 1000 })),
  );
  await close();
  [greedy, other] = accounts.map((account) => accountOn(app.url, account));
}
afterEach(async () => {
  await app.stop();
  rmSync(config.dataDir, { recursive: true, force: true });
});

const path = '/v2/run/self-prompt';
const bodyOf = (bytes: number) => ({ prompt: 'a lake', image: photo, padding: 'x'.repeat(bytes) });

test('more bodies than there is room for take their turns, and all are accepted', async () => {
  await start(60_000);
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => (i % 2 ? greedy! : other!).call('POST', path, bodyOf(3 * mb))),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
});

/** Sends so much of a body, and no more. */
async function stall(account: TestAccount, bytes: number): Promise<Socket> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  const head = `POST ${path} HTTP/1.1\r\nhost: test\r\nx-api-key: ${account.api_key}\r\ncontent-length: 28000000\r\n\r\n`;
  socket.write(`${head}{"padding":"`);
  if (!socket.write('x'.repeat(bytes))) await once(socket, 'drain');
  return socket;
}

test('bodies that stop half way keep room from their own account only, which is told to retry', async () => {
  await start(1000);
  const stalled = await Promise.all(Array.from({ length: 3 }, () => stall(greedy!, 3 * mb)));
  assert.equal((await other!.call('POST', path, bodyOf(mb))).status, 200);
  assert.equal((await greedy!.call('POST', path, { prompt: 'a lake', image: photo })).status, 200);
  const refused = await greedy!.call('POST', path, bodyOf(2 * mb));
  assert.equal(refused.status, 503);
  assert.equal(refused.body.error_code, 'OVERLOADED');
  assert.equal(refused.headers.get('retry-after'), '5');
  // Two of the three had to wait as well: they are told so on their own connections.
  const [oldest, ...others] = stalled;
  oldest!.destroy();
  for (const socket of others) socket.destroySoon();
  await Promise.all(others.map((socket) => text(socket).catch(() => '')));
  await until(async () => (await greedy!.call('POST', path, bodyOf(3 * mb))).status === 200);
  assert.equal((await request(app.url, 'GET', '/health')).status, 200);
});
