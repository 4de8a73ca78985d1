import assert from 'node:assert/strict';
import { canvasSizes } from '@guise/contract/families/canvas.ts';
import { likeness } from '../../quality/likeness.ts';
import type { Composite } from '../../src/compose/compose.ts';
import type { Face } from '../../src/faces/face.ts';
import { findFaces } from '../../src/faces/faces.ts';
import type { PeoplePhoto } from '../../src/matting/people.ts';

/** One face, where it is said to be, upright, and it is the guest's. The canvas is in portrait. */
export async function checkHead(
  name: string,
  { picture, faces }: Composite,
  { photo, faces: before }: PeoplePhoto,
) {
  assert.deepEqual({ width: picture.width, height: picture.height }, canvasSizes.portrait);
  const found = await findFaces(picture, { traits: false });
  assert.equal(found.length, 1, name);
  const [said] = faces as [Face];
  const { x, y } = found[0]!.center;
  assert.ok(Math.hypot(x - said.center.x, y - said.center.y) < 0.1 * said.height, name);
  assert.ok(Math.abs(said.roll) < 0.37, 'a lean beyond twenty degrees is turned upright');
  const alike = await likeness(photo, before[0]!, picture, said);
  assert.ok(alike >= 0.85, `${name}: ${alike}`);
}

/** The costume reaches the lower border and has a front below the face. */
export function checkFront(name: string, { people, picture: { width, height }, faces }: Composite) {
  let covered = 0;
  for (let x = 0; x < width; x++) if (people.data[(height - 1) * width + x]! > 0.5) covered++;
  assert.ok(covered > 0.3 * width, `${name}: ${covered}`);
  const [face] = faces as [Face];
  const below = Math.round(face.center.y + 1.3 * face.height) * width + Math.round(face.center.x);
  assert.ok(people.data[below]! > 0.95, `${name} has a front`);
}
