import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createResultStorage, type ResultStorage } from '../../src/jobs/results/store-result.ts';
import { noSigner } from '../../src/provenance/result-signer.ts';
import type { Blobs } from '../../src/store/blobs.ts';
import { diskBlobs } from '../../src/store/embedded/blobs-disk.ts';

const png = (text: string) => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from(text)]);
const notes = { applied: [{ kind: 'seed', value: '' }] as never, ignored: [] };

describe('a result', () => {
  let scratch: string;
  let blobs: Blobs;
  let storage: ResultStorage;
  let signed: string[];
  const write = async (name: string) => {
    await writeFile(join(scratch, name), png(name));
    return { file: join(scratch, name), type: 'image/png' as const };
  };
  const run = () => ({
    claim: { job: { id: '01890000-0000-7000-8000-0000000000aa', event_id: null }, token: 1 } as never,
    type: 'image/png' as const,
    scratch,
    signal: new AbortController().signal,
  });
  const stored = async () => {
    const keys: string[] = [];
    for await (const { key } of blobs.list('results')) keys.push(key);
    return Promise.all(
      keys.map(async (key) =>
        Buffer.from((await blobs.read(key))!.toString(), 'base64').toString('latin1', 8),
      ),
    );
  };

  before(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'guise-results-'));
  });
  after(() => rm(scratch, { recursive: true, force: true }));
  beforeEach(async () => {
    const folder = await mkdtemp(join(scratch, 'blobs-'));
    blobs = diskBlobs(folder);
    signed = [];
    const signer = { ...noSigner, sign: async ({ file = '' }) => void signed.push(file) };
    storage = createResultStorage({ blobs, signer }, run());
  });

  test('that its engine still checks is signed and stored meanwhile, once, and has the notes of its end', async () => {
    const made = await write('one.png');
    storage.begin(made);
    const { key, result } = await storage.finish({ ...made, ...notes });
    assert.deepEqual(await stored(), ['one.png']);
    assert.deepEqual([signed.length, result.applied], [1, notes.applied]);
    assert.match(key, /^results\//);
  });

  test('of several chunks is stored as the base64 of the whole file', async () => {
    const bytes = Buffer.concat([png(''), Buffer.alloc(1_700_000, 'a picture')]);
    const made = { file: join(scratch, 'large.png'), type: 'image/png' as const };
    await writeFile(made.file, bytes);
    const { key } = await storage.finish({ ...made, ...notes });
    assert.ok((await blobs.read(key))!.equals(Buffer.from(bytes.toString('base64'))));
  });

  test('of a run that fails is not kept, nor what its engine writes after that', async () => {
    storage.begin(await write('one.png'));
    await storage.drop();
    storage.begin(await write('late.png'));
    await storage.drop();
    assert.deepEqual(await stored(), []);
  });

  test('of a run that is stopped is not kept, though the bucket stores what its caller has given up', async () => {
    const stop = new AbortController();
    const begun = Promise.withResolvers<void>();
    const put: Blobs['put'] = async (key, bytes, signal) => {
      const putting = sleep(100).then(() => blobs.put(key, bytes));
      begun.resolve();
      const givenUp = new Promise<never>((_, reject) =>
        signal?.addEventListener('abort', () => reject(new Error('Request aborted'))),
      );
      await Promise.race([putting, givenUp]);
    };
    const bucket = createResultStorage(
      { blobs: { ...blobs, put }, signer: noSigner },
      { ...run(), signal: stop.signal },
    );
    bucket.begin(await write('one.png'));
    await begun.promise;
    stop.abort(new Error('cancelled'));
    await bucket.drop();
    await sleep(200);
    assert.deepEqual(await stored(), []);
  });

  test('of a run that fails is removed, though the bucket did not say that it was stored', async () => {
    const put: Blobs['put'] = async (...blob) => {
      await blobs.put(...blob);
      throw new Error('the connection broke');
    };
    const bucket = createResultStorage({ blobs: { ...blobs, put }, signer: noSigner }, run());
    await assert.rejects(bucket.finish({ ...(await write('one.png')), ...notes }));
    await bucket.drop();
    assert.deepEqual(await stored(), []);
  });

  test('of another engine takes the place of the one that was begun', async () => {
    storage.begin(await write('one.png'));
    const other = await write('other.png');
    await storage.finish({ ...other, ...notes });
    assert.deepEqual(await stored(), ['other.png']);
  });

  test('takes the place of the one that was begun, though nothing can be removed', async () => {
    const remove = async () => {
      throw new Error('the bucket refuses');
    };
    const refusing = createResultStorage({ blobs: { ...blobs, remove }, signer: noSigner }, run());
    refusing.begin(await write('one.png'));
    await refusing.finish({ ...(await write('other.png')), ...notes });
    assert.deepEqual(await stored(), ['other.png']);
  });

  test('that cannot be stored fails the run at its end', async () => {
    await writeFile(join(scratch, 'text.png'), 'this is not a picture');
    const made = { file: join(scratch, 'text.png'), type: 'image/png' as const };
    storage.begin(made);
    await assert.rejects(storage.finish({ ...made, ...notes }), { code: 'ENGINE_BROKE' });
  });
});
