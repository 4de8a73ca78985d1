import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cropAroundFaces, placeWithLeastPaint } from '../../src/compose/crop-photo.ts';
import type { Face } from '../../src/faces/face.ts';
import type { Silhouette } from '../../src/matting/silhouette.ts';
import type { Placement, Size } from '../../src/pixels/plane.ts';
import { faceAt } from '../support/drawn-people.ts';

const photo = { width: 1500, height: 1000, top: 0 };
const portrait = { width: 1200, height: 1800 };
const landscape = { width: 1800, height: 1200 };

const headAt = (x: number, y = 400) => faceAt(x, y, 150);

/** Where a face is on the canvas, from 0 to 1 across and down, with what it reaches to each side. */
function shownAt({ center, height }: Face, { scale, x, y }: Placement, canvas: Size) {
  const reach = 0.5 * height * scale;
  const [atX, atY] = [center.x * scale + x, center.y * scale + y];
  return {
    left: (atX - reach) / canvas.width,
    right: (atX + reach) / canvas.width,
    top: (atY - reach) / canvas.height,
    bottom: (atY + reach) / canvas.height,
  };
}

const isWhole = (shown: ReturnType<typeof shownAt>) =>
  shown.left >= 0 && shown.right <= 1 && shown.top >= 0 && shown.bottom <= 1;
const isAbsent = (shown: ReturnType<typeof shownAt>) =>
  shown.left >= 1 || shown.right <= 0 || shown.top >= 1 || shown.bottom <= 0;

function covers({ scale, x, y }: Placement, size: Size, canvas: Size): boolean {
  return (
    x <= 0.01 &&
    y <= 0.01 &&
    x + size.width * scale >= canvas.width - 0.01 &&
    y + size.height * scale >= canvas.height - 0.01
  );
}

describe('cropAroundFaces', () => {
  it('crops a wide photo around its face, wherever that is, and keeps the whole height', () => {
    for (const x of [100, 500, 750, 1400]) {
      const face = headAt(x);
      const placed = cropAroundFaces(photo, { faces: [face], needed: [face] }, portrait)!;
      assert.ok(covers(placed, photo, portrait), String(x));
      assert.ok(isWhole(shownAt(face, placed, portrait)), String(x));
      assert.ok(Math.abs(placed.scale - 1.8) < 1e-6, String(x));
    }
  });

  it('leaves faces out that are not needed and do not fit, and cuts through none of them', () => {
    const rows = [
      [250, 1100],
      [200, 420, 640, 860, 1080, 1300],
      [400, 690, 1010],
    ];
    for (const row of rows) {
      const faces = row.map((x) => headAt(x));
      for (const guest of faces) {
        const placed = cropAroundFaces(photo, { faces, needed: [guest] }, portrait);
        assert.ok(placed, `${guest.center.x} of ${row}`);
        assert.ok(covers(placed, photo, portrait), `${guest.center.x} of ${row}`);
        assert.ok(isWhole(shownAt(guest, placed, portrait)), `${guest.center.x} of ${row}`);
        for (const face of faces) {
          const shown = shownAt(face, placed, portrait);
          assert.ok(isWhole(shown) || isAbsent(shown), `${face.center.x}, for ${guest.center.x} of ${row}`);
        }
      }
    }
  });

  it('keeps everybody where all fit, although one alone is needed', () => {
    const faces = [headAt(500), headAt(800)];
    const placed = cropAroundFaces(photo, { faces, needed: [faces[0]!] }, portrait)!;
    for (const face of faces) assert.ok(isWhole(shownAt(face, placed, portrait)));
  });

  it('comes closer to leave a neighbour out, but shows the body below the chin', () => {
    const faces = [headAt(400), headAt(560, 420), headAt(720), headAt(880, 390)];
    const placed = cropAroundFaces(photo, { faces, needed: [faces[1]!] }, portrait)!;
    const body = (faces[1]!.center.y + 2 * 150) * placed.scale + placed.y;
    assert.ok(body <= portrait.height);
    for (const face of faces) {
      const shown = shownAt(face, placed, portrait);
      assert.ok(isWhole(shown) || isAbsent(shown), String(face.center.x));
    }
  });

  it('crops nothing where needed faces are wider apart than the canvas', () => {
    const faces = [headAt(250), headAt(1100)];
    assert.equal(cropAroundFaces(photo, { faces, needed: faces }, portrait), null);
  });
});

describe('placeWithLeastPaint', () => {
  const uncut = { share: 0, first: -1 };
  const cutHere = { share: 0.3, first: 200 };
  const people = (size: Size, cut: Partial<Silhouette['cut']>, top = 300): Silhouette => ({
    ...size,
    left: 0,
    right: size.width,
    top,
    bottom: size.height,
    rowWidths: new Float32Array(),
    cut: { left: uncut, right: uncut, top: uncut, bottom: uncut, ...cut },
  });

  it('fills the width of the canvas with the needed heads and paints above a body that the photo cuts', () => {
    const faces = [headAt(250), headAt(1100)];
    const placed = placeWithLeastPaint(
      people(photo, { bottom: cutHere }),
      { faces, needed: faces },
      portrait,
    );
    for (const face of faces) assert.ok(isWhole(shownAt(face, placed, portrait)));
    assert.ok(placed.x <= 0 && placed.x + photo.width * placed.scale >= portrait.width);
    assert.ok(Math.abs(placed.y + photo.height * placed.scale - portrait.height) < 0.01);
    const whole = portrait.width / photo.width;
    assert.ok(placed.scale > 1.3 * whole, `${placed.scale} of ${whole}`);
  });

  it('shows a neighbour whole whom it would cut', () => {
    const faces = [headAt(250), headAt(1100), headAt(1230)];
    const needed = faces.slice(0, 2);
    const placed = placeWithLeastPaint(people(photo, { bottom: cutHere }), { faces, needed }, portrait);
    for (const face of faces) assert.ok(isWhole(shownAt(face, placed, portrait)), String(face.center.x));
  });

  it('paints beside a tall head only what its height leaves free', () => {
    const tall = { width: 1000, height: 1500 };
    const face = faceAt(500, 700, 600);
    const placed = placeWithLeastPaint(
      people(tall, { bottom: cutHere }),
      { faces: [face], needed: [face] },
      landscape,
    );
    assert.ok(isWhole(shownAt(face, placed, landscape)));
    assert.ok(tall.width * placed.scale > 0.7 * landscape.width, String(placed.scale));
  });

  it('paints nothing beside a body that the photo cuts on both sides', () => {
    const tall = { width: 1000, height: 1500 };
    const face = faceAt(500, 700, 600);
    const cut = { left: cutHere, right: cutHere, bottom: cutHere };
    const placed = placeWithLeastPaint(people(tall, cut), { faces: [face], needed: [face] }, landscape);
    assert.ok(covers(placed, tall, landscape));
    const shown = shownAt(face, placed, landscape);
    assert.ok(shown.bottom <= 1 && shown.top >= -0.01, JSON.stringify(shown));
  });
});
