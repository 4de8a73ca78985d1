import assert from 'node:assert/strict';
import { test } from 'node:test';
import { caseOf } from '../../support/contract-cases.ts';
import { startTestServer, until } from '../../support/harness.ts';

test('a video’s link ends when its job’s result does: 403 LINK_NOT_VALID, and the job 410 JOB_EXPIRED', async () => {
  const server = await startTestServer({ resultMs: 3000 });
  try {
    const account = await server.account();
    const { run, status, body } = caseOf('first_last_frame_video');
    const { id } = (await account.call('POST', run, body)).body;
    const done = await account.call('POST', status + id, undefined, { prefer: 'wait=20' });
    const link: string = done.body.output.video_url;
    const expires = Number(new URL(link).searchParams.get('expires'));
    assert.equal(expires, Math.floor(Date.parse(done.body.expires_at) / 1000));
    const gone = await until(async () => {
      const answer = await fetch(link);
      return answer.status !== 200 && answer;
    }, 30_000);
    assert.equal(gone.status, 403);
    assert.equal(((await gone.json()) as { error_code: string }).error_code, 'LINK_NOT_VALID');
    const late = await until(async () => {
      const answer = await account.call('POST', status + id);
      return answer.status !== 200 && answer;
    }, 30_000);
    assert.deepEqual([late.status, late.body.error_code], [410, 'JOB_EXPIRED']);
  } finally {
    await server.stop();
  }
});
