import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sentencesOf } from '@guise/contract/notes.ts';
import sharp from 'sharp';
import { psnr } from '../quality/psnr.ts';
import { findFaces } from '../src/faces/faces.ts';
import { readPhoto } from '../src/pixels/photo.ts';
import type { Picture } from '../src/pixels/picture.ts';
import type { Window } from '../src/pixels/resample.ts';
import { cropPicture, cropWindow, mainFaces } from '../src/video/crop.ts';
import { identity, newField } from '../src/video/first-to-last/field.ts';
import { renderFirstToLast } from '../src/video/first-to-last/first-to-last.ts';
import { openCv } from '../src/video/first-to-last/opencv.ts';
import { planPassage } from '../src/video/first-to-last/passage-plan.ts';
import { leastInliers, relate } from '../src/video/first-to-last/relation.ts';
import { frameSize, nearestAspect } from '../src/video/formats.ts';
import { type Frame, frameFrom } from '../src/video/frame.ts';
import { readMotion } from '../src/video/motion-words.ts';
import { decodeFrames, jumpsOf, watch } from './decode-video.ts';
import { onePerson, photoFile, sample } from './sample-photos.ts';

const folder = mkdtempSync(join(tmpdir(), 'guise-between-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Clips take seconds, or minutes where forty others want the same two cores. */
const patient = { timeout: 900_000 };
const frames = 25;

async function make(first: string, last: string, prompt: string) {
  const file = join(folder, `${Math.random()}.mp4`);
  const signal = new AbortController().signal;
  const options = { model: 'advanced', aspect: 'auto', frames, seed: 1, file, signal } as const;
  const notes = await renderFirstToLast([first, last], {
    ...options,
    motion: readMotion(prompt),
    progress() {},
  });
  return { ...sentencesOf(notes), file };
}

async function people(file: string) {
  const photo = await readPhoto(file);
  return { photo, faces: mainFaces(await findFaces(photo, { traits: false })) };
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

describe('related frames', patient, () => {
  const size = frameSize('3:2', 'advanced');
  const part = { left: 300, top: 40, width: 1500, height: 1000 };
  let closer: string;
  let made: Awaited<ReturnType<typeof make>>;
  before(async () => {
    closer = await photoFile('part.png', sharp(sample(1)).extract(part).png());
    made = await make(sample(1), closer, 'pan left in heavy snow and wind, balloons, a smile and a dragon');
  });

  test('are morphed, and the job says so', () => {
    assert.match(made.applied[0]!, /^morph: the frames share \d+ points$/);
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
    assert.equal(count, frames);
    const [one, other] = [await cropOf(sample(1), size), await cropOf(closer, size)];
    assert.ok(psnr(first, one.frame) >= 34, `${psnr(first, one.frame)}`);
    assert.ok(psnr(last, other.frame) >= 34, `${psnr(last, other.frame)}`);
    assert.deepEqual(jumpsOf(steps), [], steps.map((step) => step.toFixed(2)).join(' '));
  });

  test('show no double image halfway: the frame is what a camera halfway would have seen', async () => {
    const [one, other] = [await cropOf(sample(1), size), await cropOf(closer, size)];
    const ofLast = { ...other.window, x: other.window.x + part.left, y: other.window.y + part.top };
    const wanted = frameFrom(cropPicture(one.photo, halfway(one.window, ofLast), size));
    const clear = await make(sample(1), closer, 'morph');
    const seen = await frameAt(clear.file, (frames - 1) / 2);
    assert.ok(psnr(seen, wanted) >= 30, `${psnr(seen, wanted).toFixed(1)} dB`);
  });

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

describe('unrelated frames', patient, () => {
  test('with faces meet in a zoom that is matched on them, and the job says that they were not morphed', async () => {
    const [first, last] = [await onePerson(), sample(4)];
    const made = await make(first, last, 'she morphs into another person');
    assert.match(made.applied[0]!, /^transition: zoom matched on the faces, light leak, dissolve \(/);
    assert.ok(made.ignored.includes('morph: the frames have too little in common'));
    const seen = await watch(made.file);
    assert.equal(seen.count, frames);
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

  test('without faces get a light leak and a dissolve', async () => {
    const plain = (background: string) =>
      sharp({ create: { width: 900, height: 600, channels: 3, background } }).png();
    const [red, blue] = [
      await photoFile('r.png', plain('#a03020')),
      await photoFile('b.png', plain('#2040a0')),
    ];
    const made = await make(red, blue, 'anything');
    assert.match(
      made.applied[0]!,
      /^transition: light leak, dissolve \(the frames have too little in common/,
    );
    const { steps, count, first, last } = await watch(made.file);
    assert.equal(count, frames);
    const redness = ({ v }: Frame) => v.reduce((sum, value) => sum + value, 0) / v.length;
    assert.ok(redness(first) > 160 && redness(last) < 120, `${redness(first)} to ${redness(last)}`);
    assert.deepEqual(jumpsOf(steps), [], steps.map((step) => step.toFixed(2)).join(' '));
  });
});

describe('the gate', patient, () => {
  const grid = { width: 512, height: 341 };
  const grey = async (photo: Picture, window: Window) => {
    const { planes } = cropPicture(photo, window, grid);
    return { ...grid, data: Uint8Array.from(planes[1], (value) => Math.round(255 * value)) };
  };
  const whole = ({ width, height }: Picture): Window => ({ x: 0, y: 0, width, height });

  test('tells related frames from unrelated ones by a factor of two', async () => {
    const cv = await openCv();
    const photos = await Promise.all([1, 2, 3, 4, 5, 6].map((number) => readPhoto(sample(number))));
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
      assert.ok(map && inliers >= 2 * leastInliers, `${inliers} of photo ${i + 1} and a part of it`);
      assert.ok(Math.abs(map[0] - 1 / 0.75) < 0.02 && Math.abs(map[4] - 1 / 0.75) < 0.02);
    }
  });
});
