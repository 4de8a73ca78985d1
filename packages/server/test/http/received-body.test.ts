import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGate } from '../../src/admission/admission.ts';
import { EventLoopTime } from '../../src/http/bodies/event-loop-time.ts';
import { IdleCollection } from '../../src/http/bodies/idle-collection.ts';
import { ReceivedBody } from '../../src/http/bodies/received-body.ts';
import { UploadStore } from '../../src/media/upload-store.ts';

const chunk = Buffer.alloc(64 * 1024);

test('a body whose client hung up takes no room any more for what had come in before', async () => {
  const gate = createGate('bodies');
  const body = new ReceivedBody({
    store: new UploadStore('', createGate('large_images')),
    loopTime: new EventLoopTime(),
    idleCollection: new IdleCollection(),
    share: gate.open('an account'),
    maxBytes: 10 * chunk.length,
    expectedBytes: undefined,
    imageForm: 'file',
    createScanner: () => ({ write() {}, end: () => 'a value' }),
    hash: null,
  });
  async function* chunks() {
    yield chunk;
    body.close();
    yield chunk;
    yield chunk;
  }
  await assert.rejects(body.read(chunks()), /hung up/);
  assert.equal(gate.amountOf('an account'), 0);
  assert.equal(gate.counts.running, 0);
});
