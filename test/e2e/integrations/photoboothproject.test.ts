import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  assert.ok(isPlain());
  assert.match(await processPhoto({ GUISE_API_KEY: 'wrong' }), /^error: Guise: /);
  assert.equal(
    await processPhoto({ GUISE_URL: 'http://127.0.0.1:9' }),
    'error: Guise: the server cannot be reached\n',
  );
  assert.ok(isPlain());
});
