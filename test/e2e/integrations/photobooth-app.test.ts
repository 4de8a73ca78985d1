import assert from 'node:assert/strict';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
before(async () => {
  server = await startTestServer();
  account = await server.account();
  if (!hasPython) return;
  folder = folders.make();
  const installed = await installPythonClient(folder);
  cpSync(join(root, 'integrations/photobooth-app/guise_filter'), join(folder.path, 'guise_filter'), {
    recursive: true,
  });
  cpSync(join(import.meta.dirname, 'drive_plugin.py'), join(folder.path, 'drive_plugin.py'));
  mkdirSync(join(folder.path, 'config'));
  const stubs = join(import.meta.dirname, 'stubs');
  env = {
    ...installed,
    PYTHONPATH: [stubs, installed.PYTHONPATH].filter(Boolean).join(':'),
    BOOTH_CONFIG: join(folder.path, 'config'),
    PYTHONDONTWRITEBYTECODE: '1',
  };
});
after(async () => {
  folders.remove();
  await server.stop();
});

async function drive(settings: object) {
  writeFileSync(join(folder.path, 'config/plugin_guise_filter.json'), JSON.stringify(settings));
  return JSON.parse(await folder.run('python3', ['drive_plugin.py', photo], env));
}
const png = '89504e47';

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
  assert.equal((await drive(settings)).picture.same, true);
  server.engine.before = async () => {};
});

test('a booth without a network starts with the filters that it saw last', needsPython, async () => {
  const said = await drive({ server: 'http://127.0.0.1:9', api_key: account.api_key });
  assert.ok(said.available.length >= 25);
  assert.equal(said.picture.same, true);
});
