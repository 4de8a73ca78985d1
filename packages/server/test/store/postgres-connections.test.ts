import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:net';
import { after, before, test } from 'node:test';
import { AppError } from '../../src/errors.ts';
import { openPostgres } from '../../src/store/shared/postgres.ts';
import { statement } from '../../src/store/statement.ts';

/** A message of PostgreSQL's wire protocol: type, length, content. */
function message(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeUInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

const authenticated = message('R', Buffer.alloc(4));
const readyForQuery = message('Z', Buffer.from('I'));
const shutDown = message(
  'E',
  Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0'),
);

const findNothing = statement((db, _: Record<string, never>) => db.selectFrom('settings').selectAll());

/** Accepts a connection and takes it back in the same packet, as a server that is killed in that moment does. */
let server: Server;
before(async () => {
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.concat([authenticated, readyForQuery, shutDown])));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
after(() => server.close());

test('a connection that ends in the packet that opens it fails its transaction, not the process', async () => {
  const { port } = server.address() as { port: number };
  const db = openPostgres(`postgres://guise@127.0.0.1:${port}/guise`);
  const failed = await db.transaction(async () => {}).catch((error) => error);
  assert.ok(failed instanceof AppError && failed.retryable, String(failed));
  await db.close();
});

test('a database that answers nothing any more fails statements and transactions in their time', async (t) => {
  const silent = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write(Buffer.concat([authenticated, readyForQuery])));
    t.after(() => socket.destroy());
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  t.after(() => silent.close());
  const { port } = silent.address() as { port: number };
  const db = openPostgres(`postgres://guise@127.0.0.1:${port}/guise`, { answerMs: 50 });
  const calls = [db.all(findNothing, {}), db.transaction((tx) => tx.all(findNothing, {}))];
  for (const call of calls)
    await assert.rejects(call, (error) => error instanceof AppError && error.retryable);
  await db.close();
});
