import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { planCamera, viewAt, wayBack } from '../../src/video/camera.ts';
import { type Frame, sharedFrame } from '../../src/video/frame.ts';
import { readMotion } from '../../src/video/motion-words.ts';
import { motionAfter, type Particle, tumbling } from '../../src/video/particles/particle-motion.ts';
import { createParticlePainter } from '../../src/video/particles/particle-painter.ts';
import { type ParticleSpace, seenFrom } from '../../src/video/particles/particle-space.ts';

const size = { width: 640, height: 360 };
const face = { x: 320, y: 130, height: 70 };
const space: ParticleSpace = {
  size,
  seconds: 4,
  focus: face,
  pivot: 0.6,
  subject: 0.75,
  metre: 380,
  faces: [face],
  light: { white: [220, 128, 128], from: [0, -0.8, 0.6] },
};
const atRest = { zoom: 1, dolly: 0, panX: 0, panY: 0, stepX: 0, stepY: 0, roll: 0 };

function drawn(
  effects: Record<string, number>,
  index: number,
  { seed = 5, before = true, behind = true, in: at = space } = {},
): Frame {
  const frame = sharedFrame(size);
  frame.y.fill(90);
  frame.u.fill(128);
  frame.v.fill(128);
  const paintParticles = createParticlePainter(effects, at, seed)!;
  if (behind) paintParticles(frame, index, atRest, false);
  if (before) paintParticles(frame, index, atRest, true);
  return frame;
}

const changed = ({ y }: Frame) => y.reduce((sum, value) => sum + (value === 90 ? 0 : 1), 0);

describe('what flies through a clip', () => {
  for (const effect of [
    'confetti',
    'petals',
    'rose petals',
    'leaves',
    'bubbles',
    'fireflies',
    'sparks',
    'balloons',
  ]) {
    test(`${effect}: none in frame 0, some two seconds later, the same for the same seed only`, () => {
      assert.equal(changed(drawn({ [effect]: 1 }, 0)), 0);
      const frame = drawn({ [effect]: 1 }, 48);
      assert.ok(changed(frame) > 60, `${changed(frame)} pixels changed`);
      assert.deepEqual(drawn({ [effect]: 1 }, 48), frame);
      assert.notDeepEqual(drawn({ [effect]: 1 }, 48, { seed: 6 }), frame);
      assert.ok(changed(drawn({ [effect]: 1.6 }, 48)) > changed(drawn({ [effect]: 0.6 }, 48)));
    });
  }

  test('confetti is behind people and in front of them', () => {
    assert.ok(changed(drawn({ confetti: 1 }, 60, { before: false })) > 100);
    assert.ok(changed(drawn({ confetti: 1 }, 60, { behind: false })) > 100);
  });

  test('no balloon passes in front of a face', () => {
    for (let index = 0; index < 96; index += 6) {
      const { y } = drawn({ balloons: 3 }, index, { behind: false });
      for (let row = face.y - 35; row < face.y + 35; row++)
        for (let column = face.x - 30; column < face.x + 30; column++)
          assert.equal(y[row * size.width + column], 90, `frame ${index} at ${column}, ${row}`);
    }
  });

  test('pieces are as large as they are beside a face of that size', () => {
    const near = { ...space, metre: 4 * space.metre };
    const pieces = (at: ParticleSpace) => changed(drawn({ bubbles: 1 }, 60, { in: at }));
    assert.ok(pieces(near) > 3 * pieces(space));
  });

  test('at people’s distance it moves with them when the camera does', () => {
    const motion = readMotion('dolly in, orbit left, tilt up');
    const { focus, subject } = space;
    const plan = planCamera(motion, { frames: 96, size, focus, subject, layered: true, uncover: 1 });
    const view = viewAt(plan, 80);
    const seen = seenFrom(view, { ...space, pivot: plan.pivot }, 1, 200, 300);
    const [a, b, c, d, e, f, g, h, i] = wayBack(view, plan, { top: subject, slope: 0 }, size);
    const w = g * seen.x + h * seen.y + i;
    assert.ok(Math.abs((a * seen.x + b * seen.y + c) / w - 200) < 0.01);
    assert.ok(Math.abs((d * seen.x + e * seen.y + f) / w - 300) < 0.01);
  });
});

describe('a piece of confetti', () => {
  const piece: Particle = {
    birth: 0,
    life: 600,
    x: 0,
    y: 0,
    depth: 1,
    length: 0.02,
    breadth: 0.5,
    aside: 0.4,
    down: 2,
    fall: 1,
    response: 0.2,
    sway: 0.03,
    swayRate: 7,
    spin: 12,
    phase: 0.3,
    colour: 0,
  };

  test('is slowed down by drag to an even fall', () => {
    assert.ok(motionAfter(piece, 0.01).speedY > 1.7);
    const [from, to] = [motionAfter(piece, 2), motionAfter(piece, 4)];
    assert.ok(Math.abs((to.y - from.y) / 2 - 1) < 0.03);
    assert.ok(Math.abs(to.x - from.x) < 0.07, 'and only sways sideways');
  });

  test('shows both of its sides', () => {
    const facing = Array.from({ length: 24 }, (_, i) => tumbling(piece, i / 24).front[2] > 0);
    assert.ok(facing.includes(true) && facing.includes(false));
  });
});
