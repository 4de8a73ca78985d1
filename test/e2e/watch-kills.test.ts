import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Guise } from '@guise/client/guise.ts';
import { cannotMake } from '../../packages/server/src/engines/engine.ts';
import { photoFiles } from '../../packages/server/src/watch/photo-files.ts';
import { watchFolder } from '../../packages/server/src/watch/watch-folder.ts';
import { watchSubfolders } from '../../packages/server/src/watch/watch-subfolders.ts';
import { photo, startTestServer, until } from '../../packages/server/test/support/harness.ts';
import { watchRun } from './watch-kills.ts';

test('each of 12 photos gets one picture and one job, though the command is killed twice', async () => {
  const report = await watchRun({ photos: 12, kills: 2 });
  assert.deepEqual(report.violations, []);
  assert.deepEqual([report.pictures, report.jobs], [12, 12]);
});

test('a photo that is still being copied waits for its end, or for half a minute without a byte', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'guise-watch-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const whole = Buffer.from(photo, 'base64');
  const file = join(folder, 'slow.jpg');
  writeFileSync(file, whole.subarray(0, whole.length / 2));
  let now = 0;
  const files = photoFiles(folder, () => now);
  const listAfter = async (ms: number) => {
    now += ms;
    return (await files.list()).length;
  };
  assert.deepEqual([await listAfter(0), await listAfter(5000), await listAfter(26_000)], [0, 0, 1]);
  writeFileSync(file, whole);
  assert.deepEqual([await listAfter(0), await listAfter(999), await listAfter(1)], [0, 0, 1]);
});

test('a picture is printed once, though the command is killed while the printer works', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'guise-watch-'));
  const input = join(folder, 'in');
  const server = await startTestServer();
  t.after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const account = await server.account();
  const ends = [new AbortController(), new AbortController()];
  let prints = 0;
  const watch = (end: AbortController, print: () => Promise<void>) =>
    watchFolder({
      input,
      output: join(folder, 'out'),
      guise: new Guise({ baseUrl: server.url, apiKey: account.api_key }),
      choice: { filter: '12', gender: 'female' },
      atOnce: 1,
      print: async () => {
        prints++;
        await print();
      },
      report: () => {},
      signal: end.signal,
    });
  // As after a kill, nothing of the first one goes on behind the printer.
  const printer = new Promise<void>(() => {});
  void watch(ends[0]!, () => printer);
  await until(async () => existsSync(join(input, 'done')), 10_000);
  writeFileSync(join(input, 'guest.jpg'), Buffer.from(photo, 'base64'));
  await until(async () => prints === 1);
  ends[0]!.abort();
  const second = watch(ends[1]!, async () => {});
  await until(async () => existsSync(join(input, 'done', 'guest.jpg')));
  ends[1]!.abort();
  await second;
  assert.equal(prints, 1);
});

