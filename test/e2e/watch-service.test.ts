import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { Guise } from '@guise/client/guise.ts';
import { describeService } from '../../packages/server/src/watch/service/watch-service.ts';
import { watchFolder } from '../../packages/server/src/watch/watch-folder.ts';
import {
  photo,
  startTestServer,
  type TestServer,
  until,
} from '../../packages/server/test/support/harness.ts';

const run = promisify(execFile);
const main = 'packages/server/src/cli/main.ts';

let server: TestServer;
let folder: string;
before(async () => {
  server = await startTestServer();
  folder = mkdtempSync(join(tmpdir(), 'guise-service-'));
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('guise watch install writes a unit that systemd accepts, and its command makes a picture', async () => {
  const account = await server.account();
  const { home, env, calls } = fakeSystem(account.api_key);
  const input = join(folder, 'photos of "100 %" $HOME');
  const guise = (...words: string[]) => run(process.execPath, [main, 'watch', ...words], { env });
  const words = ['install', input, '--filter', '12', '--gender', 'female', '--url', server.url];
  const { stdout: shown } = await guise(...words, '--show');
  assert.equal(existsSync(join(home, '.config')), false);

  const { stdout } = await guise(...words, '--name', 'lobby');
  const unit = join(home, '.config/systemd/user/lobby.service');
  const keyFile = join(home, '.config/guise/lobby.key');
  assert.match(stdout, /messages: +journalctl --user -u lobby\n/);
  const text = readFileSync(unit, 'utf8');
  assert.equal(text, shown.replaceAll('guise-watch.key', 'lobby.key'));
  assert.ok(!text.includes(account.api_key));
  assert.equal(readFileSync(keyFile, 'utf8').trim(), account.api_key);
  assert.equal(statSync(keyFile).mode & 0o777, 0o600);
  assert.deepEqual(calls(), ['--user daemon-reload', '--user enable lobby', '--user restart lobby']);
  if (existsSync('/usr/bin/systemd-analyze')) await run('systemd-analyze', ['verify', unit]);

  const child = spawn(commandOf(text)[0]!, commandOf(text).slice(1), {
    env: { ...env, GUISE_API_KEY: '' },
    stdio: 'ignore',
  });
  try {
    await until(async () => existsSync(join(input, 'done')), 60_000);
    writeFileSync(join(input, 'guest.jpg'), Buffer.from(photo, 'base64'));
    await until(async () => existsSync(join(input, 'pictures/guest.png')), 60_000);
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }

  await guise('uninstall', '--name', 'lobby');
  assert.deepEqual([existsSync(unit), existsSync(keyFile)], [false, false]);
  assert.deepEqual(calls().slice(3), ['--user disable --now lobby', '--user daemon-reload']);
  await assert.rejects(guise('uninstall', '--name', 'lobby'), /There is no .*lobby\.service\./);
});

/** A home of its own and a systemctl that notes what it is asked: the machine's own is left alone. */
function fakeSystem(apiKey: string) {
  const [home, programs] = [join(folder, 'home'), join(folder, 'bin')];
  for (const path of [home, programs]) mkdirSync(path);
  const log = join(folder, 'systemctl.log');
  writeFileSync(join(programs, 'systemctl'), `#!/bin/sh\necho "$*" >> '${log}'\n`);
  chmodSync(join(programs, 'systemctl'), 0o755);
  const PATH = `${programs}${delimiter}${process.env.PATH}`;
  return {
    home,
    env: { ...process.env, HOME: home, PATH, GUISE_API_KEY: apiKey },
    calls: () => readFileSync(log, 'utf8').trim().split('\n'),
  };
}

/** The words of a unit's command as systemd reads them. */
function commandOf(unit: string): string[] {
  const [, line] = /^ExecStart=(.*)$/m.exec(unit)!;
  return [...line!.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word]) =>
    word!.replaceAll(/%%|\$\$|\\./g, (pair) => pair[1]!),
  );
}

