import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { firstCall, welcomeText } from '../../src/cli/welcome.ts';
import { guiseCommand } from '../../src/platform.ts';
import { startTestServer } from '../support/harness.ts';

const root = join(import.meta.dirname, '../../../..');

test('the first start shows the address, the reference, a link that signs in, the demo key and a first call', () => {
  const signInLink = 'http://127.0.0.1:8080/studio/sign-in#gl_once';
  const text = welcomeText({ url: 'http://127.0.0.1:8080', demoKey: 'gk_demo', signInLink });
  assert.match(text, /^Guise is listening on http:\/\/127\.0\.0\.1:8080\n/);
  assert.match(text, /API reference: http:\/\/127\.0\.0\.1:8080\/docs\n/);
  assert.match(text, /\n {2}http:\/\/127\.0\.0\.1:8080\/studio\/sign-in#gl_once\n/);
  assert.match(text, /\n {2}gk_demo\n/);
  assert.ok(text.includes(`\n  ${guiseCommand()} accounts link\n`));
  assert.match(text, /\n {2}printf .*\n {4}curl -s http:\/\/127\.0\.0\.1:8080\/v6\/run\/face_swap/);
});

test('a later start shows neither, and how to sign in again', () => {
  const text = welcomeText({ url: 'http://127.0.0.1:8080', demoKey: undefined, signInLink: undefined });
  assert.deepEqual(text.split('\n').slice(2), [
    `Without a password, this prints a link that signs in to the studio: ${guiseCommand()} accounts link`,
  ]);
});

test('the first call sends a photo that is there and a body that is accepted', async (t) => {
  const server = await startTestServer();
  t.after(() => server.stop());
  const account = await server.account();
  // What the shell would pipe into curl.
  const [body = ''] = firstCall(server.url, account.api_key).split(' |\n');
  const { stdout } = await promisify(execFile)('sh', ['-c', body], { cwd: root, maxBuffer: 2 ** 24 });
  const { status, body: answer } = await account.call('POST', '/v6/run/face_swap', stdout);
  assert.equal(status, 200, JSON.stringify(answer));
});

test('README.md shows the same first call', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  assert.ok(readme.includes(firstCall('http://127.0.0.1:8080', 'YOUR_KEY')));
});
