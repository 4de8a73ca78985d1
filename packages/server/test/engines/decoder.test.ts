import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { samplePhotos } from '@guise/engine/samples.ts';
import sharp from 'sharp';
import { createDecoder } from '../../src/engines/decoding/child-decoder.ts';
import { hasSandbox } from '../../src/engines/decoding/sandbox.ts';

const folder = mkdtempSync(join(tmpdir(), 'guise-decoder-'));
const scratchDir = mkdtempSync(join(folder, 'scratch-'));
const decoder = createDecoder({ scratchDir, limits: { engineSilenceMs: 30_000 } });
after(async () => {
  await decoder.close();
  rmSync(folder, { recursive: true });
});

const { signal } = new AbortController();
const plain = sharp({ create: { width: 64, height: 48, channels: 3, background: '#468' } });

test('a picture is checked in another process, and one that is damaged is refused as such', async () => {
  const png = await plain.clone().png().toBuffer();
  await decoder.checkPicture(png, { accountId: 'a' });
  const at = png.indexOf('IDAT') + 4;
  await assert.rejects(decoder.checkPicture(png.fill(0xff, at, at + 20), { accountId: 'a' }), {
    code: 'INVALID_IMAGE',
  });
});

test('processes that decode stand back behind those that make pictures, with all their threads', async () => {
  await decoder.checkPicture(await plain.clone().png().toBuffer(), { accountId: 'a' });
  const threads = execFileSync('ps', ['-eLo', 'ppid=,pid=,ni='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/ +/).map(Number) as [parent: number, id: number, niceness: number]);
  const ofParents = (parents: readonly number[]) => threads.filter(([parent]) => parents.includes(parent));
  const children = ofParents([process.pid]).filter(([, , niceness]) => niceness !== getPriority());
  const below = ofParents(children.map(([, id]) => id));
  const seen = [...children, ...below].map(([, , niceness]) => niceness);
  assert.ok(seen.length > 3, `${seen.length} threads`);
  assert.deepEqual([...new Set(seen)], [5]);
});

test('a process that decodes sees the files of its scratch folder, and where the system allows it no others', async () => {
  const [inside, outside] = [join(scratchDir, 'photo.jpg'), join(folder, 'photo.jpg')];
  for (const file of [inside, outside]) copyFileSync(samplePhotos.onePerson, file);
  const { photoToSend } = decoder.forJob(signal);
  assert.equal((await photoToSend({ file: inside })).extension, 'jpg');
  const read = photoToSend({ file: outside });
  if (hasSandbox()) await assert.rejects(read, { code: 'ENGINE_REFUSED' });
  else await read;
});

test('the folder of a task is gone after it, and who hangs up before its turn has none', async () => {
  const made = await decoder.inTurn({ accountId: 'a' }, async ({ shrinkPicture }, own) => {
    const [file, target] = [join(own, 'photo.png'), join(own, 'small.webp')];
    await plain.clone().png().toFile(file);
    await shrinkPicture({ file, target, within: { width: 16 }, quality: 80 });
    return (await sharp(target).metadata()).width;
  });
  assert.equal(made, 16);
  const gone = { accountId: 'a', signal: AbortSignal.abort() };
  await assert.rejects(
    decoder.inTurn(gone, async () => assert.fail('not its turn')),
    { name: 'AbortError' },
  );
  assert.deepEqual(
    readdirSync(scratchDir).filter((name) => name.startsWith('decode-')),
    [],
  );
});
