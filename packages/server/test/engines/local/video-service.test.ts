import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { VideoModel } from '@guise/contract/families/video.ts';
import { findFaces, withoutBystanders } from '@guise/engine/faces/faces.ts';
import { readPhoto } from '@guise/engine/pixels/photo.ts';
import { cropPicture, cropWindow } from '@guise/engine/video/crop.ts';
import { frameSize } from '@guise/engine/video/formats.ts';
import { type Frame, frameFrom } from '@guise/engine/video/frame.ts';
import { frameOf } from '@guise/engine/video/layers/set-stage.ts';
import { readMotion } from '@guise/engine/video/motion-words.ts';
import type { VideoOptions } from '@guise/engine/video/video.ts';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { pictureFrom } from '../../../../engine/quality/frame-picture.ts';
import { psnr } from '../../../../engine/quality/psnr.ts';
import { decodeFrames, jumpsOf, type Seen, watch } from '../../../../engine/test/support/decode-video.ts';
import { readMp4 } from '../../../../engine/test/support/mp4.ts';
import { onePerson, photoFile, sample } from '../../../../engine/test/support/sample-photos.ts';
import { createAccount } from '../../../src/accounts/accounts.ts';
import { openStore } from '../../../src/app/storage.ts';
import { readConfig } from '../../../src/config.ts';
import { localEngine } from '../../../src/engines/local/local-engine.ts';
import { startBrowser } from '../../support/browser.ts';
import {
  type Answer,
  accountOn,
  startTestServer,
  type TestAccount,
  type TestServer,
  until,
} from '../../support/harness.ts';
import { descendantsOf, isAlive } from '../../support/processes.ts';
import { shareModelCache } from '../../support/shared-models.ts';
import { status, videoTimeoutMs, waitForEncoding } from './video-job.ts';

/**
 * A video of each endpoint, made by a real server with the real engine, and looked at from all sides. Of a single
 * frame with another model, `npm run test:pictures` makes one.
 */

/** A clip takes seconds, or minutes where forty others want the same two cores. */
const patient = { timeout: 900_000 };
const folder = mkdtempSync(join(tmpdir(), 'guise-videos-'));

interface Made {
  answer: Answer;
  /** Every progress and every word that polling saw, in order. */
  progress: number[];
  words: Set<string>;
  link: string;
  file: string;
  bytes: Buffer;
  seen: Seen;
}

