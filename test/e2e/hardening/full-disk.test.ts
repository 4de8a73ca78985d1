import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { diskBlobs } from '@guise/server/store/embedded/blobs-disk.ts';
import sharp from 'sharp';
import {
  filesBelow,
  photo,
  request,
  startTestServer,
  until,
} from '../../../packages/server/test/support/harness.ts';

const run = '/v2/run/self-prompt';
const filters = '/v1/users/me/my-custom-filters';

describe('a full disk', () => {
  test('with less space free than the settings ask for, photos are refused with 503 and Retry-After, and /ready says so', async (t) => {
    const server = await startTestServer({ leastFreeBytes: 1e18, demo: false });
    t.after(() => server.stop());
    const account = await server.account();
    const template = { name: 'x', filter_type: 'face_swap', definition: { kind: 'template', image: photo } };
    for (const [path, body] of [
      [run, { prompt: 'x', image: photo }],
      [filters, template],
    ] as const) {
      const answer = await account.call('POST', path, body);
      assert.deepEqual([answer.status, answer.body.error_code], [503, 'STORAGE_UNAVAILABLE']);
      assert.ok(Number(answer.headers.get('retry-after')) > 0);
      assert.equal((await request(server.url, 'POST', path, body)).status, 401);
    }
    const ready = await request(server.url, 'GET', '/ready');
    assert.deepEqual([ready.status, ready.body.status], [503, 'not ready']);
    assert.equal((await request(server.url, 'GET', '/health')).status, 200);
    assert.equal((await account.call('GET', '/v1/jobs')).status, 200);
    assert.equal(await account.credits(), 1000);
    assert.deepEqual(await server.blobKeys(), []);
  });

  test('a write that fails half way leaves nothing, and is answered as a full storage', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'guise-full-'));
    t.after(() => rmSync(folder, { recursive: true }));
    async function* untilFull() {
      yield Buffer.alloc(100_000);
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    }
    await assert.rejects(diskBlobs(folder).put('inputs/ab/photo', untilFull()), {
      code: 'STORAGE_UNAVAILABLE',
      retryable: true,
    });
    assert.deepEqual(filesBelow(folder).sort(), ['inputs', 'inputs/ab']);
  });

  test('a server that may write no more answers 503, keeps nothing of the guest’s photos, and goes on', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'guise-full-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const main = fileURLToPath(new URL(import.meta.resolve('@guise/server/cli/main.ts')));
    // No file of this process may grow beyond 2 MB.
    const limited = ['-c', 'ulimit -f 2048; exec "$@"', 'sh', process.execPath, main, 'start'];
    const server = spawn('bash', limited, {
      env: {
        ...process.env,
        PORT: '0',
        GUISE_DATA_DIR: folder,
        GUISE_LOG_LEVEL: 'silent',
        GUISE_DEMO: 'true',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => server.kill('SIGKILL'));
    let said = '';
    server.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    const key = await until(async () => /gk_\w+/.exec(said)?.[0], 30_000);
    const url = /http:\/\/[\d.]+:\d+/.exec(said)![0];
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const large = await sharp({
      create: { width: 1200, height: 900, channels: 3, background: '#888', noise },
    })
      .png()
      .toBuffer();
    assert.ok(large.length > 2.1e6);
    const body = { prompt: 'x', input_images: [photo, large.toString('base64')] };
    const headers = { 'x-api-key': key };
    const refused = await request(url, 'POST', '/v5/run/multi_swap_self_prompt', body, headers);
    assert.deepEqual([refused.status, refused.body.error_code], [503, 'STORAGE_UNAVAILABLE']);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.deepEqual(
      filesBelow(folder).filter((name) => /inputs\/..\/|upload-/.test(name)),
      [],
    );
    const { body: credits } = await request(url, 'GET', '/v1/users/me/credits', undefined, headers);
    assert.equal(credits.balance, 1000);
    server.kill('SIGTERM');
    await once(server, 'exit');
  });
});
