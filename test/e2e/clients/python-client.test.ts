import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Gender } from '@guise/contract/common.ts';
import { familyPaths } from '@guise/contract/families/family-paths.ts';
import { signatureHeaders } from '@guise/server/jobs/webhooks/signature-headers.ts';
import { isOlderPath, uncoveredRoutes } from '../../../packages/client/test/support/uncovered-routes.ts';
import { hasPython, installPythonClient, needsPython, outsideFolders, root } from './outside-folder.ts';

const folders = outsideFolders();
after(() => folders.remove());

const [current, previous, foreign] = ['new', 'old', 'foreign'].map(
  (word) => `whsec_${Buffer.from(word.padEnd(32, '-')).toString('base64')}`,
) as [string, string, string];
const body = '{"type":"job.completed","data":{"id":"Zoë"}}';
/** Signed when they are verified: a signature holds for five minutes. */
const signWebhooks = () => {
  const headers = signatureHeaders([current, previous], 'an-id', body, Date.now());
  return [
    [current, headers, body],
    [[foreign, previous], headers, body],
    [foreign, headers, body],
    [current, headers, body.replace('Zoë', 'Zoe')],
    [current, { ...headers, 'webhook-timestamp': 'soon' }, body],
    [current, signatureHeaders([current], 'an-id', body, Date.now() - 600_000), body],
    [current, {}, body],
  ];
};

let said: {
  sent: string[];
  families: Record<string, string[]>;
  genders: Record<string, number>;
  stopped_upload: string | null;
  verified: (string | null)[];
};
before(async () => {
  if (!hasPython) return;
  const folder = folders.make();
  const env = await installPythonClient(folder);
  copyFileSync(join(import.meta.dirname, 'programs/calls.py'), join(folder.path, 'calls.py'));
  said = JSON.parse(await folder.run('python3', ['calls.py', JSON.stringify(signWebhooks())], env));
});

test('every route has a method of the Python client, or a reason to have none', needsPython, () => {
  const forPages = 'for pages in browsers';
  const reasons = {
    'POST /v1/sessions': forPages,
    'GET /v1/sessions/current': forPages,
    'POST /v1/sign_in_links': forPages,
    'PUT /v1/users/me/password': forPages,
    'GET /v1/quick_test': forPages,
    'POST /v1/quick_test/runs': forPages,
    'GET /v1/quick_test/runs/{id}': forPages,
  };
  assert.deepEqual(uncoveredRoutes(said.sent, reasons), []);
});

test('the Python client runs and reads every family where the contract says', needsPython, () => {
  const expected = Object.entries(familyPaths)
    .filter(([, { run }]) => !isOlderPath(`POST ${run}`))
    .map(([name, { run, status }]) => [name, [run, status.replace('{job_id}', '')]]);
  assert.deepEqual(said.families, Object.fromEntries(expected));
});

test('the Python client says who is in a photo as the contract does', needsPython, () => {
  const described = Object.entries(said.genders).map(([name, value]) => `${value} = ${name}`);
  assert.equal(Gender.meta()?.description, described.join(', '));
});

test('an upload of a backup ends where the server takes no more', needsPython, () => {
  assert.equal(said.stopped_upload, 'UPLOAD_STOPPED');
});

test('the Python client verifies webhooks as they are signed, and nothing else', needsPython, () => {
  assert.deepEqual(said.verified, ['Zoë', 'Zoë', null, null, null, null, null]);
});

test(
  'the calls that block are those for asyncio without waiting (make_sync.py writes them)',
  needsPython,
  async () => {
    await folders.make().run('python3', [join(root, 'clients/python/make_sync.py'), '--check']);
  },
);
