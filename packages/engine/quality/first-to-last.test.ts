import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import sharp from 'sharp';
import { findFaces, withoutBystanders } from '../src/faces/faces.ts';
import { readPhoto } from '../src/pixels/photo.ts';
import type { Window } from '../src/pixels/resample.ts';
import { cropPicture, cropWindow } from '../src/video/crop.ts';
import { frameSize, nearestAspect } from '../src/video/formats.ts';
import { type Frame, frameFrom } from '../src/video/frame.ts';
import { decodeFrames, jumpsOf, watch } from '../test/support/decode-video.ts';
import { onePerson, photoFile, sample } from '../test/support/sample-photos.ts';
import { clipFrames, clipTimeout, makeFirstToLast } from '../test/video/make-first-to-last.ts';
import { psnr } from './psnr.ts';

async function people(file: string) {
  const photo = await readPhoto(file);
  return { photo, faces: withoutBystanders(await findFaces(photo, { traits: false, irises: false })) };
}

async function cropOf(file: string, format: { width: number; height: number }) {
  const { photo, faces } = await people(file);
  const window = cropWindow(photo, faces, format);
  return { photo, window, frame: frameFrom(cropPicture(photo, window, format)) };
}

async function frameAt(file: string, number: number): Promise<Frame> {
  let index = 0;
  for await (const frame of decodeFrames(file)) if (index++ === number) return frame;
  throw new Error(`there is no frame ${number}`);
}

describe('related frames', clipTimeout, () => {
  const size = frameSize('3:2', 'advanced');
  const part = { left: 300, top: 40, width: 1500, height: 1000 };
  let closer: string;
  let made: Awaited<ReturnType<typeof makeFirstToLast>>;
  before(async () => {
    closer = await photoFile('part.png', sharp(sample(1)).extract(part).png());
    made = await makeFirstToLast(
      sample(1),
      closer,
      'pan left in heavy snow and wind, balloons, a smile and a dragon',
    );
  });

  test('are morphed, and the job says so', () => {
    assert.equal(made.applied[0], 'morphed between the two photos');
    assert.deepEqual(made.applied.slice(1), ['effect: snow, strong (heavy snow)']);
    assert.deepEqual(made.ignored, [
      'dragon',
      'camera: pan left (pan left): the two frames say where the camera goes',
      'effect: breeze (wind): not between two frames',
      'effect: balloons (balloons): not between two frames',
      'gesture: smile (smile): not between two frames',
    ]);
  });

  test('begin and end as given, 34 dB or better, without a jump', async () => {
    const { first, last, steps, count } = await watch(made.file);
    assert.equal(count, clipFrames);
    const [one, other] = [await cropOf(sample(1), size), await cropOf(closer, size)];
    assert.ok(psnr(first, one.frame) >= 34, `${psnr(first, one.frame)}`);
    assert.ok(psnr(last, other.frame) >= 34, `${psnr(last, other.frame)}`);
    assert.deepEqual(jumpsOf(steps), [], steps.map((step) => step.toFixed(2)).join(' '));
  });

  test('show no double image halfway: the frame is what a camera halfway would have seen', async () => {
    const [one, other] = [await cropOf(sample(1), size), await cropOf(closer, size)];
    const ofLast = { ...other.window, x: other.window.x + part.left, y: other.window.y + part.top };
    const wanted = frameFrom(cropPicture(one.photo, halfway(one.window, ofLast), size));
    const clear = await makeFirstToLast(sample(1), closer, 'morph');
    const seen = await frameAt(clear.file, (clipFrames - 1) / 2);
    assert.ok(psnr(seen, wanted) >= 30, `${psnr(seen, wanted).toFixed(1)} dB`);
  });
});

/** The view of a camera whose every pixel has gone half of its way from one window of a photo to another. */
function halfway(one: Window, other: Window): Window {
  const grown = (1 + one.width / other.width) / 2;
  const shift = (from: number, to: number) => ((from - to) / other.width) * one.width;
  return {
    x: one.x - shift(one.x, other.x) / 2 / grown,
    y: one.y - shift(one.y, other.y) / 2 / grown,
    width: one.width / grown,
    height: one.height / grown,
  };
}

describe('unrelated frames', clipTimeout, () => {
  test('with faces meet in a zoom that is matched on them, and the job says that they were not morphed', async () => {
    const [first, last] = [await onePerson(), sample(4)];
    const made = await makeFirstToLast(first, last, 'she morphs into another person');
    assert.match(made.applied[0]!, /^transition: zoom matched on the faces, light leak, dissolve \(/);
    assert.ok(made.ignored.includes('morph: the frames have too little in common'));
    const seen = await watch(made.file);
    assert.equal(seen.count, clipFrames);
    const { photo } = await people(first);
    const size = frameSize(nearestAspect(photo.width, photo.height), 'advanced');
    for (const [file, frame] of [
      [first, seen.first],
      [last, seen.last],
    ] as const) {
      const { frame: wanted } = await cropOf(file, size);
      assert.ok(psnr(frame, wanted) >= 34, `${psnr(frame, wanted).toFixed(1)} dB`);
    }
    assert.deepEqual(jumpsOf(seen.steps), [], seen.steps.map((step) => step.toFixed(2)).join(' '));
  });
});
