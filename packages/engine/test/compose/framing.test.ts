import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentencesOf } from '@guise/contract/notes.ts';
import { framePeople } from '../../src/compose/framing.ts';
import type { Silhouette } from '../../src/matting/silhouette.ts';
import { faceAt } from '../support/drawn-people.ts';

const none = { share: 0, first: -1 };

/** Somebody who stands in the middle of a photo from row 60 on, and whom its lower border cuts. */
const standing: Silhouette = {
  width: 800,
  height: 1200,
  left: 250,
  right: 550,
  top: 60,
  bottom: 1199,
  cut: { left: none, right: none, top: none, bottom: { share: 0.37, first: 250 } },
  rowWidths: new Float32Array(1200).fill(300, 60),
};
const face = faceAt(400, 170, 150);
const canvas = { width: 1200, height: 1800 };
const slot = {
  face: 0.165,
  top: 0.13,
  lowest: 0.34,
  across: 0.5,
  eyes: 0.36,
  fullLength: { hair: 0.2, feet: 0.95 },
};

/** The photo row that the canvas' lower border shows. */
const lastRowOf = ({ scale, y }: { scale: number; y: number }) => (canvas.height - y) / scale;

test('a doubtful lower body is left below the canvas, and people become larger for it', () => {
  const whole = framePeople(standing, [face], canvas, slot);
  const closer = framePeople({ ...standing, sureTo: 560 }, [face], canvas, slot);
  assert.ok(lastRowOf(whole) > 700, `${lastRowOf(whole)}`);
  assert.ok(lastRowOf(closer) < 561, `${lastRowOf(closer)}`);
  assert.ok(closer.scale > whole.scale);
});

test('people are not enlarged beyond their limit for a doubtful body, and not refused for it', () => {
  const small: Silhouette = { ...standing, sureTo: 250 };
  const { scale, y } = framePeople(small, [face], canvas, slot);
  assert.ok(scale <= 3 && small.top * scale + y < 0.5 * canvas.height);
});

test('a close portrait whose sides the photo cuts is refused in a wide picture, which would lose the face', () => {
  const close: Silhouette = {
    width: 950,
    height: 1280,
    left: 0,
    right: 949,
    top: 25,
    bottom: 1279,
    cut: {
      left: { share: 0.6, first: 420 },
      right: { share: 0.6, first: 400 },
      top: none,
      bottom: { share: 1, first: 0 },
    },
    rowWidths: new Float32Array(1280).fill(900, 25),
  };
  const large = faceAt(475, 450, 570);
  const { scale, y } = framePeople(close, [large], canvas, slot);
  assert.ok(25 * scale + y >= 0, 'in a portrait it fits');
  assert.throws(() => framePeople(close, [large], { width: 1800, height: 1200 }, slot), /too close/);
  const cutAbove = { ...close, top: 0, cut: { ...close.cut, top: { share: 0.5, first: 200 } } };
  assert.ok(framePeople(cutAbove, [faceAt(475, 240, 570)], canvas, slot).y < 0, 'as its photo cuts it');
});

test('an arm that a side of the photo cuts ends at the border of the picture, and not inside of it', () => {
  const cut = { share: 0.2, first: 280 };
  const faceBeside = (x: number) => [faceAt(x, 170, 150)];
  const onLeft = { ...standing, left: 0, right: 300, cut: { ...standing.cut, left: cut } };
  assert.ok(framePeople(onLeft, faceBeside(150), canvas, slot).x <= 0);
  const onRight = { ...standing, left: 500, right: 799, cut: { ...standing.cut, right: cut } };
  const { scale, x } = framePeople(onRight, faceBeside(650), canvas, slot);
  assert.ok(x + onRight.width * scale >= canvas.width - 1e-6);
});

test('a job says that people are shown from closer, and why', () => {
  const note = { kind: 'framing', value: 'closer', reason: 'it is doubtful' } as const;
  assert.deepEqual(sentencesOf({ applied: [note], ignored: [] }).applied, [
    'framing: closer (it is doubtful)',
  ]);
});
