import assert from 'node:assert/strict';
import type { TestAccount } from '../../../packages/server/test/support/harness.ts';

/** Submits a job, waits for its end, and gives the bytes of its picture or video. */
export async function resultOf(
  account: TestAccount,
  run: string,
  status: string,
  body: object,
): Promise<Buffer> {
  const { id } = (await account.call('POST', run, body)).body;
  for (;;) {
    const answer = await account.call('POST', status + id, undefined, { prefer: 'wait=30' });
    if (answer.body.status === 'FAILED') assert.fail(JSON.stringify(answer.body));
    if (answer.body.status !== 'COMPLETED') continue;
    const { images, video_url: link } = answer.body.output;
    return images ? Buffer.from(images[0], 'base64') : Buffer.from(await (await fetch(link)).arrayBuffer());
  }
}
