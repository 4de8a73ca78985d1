import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { sentencesOf } from '@guise/contract/notes.ts';
import { psnr } from '../../quality/psnr.ts';
import type { Face } from '../../src/faces/face.ts';
import { moveFace, pointOf } from '../../src/faces/face-outline.ts';
import { findFaces } from '../../src/faces/faces.ts';
import { readPhoto } from '../../src/pixels/photo.ts';
import { mapPlanes, type Picture } from '../../src/pixels/picture.ts';
import { samplePhotos } from '../../src/samples.ts';
import { cropPicture } from '../../src/video/crop.ts';
import { type Frame, frameFrom, sharedFrame } from '../../src/video/frame.ts';
import { displacementOf, readDisplacement } from '../../src/video/gestures/face-displacement.ts';
import { amountAt, type FaceMotion } from '../../src/video/gestures/gesture-course.ts';
import { planGestures } from '../../src/video/gestures/plan-gestures.ts';
import { frameOf, setStage } from '../../src/video/layers/set-stage.ts';
import type { Stage } from '../../src/video/layers/stage.ts';
import { notesOf } from '../../src/video/motion-notes.ts';
import { type Gesture, readMotion } from '../../src/video/motion-words.ts';
import { rendererOf } from '../../src/video/single-renderer.ts';
import type { VideoOptions } from '../../src/video/video.ts';

const motion = readMotion('static camera, she smiles');
const options: VideoOptions = {
  model: 'advanced',
  aspect: 'auto',
  frames: 96,
  motion,
  seed: 1,
  file: '',
  signal: new AbortController().signal,
  progress() {},
};

let stage: Stage;
let photo: Picture;
/** In the photo, and in the frame at rest. */
let found: Face[];
let face: Face;

before(async () => {
  photo = await readPhoto(samplePhotos.onePerson, 1920);
  found = await findFaces(photo, { traits: false });
  stage = await setStage(photo, found, options);
  const { window, size } = frameOf(photo, found, options);
  const scale = size.width / window.width;
  face = moveFace(found[0]!, { scale, x: -window.x * scale, y: -window.y * scale });
});

function rendered(of: Stage, index: number): Frame {
  const frame = sharedFrame(of.size);
  rendererOf(of)(index, frame);
  return frame;
}

const withoutGestures = (): Stage => ({
  ...stage,
  people: { ...stage.people!, gestures: { faces: [], refused: {} } },
});

test('a clip with people apart from the room begins with the photo, 40 dB or better', () => {
  const { window, size } = frameOf(photo, found, options);
  const ratio = psnr(rendered(stage, 0), frameFrom(cropPicture(photo, window, size)));
  assert.ok(ratio >= 40, `${ratio.toFixed(1)} dB`);
});

describe('a smile', () => {
  test('is followed, and said to be', () => {
    const { applied, ignored } = sentencesOf(notesOf(motion, stage, 'advanced'));
    assert.deepEqual(applied, ['camera: static (static camera)', 'gesture: smile (smiles)']);
    assert.deepEqual(ignored, []);
  });

  test('has not begun in frame 0; later it lifts the corners of the mouth and leaves all but the face alone', () => {
    assert.deepEqual(rendered(withoutGestures(), 0), rendered(stage, 0));
    const [still, smiling] = [rendered(withoutGestures(), 48), rendered(stage, 48)];
    for (let i = 0; i < still.y.length; i++) {
      if (still.y[i] === smiling.y[i]) continue;
      const dx = (i % still.width) - face.center.x;
      const dy = Math.floor(i / still.width) - face.center.y;
      assert.ok(Math.hypot(dx / 0.6, dy / 0.7) < face.height, `changed at ${dx}, ${dy} from the face`);
    }
    for (const corner of [61, 291]) {
      const risen = riseAt(still, smiling, pointOf(face, corner));
      assert.ok(risen >= 2, `corner ${corner} rose by ${risen} of ${face.height} pixels`);
    }
  });
});

/** How many pixels upwards what is around a point went from one frame to the other: by the best match. */
function riseAt(from: Frame, to: Frame, { x, y }: { x: number; y: number }): number {
  const half = Math.round(0.05 * face.height);
  let best = { rise: 0, error: Infinity };
  for (let rise = -8; rise <= 12; rise++) {
    for (let aside = -6; aside <= 6; aside++) {
      let error = 0;
      for (let dy = -half; dy <= half; dy++) {
        for (let dx = -half; dx <= half; dx++) {
          const at = (Math.round(y) + dy) * from.width + Math.round(x) + dx;
          error += (from.y[at]! - to.y[at - rise * from.width + aside]!) ** 2;
        }
      }
      if (error < best.error) best = { rise, error };
    }
  }
  return best.rise;
}