test('the folders inside of a folder name the filters of their photos', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'guise-watch-'));
  const [input, output] = [join(folder, 'in'), join(folder, 'out')];
  const server = await startTestServer();
  const end = new AbortController();
  t.after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const account = await server.account();
  const definition = { kind: 'prompt', prompt: 'rain' };
  const body = { name: 'Rain', filter_type: 'multi_swap', definition };
  const { id } = (await account.call('POST', '/v1/users/me/my-custom-filters', body)).body;
  await account.call('POST', '/api/alias/', { ai_filter: id, project: 'Stage left' });
  for (const name of ['12', 'Stage left', 'Harbour', 'no such filter', 'done', '.sync'])
    mkdirSync(join(input, name), { recursive: true });
  // The same photo of the same second: two pictures are wanted.
  const addPhoto = (name: string) => {
    writeFileSync(join(input, name, 'guest.jpg'), Buffer.from(photo, 'base64'));
    utimesSync(join(input, name, 'guest.jpg'), 1_800_000_000, 1_800_000_000);
  };
  for (const name of readdirSync(input)) addPhoto(name);
  addPhoto('.');
  const said: string[] = [];
  let last = { made: 0, failed: 0, inWork: 0, waiting: 0 };
  const watching = watchSubfolders({
    input,
    output,
    guise: new Guise({ baseUrl: server.url, apiKey: account.api_key }),
    choice: { gender: 'female' },
    atOnce: 1,
    report(counts, message) {
      last = counts;
      if (message) said.push(`${message.kind} ${'photo' in message ? message.photo : message.folder}`);
    },
    signal: end.signal,
  });
  try {
    await until(async () => last.made === 3, 60_000);
    mkdirSync(join(input, '13'));
    addPhoto('13');
    await until(async () => last.made === 4, 60_000);
  } finally {
    end.abort();
    await watching;
  }
  for (const name of ['12', '13', 'Stage left', 'Harbour']) {
    assert.ok(existsSync(join(output, name, 'guest.png')), name);
    assert.ok(existsSync(join(input, name, 'done', 'guest.jpg')), name);
    assert.ok(said.includes(`made ${name}/guest.jpg`), name);
  }
  const jobs = server.engine.requests.filter(({ jobId }) => !jobId.startsWith('preview'));
  assert.deepEqual(jobs.map(({ family }) => family).toSorted(), [
    'face_swap_v6',
    'face_swap_v6',
    'multi_swap_v5',
    'multi_swap_v5',
  ]);
  assert.deepEqual(
    said.filter((line) => line.startsWith('beside')),
    [`beside ${input}`],
  );
  assert.ok(existsSync(join(input, 'guest.jpg')));
  assert.ok(said.includes('delayed no such filter/guest.jpg'));
  assert.deepEqual(readdirSync(join(input, 'no such filter')).includes('guest.jpg'), true);
  assert.deepEqual(
    [readdirSync(join(input, 'done')), readdirSync(join(input, '.sync'))],
    [['guest.jpg'], ['guest.jpg']],
  );
});

test('what cannot be made is put aside with its sentence, and a repointed alias is followed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'guise-watch-'));
  const [input, output] = [join(folder, 'in'), join(folder, 'out')];
  const server = await startTestServer();
  const account = await server.account();
  const filters: string[] = [];
  for (const [filter_type, prompt] of [
    ['face_swap', 'snow'],
    ['multi_swap', 'rain'],
  ]) {
    const definition = { kind: 'prompt', prompt };
    const body = { name: prompt, filter_type, definition };
    filters.push((await account.call('POST', '/v1/users/me/my-custom-filters', body)).body.id);
  }
  const alias = await account.call('POST', '/api/alias/', { ai_filter: filters[0], project: 'Stage left' });
  server.engine.before = async ({ prompt, jobId }) => {
    if (prompt === 'snow' && !jobId.startsWith('preview'))
      throw cannotMake('No face was found in the photo.');
  };
  const child = spawn(
    process.execPath,
    [
      'packages/server/src/cli/main.ts',
      ...['watch', input, output, '--filter', 'Stage left', '--gender', 'male', '--url', server.url],
    ],
    { env: { ...process.env, GUISE_API_KEY: account.api_key }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr.on('data', (bytes) => {
    said += bytes;
  });
  try {
    await until(async () => readdirSync(folder).length === 2, 60_000);
    writeFileSync(join(folder, 'guest.jpg'), Buffer.from(photo, 'base64'));
    copyFileSync(join(folder, 'guest.jpg'), join(input, 'guest.jpg'));
    writeFileSync(join(input, 'broken.jpg'), 'no picture at all');
    const failed = join(input, 'failed');
    await until(async () => existsSync(failed) && readdirSync(failed).length === 4, 60_000);
    const sentence = (name: string) => readFileSync(join(input, 'failed', `${name}.txt`), 'utf8');
    assert.equal(sentence('guest.jpg'), 'No face was found in the photo.\n');
    assert.match(sentence('broken.jpg'), /image/i);

    await account.call('PATCH', `/api/alias/${alias.body.id}/`, { ai_filter: filters[1] });
    copyFileSync(join(folder, 'guest.jpg'), join(input, 'guest.jpg'));
    await until(async () => readdirSync(output).includes('guest.png'), 60_000);
    assert.equal(server.engine.requests.at(-1)!.family, 'multi_swap_v5');
    await until(async () => said.includes('guest.jpg: guest.png'), 10_000);
    assert.match(said, /guest\.jpg: failed\. No face was found in the photo\./);
  } finally {
    child.kill('SIGINT');
    await once(child, 'exit');
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
