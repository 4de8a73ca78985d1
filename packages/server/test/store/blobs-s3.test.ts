import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../src/errors.ts';
import { s3Blobs } from '../../src/store/shared/blobs-s3.ts';
import { startS3, type TestS3 } from '../support/s3.ts';

let server: TestS3;
before(async () => {
  server = await startS3();
});
after(() => server.stop());

const link = { seconds: 60, type: 'video/mp4', disposition: 'inline; filename="guise.mp4"' };

test('a stream larger than a part arrives whole', async (t) => {
  const blobs = s3Blobs(server.place());
  t.after(() => blobs.close());
  const chunk = Buffer.alloc(1024 * 1024 + 7, 'video');
  const chunks = 20;
  await blobs.put(
    'results/aa/large.mp4',
    (async function* () {
      for (let n = 0; n < chunks; n++) yield chunk;
    })(),
  );
  const read = await blobs.read('results/aa/large.mp4');
  assert.ok(read?.equals(Buffer.concat(Array(chunks).fill(chunk))));
});

test('a stream that breaks leaves no blob', async (t) => {
  const blobs = s3Blobs(server.place());
  t.after(() => blobs.close());
  const broken = (async function* () {
    yield Buffer.alloc(9 * 1024 * 1024);
    throw new Error('the engine fell over');
  })();
  await assert.rejects(blobs.put('results/aa/broken', broken));
  assert.equal(await blobs.read('results/aa/broken'), undefined);
});

test('more blobs than a page holds are all listed, each installation its own', async (t) => {
  const [mine, other] = [s3Blobs(server.place(), { pageKeys: 10 }), s3Blobs(server.place())];
  t.after(() => Promise.all([mine.close(), other.close()]));
  const wanted = Array.from({ length: 25 }, (_, n) => `inputs/aa/${String(n).padStart(4, '0')}`);
  await Promise.all(wanted.map((key) => mine.put(key, Buffer.from('x'))));
  await other.put('inputs/aa/not-mine', Buffer.from('x'));
  const listed: string[] = [];
  for await (const { key } of mine.list('inputs')) listed.push(key);
  assert.deepEqual(listed.sort(), wanted);
});

test('a link leads to the blob without credentials, with its type and name, and only where callers reach the bucket', async (t) => {
  const blobs = s3Blobs({ ...server.place(), publicEndpoint: server.endpoint });
  const inside = s3Blobs(server.place());
  t.after(() => Promise.all([blobs.close(), inside.close()]));
  await blobs.put('results/aa/one.mp4', Buffer.from('a video'));
  const url = (await blobs.link!('results/aa/one.mp4', link))!;
  const answer = await fetch(url, { headers: { range: 'bytes=2-6' } });
  assert.equal(answer.status, 206);
  assert.equal(answer.headers.get('content-type'), 'video/mp4');
  assert.equal(answer.headers.get('content-disposition'), link.disposition);
  assert.equal(await answer.text(), 'video');
  assert.equal(await blobs.link!('results/aa/never', link), undefined);
  await inside.put('results/aa/one.mp4', Buffer.from('a video'));
  assert.equal(await inside.link!('results/aa/one.mp4', link), undefined);
});

test('a bucket that cannot be reached is a failure to try again, and a wrong key is not', async (t) => {
  const unreachable = s3Blobs({ ...server.place(), endpoint: 'http://127.0.0.1:9' });
  const refused = s3Blobs({ ...server.place(), keyId: 'wrong' });
  t.after(() => Promise.all([unreachable.close(), refused.close()]));
  await assert.rejects(unreachable.put('inputs/aa/x', Buffer.from('x')), (error) => {
    assert.ok(error instanceof AppError && error.retryable);
    assert.equal(error.code, 'STORAGE_UNAVAILABLE');
    return true;
  });
  await assert.rejects(refused.read('inputs/aa/x'), (error) => !(error instanceof AppError));
});

