import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BodyClasses } from '../../src/matting/body-classes.ts';
import { newShares } from '../../src/matting/class-pass.ts';
import { findHeadless, hasBody, joinBodies } from '../../src/matting/whole-people.ts';
import { faceAt } from '../support/drawn-people.ts';

const size = { width: 300, height: 300 };

/** 1 in these rectangles: left, top, right, bottom. */
function drawn(...parts: [number, number, number, number][]): Float32Array {
  return Float32Array.from({ length: 90_000 }, (_, i) => {
    const [x, y] = [i % 300, Math.floor(i / 300)];
    return parts.some(([left, top, right, bottom]) => x >= left && x < right && y >= top && y < bottom)
      ? 1
      : 0;
  });
}

function classesOf(parts: Partial<BodyClasses['shares']>): BodyClasses {
  return { ...size, factor: 1, shares: { ...newShares(90_000), ...parts }, worth: new Float32Array(90_000) };
}

/** Two heads above one body; the second one's own body is beside it, joined to the first below the waist. */
const faces = [faceAt(90, 70, 40), faceAt(165, 70, 40)];
const together: [number, number, number, number] = [60, 40, 190, 300];
const link: [number, number, number, number] = [185, 170, 220, 300];
const body: [number, number, number, number] = [215, 105, 290, 300];
const clothed = classesOf({ clothes: drawn([60, 95, 290, 300]) });

test('a body that only its waist joins to a neighbour has no head', () => {
  const matte = { ...size, factor: 1, data: drawn(together, link, body) };
  const headless = findHeadless(matte, faces, clothed)!;
  assert.ok(headless !== null);
  assert.equal(
    headless.data[Math.floor(130 / headless.factor) * headless.width + Math.floor(250 / headless.factor)],
    1,
  );
  assert.equal(
    headless.data[Math.floor(200 / headless.factor) * headless.width + Math.floor(120 / headless.factor)],
    0,
  );
});

test('arms held up, people who look away and bodies that hang below their heads are whole', () => {
  const whole = (parts: Parameters<typeof drawn>, classes = clothed) =>
    findHeadless({ ...size, factor: 1, data: drawn(...parts) }, faces, classes) === null;
  assert.ok(whole([together, link, [215, 40, 233, 300]]), 'an arm');
  assert.ok(whole([together, [185, 100, 290, 300]]), 'shoulders');
  const hair = drawn([230, 105, 275, 150]);
  assert.ok(whole([together, link, body], classesOf({ hair, clothes: drawn([60, 150, 290, 300]) })), 'hair');
});

test('a body is joined to its head where the body classes have what lies between, and else stays as it is', () => {
  const join = (between: number) => {
    const solid = { ...size, data: drawn(together, link, body) };
    const person = { ...size, data: drawn(together, link, body).map((share) => Math.max(share, between)) };
    for (let i = 0; i < 90 * 300; i++) person.data[i] = solid.data[i]!;
    joinBodies(solid, person, faces, clothed);
    return solid.data[130 * 300 + 203]!;
  };
  assert.ok(join(0.6) > 0.9);
  assert.ok(join(0.42) > 0.7);
  assert.equal(join(0.1), 0);
});

test('a head has a body below or beside it, unless the photo ends there', () => {
  const alone = { ...size, factor: 1, data: drawn([65, 40, 115, 95]) };
  assert.ok(!hasBody(alone, faceAt(90, 70, 40)));
  assert.ok(hasBody({ ...alone, data: drawn([65, 40, 115, 300]) }, faceAt(90, 70, 40)));
  assert.ok(
    hasBody({ ...alone, data: drawn([65, 40, 115, 95], [100, 90, 180, 200]) }, faceAt(90, 70, 40)),
    'leaning',
  );
  assert.ok(hasBody({ ...alone, data: drawn([65, 240, 115, 300]) }, faceAt(90, 272, 40)), 'at the border');
});
