import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sentencesOf } from '@guise/contract/notes.ts';
import { findFaces, withoutBystanders } from '../src/faces/faces.ts';
import { readPhoto } from '../src/pixels/photo.ts';
import { cropPicture } from '../src/video/crop.ts';
import { frameFrom } from '../src/video/frame.ts';
import { frameOf } from '../src/video/layers/set-stage.ts';
import { readMotion } from '../src/video/motion-words.ts';
import { renderSingleFrame } from '../src/video/single.ts';
import type { VideoOptions } from '../src/video/video.ts';
import { jumpsOf, watch } from '../test/support/decode-video.ts';
import { onePerson } from '../test/support/sample-photos.ts';
import { psnr } from './psnr.ts';

const folder = mkdtempSync(join(tmpdir(), 'guise-clip-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('a clip of four seconds with depth and snow begins with the photo, 34 dB or better, and moves without a jump', async () => {
  const photo = await onePerson();
  const options: VideoOptions = {
    model: 'advanced',
    aspect: 'auto',
    frames: 96,
    motion: readMotion('orbit left, light snow, she dances'),
    seed: 1,
    file: join(folder, 'clip.mp4'),
    signal: new AbortController().signal,
    progress() {},
  };
  const notes = sentencesOf(await renderSingleFrame(photo, options));
  assert.deepEqual(notes.ignored, ['dances']);
  const { first, count, steps } = await watch(options.file);
  assert.equal(count, 96);
  const picture = await readPhoto(photo);
  const faces = withoutBystanders(await findFaces(picture, { traits: false }));
  const { size, window } = frameOf(picture, faces, options);
  assert.deepEqual(size, { width: 720, height: 1280 });
  const ratio = psnr(first, frameFrom(cropPicture(picture, window, size)));
  assert.ok(ratio >= 34, `${ratio.toFixed(1)} dB`);
  assert.ok(Math.max(...steps) > 0.5, 'it moves');
  assert.deepEqual(jumpsOf(steps), [], steps.map((step) => step.toFixed(2)).join(' '));
});