/** A bucket that accepts every connection and answers nothing but `answer`. */
async function stalledBucket(t: TestContext, answer = '', idleMs = 50) {
  const stalled = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.write(answer));
    socket.resume();
    t.after(() => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(stalled, 'listening');
  const { port } = stalled.address() as { port: number };
  const blobs = s3Blobs({ ...server.place(), endpoint: `http://127.0.0.1:${port}` }, { idleMs });
  t.after(async () => {
    await blobs.close();
    stalled.close();
  });
  return blobs;
}
const isUnavailable = (error: unknown) =>
  error instanceof AppError && error.code === 'STORAGE_UNAVAILABLE' && error.retryable;

test('a bucket that accepts requests and answers nothing ends every call with a failure to try again', async (t) => {
  const blobs = await stalledBucket(t);
  const calls = {
    put: blobs.put('inputs/aa/x', Buffer.from('x')),
    putStream: blobs.put(
      'inputs/aa/x',
      (async function* () {
        yield Buffer.alloc(9 * 1024 * 1024);
      })(),
    ),
    read: blobs.read('inputs/aa/x'),
    open: blobs.open('inputs/aa/x'),
    remove: blobs.remove('inputs/aa/x'),
    list: blobs.list('inputs')[Symbol.asyncIterator]().next(),
  };
  await Promise.all(Object.entries(calls).map(([name, call]) => assert.rejects(call, isUnavailable, name)));
});

test('a call to a silent bucket ends when it is told to', async (t) => {
  const blobs = await stalledBucket(t, '', 60_000);
  const stop = new AbortController();
  const stream = (async function* () {
    yield Buffer.alloc(9 * 1024 * 1024);
  })();
  const calls = [
    blobs.put('inputs/aa/x', Buffer.from('x'), stop.signal),
    blobs.put('inputs/aa/x', stream, stop.signal),
    blobs.open('inputs/aa/x', stop.signal),
    blobs.remove('inputs/aa/x', stop.signal),
  ];
  stop.abort();
  await Promise.all(calls.map((call) => assert.rejects(call, isUnavailable)));
  await assert.rejects(blobs.put('inputs/aa/x', stream, stop.signal), isUnavailable);
});

test('a bucket that answers 503 for a while is asked again', async (t) => {
  const answers = ['503 Service Unavailable', '503 Service Unavailable', '200 OK'];
  const busy = createServer((socket) => {
    socket.once('data', () =>
      socket.end(`HTTP/1.1 ${answers.shift()}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`),
    );
  }).listen(0, '127.0.0.1');
  await once(busy, 'listening');
  const { port } = busy.address() as { port: number };
  const blobs = s3Blobs({ ...server.place(), endpoint: `http://127.0.0.1:${port}` });
  t.after(async () => {
    await blobs.close();
    busy.close();
  });
  await blobs.put('inputs/aa/x', Buffer.from('x'));
  assert.deepEqual(answers, []);
});

test('a bucket that stops in the middle of an answer breaks the read off', async (t) => {
  const half = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf of the bytes';
  const blobs = await stalledBucket(t, half);
  await assert.rejects(blobs.read('results/aa/x.mp4'), isUnavailable);
  const blob = (await blobs.open('results/aa/x.mp4'))!;
  assert.equal(blob.size, 100);
  await assert.rejects(buffer(blob.stream()), isUnavailable);
  const ranged = (await blobs.open('results/aa/x.mp4'))!;
  await assert.rejects(buffer(ranged.stream({ start: 10, end: 90 })), isUnavailable);
});

test('a reader may pause for longer than the bucket may be silent', async (t) => {
  const blobs = s3Blobs(server.place(), { idleMs: 1000 });
  t.after(() => blobs.close());
  // More than the buffers of the connection hold.
  const bytes = Buffer.alloc(24 * 1024 * 1024, 'video');
  await blobs.put('results/aa/paused.mp4', bytes);
  let read = 0;
  for await (const chunk of (await blobs.open('results/aa/paused.mp4'))!.stream()) {
    if (read === 0) await sleep(1800);
    read += chunk.length;
  }
  assert.equal(read, bytes.length);
});
