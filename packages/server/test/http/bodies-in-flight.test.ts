import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, test } from 'node:test';
import { createAccount } from '../../src/accounts/accounts.ts';
import { createCredential } from '../../src/accounts/keys.ts';
import { startApp } from '../../src/app/all-in-one.ts';
import type { App } from '../../src/app/api-node.ts';
import { openStorage } from '../../src/app/storage.ts';
import { poolHere } from '../support/decode-here.ts';
import {
  accountOn,
  errorIn,
  photo,
  request,
  type TestAccount,
  temporaryConfig,
  until,
} from '../support/harness.ts';
import { testEngine } from '../support/test-engine.ts';

const mb = 1024 * 1024;
const config = temporaryConfig({ maxBytesInFlight: 8 * mb });
let app: App;
let [greedy, other]: TestAccount[] = [];
let operatorKey: string;

async function start(bodyWaitMs: number): Promise<void> {
  app = await startApp(config, () => [testEngine()], { capacity: { bodyWaitMs }, picturePool: poolHere });
  const { db, close } = await openStorage(config);
  const accounts = await Promise.all(
    ['greedy', 'other'].map((name) => createAccount(db, { email: `${name}@example.com`, credits: 1000 })),
  );
  const operator = await createAccount(db, { email: 'op@example.com', credits: 0, role: 'operator' });
  const credential = { kind: 'key' as const, name: 'ops', scopes: ['operator' as const] };
  ({ secret: operatorKey } = await createCredential(db, operator.id, credential));
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

/** Sends the begin of a body that it says is longer, and no more. */
async function stall(requestLine: string, key: string, begin: string, length: number): Promise<Socket> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  socket.write(
    `${requestLine} HTTP/1.1\r\nhost: test\r\nx-api-key: ${key}\r\ncontent-length: ${length}\r\n\r\n`,
  );
  if (!socket.write(begin)) await once(socket, 'drain');
  return socket;
}

test('bodies that stop half way keep room from their own account only, which is told to retry', async () => {
  await start(1000);
  const stalled = await Promise.all(
    Array.from({ length: 3 }, () =>
      stall(`POST ${path}`, greedy!.api_key, `{"padding":"${'x'.repeat(3 * mb)}`, 28 * mb),
    ),
  );
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

test('parts of a backup that stop half way keep room from their own account only', async () => {
  await start(1000);
  const backup = `/v1/backups/guise-2026-05-01T18-00-00.tar?offset=0&bytes=${40 * mb}`;
  const begin = 'x'.repeat(3 * mb);
  const stalled = await Promise.all(
    Array.from({ length: 3 }, () => stall(`PUT ${backup}`, operatorKey, begin, 7 * mb)),
  );
  assert.equal((await other!.call('POST', path, bodyOf(3 * mb))).status, 200);
  const refused = await fetch(app.url + backup, {
    method: 'PUT',
    headers: { 'x-api-key': operatorKey },
    body: begin,
  });
  assert.equal(refused.status, 503);
  assert.equal(errorIn(await refused.json()).code, 'OVERLOADED');
  for (const socket of stalled) socket.destroy();
});