test('the definitions for launchd and the Task Scheduler are read as they were meant', async () => {
  const watch = ['/opt/node', '/opt/guise.js', 'watch', '/photos & <more>', '--print=Shop "A"\\'];
  const owner = { name: 'booth', uid: 501, gid: 20, home: '/Users/booth' };
  const plist = describeService({ name: 'lobby', atStart: true, watch, photos: '/p' }, 'launchd', owner);
  assert.equal(plist.file, '/Library/LaunchDaemons/lobby.plist');
  const read = await python('import plistlib; json.dump(plistlib.load(stdin), sys.stdout)', plist.bytes);
  assert.deepEqual(read, {
    Label: 'lobby',
    ProgramArguments: [...watch, '--key-file=/Library/Application Support/Guise/lobby.key'],
    UserName: 'booth',
    RunAtLoad: true,
    KeepAlive: true,
    ThrottleInterval: 30,
    StandardErrorPath: '/Library/Logs/lobby.log',
  });

  const home = 'C:\\Users\\booth';
  const service = { name: 'lobby', atStart: false, watch, photos: 'D:\\photos & more' };
  const task = describeService(service, 'task scheduler', { ...owner, home });
  const data = `${home}\\AppData\\Local\\Guise\\lobby`;
  assert.equal(task.file, `${data}.xml`);
  const parse = `import xml.etree.ElementTree as e
json.dump([[n.tag.split("}")[1], n.text.strip()] for n in e.parse(stdin).iter() if (n.text or "").strip()], sys.stdout)`;
  const fields = Object.fromEntries((await python(parse, task.bytes)) as [string, string][]);
  assert.equal(fields.Command, 'cmd.exe');
  assert.equal(
    fields.Arguments,
    `/d /s /c ""/opt/node" "/opt/guise.js" "watch" "/photos & <more>" "--print=Shop \\"A\\"\\\\" "--key-file=${data}.key" >> "${data}.log" 2>&1"`,
  );
  assert.deepEqual(
    [fields.UserId, fields.LogonType, fields.ExecutionTimeLimit],
    ['booth', 'InteractiveToken', 'PT0S'],
  );
  assert.throws(() => describeService({ ...service, name: '../lobby' }), /--name takes letters/);
});

/** What a program of Python makes of bytes on `stdin`. */
async function python(program: string, bytes: Uint8Array): Promise<unknown> {
  const running = run('python3', [
    '-c',
    `import io, json, sys\nstdin = io.BytesIO(sys.stdin.buffer.read())\n${program}`,
  ]);
  running.child.stdin!.end(bytes);
  return JSON.parse((await running).stdout);
}

test('why photos wait is told once, with what to do about it, until it changes', async () => {
  const [input, output] = [join(folder, 'in'), join(folder, 'out')];
  const account = await server.account();
  let asked = 0;
  const guise = new Guise({
    baseUrl: server.url,
    apiKey: account.api_key,
    fetch(url, init) {
      asked++;
      return fetch(url, init);
    },
  });
  const said: string[] = [];
  const end = new AbortController();
  mkdirSync(input);
  for (const name of ['a.jpg', 'b.jpg']) writeFileSync(join(input, name), Buffer.from(photo, 'base64'));
  const watching = watchFolder({
    ...{ input, output, guise, atOnce: 1, retryMs: 10, signal: end.signal },
    choice: { filter: 'Stage left', gender: 'female' },
    report(_, message) {
      if (message && 'photo' in message)
        said.push(`${message.kind}: ${'sentence' in message ? message.sentence : message.photo}`);
    },
  });
  try {
    await until(async () => asked > 5);
    const definition = { kind: 'prompt', prompt: 'rain' };
    const filter = { name: 'Rain', filter_type: 'face_swap', definition };
    const { id } = (await account.call('POST', '/v1/users/me/my-custom-filters', filter)).body;
    await account.call('POST', '/api/alias/', { ai_filter: id, project: 'Stage left' });
    await until(async () => said.length === 3);
  } finally {
    end.abort();
    await watching;
  }
  assert.match(
    said[0]!,
    /^delayed: Stage left: There is no filter with this name\. Photos wait\. Start with another --filter/,
  );
  assert.deepEqual(said.slice(1), ['made: a.jpg', 'made: b.jpg']);
});

for (const [title, words, key, says] of [
  ['a number that the catalog lacks', ['--filter', '999'], '', '999: There is no filter 999.'],
  [
    'a key that is not valid',
    ['--filter', '12'],
    'wrong',
    'Valid credentials are required: an API key or an access token.',
  ],
] as const)
  test(`guise watch refuses ${title} at once, in one sentence`, async () => {
    const { api_key } = await server.account();
    const env = { ...process.env, GUISE_API_KEY: key || api_key };
    const line = [main, 'watch', join(folder, 'none'), ...words, '--url', server.url];
    await assert.rejects(run(process.execPath, line, { env }), { code: 1, stderr: `${says}\n` });
  });

test('a folder that is taken away is waited for, and photos in it are made when it is back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'guise-watch-'));
  const [input, output, away] = [join(folder, 'in'), join(folder, 'out'), join(folder, 'away')];
  const server = await startTestServer();
  const { api_key } = await server.account();
  const guise = new Guise({ baseUrl: server.url, apiKey: api_key });
  const end = new AbortController();
  const said: string[] = [];
  mkdirSync(input);
  const watching = watchFolder({
    ...{ input, output, guise, atOnce: 1, retryMs: 10, signal: end.signal },
    choice: { filter: '12', gender: 'female' },
    report: (_, message) => void (message && said.push(message.kind)),
  });
  await until(async () => existsSync(join(input, 'failed')));
  renameSync(input, away);
  await until(async () => said.includes('away'));
  writeFileSync(join(away, 'guest.jpg'), Buffer.from(photo, 'base64'));
  renameSync(away, input);
  await until(async () => said.includes('made'));
  assert.deepEqual(said, ['away', 'made']);
  end.abort();
  await watching;
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});
