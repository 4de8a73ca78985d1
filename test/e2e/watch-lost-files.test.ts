import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Guise } from '@guise/client/guise.ts';
import type { WatchOptions } from '../../packages/server/src/watch/watch-folder.ts';
import { watchFolder } from '../../packages/server/src/watch/watch-folder.ts';
import { watchSubfolders } from '../../packages/server/src/watch/watch-subfolders.ts';
import { photo, startTestServer, until } from '../../packages/server/test/support/harness.ts';

const first = Buffer.from(photo, 'base64');
/** Another file with the same picture: cameras append data after the end of a JPEG. */
const second = Buffer.concat([first, Buffer.from('of another guest')]);

/** A folder of photos, and a server whose jobs wait while `gate` does. */
async function startWatch(
  t: TestContext,
  watch: (options: Omit<WatchOptions, 'choice' | 'subfolder'>) => Promise<void>,
) {
  const folder = mkdtempSync(join(tmpdir(), 'guise-watch-'));
  const [input, output] = [join(folder, 'in'), join(folder, 'out')];
  const server = await startTestServer();
  const end = new AbortController();
  const gate = Promise.withResolvers<void>();
  server.engine.before = () => gate.promise;
  const account = await server.account();
  for (const place of [input, output]) mkdirSync(place);
  const said: string[] = [];
  const begin = () =>
    watch({
      input,
      output,
      guise: new Guise({ baseUrl: server.url, apiKey: account.api_key }),
      atOnce: 1,
      report(_, message) {
        if (message) said.push(`${message.kind} ${'photo' in message ? message.photo : message.folder}`);
      },
      signal: end.signal,
      retryMs: 50,
    });
  const watching = begin();
  t.after(async () => {
    gate.resolve();
    end.abort();
    await watching;
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const jobs = () => server.engine.requests.filter(({ jobId }) => !jobId.startsWith('preview')).length;
  return { input, output, said, gate, jobs };
}

const watchOne = (options: Omit<WatchOptions, 'choice' | 'subfolder'>) =>
  watchFolder({ ...options, choice: { filter: '12', gender: 'female' } });

test('a photo that the booth overwrites while it is in work is another one, and has its own picture', async (t) => {
  const { input, output, gate, jobs } = await startWatch(t, watchOne);
  writeFileSync(join(input, 'photo.jpg'), first);
  await until(async () => jobs() === 1);
  writeFileSync(join(input, 'photo.jpg'), second);
  gate.resolve();
  await until(async () => existsSync(join(input, 'done', 'photo.jpg')));
  await until(async () => existsSync(join(output, 'photo-2.png')));
  assert.equal(jobs(), 2);
  assert.deepEqual(readFileSync(join(input, 'done', 'photo.jpg')), second);
});

test('a photo that is deleted while it is in work holds up no other, and neither does a folder for them', async (t) => {
  const { input, output, gate, jobs } = await startWatch(t, watchOne);
  writeFileSync(join(input, 'a.jpg'), first);
  await until(async () => jobs() === 1);
  rmSync(join(input, 'a.jpg'));
  rmSync(join(input, 'done'), { recursive: true });
  writeFileSync(join(input, 'b.jpg'), second);
  gate.resolve();
  await until(async () => existsSync(join(input, 'done', 'b.jpg')));
  assert.deepEqual(readdirSync(output).toSorted(), ['.guise-watch', 'a.png', 'b.png']);
  // It may come back, with the disk that it is on: then it has its picture already.
  assert.equal(readdirSync(join(output, '.guise-watch')).length, 1);
});

test('a folder that cannot be read is waited for', async (t) => {
  const { input, said, gate } = await startWatch(t, watchOne);
  gate.resolve();
  await until(async () => existsSync(join(input, 'failed')));
  // As a share that fails: the error is another one than that of a folder that is not there.
  renameSync(input, `${input}-away`);
  writeFileSync(input, '');
  await until(async () => said.includes(`away ${input}`));
  rmSync(input);
  renameSync(`${input}-away`, input);
  writeFileSync(join(input, 'photo.jpg'), first);
  await until(async () => said.includes('made photo.jpg'));
});

test('of several folders, one that cannot be watched is told of once, tried again, and ends no other', async (t) => {
  const { input, output, said, gate } = await startWatch(t, (options) =>
    watchSubfolders({ ...options, choice: { gender: 'female' } }),
  );
  gate.resolve();
  writeFileSync(join(output, '12'), 'No place for pictures.');
  for (const name of ['12', '13']) {
    mkdirSync(join(input, name));
    writeFileSync(join(input, name, 'photo.jpg'), first);
  }
  await until(async () => said.includes('made 13/photo.jpg'));
  assert.deepEqual(
    said.filter((line) => line.startsWith('away')),
    [`away ${join(input, '12')}`],
  );
  rmSync(join(output, '12'));
  await until(async () => said.includes('made 12/photo.jpg'));
  renameSync(input, `${input}-away`);
  writeFileSync(input, '');
  await until(async () => said.includes(`away ${input}`));
  rmSync(input);
  renameSync(`${input}-away`, input);
  writeFileSync(join(input, '13', 'again.jpg'), second);
  await until(async () => said.includes('made 13/again.jpg'));
});
