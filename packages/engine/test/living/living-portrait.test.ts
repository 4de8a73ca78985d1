import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sentencesOf } from '@guise/contract/notes.ts';
import sharp from 'sharp';
import { createEngine } from '../../src/engine.ts';
import type { LivingRequest } from '../../src/request.ts';
import { RenderError } from '../../src/runtime/render-error.ts';
import { onePerson, photoFile, sample } from '../support/sample-photos.ts';

const scratch = mkdtempSync(join(tmpdir(), 'guise-living-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

const engine = createEngine();

const render = (shots: readonly string[], changes: Partial<LivingRequest> = {}) =>
  engine.renderLiving(
    {
      family: 'living_portrait',
      shots,
      filter: { kind: 'scene', scene: 'vintage-studio' },
      prompt: null,
      params: { ratio: 'portrait', seed: 1 },
      seconds: 2,
      scratch,
      ...changes,
    },
    { signal: new AbortController().signal, progress() {} },
  );

/** The same photo with everything in it moved, as a head moves between two shots. */
const moved = async (columns: number) =>
  photoFile(
    `moved-${columns}.png`,
    await sharp(await onePerson(900))
      .extract({ left: columns, top: 0, width: 630 - columns, height: 900 })
      .extend({ right: columns, extendWith: 'copy' })
      .png()
      .toBuffer(),
  );

const refusedWith = (pattern: RegExp) => (error: unknown) =>
  error instanceof RenderError && error.code === 'ENGINE_REFUSED' && pattern.test(error.message);

test('bursts that cannot become a clip are refused in words for the guest', async () => {
  const person = await onePerson(900);
  await assert.rejects(render([person]), refusedWith(/made of 2 to 8 shots, and there is 1\.$/));
  await assert.rejects(render(Array(9).fill(person)), refusedWith(/there are 9\.$/));
  await assert.rejects(render([person, person], { seconds: 7 }), refusedWith(/lasts 2 to 6 seconds/));
  const nobody = await photoFile(
    'nobody.png',
    sharp({ create: { width: 630, height: 900, channels: 3, background: '#888' } }).png(),
  );
  await assert.rejects(render([person, nobody]), refusedWith(/^Shot 2: /));
  await assert.rejects(
    render([person, sample(1)]),
    refusedWith(/^Shot 2: It shows 3 people, and the first shot one person\.$/),
  );
  const another = await photoFile(
    'another.png',
    sharp(sample(1)).extract({ left: 160, top: 100, width: 630, height: 900 }).png(),
  );
  await assert.rejects(
    render([person, another]),
    refusedWith(/^Shot 2: It shows somebody other than the first shot\.$/),
  );
});

test('two shots become a clip there and back before a plate that stands still, with a still', {
  timeout: 900_000,
}, async () => {
  const nobody = await photoFile(
    'empty.png',
    sharp({ create: { width: 630, height: 900, channels: 3, background: '#777' } }).png(),
  );
  const made = await render([await onePerson(900), nobody, await moved(14)], { format: 'webp' });
  assert.equal(made.type, 'image/webp');
  assert.deepEqual(
    sentencesOf(made).ignored.map((one) => one.slice(0, 7)),
    ['Shot 2:'],
  );
  assert.match(sentencesOf(made).applied[0]!, /^scene: /);
  const still = await sharp(made.still).metadata();
  assert.deepEqual([still.width, still.height], [1200, 1800]);
  const clip = sharp(made.file, { pages: -1 });
  const { pages, pageHeight, width } = await clip.metadata();
  assert.deepEqual([width, pageHeight], [720, 1080]);
  assert.ok(readFileSync(made.file).includes('DigitalSourceType'), 'it says how it was made');
  const frames = await clip.removeAlpha().raw().toBuffer();
  const frame = (index: number) => frames.subarray(index * 720 * 1080 * 3, (index + 1) * 720 * 1080 * 3);
  // WebP leaves out frames that are the same as the one before.
  assert.ok(pages! > 20 && pages! <= 48, `${pages} frames`);
  const differenceIn = (a: Buffer, b: Buffer, rows: [number, number], columns: [number, number]) => {
    let sum = 0;
    for (let y = rows[0]; y < rows[1]; y++)
      for (let x = columns[0]; x < columns[1]; x++)
        sum += Math.abs(a[(y * 720 + x) * 3 + 1]! - b[(y * 720 + x) * 3 + 1]!);
    return sum / ((rows[1] - rows[0]) * (columns[1] - columns[0]));
  };
  const [first, middle] = [frame(0), frame(pages! >> 1)];
  assert.ok(differenceIn(first, middle, [0, 60], [0, 60]) < 1.5, 'the plate stands still');
  assert.ok(differenceIn(first, middle, [300, 800], [200, 520]) > 3, 'people move');
  assert.ok(!existsSync(join(scratch, 'result.webp.part')));
});
