import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { VideoFormat } from '@guise/contract/families/canvas.ts';
import type { Duration, VideoModel } from '@guise/contract/families/video.ts';
import type { Size } from '../../src/pixels/plane.ts';
import { makeClip } from '../../src/video/clip.ts';
import { frameCount, frameSize, nearestAspect, qualities } from '../../src/video/formats.ts';
import { startFrameThreads } from '../../src/video/frame-threads.ts';
import { decodeFrames } from '../support/decode-video.ts';
import { readMp4 } from '../support/mp4.ts';

const folder = mkdtempSync(join(tmpdir(), 'guise-clips-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const plainFrames = () => ({
  threads: startFrameThreads(new URL('./plain-frames.ts', import.meta.url)),
  data: null,
});
const never = new AbortController().signal;

const formats: readonly [VideoModel, VideoFormat, string][] = [
  ['simple', '16:9', '1280×720'],
  ['simple', '9:16', '720×1280'],
  ['simple', '3:2', '1152×768'],
  ['simple', '2:3', '768×1152'],
  ['advanced', '16:9', '1280×720'],
  ['advanced', '9:16', '720×1280'],
  ['advanced', '3:2', '1152×768'],
  ['advanced', '2:3', '768×1152'],
  ['performance', '16:9', '1920×1080'],
  ['performance', '9:16', '1080×1920'],
  ['performance', '3:2', '1728×1152'],
  ['performance', '2:3', '1152×1728'],
];

const durations: readonly [Duration, number][] = [
  ['4s', 96],
  ['6s', 144],
  ['8s', 192],
];

/** For what does not depend on the size of the frames. */
const small = { width: 480, height: 270 };

async function clip(name: string, model: VideoModel, size: Size, frames: number) {
  const file = join(folder, `${name}.mp4`);
  await makeClip({
    file,
    size,
    frames,
    quality: qualities[model],
    ...plainFrames(),
    signal: never,
    progress() {},
  });
  return readMp4(readFileSync(file));
}

describe('a clip', { timeout: 900_000 }, () => {
  for (const [model, aspect, wanted] of formats) {
    test(`${model} ${aspect} is ${wanted} at 24 fps, H.264 High 4:2:0, BT.709, index first`, async () => {
      // As short as can be: how long a clip is changes nothing of its format.
      const name = `${model}-${aspect.replace(':', 'x')}`;
      const size = frameSize(aspect, model);
      const { boxes, keyFrames, ...video } = await clip(name, model, size, 3);
      assert.equal(`${size.width}×${size.height}`, wanted);
      assert.deepEqual(video, {
        ...size,
        frames: 3,
        fps: 24,
        seconds: 0.125,
        codec: 'avc1',
        profile: 100,
        chroma: 1,
        bits: 8,
        colour: [1, 1, 1, false],
      });
      assert.equal(boxes[0], 'ftyp');
      assert.ok(boxes.indexOf('moov') < boxes.indexOf('mdat'), boxes.join(' '));
    });
  }

  for (const [duration, wanted] of durations) {
    test(`of ${duration} has ${wanted} frames, a full one at least every two seconds to seek to`, async () => {
      const { frames, seconds, keyFrames } = await clip(duration, 'simple', small, frameCount(duration));
      assert.equal(frames, wanted);
      assert.equal(`${seconds}s`, duration);
      assert.ok(keyFrames.every((frame, i) => frame - (keyFrames[i - 1] ?? 1) <= 48));
      assert.ok(wanted - keyFrames.at(-1)! < 48);
    });
  }

  test('holds its frames in order, none missing, none twice', async () => {
    const file = join(folder, '4s.mp4');
    let index = 0;
    for await (const { y } of decodeFrames(file)) {
      const bar = y.subarray(0, small.width).findIndex((luma) => luma > 145);
      assert.ok(
        Math.abs(bar - ((index * 4) % (small.width - 8))) <= 1,
        `frame ${index} has its bar at ${bar}`,
      );
      index++;
    }
    assert.equal(index, 96);
  });

  test('says in its metadata how it was made', () => {
    const bytes = readFileSync(join(folder, '4s.mp4'));
    assert.ok(readMp4(bytes).boxes.includes('uuid'));
    assert.match(bytes.toString('latin1'), /compositeWithTrainedAlgorithmicMedia/);
  });

  test('reports progress by frames, up to 1', async () => {
    const progress: number[] = [];
    const file = join(folder, 'progress.mp4');
    const { simple: quality } = qualities;
    await makeClip({
      file,
      size: small,
      frames: 12,
      quality,
      ...plainFrames(),
      signal: never,
      progress: (done) => progress.push(done),
    });
    assert.deepEqual(
      progress,
      Array.from({ length: 12 }, (_, i) => (i + 1) / 12),
    );
  });

  test('that is cancelled leaves no file', async () => {
    const stop = new AbortController();
    const file = join(folder, 'cancelled.mp4');
    const making = makeClip({
      file,
      size: small,
      frames: 192,
      quality: qualities.performance,
      ...plainFrames(),
      signal: stop.signal,
      progress: (done) => done > 0.1 && stop.abort(new Error('cancelled')),
    });
    await assert.rejects(making, /cancelled/);
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.startsWith('cancelled')),
      [],
    );
  });
});

test('the format is the nearest to the photo', () => {
  for (const [width, height, wanted] of [
    [1920, 1080, '16:9'],
    [1080, 1920, '9:16'],
    [1500, 1000, '3:2'],
    [1000, 1500, '2:3'],
    [4000, 3000, '3:2'],
    [3000, 4000, '2:3'],
    [3000, 1000, '16:9'],
    [1000, 3000, '9:16'],
  ] as const) {
    assert.equal(nearestAspect(width, height), wanted, `${width}×${height}`);
  }
});
