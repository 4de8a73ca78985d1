import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import type { Engine } from '../../src/engines/engine.ts';
import { engineFor } from '../../src/engines/routing.ts';
import { inspectHere } from '../support/decode-here.ts';
import { directRun, type RunFields } from '../support/remote.ts';

export interface EngineUnderTest {
  engines: Engine[];
  close(): Promise<void>;
}

/** What every engine must do, whatever it is made of. `photo` is one that it can make something of. */
export function testEngineSeam(
  name: string,
  photo: () => Promise<Buffer>,
  make: () => Promise<EngineUnderTest>,
): void {
  describe(`engine: ${name}`, () => {
    let parts: EngineUnderTest;
    let bytes: Buffer;
    let first: { png: Buffer; handle: string | null };
    before(async () => {
      bytes = await photo();
      parts = await make();
    });
    after(() => parts.close());

    const begin = async (fields: RunFields = {}, given: Buffer | null = bytes) => {
      const run = await directRun(given, fields);
      const work = engineFor(parts.engines, run.request).run(run.request, run.context);
      work.catch(() => {});
      return { ...run, work };
    };

    test('makes a picture of the size asked for, tells of its progress, and leaves nothing but provenance in it', async () => {
      const run = await begin({ jobId: 'first' });
      const result = await run.work;
      assert.equal(result.type, 'image/png');
      assert.equal(dirname(result.file), run.request.scratch);
      const png = await readFile(result.file);
      assert.deepEqual(await inspectHere(png), { type: 'image/png', width: 1200, height: 1800 });
      const { xmpAsString, exif, icc, comments } = await sharp(png).metadata();
      assert.match(xmpAsString ?? '', /compositeWithTrainedAlgorithmicMedia/);
      assert.deepEqual({ exif, icc, comments }, { exif: undefined, icc: undefined, comments: undefined });
      assert.equal(png.includes('class_type'), false);
      assert.ok(run.progress.length > 1);
      assert.ok(run.progress.every((done) => done >= 0 && done <= 1));
      assert.ok(Math.max(...run.progress) > 0.5);
      first = { png, handle: run.handles.at(-1) ?? null };
      await run.clean();
    });

    test('does several runs at once, each with its own photo; one that is picked up gives the same result', async () => {
      const flipped = await begin({}, await sharp(bytes).flop().jpeg({ quality: 95 }).toBuffer());
      const again = await directRun(bytes, { jobId: 'first' }, first.handle);
      const same = await engineFor(parts.engines, again.request).run(again.request, again.context);
      assert.ok(first.png.equals(await readFile(same.file)));
      assert.ok(!first.png.equals(await readFile((await flipped.work).file)));
      await Promise.all([flipped.clean(), again.clean()]);
    });

    test('makes a picture in landscape from a prompt alone, and says what it followed', async () => {
      const params = { prompt: 'under the northern lights', ratio: 'landscape' };
      const run = await begin({ family: 'self_prompt_v2', params, filter: null }, null);
      const { file, applied, ignored } = await run.work;
      assert.ok(applied.length + ignored.length > 0);
      const made = await inspectHere(await readFile(file));
      assert.deepEqual(made, { type: 'image/png', width: 1800, height: 1200 });
      await run.clean();
    });

    test('stops when it is told to, with the reason', async () => {
      const run = await begin();
      run.stop.abort('cancelled');
      await assert.rejects(run.work, (error) => error === 'cancelled' || /cancelled/.test(String(error)));
      await run.clean();
    });

    test('refuses a photo that is none, for good', async () => {
      const run = await begin({}, Buffer.from('no photo'));
      await assert.rejects(run.work, { code: 'ENGINE_REFUSED', retryable: false });
      await run.clean();
    });
  });
}