/** Servers of their own processes. */
const killable: ChildProcess[] = [];
let server: TestServer;
let account: TestAccount;
before(async () => {
  server = await startTestServer({ concurrency: 1 }, (config) => [localEngine(config)]);
  account = await server.account(1000);
});
after(async () => {
  await server.stop();
  for (const child of killable.filter(
    ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
  )) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

const inline = (file: string) => readFileSync(file).toString('base64');

async function submit(caller: TestAccount, run: string, body: Record<string, unknown>): Promise<string> {
  const credits = await caller.credits();
  const { id } = (await caller.call('POST', run, { duration: '4s', ...body })).body;
  assert.equal(await caller.credits(), credits - 4 * (body.model === 'simple' ? 1 : 2));
  return id;
}

/** Waits for a video, and looks through it. */
async function follow(caller: TestAccount, id: string): Promise<Made> {
  const credits = await caller.credits();
  const progress: number[] = [];
  const words = new Set<string>();
  for (;;) {
    const answer = await caller.call('POST', status + id, undefined, { prefer: 'wait=1' });
    progress.push(answer.body.progress);
    words.add(answer.body.status);
    if (answer.body.status === 'IN_QUEUE' || answer.body.status === 'IN_PROGRESS') continue;
    assert.equal(answer.body.status, 'COMPLETED', JSON.stringify(answer.body));
    assert.equal(await caller.credits(), credits);
    const link: string = answer.body.output.video_url;
    const bytes = Buffer.from(await (await fetch(link)).arrayBuffer());
    const file = join(folder, `${id}.mp4`);
    writeFileSync(file, bytes);
    return { answer, progress, words, link, file, bytes, seen: await watch(file) };
  }
}

/** A whole server in a process of its own. */
async function startKillable(dataDir: string): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(new URL('./video-serve.ts', import.meta.url), [dataDir], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  killable.push(child);
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return { child, url };
}

/** A video on a server that is killed while frames are encoded, and started again. No engine or ffmpeg is left. */
async function makeDespiteKill(run: string, body: Record<string, unknown>): Promise<Made> {
  const dataDir = join(folder, 'killed');
  shareModelCache(dataDir);
  const db = await openStore(readConfig({ GUISE_DATA_DIR: dataDir }));
  const owner = await createAccount(db, { email: 'killed@example.com', credits: 10 });
  await db.close();
  const first = await startKillable(dataDir);
  const before = accountOn(first.url, owner);
  const id = await submit(before, run, body);
  const ffmpeg = await waitForEncoding(first.child.pid!, before, id);
  const engines = descendantsOf(first.child.pid!);
  first.child.kill('SIGKILL');
  await until(async () => !isAlive(ffmpeg.pid) && engines.every(({ pid }) => !isAlive(pid)), videoTimeoutMs);

  const second = await startKillable(dataDir);
  const account = accountOn(second.url, owner);
  const video = await follow(account, id);
  assert.equal(await account.credits(), 6);
  return video;
}

/** What frame 0 should be: the photo's part that fills the format. */
async function cropOf(file: string, model: VideoModel, prompt: string): Promise<Frame> {
  const photo = await readPhoto(file);
  const faces = withoutBystanders(await findFaces(photo, { traits: false }));
  const options = { model, aspect: 'auto', motion: readMotion(prompt) } as VideoOptions;
  const { size, window } = frameOf(photo, faces, options);
  return frameFrom(cropPicture(photo, window, size));
}

/** For the browser, which looks at all of them. */
const made = new Map<string, Made>();

describe('POST /v1/run/single_frame_video, after kill -9 of the server', patient, () => {
  const model = 'simple';
  const prompt = 'slow zoom in, she dances';
  let photo: string;
  let video: Made;
  before(async () => {
    photo = await onePerson();
    const body = { prompt_image: inline(photo), prompt, model };
    video = await makeDespiteKill('/v1/run/single_frame_video', body);
    made.set('single', video);
  }, patient);

  test('makes 96 frames of 720×1280 at 24 fps, moov first', () => {
    const { boxes, ...is } = readMp4(video.bytes);
    assert.deepEqual([`${is.width}×${is.height}`, is.frames, is.fps, is.chroma], ['720×1280', 96, 24, 1]);
    assert.ok(boxes.indexOf('moov') < boxes.indexOf('mdat'));
    assert.equal(video.seen.count, 96);
  });

  test('begins with the photo, 34 dB or better', async () => {
    const ratio = psnr(video.seen.first, await cropOf(photo, model, prompt));
    assert.ok(ratio >= 34, `${ratio.toFixed(1)} dB`);
  });

  test('moves, and without a jump', () => {
    const { steps } = video.seen;
    assert.ok(Math.max(...steps) > 0.5, 'it moves');
    assert.deepEqual(jumpsOf(steps), [], steps.map((step) => step.toFixed(2)).join(' '));
  });

  test('goes from IN_QUEUE over IN_PROGRESS upwards to COMPLETED, with what was applied and ignored', () => {
    const { answer, progress, words } = video;
    assert.ok([...words].every((word) => ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED'].includes(word)));
    assert.ok(words.has('IN_PROGRESS'), [...words].join());
    assert.ok(
      progress.some((done) => done > 0 && done < 1),
      progress.join(),
    );
    assert.deepEqual(
      progress,
      progress.toSorted((a, b) => a - b),
    );
    assert.deepEqual(Object.keys(answer.body.output), ['video_url', 'video_status']);
    assert.equal(answer.body.output.video_status, 'completed');
    assert.ok(answer.body.applied.some((line: string) => line.startsWith('camera: ')));
    assert.deepEqual(answer.body.ignored, ['dances']);
  });
});

describe('POST /v1/run/first_last_frame_video', patient, () => {
  let files: string[];
  let video: Made;
  before(async () => {
    const closer = sharp(sample(1)).extract({ left: 420, top: 60, width: 1350, height: 900 });
    files = [sample(1), await photoFile('closer.png', closer.png())];
    const id = await submit(account, '/v1/run/first_last_frame_video', {
      first_frame: inline(files[0]!),
      last_frame: inline(files[1]!),
      prompt: 'morph into a unicorn',
      model: 'advanced',
    });
    video = await follow(account, id);
    made.set('between', video);
  }, patient);

  test('makes 96 frames in the format of the first photo, moov first', () => {
    const { boxes, ...is } = readMp4(video.bytes);
    assert.deepEqual([`${is.width}×${is.height}`, is.frames, is.fps, is.chroma], ['1152×768', 96, 24, 1]);
    assert.ok(boxes.indexOf('moov') < boxes.indexOf('mdat'));
    assert.equal(video.seen.count, 96);
  });

  test('begins with the first photo and ends with the last, 34 dB or better', async () => {
    const size = frameSize('3:2', 'advanced');
    for (const [i, frame] of [video.seen.first, video.seen.last].entries()) {
      const photo = await readPhoto(files[i]!);
      const faces = withoutBystanders(await findFaces(photo, { traits: false }));
      const wanted = frameFrom(cropPicture(photo, cropWindow(photo, faces, size), size));
      assert.ok(psnr(frame, wanted) >= 34, `${psnr(frame, wanted).toFixed(1)} dB`);
    }
  });

  test('moves, and without a jump', () => {
    const { steps } = video.seen;
    assert.ok(Math.max(...steps) > 0.5, 'it moves');
    assert.deepEqual(jumpsOf(steps), [], steps.map((step) => step.toFixed(2)).join(' '));
  });

  test('says that the frames were morphed, and what it did not follow', () => {
    assert.equal(video.answer.body.applied[0], 'morphed between the two photos');
    assert.deepEqual(video.answer.body.ignored, ['unicorn']);
  });
});

describe('a video’s link', () => {
  const head = (link: string, headers: Record<string, string> = {}) =>
    fetch(link, { method: 'HEAD', headers });

  test('downloads under a name of its own, and tells its size to HEAD', async () => {
    const { link, bytes } = made.get('single')!;
    const answer = await head(link);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-length'), String(bytes.length));
    assert.equal(answer.headers.get('content-type'), 'video/mp4');
    assert.match(answer.headers.get('content-disposition')!, /^inline; filename="guise-[0-9a-f-]+\.mp4"$/);
  });

  test('gives a part of the file, whose index is in the first 64 KB', async () => {
    const { link, bytes } = made.get('single')!;
    const answer = await fetch(link, { headers: { range: 'bytes=0-65535' } });
    assert.equal(answer.status, 206);
    const part = Buffer.from(await answer.arrayBuffer());
    assert.ok(part.equals(bytes.subarray(0, 65_536)));
    assert.ok(part.includes('moov') && part.includes('stss'));
  });
});

describe('in Chromium', patient, () => {
  let browser: Browser;
  let page: Page;
  before(async () => {
    browser = await startBrowser();
    page = await browser.newPage();
    await page.route('**/watch', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><video muted></video>' }),
    );
  });
  after(() => browser?.close());

  for (const name of ['single', 'between']) {
    test(`the ${name} video plays, seeks to a frame and draws it`, async () => {
      const { link, file, bytes, seen } = made.get(name)!;
      const { width, height } = readMp4(bytes);
      const number = 61;
      // A page of the server's own origin, so that the canvas may be read.
      await page.goto(new URL('/watch', link).href);
      const drawn = await seekAndDraw(page, link, (number + 0.5) / 24);
      assert.deepEqual([drawn.width, drawn.height, drawn.duration], [width, height, 4]);
      assert.ok(drawn.played > 0.2, 'it plays');
      const right = distance(drawn.pixels, await thumbnailOf(await frameAt(file, number)));
      assert.ok(right < 3, `${right.toFixed(2)} levels from what was encoded`);
      const first = distance(drawn.pixels, await thumbnailOf(seen.first));
      assert.ok(right < 0.7 * first, 'nearer to its frame than to the first');
    });
  }
});

const thumbnail = { width: 96, height: 96 };

/** Plays a moment, then seeks, and gives the picture's pixels as RGB. */
function seekAndDraw(page: Page, link: string, time: number) {
  return page.evaluate(
    async ({ link: src, time: at, size }) => {
      // biome-ignore lint/suspicious/noExplicitAny: this runs in the browser, whose types are not here.
      const { document } = globalThis as any;
      const video = document.querySelector('video');
      const heard = (event: string) =>
        new Promise((resolve, reject) => {
          video.addEventListener(event, resolve, { once: true });
          video.addEventListener('error', () => reject(new Error(video.error.message)), { once: true });
        });
      const loaded = heard('loadeddata');
      video.src = src;
      await loaded;
      await video.play();
      while (video.currentTime < 0.25) await new Promise((resolve) => setTimeout(resolve, 20));
      const played = video.currentTime;
      video.pause();
      const sought = heard('seeked');
      video.currentTime = at;
      await sought;
      const canvas = document.createElement('canvas');
      Object.assign(canvas, size);
      const context = canvas.getContext('2d');
      context.imageSmoothingQuality = 'high';
      context.drawImage(video, 0, 0, size.width, size.height);
      const { data } = context.getImageData(0, 0, size.width, size.height);
      const pixels = [...data].filter((_, i) => i % 4 < 3) as number[];
      return {
        pixels,
        played: played as number,
        width: video.videoWidth as number,
        height: video.videoHeight as number,
        duration: video.duration as number,
      };
    },
    { link, time, size: thumbnail },
  );
}

async function frameAt(file: string, number: number): Promise<Frame> {
  let at = 0;
  for await (const frame of decodeFrames(file)) {
    if (at++ === number) return frame;
  }
  throw new Error(`the video has ${at} frames`);
}

async function thumbnailOf(frame: Frame): Promise<number[]> {
  const { width, height, planes } = pictureFrom(frame);
  const rgb = Buffer.alloc(3 * width * height);
  for (let i = 0; i < width * height; i++) {
    for (let c = 0; c < 3; c++) rgb[3 * i + c] = Math.max(0, Math.min(255, Math.round(255 * planes[c]![i]!)));
  }
  const small = sharp(rgb, { raw: { width, height, channels: 3 } }).resize({ ...thumbnail, fit: 'fill' });
  return [...(await small.raw().toBuffer())];
}

function distance(a: readonly number[], b: readonly number[]): number {
  assert.equal(a.length, b.length);
  return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0) / a.length;
}