describe('heads that move', () => {
  const wayAt = (of: FaceMotion, amount: number, x: number, y: number) => {
    const out = new Float32Array(2);
    readDisplacement(displacementOf(face, of, amount), x, y, out);
    return { x: out[0]!, y: out[1]! };
  };

  test('a nod takes the nose down further than the forehead’s border, and the shoulders not at all', () => {
    const nose = pointOf(face, 1);
    const { center, height } = face;
    const down = wayAt('nod', 1, nose.x, nose.y).y;
    assert.ok(down > 0.05 * height, `${down} of ${height} pixels`);
    assert.ok(wayAt('nod', 1, center.x, center.y - 0.95 * height).y < 0.6 * down);
    assert.ok(Math.abs(wayAt('nod', 1, center.x, center.y + 1.1 * height).y) < 0.001 * height);
  });

  test('a head turn goes to the side that is asked for', () => {
    const nose = pointOf(face, 1);
    assert.ok(wayAt('head turn', 1, nose.x, nose.y).x > 0.04 * face.height);
    assert.ok(wayAt('head turn', -1, nose.x, nose.y).x < -0.04 * face.height);
  });

  for (const gesture of ['smile', 'nod', 'head turn'] as const) {
    test(`a ${gesture} tears and folds nothing`, () => {
      const { x, y, step, columns, rows } = displacementOf(face, gesture, 1.2);
      for (let row = 1; row < rows - 1; row++) {
        for (let column = 1; column < columns - 1; column++) {
          const n = row * columns + column;
          for (const plane of [x, y])
            for (const next of [n + 1, n + columns])
              assert.ok(Math.abs(plane[next]! - plane[n]!) < 0.6 * step, `at ${column}, ${row}`);
        }
      }
    });

    test(`a ${gesture} begins and goes on without a jump`, () => {
      assert.equal(amountAt(gesture, 0, 4, 0.3), 0);
      for (const seconds of [4, 6, 8]) {
        for (let index = 1; index < 24 * seconds; index++) {
          const change =
            amountAt(gesture, index / 24, seconds, 0.3) - amountAt(gesture, (index - 1) / 24, seconds, 0.3);
          assert.ok(Math.abs(change) < 0.25, `frame ${index} of ${seconds} s`);
        }
      }
    });
  }
});

describe('faces that cannot do it', () => {
  const reasonOf = (gesture: Gesture, faces: readonly Face[]) => {
    const bounds = { left: 0, top: 0, right: stage.size.width, bottom: stage.size.height };
    const { refused } = planGestures({ [gesture]: 1 }, { faces, layer: photo, onLayer: faces, bounds });
    return refused[gesture]?.reason;
  };

  test('are refused for their size, their direction, their number, the border or another head', () => {
    assert.equal(reasonOf('smile', found), undefined);
    assert.match(reasonOf('smile', [moveFace(face, { scale: 0.2, x: 0, y: 0 })])!, /too small/);
    assert.match(reasonOf('smile', [{ ...face, yaw: 0.8 }])!, /turned away/);
    assert.match(reasonOf('head turn right', [{ ...face, yaw: 0.45 }])!, /turned away/);
    assert.match(
      reasonOf(
        'nod',
        Array.from({ length: 6 }, () => face),
      )!,
      /more than 5/,
    );
    const upwards = { scale: 1, x: 0, y: 0.6 * face.height - face.center.y };
    assert.match(reasonOf('nod', [moveFace(face, upwards)])!, /border/);
    assert.match(reasonOf('nod', [face, moveFace(face, { scale: 1, x: face.height, y: 0 })])!, /heads touch/);
  });

  test('a mask over the mouth, or a mouth wide open, is no mouth to smile with', () => {
    const masked = photo.planes.map((plane, c) => plane.map((value) => (c === 0 ? 0.3 * value : value)));
    const [lip, cheek] = [pointOf(found[0]!, 13), pointOf(found[0]!, 50)];
    const below = (lip.y + cheek.y) / 2;
    const planes = mapPlanes(photo.planes, (plane, c) =>
      plane.map((value, i) => (i > below * photo.width ? masked[c]![i]! : value)),
    );
    const bounds = { left: 0, top: 0, right: photo.width, bottom: photo.height };
    const plan = (layer: Picture, faces: Face[]) =>
      planGestures({ smile: 1 }, { faces, layer, onLayer: faces, bounds }).refused.smile?.reason;
    assert.match(plan({ ...photo, planes }, found)!, /covered/);
    const points = found[0]!.points.slice();
    points[14 * 3 + 1] = points[13 * 3 + 1]! + 0.2 * found[0]!.height;
    assert.match(plan(photo, [{ ...found[0]!, points }])!, /teeth/);
  });

  test('who smiles and who does not are both told', () => {
    const refused = { smile: { reason: 'the face is too small', people: 1, everybody: false } };
    const people = { ...stage.people!, gestures: { faces: stage.people!.gestures.faces, refused } };
    const { applied, ignored } = sentencesOf(notesOf(motion, { people }, 'advanced'));
    assert.ok(applied.includes('gesture: smile (smiles)'));
    assert.deepEqual(ignored, [
      'gesture: smile (smiles): not by 1 of the people, because the face is too small',
    ]);
    const everybody = {
      ...people,
      gestures: { faces: [], refused: { smile: { ...refused.smile, everybody: true } } },
    };
    const told = sentencesOf(notesOf(motion, { people: everybody }, 'advanced'));
    assert.deepEqual(told.ignored, ['gesture: smile (smiles): the face is too small']);
  });
});
