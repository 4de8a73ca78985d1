import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { photo } from '../../../packages/server/test/support/harness.ts';
import { type GuiseProcess, startGuise } from './guise-process.ts';

const descriptors = 128;

let guise: GuiseProcess;
const sockets: Socket[] = [];
before(async () => {
  guise = await startGuise({}, descriptors);
});
after(async () => {
  for (const socket of sockets) socket.destroy();
  await guise.stop();
  guise.remove();
});

test('an error that nobody catches ends no process that is short of something, and any other does', () => {
  const module = new URL('../../../packages/server/src/cli/outlive-shortage.ts', import.meta.url);
  const { status, stdout } = spawnSync(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { outliveShortage } from ${JSON.stringify(module)};
    outliveShortage();
    for (const code of ['EMFILE', 'ENFILE', 'EADDRINUSE', 'ENOSPC', 'EMLINK'])
      setImmediate(() => { throw Object.assign(new Error(code), { code }); });
    setTimeout(() => { console.log('goes on'); throw new Error('another'); }, 20);
    setTimeout(() => console.log('went too far'), 1000);`,
  ]);
  assert.deepEqual([status, String(stdout)], [1, 'goes on\n']);
});

/** A connection that has had an answer and stays open for the next one, unless the server closes it. */
async function openIdle(): Promise<void> {
  const { hostname, port } = new URL(guise.url);
  const socket = connect({ host: hostname, port: Number(port) }).on('error', () => {});
  sockets.push(socket);
  socket.write('GET /health HTTP/1.1\r\nhost: test\r\n\r\n');
  await new Promise((resolve) => socket.once('data', resolve).once('close', resolve));
}

test('more idle connections than the process has descriptors neither end it nor keep a client waiting', async () => {
  const { account } = guise;
  const { id } = (await account.call('POST', '/v1/photo_sets', { name: 'guests' })).body;
  for (let round = 1; round <= 10; round++) {
    await Promise.all(Array.from({ length: 40 }, openIdle));
    // With files to write and a process to start, too.
    const added = await account.call('POST', `/v1/photo_sets/${id}/photos`, { name: 'guest', image: photo });
    assert.equal(added.status, 201, `with ${40 * round} connections: ${JSON.stringify(added.body)}`);
  }
  const { body } = await account.call('GET', '/v1/users/me');
  assert.equal(body.email, 'owner@example.com');
  const open = sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length;
  assert.ok(open > 10 && open < descriptors, `${open} are open`);
});
