import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { readMp4 } from '../../../../engine/test/mp4.ts';
import { onePerson } from '../../../../engine/test/sample-photos.ts';
import { createAccount } from '../../../src/accounts/accounts.ts';
import { openStore } from '../../../src/app/storage.ts';
import { localEngine } from '../../../src/engines/local/local-engine.ts';
import {
  accountOn,
  startTestServer,
  type TestAccount,
  temporaryConfig,
  until,
} from '../../support/harness.ts';
import { descendantsOf, isAlive, type Process } from '../../support/processes.ts';

const run = '/v1/run/single_frame_video';
const status = '/v1/status/single_frame_video/';
/** Slow machines with other things to do: seconds of work took minutes on two cores that forty others wanted. */
const patience = 540_000;
const patient = { timeout: 600_000 };

/** Noise, so that it takes time to encode; nobody is in it. */
const photo = async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 12 } as const;
  const picture = sharp({ create: { width: 1200, height: 800, channels: 3, background: '#888', noise } });
  return (await picture.jpeg().toBuffer()).toString('base64');
};

/** Waits until frames are being encoded, and gives the ffmpeg that does it. */
async function encoding(pid: number, account: TestAccount, id: string): Promise<Process> {
  return until(async () => {
    const { status: word, progress } = (await account.call('POST', status + id)).body;
    assert.ok(word === 'IN_QUEUE' || word === 'IN_PROGRESS', word);
    return progress > 0.1 && descendantsOf(pid).find(({ command }) => command.startsWith('ffmpeg'));
  }, patience);
}

describe('a video that is being made', { timeout: 2 * patient.timeout }, () => {
  test('is cancelled: ffmpeg is gone, the processor is free, the credits are back', patient, async () => {
    const server = await startTestServer({ concurrency: 1 }, (config) => [localEngine(config)]);
    try {
      const account = await server.account(100);
      const body = { prompt_image: await photo(), prompt: 'pan left', model: 'performance', duration: '8s' };
      const { id } = (await account.call('POST', run, body)).body;
      assert.equal(await account.credits(), 76);
      const ffmpeg = await encoding(process.pid, account, id);
      assert.equal((await account.call('POST', `/v1/jobs/${id}/cancel`)).status, 200);
      await until(async () => !isAlive(ffmpeg.pid), patience);
      await until(async () => {
        const before = descendantsOf(process.pid);
        await sleep(300);
        return descendantsOf(process.pid).every(
          ({ pid, cpu }) => cpu - (before.find((one) => one.pid === pid)?.cpu ?? 0) < 0.1,
        );
      }, patience);
      const { body: ended } = await account.call('POST', status + id);
      assert.equal(ended.status, 'FAILED');
      assert.equal(ended.output.video_status, 'failed');
      assert.match(ended.output.video_error, /cancelled/i);
      assert.equal(await account.credits(), 100);
    } finally {
      await server.stop();
    }
  });

  test(
    'is made anew after kill -9 of the server, charged once, and no ffmpeg is left behind',
    patient,
    async () => {
      const { dataDir } = temporaryConfig();
      const start = async () => {
        const child = fork(new URL('./video-serve.ts', import.meta.url), [dataDir], {
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        });
        const [{ url }] = (await once(child, 'message')) as [{ url: string }];
        return { child, url };
      };
      const db = await openStore({ ...temporaryConfig(), dataDir });
      const owner = await createAccount(db, { email: 'killed@example.com', credits: 10 });
      await db.close();
      const first = await start();
      const before = accountOn(first.url, owner);
      const body = { prompt_image: await photo(), prompt: 'zoom in', model: 'simple', duration: '4s' };
      const { id } = (await before.call('POST', run, body)).body;
      const ffmpeg = await encoding(first.child.pid!, before, id);
      const engines = descendantsOf(first.child.pid!);
      first.child.kill('SIGKILL');
      await until(async () => !isAlive(ffmpeg.pid) && engines.every(({ pid }) => !isAlive(pid)), patience);

      const second = await start();
      try {
        const account = accountOn(second.url, owner);
        const done = await until(async () => {
          const answer = await account.call('POST', status + id, undefined, { prefer: 'wait=5' });
          return answer.body.status === 'COMPLETED' && answer;
        }, patience);
        const video = Buffer.from(await (await fetch(done.body.output.video_url)).arrayBuffer());
        assert.equal(readMp4(video).frames, 96);
        assert.equal(await account.credits(), 6);
      } finally {
        second.child.kill('SIGTERM');
        await once(second.child, 'exit');
        rmSync(dataDir, { recursive: true, force: true });
      }
    },
  );
});

describe('a server', { timeout: 2 * patient.timeout }, () => {
  const { PATH, NODE_OPTIONS } = process.env;
  const folder = mkdtempSync(join(tmpdir(), 'guise-path-'));
  after(() => {
    Object.assign(process.env, { PATH, NODE_OPTIONS: NODE_OPTIONS ?? '' });
    rmSync(folder, { recursive: true, force: true });
  });

  // What fails is tried three times: small, and with a face, because photos without one are searched at length.
  const small = async () => {
    const picture = sharp(await onePerson()).resize({ width: 240 });
    return (await picture.jpeg().toBuffer()).toString('base64');
  };

  const failed = async (sentence: RegExp) => {
    const server = await startTestServer({ concurrency: 1 }, (config) => [localEngine(config)]);
    try {
      const account = await server.account(10);
      const body = { prompt_image: await small(), prompt: 'zoom in', model: 'simple', duration: '4s' };
      const { id } = (await account.call('POST', run, body)).body;
      assert.equal(await account.credits(), 6);
      const ended = await until(async () => {
        const answer = await account.call('POST', status + id, undefined, { prefer: 'wait=5' });
        return ['COMPLETED', 'FAILED'].includes(answer.body.status) && answer;
      }, patience);
      assert.deepEqual(Object.keys(ended.body.output), ['video_status', 'video_error']);
      assert.match(ended.body.output.video_error, sentence);
      assert.ok(!ended.body.output.video_error.includes(folder), 'no path leaves the server');
      assert.equal(await account.credits(), 10);
    } finally {
      await server.stop();
    }
  };

  test('without ffmpeg ends video jobs FAILED with a sentence, credits back', patient, async () => {
    process.env.PATH = folder;
    process.env.NODE_OPTIONS = `--import ${new URL('./video-no-ffmpeg.ts', import.meta.url).href}`;
    await failed(/^This server cannot make videos: it has no working ffmpeg/);
  });

  test('whose ffmpeg breaks ends video jobs FAILED with a sentence, credits back', patient, async () => {
    const broken = join(folder, 'ffmpeg');
    writeFileSync(
      broken,
      '#!/bin/sh\ncase "$*" in *-encoders*) echo libx264;; *-version*) echo "ffmpeg version 0";; *) echo lost >&2; exit 1;; esac\n',
    );
    chmodSync(broken, 0o755);
    process.env.PATH = `${folder}:${PATH}`;
    process.env.NODE_OPTIONS = '';
    await failed(/^The video could not be encoded/);
  });
});
