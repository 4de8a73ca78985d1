import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sentencesOf } from '@guise/contract/notes.ts';
import sharp from 'sharp';
import { readPhoto } from '../../src/pixels/photo.ts';
import type { Picture } from '../../src/pixels/picture.ts';
import type { Window } from '../../src/pixels/resample.ts';
import { cropPicture } from '../../src/video/crop.ts';
import { identity, newField } from '../../src/video/first-to-last/field.ts';
import { openCv } from '../../src/video/first-to-last/opencv.ts';
import { planPassage } from '../../src/video/first-to-last/passage-plan.ts';
import { leastInliers, relate } from '../../src/video/first-to-last/relation.ts';
import { frameSize } from '../../src/video/formats.ts';
import type { Frame } from '../../src/video/frame.ts';
import { readMotion } from '../../src/video/motion-words.ts';
import { jumpsOf, watch } from '../support/decode-video.ts';
import { onePerson, photoFile, sample } from '../support/sample-photos.ts';
import { clipFrames, clipTimeout, makeFirstToLast } from './make-first-to-last.ts';

describe('related frames', () => {
  const size = frameSize('3:2', 'advanced');

  test('are dissolved when the prompt asks for that', () => {
    const way = {
      map: identity,
      rest: newField({ width: 4, height: 3 }),
      trust: new Float32Array(12),
      open: null,
    };
    const comparison = { related: true, inliers: 90, faces: 0, apart: false, people: null };
    const ground = { there: way, back: way };
    const plan = (prompt: string) =>
      planPassage({ ...comparison, ground }, readMotion(prompt), size, { first: [], last: [] });
    assert.equal(plan('slowly').passage.kind, 'morph');
    assert.equal(plan('cross fade').passage.kind, 'transition');
    assert.deepEqual(sentencesOf(plan('cross fade')).applied, ['transition: dissolve (as the prompt asks)']);
  });
});

describe('unrelated frames', clipTimeout, () => {
  test('without faces get a light leak and a dissolve', async () => {
    const plain = (background: string) =>
      sharp({ create: { width: 900, height: 600, channels: 3, background } }).png();
    const [red, blue] = [
      await photoFile('r.png', plain('#a03020')),
      await photoFile('b.png', plain('#2040a0')),
    ];
    const made = await makeFirstToLast(red, blue, 'anything');
    assert.match(
      made.applied[0]!,
      /^transition: light leak, dissolve \(the frames have too little in common/,
    );
    const { steps, count, first, last } = await watch(made.file);
    assert.equal(count, clipFrames);
    const redness = ({ v }: Frame) => v.reduce((sum, value) => sum + value, 0) / v.length;
    assert.ok(redness(first) > 160 && redness(last) < 120, `${redness(first)} to ${redness(last)}`);
    assert.deepEqual(jumpsOf(steps), [], steps.map((step) => step.toFixed(2)).join(' '));
  });
});

describe('people of frames without anything that stands still', clipTimeout, () => {
  test('are carried from the one to the other', async () => {
    // Too soft for corners; everything moves by 40 pixels.
    const soft = await sharp(await onePerson(1080))
      .blur(7)
      .toBuffer();
    const { width, height } = await sharp(soft).metadata();
    const part = (left: number) =>
      sharp(soft)
        .extract({ left, top: 0, width: width - 40, height })
        .png();
    const [first, last] = [await photoFile('soft-1.png', part(0)), await photoFile('soft-2.png', part(40))];
    const made = await makeFirstToLast(first, last, 'slowly');
    assert.equal(made.applied[0], 'morphed between the two photos');
    const { steps, count } = await watch(made.file);
    assert.equal(count, clipFrames);
    assert.deepEqual(jumpsOf(steps), [], steps.map((step) => step.toFixed(2)).join(' '));
  });
});

describe('the gate', clipTimeout, () => {
  const grid = { width: 512, height: 341 };
  const grey = async (photo: Picture, window: Window) => {
    const { planes } = cropPicture(photo, window, grid);
    return { ...grid, data: Uint8Array.from(planes[1].map((value) => Math.round(255 * value))) };
  };
  const whole = ({ width, height }: Picture): Window => ({ x: 0, y: 0, width, height });

  test('tells related frames from unrelated ones by a factor of two', async () => {
    const cv = await openCv();
    const photos = await Promise.all([1, 4, 5].map((number) => readPhoto(sample(number), 1024)));
    const greys = await Promise.all(photos.map((photo) => grey(photo, whole(photo))));
    for (const [i, one] of greys.entries()) {
      for (const other of greys.slice(i + 1)) {
        const { inliers, map } = relate(cv, one, other);
        assert.equal(map, null);
        assert.ok(inliers <= leastInliers / 1.5, `${inliers} of unrelated photos`);
      }
      const photo = photos[i]!;
      const part = {
        x: 0.1 * photo.width,
        y: 0.1 * photo.height,
        width: 0.75 * photo.width,
        height: 0.75 * photo.height,
      };
      const { inliers, map } = relate(cv, one, await grey(photo, part));
      assert.ok(map && inliers >= 2 * leastInliers, `${inliers} of a photo and a part of it`);
      assert.ok(Math.abs(map[0] - 1 / 0.75) < 0.02 && Math.abs(map[4] - 1 / 0.75) < 0.02);
    }
  });
});
