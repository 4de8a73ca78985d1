import assert from 'node:assert/strict';
import { type TestAccount, until } from '../../support/harness.ts';
import { descendantsOf, type Process } from '../../support/processes.ts';

export const status = '/v1/status/single_frame_video/';

/** Slow machines with other things to do: seconds of work took minutes on two cores that forty others wanted. */
export const videoTimeoutMs = 540_000;

/** Waits until frames are being encoded, and gives the ffmpeg that does it. */
export async function waitForEncoding(pid: number, account: TestAccount, id: string): Promise<Process> {
  return until(async () => {
    const { status: word, progress } = (await account.call('POST', status + id)).body;
    assert.ok(word === 'IN_QUEUE' || word === 'IN_PROGRESS', word);
    return progress > 0.1 && descendantsOf(pid).find(({ command }) => command.startsWith('ffmpeg'));
  }, videoTimeoutMs);
}
