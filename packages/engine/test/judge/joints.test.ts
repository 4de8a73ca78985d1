import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pointOf } from '../../src/faces/face-outline.ts';
import { findPeople } from '../../src/faces/faces.ts';
import { findJoints } from '../../src/judge/joints.ts';
import { readPhoto } from '../../src/pixels/photo.ts';
import { sample } from '../support/sample-photos.ts';

test('of people who sit side by side, each face has its own nose and shoulders', async () => {
  const photo = await readPhoto(sample(1));
  for (const face of await findPeople(photo)) {
    const joints = await findJoints(photo, face);
    const [nose, left, right] = (['nose', 'left shoulder', 'right shoulder'] as const).map(
      (name) => joints.find((joint) => joint.name === name)!,
    );
    const tip = pointOf(face, 4);
    assert.ok(Math.hypot(nose!.x - tip.x, nose!.y - tip.y) < 0.4 * face.height);
    for (const shoulder of [left!, right!]) {
      assert.ok(shoulder.score > 0.3);
      assert.ok(shoulder.y > face.center.y);
      assert.ok(Math.abs(shoulder.x - face.center.x) < 2 * face.height);
    }
  }
});
