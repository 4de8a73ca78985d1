import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { cannotMake } from '../../../packages/server/src/engines/engine.ts';
import { installFromDebian } from '../../../packages/server/test/support/debian-packages.ts';
import {
  photo,
  startTestServer,
  type TestAccount,
  type TestServer,
} from '../../../packages/server/test/support/harness.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'guise-booth-'));
const file = join(folder, 'photo.jpg');
let server: TestServer;
let account: TestAccount;
before(async () => {
  const hasPhp = () =>
    run('php', ['-r', 'exit(function_exists("imagejpeg") ? 0 : 1);']).then(
      () => true,
      () => false,
    );
  if (!(await hasPhp())) {
    const why = await installFromDebian(['php-cli', 'php-gd']);
    assert.ok(
      await hasPhp(),
      `This needs PHP with GD (Debian: php-cli, php-gd), and there is none (${why}).`,
    );
  }
  server = await startTestServer();
  server.engine.result = await sharp({
    create: { width: 60, height: 90, channels: 3, background: '#3060c0' },
  })
    .png()
    .toBuffer();
  account = await server.account();
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** What the booth logs while it processes a photo. */
async function processPhoto(env: Record<string, string> = {}, style = 'photo'): Promise<string> {
  writeFileSync(file, Buffer.from(photo, 'base64'));
  const { stdout } = await run('php', [join(import.meta.dirname, 'drive-effects.php'), folder, style], {
    env: {
      ...process.env,
      GUISE_URL: server.url,
      GUISE_API_KEY: account.api_key,
      GUISE_FILTER: '12',
      ...env,
    },
  });
  return stdout;
}
const isPlain = () => readFileSync(file).equals(Buffer.from(photo, 'base64'));

test('the photo is replaced by the picture, as a JPEG', async () => {
  assert.equal(await processPhoto(), 'debug: Guise made the picture.\n');
  const { format, width, height } = await sharp(readFileSync(file)).metadata();
  assert.deepEqual([format, width, height], ['jpeg', 60, 90]);
  assert.deepEqual(readdirSync(folder), ['photo.jpg']);
});

test('a photo that is processed twice is paid for once', async () => {
  const credits = await account.credits();
  await processPhoto({ GUISE_GENDER: '1' });
  await processPhoto({ GUISE_GENDER: '1' });
  assert.equal(await account.credits(), credits - 1);
});

test('collages are left alone', async () => {
  assert.equal(await processPhoto({}, 'collage'), '');
  assert.ok(isPlain());
});

test('what goes wrong is logged and leaves the plain photo', async () => {
  server.engine.before = async () => {
    throw cannotMake('No face was found in the photo.');
  };
  assert.equal(await processPhoto({ GUISE_FILTER: '13' }), 'error: Guise: No face was found in the photo.\n');
  server.engine.before = async () => {};
  assert.ok(isPlain());
  assert.match(await processPhoto({ GUISE_API_KEY: 'wrong' }), /^error: Guise: /);
  assert.equal(
    await processPhoto({ GUISE_URL: 'http://127.0.0.1:9' }),
    'error: Guise: the server cannot be reached\n',
  );
  assert.ok(isPlain());
});

test('a server that accepts and says nothing, and one that is no Guise, leave the plain photo', async () => {
  const silent = createTcpServer(() => {}).listen(0, '127.0.0.1');
  const page = createServer((_, answer) => void answer.end('<html>A printer</html>')).listen(0, '127.0.0.1');
  const addressOf = async (listener: Server) => {
    if (!listener.listening) await once(listener, 'listening');
    return `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  };
  try {
    assert.equal(
      await processPhoto({ GUISE_URL: await addressOf(page) }),
      'error: Guise: the server did not answer as it should\n',
    );
    assert.ok(isPlain());
    const began = performance.now();
    const said = await processPhoto({ GUISE_URL: await addressOf(silent), GUISE_SECONDS: '1' });
    assert.equal(said, 'error: Guise: the server cannot be reached\n');
    assert.ok(performance.now() - began < 20_000);
    assert.ok(isPlain());
  } finally {
    silent.close();
    page.close();
  }
});

test('a picture that cannot be read leaves the plain photo, and nothing is printed beside the log', async () => {
  const result = server.engine.result;
  server.engine.result = result!.subarray(0, 40);
  const said = await processPhoto({ GUISE_FILTER: '14' });
  server.engine.result = result;
  assert.equal(said, 'error: Guise: the picture cannot be written\n');
  assert.ok(isPlain());
  assert.deepEqual(readdirSync(folder), ['photo.jpg']);
});
