import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { until } from '../../../packages/server/test/support/harness.ts';
import { tinyMp4, tinyPng } from '../../../packages/server/test/support/test-engine.ts';
import {
  installPythonClient,
  needsPython,
  type OutsideFolder,
  outsideFolders,
  root,
  startClientServer,
} from './outside-folder.ts';

const folders = outsideFolders();
let server: Awaited<ReturnType<typeof startClientServer>>;
before(async () => {
  server = await startClientServer();
});
after(async () => {
  await server.stop();
  folders.remove();
});

/** All code of a page in one language, in order, as one program. */
function programOf(page: string, language: string): string {
  const text = readFileSync(join(root, 'docs', page), 'utf8');
  return [...text.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))]
    .map(([, code]) => code)
    .join('\n');
}

function checkFiles(folder: OutsideFolder, pictures: readonly string[]): void {
  for (const name of pictures) assert.deepEqual(readFileSync(join(folder.path, name)), tinyPng, name);
  assert.deepEqual(readFileSync(join(folder.path, 'video.mp4')), tinyMp4);
}

test('the code of docs/quickstart-typescript.md runs as it stands', async () => {
  const folder = folders.make();
  // The packed client is tested beside this; here the sources are enough, under the name of the package.
  const entry = pathToFileURL(join(root, 'packages/client/src/index.ts')).href;
  const home = join(folder.path, 'node_modules/@guise/client');
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{"type":"module","exports":"./index.js"}');
  writeFileSync(join(home, 'index.js'), `export * from ${JSON.stringify(entry)};`);
  writeFileSync(join(folder.path, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder.path, 'quickstart.ts'), programOf('quickstart-typescript.md', 'ts'));
  const printed = await folder.run(process.execPath, ['quickstart.ts'], server.env);
  checkFiles(folder, ['picture.png', 'group.png', 'later.png']);
  assert.match(printed, /^\d+ filters, such as \w/);
  assert.match(printed, /COMPLETED 1\n/);
  assert.match(printed, /cancelled: true/);
  assert.match(printed, /FILTER_NOT_FOUND .+ \S+\n/);
});

test('the code of docs/quickstart-python.md runs as it stands', needsPython, async () => {
  const folder = folders.make();
  const env = { ...(await installPythonClient(folder)), ...server.env };
  writeFileSync(join(folder.path, 'quickstart.py'), programOf('quickstart-python.md', 'python'));
  const printed = await folder.run('python3', ['quickstart.py'], env);
  checkFiles(folder, ['picture.png', 'group.png', 'later.png', 'guest-1.png', 'guest-2.png', 'guest-3.png']);
  assert.match(printed, /^\d+ filters, such as \w/);
  assert.match(printed, /COMPLETED 1\n/);
  assert.match(printed, /\ncancelled\nFILTER_NOT_FOUND .+ \S+\n/);
});

test('the commands of docs/quickstart-booth-software.md run as they stand', async () => {
  const folder = folders.make();
  const programs = programOf('quickstart-booth-software.md', 'sh').split('\n\n');
  const [watch, install, call] = programs as [string, string, string];
  const env = { GUISE_URL: server.env.GUISE_URL, GUISE_API_KEY: server.env.GUISE_KEY };
  await folder.run('bash', ['-c', call], env);
  assert.deepEqual(readFileSync(join(folder.path, 'picture.png')), tinyPng);

  const main = join(root, 'packages/server/src/cli/main.ts');
  const guise = `guise() { exec ${JSON.stringify(process.execPath)} ${JSON.stringify(main)} "$@"; }`;
  const shown = await folder.run('bash', ['-c', `${guise}\n${install} --show`], env);
  assert.ok(shown.includes(`"watch" "${join(folder.path, 'photos')}"`), shown);
  const child = spawn('bash', ['-c', `${guise}\n${watch}`], {
    cwd: folder.path,
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  await until(async () => existsSync(join(folder.path, 'photos/failed')), 60_000);
  copyFileSync(join(folder.path, 'guest.jpg'), join(folder.path, 'photos/guest.jpg'));
  await until(async () => existsSync(join(folder.path, 'photos/done/guest.jpg')), 60_000);
  child.kill('SIGINT');
  await once(child, 'exit');
  assert.deepEqual(readFileSync(join(folder.path, 'pictures/guest.png')), tinyPng);
});
