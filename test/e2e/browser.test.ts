import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findChromium } from '../../packages/server/test/support/browser.ts';

test('the browser for tests is the one that GUISE_TEST_CHROMIUM names, else the first on the PATH', async () => {
  const [one, other] = [
    mkdtempSync(join(tmpdir(), 'guise-path-')),
    mkdtempSync(join(tmpdir(), 'guise-path-')),
  ];
  const program = (folder: string, name: string) => {
    writeFileSync(join(folder, name), '');
    chmodSync(join(folder, name), 0o755);
    return join(folder, name);
  };
  const chrome = program(other, 'google-chrome');
  assert.equal(await findChromium({ PATH: `${one}:${other}` }), chrome);
  const chromium = program(one, 'chromium');
  assert.equal(await findChromium({ PATH: `${one}:${other}` }), chromium);
  assert.equal(await findChromium({ PATH: one, GUISE_TEST_CHROMIUM: chrome }), chrome);
});

test('a GUISE_TEST_CHROMIUM that cannot be run is refused with the remedy', async () => {
  await assert.rejects(
    findChromium({ PATH: process.env.PATH, GUISE_TEST_CHROMIUM: '/no/such/chromium' }),
    /GUISE_TEST_CHROMIUM names \/no\/such\/chromium, which cannot be run\. Install Chromium/,
  );
});
