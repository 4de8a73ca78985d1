import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createDecoder } from '@guise/server/engines/decoding/child-decoder.ts';
import { AppError } from '@guise/server/errors.ts';
import type { Decoder, FileTasks, JobTasks } from '@guise/server/media/decoder.ts';
import { descendantsOf } from '../../../../packages/server/test/support/processes.ts';
import { makeBombs } from './bombs.ts';

const folder = mkdtempSync(join(tmpdir(), 'guise-decoder-bombs-'));
const decoder = createDecoder({ scratchDir: folder, limits: { engineSilenceMs: 30_000 } });
after(async () => {
  await decoder.close();
  rmSync(folder, { recursive: true });
});

const { signal } = new AbortController();
const asked = { accountId: 'a', signal };
const face = { x: 10, y: 10, width: 40, height: 40, lean: 5, warnings: [] };
const target = join(folder, 'target');
const inTurn = (work: (tasks: FileTasks) => Promise<unknown>) => decoder.inTurn(asked, work);

/** Everything that decoding processes do, by its name: with a photo of a caller, or with what a server has sent. */
const tasks: Record<keyof FileTasks | keyof JobTasks | 'checkPicture', (file: string) => Promise<unknown>> = {
  checkPicture: (file) => decoder.checkPicture(readFileSync(file), asked),
  encodePhoto: (photo) =>
    inTurn(({ encodePhoto }) => encodePhoto({ photo, jpeg: target, thumbnail: `${target}.webp` })),
  shrinkPicture: (file) =>
    inTurn(({ shrinkPicture }) => shrinkPicture({ file, target, within: { width: 99 }, quality: 80 })),
  convertPicture: (file) =>
    inTurn(({ convertPicture }) => convertPicture({ file, target, format: 'jpeg', quality: 80 })),
  takeShots: (video) => inTurn(({ takeShots }) => takeShots({ video, folder })),
  photoToSend: (file) => jobTask('photoToSend', { file, readsMask: true }),
  cutFace: (file) => jobTask('cutFace', { file, face }),
  layIntoFrame: (file) => jobTask('layIntoFrame', { file, face, frame: { width: 512, height: 768 } }),
  finishPicture: (source) =>
    jobTask('finishPicture', { source, target, shape: { width: 512, height: 768, exact: true } }),
  measureAnimation: (file) => jobTask('measureAnimation', { file }),
  decodeFrames: (file) => jobTask('decodeFrames', { file, target, from: 0, count: 1 }),
};

function jobTask<Name extends keyof JobTasks>(name: Name, wanted: Parameters<JobTasks[Name]>[0]) {
  const jobTasks: ReturnType<Decoder['forJob']> = decoder.forJob(signal);
  return jobTasks[name](wanted as never);
}

/** The most that a process has held, in MB. */
const peakOf = (pid: number) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;

test('whatever a decoding process is asked to do with a bomb, it does or refuses it, and is there for the next one', async (t) => {
  const bombs = await makeBombs();
  const file = join(folder, 'bomb');
  let tried = 0;
  for (const { name, bytes } of bombs) {
    writeFileSync(file, bytes);
    for (const [task, work] of Object.entries(tasks)) {
      const error = await work(file).then(
        () => null,
        (reason) => reason,
      );
      // What could not be made is said; nothing took too long, too much memory or the process with it.
      const isRefusal = error instanceof AppError && !/took too|stopped/.test(error.message);
      assert.ok(error === null || isRefusal, `${task} of ${name}: ${error?.stack}`);
      tried++;
    }
  }
  const peaks = descendantsOf(process.pid).map(({ pid }) => peakOf(pid));
  const peak = Math.max(...peaks);
  // A process of each kind, and the programs that they were started by.
  assert.ok(peaks.length >= 3, peaks.join());
  assert.ok(peak < 1024, `${peak} MB`);
  t.diagnostic(`${tried} tried, at most ${peak.toFixed(0)} MB`);
});
