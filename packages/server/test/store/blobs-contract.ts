import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import type { Blobs } from '../../src/store/blobs.ts';
import { until } from '../support/harness.ts';

/** What every implementation of `Blobs` must do. `make` gives an empty one. */
export function testBlobs(name: string, make: () => Promise<{ blobs: Blobs; close(): Promise<void> }>): void {
  describe(`blobs: ${name}`, () => {
    let parts: Awaited<ReturnType<typeof make>>;
    let blobs: Blobs;
    before(async () => {
      parts = await make();
      blobs = parts.blobs;
    });
    after(() => parts.close());

    const large = Buffer.alloc(700_001, 'the quick brown fox ');
    const keysOf = async (prefix: string) => {
      const keys: string[] = [];
      for await (const { key } of blobs.list(prefix)) keys.push(key);
      return keys.sort();
    };

    test('gives back what was put, whole and in parts', async () => {
      await blobs.put('results/aa/large', large);
      assert.ok((await blobs.read('results/aa/large'))?.equals(large));
      for (const range of [
        undefined,
        { start: 0, end: 0 },
        { start: 262_143, end: 262_144 },
        { start: 5, end: 700_000 },
      ]) {
        const blob = await blobs.open('results/aa/large');
        assert.equal(blob?.size, large.length);
        const wanted = large.subarray(range?.start ?? 0, (range?.end ?? large.length) + 1);
        assert.ok((await text(blob!.stream(range))) === wanted.toString(), JSON.stringify(range));
      }
    });

    test('fills a buffer from a position on, where it can', async () => {
      await blobs.put('results/aa/filled', Buffer.from('0123456789'));
      const blob = (await blobs.open('results/aa/filled'))!;
      const buffer = Buffer.alloc(6);
      if (blob.read) {
        assert.equal(await blob.read(buffer, 2), 6);
        assert.equal(buffer.toString(), '234567');
        assert.equal(await blob.read(buffer, 8), 2);
        assert.equal(await blob.read(buffer, 10), 0);
      }
      await blob.close();
    });

    test('takes a stream, and an empty blob', async () => {
      await blobs.put(
        'inputs/bb/streamed',
        (async function* () {
          yield Buffer.from('one ');
          yield Buffer.from('two');
        })(),
      );
      assert.equal((await blobs.read('inputs/bb/streamed'))?.toString(), 'one two');
      await blobs.put('inputs/bb/empty', Buffer.alloc(0));
      const empty = await blobs.open('inputs/bb/empty');
      assert.equal(empty?.size, 0);
      assert.equal(await text(empty!.stream()), '');
    });

    test('has nothing under a key that was never put or was removed', async () => {
      await blobs.put('inputs/cc/short', Buffer.from('x'));
      await blobs.remove('inputs/cc/short');
      await blobs.remove('inputs/cc/short');
      for (const key of ['inputs/cc/short', 'inputs/never/put']) {
        assert.equal(await blobs.read(key), undefined);
        assert.equal(await blobs.open(key), undefined);
      }
    });

    test('lists what is under a prefix, with its time, and nothing else', async () => {
      const began = Date.now();
      await blobs.put('templates/one', Buffer.from('1'));
      await blobs.put('templates/deep/two', Buffer.from('2'));
      await blobs.put('previews/three', Buffer.from('3'));
      assert.deepEqual(await keysOf('templates'), ['templates/deep/two', 'templates/one']);
      assert.deepEqual(await keysOf('nothing-here'), []);
      for await (const { modified } of blobs.list('templates')) {
        assert.ok(Math.abs(modified - began) < 60_000);
      }
    });

    test('keeps a blob readable to its end when it is removed meanwhile', async () => {
      await blobs.put('results/dd/going', large);
      const blob = await blobs.open('results/dd/going');
      const stream = blob!.stream();
      await blobs.remove('results/dd/going');
      assert.ok((await text(stream)) === large.toString());
    });

    for (const key of [
      '../outside',
      'inputs/../../outside',
      '/etc/passwd',
      'inputs/a b',
      'inputs',
      '',
      'inputs/\0',
    ]) {
      test(`refuses ${JSON.stringify(key)} as a key`, async () => {
        await assert.rejects(blobs.put(key, Buffer.from('x')));
        await assert.rejects(blobs.read(key));
        await assert.rejects(blobs.open(key));
        await assert.rejects(blobs.remove(key));
      });
    }

    test('a stream that is dropped before, during or after it is read leaves nothing open', {
      skip: process.platform !== 'linux' && 'looks into /proc',
    }, async () => {
      await blobs.put('results/ee/dropped', large);
      const open = () => readdirSync('/proc/self/fd').length;
      const before = open();
      for (let n = 0; n < 20; n++) {
        (await blobs.open('results/ee/dropped'))!.stream().destroy();
        const begun = (await blobs.open('results/ee/dropped'))!.stream();
        for await (const _ of begun) break;
        await text((await blobs.open('results/ee/dropped'))!.stream());
        await (await blobs.open('results/ee/dropped'))!.close();
      }
      await until(async () => open() <= before + 2);
    });
  });
}
