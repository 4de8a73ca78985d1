import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { onePerson } from '../../../../engine/test/support/sample-photos.ts';
import { localEngine } from '../../../src/engines/local/local-engine.ts';
import { startTestServer, until } from '../../support/harness.ts';
import { descendantsOf, isAlive } from '../../support/processes.ts';
import { status, videoTimeoutMs, waitForEncoding } from './video-job.ts';

const run = '/v1/run/single_frame_video';
const patient = { timeout: 600_000 };

/** Small, and with a face, because photos without one are searched at length. */
const photo = async () => {
  const picture = sharp(await onePerson()).resize({ width: 240 });
  return (await picture.jpeg().toBuffer()).toString('base64');
};

describe('a video that is being made', { timeout: 2 * patient.timeout }, () => {
  test('is cancelled: ffmpeg is gone, the processor is free, the credits are back', patient, async () => {
    const server = await startTestServer({ concurrency: 1 }, (config) => [localEngine(config)]);
    try {
      const account = await server.account(100);
      const body = { prompt_image: await photo(), prompt: 'pan left', model: 'simple', duration: '4s' };
      const { id } = (await account.call('POST', run, body)).body;
      assert.equal(await account.credits(), 96);
      const ffmpeg = await waitForEncoding(process.pid, account, id);
      assert.equal((await account.call('POST', `/v1/jobs/${id}/cancel`)).status, 200);
      await until(async () => !isAlive(ffmpeg.pid), videoTimeoutMs);
      await until(async () => {
        const before = descendantsOf(process.pid);
        await sleep(300);
        return descendantsOf(process.pid).every(
          ({ pid, cpu }) => cpu - (before.find((one) => one.pid === pid)?.cpu ?? 0) < 0.1,
        );
      }, videoTimeoutMs);
      const { body: ended } = await account.call('POST', status + id);
      assert.equal(ended.status, 'FAILED');
      assert.equal(ended.output.video_status, 'failed');
      assert.match(ended.output.video_error, /cancelled/i);
      assert.equal(await account.credits(), 100);
    } finally {
      await server.stop();
    }
  });
});

describe('a server', { timeout: 2 * patient.timeout }, () => {
  const { PATH, NODE_OPTIONS } = process.env;
  const folder = mkdtempSync(join(tmpdir(), 'guise-path-'));
  after(() => {
    Object.assign(process.env, { PATH, NODE_OPTIONS: NODE_OPTIONS ?? '' });
    rmSync(folder, { recursive: true, force: true });
  });

  const failed = async (sentence: RegExp) => {
    const server = await startTestServer({ concurrency: 1 }, (config) => [localEngine(config)]);
    try {
      const account = await server.account(10);
      const body = { prompt_image: await photo(), prompt: 'zoom in', model: 'simple', duration: '4s' };
      const { id } = (await account.call('POST', run, body)).body;
      assert.equal(await account.credits(), 6);
      const ended = await until(async () => {
        const answer = await account.call('POST', status + id, undefined, { prefer: 'wait=5' });
        return ['COMPLETED', 'FAILED'].includes(answer.body.status) && answer;
      }, videoTimeoutMs);
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
