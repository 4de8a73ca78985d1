import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { sentencesOf } from '@guise/contract/notes.ts';
import type { Face } from '../../src/faces/face.ts';
import type { Picture } from '../../src/pixels/picture.ts';
import {
  type CameraPlan,
  ease,
  planCamera,
  type RoomPlane,
  roomFor,
  viewAt,
  wayBack,
} from '../../src/video/camera.ts';
import { blinkAt } from '../../src/video/effects/blink.ts';
import { displaceByIdleMotion, idleStateAt } from '../../src/video/effects/idle-motion.ts';
import { changeLight } from '../../src/video/effects/light.ts';
import { sharedFrame } from '../../src/video/frame.ts';
import { coverOf, latticeOver, paintBehind, paintOver } from '../../src/video/layers/layer-warp.ts';
import { mirrorFill } from '../../src/video/layers/mirror-fill.ts';
import { peopleApart } from '../../src/video/layers/people-apart.ts';
import { addRim, closeGaps, settleRim } from '../../src/video/layers/people-outline.ts';
import { plateOf, withinPlate } from '../../src/video/layers/plate.ts';
import { frameOf } from '../../src/video/layers/set-stage.ts';
import { notesOf } from '../../src/video/motion-notes.ts';
import { readMotion } from '../../src/video/motion-words.ts';
import { createParticlePainter } from '../../src/video/particles/particle-painter.ts';
import type { ParticleSpace } from '../../src/video/particles/particle-space.ts';
import type { VideoOptions } from '../../src/video/video.ts';

const size = { width: 1280, height: 720 };
const frames = 96;
const room: RoomPlane = { top: 0, slope: 0.55 };
const people: RoomPlane = { top: 0.75, slope: 0 };
const focus = { x: 560, y: 260 };
const moves = [
  'zoom in',
  'zoom out',
  'dolly in',
  'dolly out, fast',
  'pan left',
  'pan right, fast',
  'tilt up',
  'tilt down',
  'orbit left',
  'orbit right, fast',
  'handheld',
  'static',
  'dolly in and orbit left and tilt up',
];

function planFor(prompt: string): CameraPlan {
  const motion = readMotion(prompt);
  const plan = planCamera(motion, { frames, size, focus, subject: people.top, layered: true, uncover: 1 });
  const { layer } = plateFor(prompt);
  return withinPlate(plan, size, layer, [room, people]);
}

/** A photo of the frame's own shape, so that only what `roomFor` leaves is outside of it. */
function plateFor(prompt: string) {
  const taken = roomFor(readMotion(prompt));
  const photo = { width: 1920, height: 1080 };
  const window = {
    x: (photo.width * (1 - taken)) / 2,
    y: (photo.height * (1 - taken)) / 2,
    width: photo.width * taken,
    height: photo.height * taken,
  };
  const plate = plateOf(photo, window, size, 1.25);
  return { plate, layer: { planes: sharedFrame(plate.size), alpha: null, alphaHalf: null, ...plate.place } };
}

function from(plan: CameraPlan, plane: RoomPlane, index: number, x: number, y: number) {
  const [a, b, c, d, e, f, g, h, i] = wayBack(viewAt(plan, index), plan, plane, size);
  const w = g * x + h * y + i;
  return { x: (a * x + b * y + c) / w, y: (d * x + e * y + f) / w };
}

describe('the camera of a single frame video', () => {
  test('begins and ends at rest', () => {
    assert.equal(ease(0), 0);
    assert.equal(ease(1), 1);
    assert.ok(ease(0.02) < 0.002 && 1 - ease(0.98) < 0.002);
  });

  for (const prompt of moves) {
    test(`${prompt}: straight lines of the room stay straight`, () => {
      const plan = planFor(prompt);
      const lines = [
        [0, 0, 1280, 720],
        [200, 0, 200, 720],
        [0, 500, 1280, 560],
      ] as const;
      for (const [x0, y0, x1, y1] of lines) {
        const at = (t: number) => from(plan, room, frames - 1, x0 + t * (x1 - x0), y0 + t * (y1 - y0));
        const [start, middle, end] = [at(0), at(0.37), at(1)];
        const across = (end.x - start.x) * (middle.y - start.y) - (end.y - start.y) * (middle.x - start.x);
        assert.ok(Math.abs(across) / Math.hypot(end.x - start.x, end.y - start.y) < 0.01);
      }
    });

    test(`${prompt}: shows nothing beyond the photo, and moves unless it should not`, () => {
      const plan = planFor(prompt);
      const { layer } = plateFor(prompt);
      const right = layer.planes.width / layer.density - layer.left;
      const bottom = layer.planes.height / layer.density - layer.top;
      for (let index = 0; index < frames; index++) {
        for (const [x, y] of [
          [0, 0],
          [1279, 0],
          [0, 719],
          [1279, 719],
        ] as const) {
          const point = from(plan, room, index, x, y);
          assert.ok(point.x > -layer.left - 2 && point.x < right + 2, `x ${point.x} in frame ${index}`);
          assert.ok(point.y > -layer.top - 2 && point.y < bottom + 2, `y ${point.y} in frame ${index}`);
        }
      }
      const end = from(plan, room, frames - 1, 100, 100);
      assert.equal(Math.hypot(end.x - 100, end.y - 100) > 5, prompt !== 'static');
    });

    test(`${prompt}: people go at most 45 pixels against the room, and no frame jumps`, () => {
      const plan = planFor(prompt);
      for (let index = 1; index < frames; index++) {
        for (const [x, y] of [
          [300, 200],
          [560, 260],
          [820, 700],
          [300, 700],
        ] as const) {
          const behind = from(plan, room, index, x, y);
          const front = from(plan, people, index, x, y);
          assert.ok(Math.hypot(front.x - behind.x, front.y - behind.y) <= 45);
          const before = from(plan, people, index - 1, x, y);
          assert.ok(Math.hypot(front.x - before.x, front.y - before.y) < 3.5);
        }
      }
    });
  }
});

test('a pan goes about its people: begun beside them on one side, it ends beside them on the other', () => {
  const photo = { width: 1920, height: 1080 };
  const at = (prompt: string) => {
    const options = { model: 'advanced', aspect: '16:9', motion: readMotion(prompt) } as VideoOptions;
    return frameOf(photo, [], options).window;
  };
  const [left, right] = [at('pan left'), at('pan right')];
  assert.equal(left.width, right.width);
  const middle = (photo.width - left.width) / 2;
  assert.ok(left.x > middle + 20 && left.x + left.width < photo.width);
  assert.ok(Math.abs(left.x + right.x - 2 * middle) < 1e-6);
});

describe('the idle motion of a single frame video', () => {
  const idleMotion = {
    people: [{ x: 500, y: 250, height: 200, phase: 0.37 }],
    bounds: { left: 0, top: 0, right: 1280, bottom: 720 },
    breeze: 1,
    yaw: 0,
  };
  const goneAt = (index: number, x: number, y: number) => {
    const out = new Float32Array(2);
    displaceByIdleMotion(idleMotion, idleStateAt(idleMotion, index), x, y, out);
    return Math.hypot(out[0]!, out[1]!);
  };

  test('nobody has moved in frame 0, and everybody moves later, but never by a twentieth of a face', () => {
    for (const [x, y] of [
      [500, 250],
      [420, 480],
      [560, 120],
      [640, 400],
    ] as const) {
      assert.equal(goneAt(0, x, y), 0);
      const most = Math.max(...Array.from({ length: 96 }, (_, index) => goneAt(index, x, y)));
      assert.ok(most > 0.5 && most < 10, `${most} pixels at ${x}, ${y}`);
    }
  });

  test('what the photo’s border cuts stays on it', () => {
    assert.ok(goneAt(60, 500, 720) < 0.01);
  });

  test('a blink comes within four seconds, and none is cut off by the end', () => {
    for (const phase of [0, 0.37, 0.74, 0.99]) {
      const course = Array.from({ length: 96 }, (_, index) => blinkAt({ phase }, index, 96));
      assert.equal(course[0], -1);
      assert.equal(course.at(-1), -1);
      const began = course.filter((at) => at === 0).length;
      assert.ok(began >= 1);
      assert.equal(course.filter((at) => at === 6).length, began);
    }
  });
});

describe('frames', () => {
  const small = { width: 128, height: 72 };

  test('at rest a layer over another gives the layer back where it is opaque, the other where it is not', () => {
    const lattice = latticeOver(small, 16);
    for (let n = 0; n < lattice.x.length; n++) {
      lattice.x[n] = (n % lattice.columns) * 16;
      lattice.y[n] = Math.floor(n / lattice.columns) * 16;
    }
    const plain = (value: number) => {
      const planes = sharedFrame(small);
      planes.y.fill(value);
      planes.u.fill(value);
      planes.v.fill(value);
      return { planes, left: 0, top: 0, density: 1 };
    };
    const alpha = new Uint8Array(128 * 72).map((_, i) => (i % 128 < 64 ? 255 : 0));
    const alphaHalf = new Uint8Array(64 * 36).map((_, i) => (i % 64 < 32 ? 255 : 0));
    const front = { ...plain(200), alpha, alphaHalf };
    const frame = sharedFrame(small);
    const cover = new Uint8Array((lattice.columns - 1) * (lattice.rows - 1));
    coverOf(front)(front, lattice, cover);
    paintBehind({ ...plain(50), alpha: null, alphaHalf: null }, lattice, frame, cover);
    paintOver(front, lattice, frame, cover);
    for (let i = 0; i < frame.y.length; i++) assert.equal(frame.y[i], i % 128 < 64 ? 200 : 50);
    for (let i = 0; i < frame.u.length; i++) assert.equal(frame.u[i], i % 64 < 32 ? 200 : 50);
  });

  test('light and particles leave frame 0 alone and change the ones after it', () => {
    const plan = planFor('static');
    const space: ParticleSpace = {
      size: small,
      seconds: 4,
      focus: { x: 64, y: 36 },
      pivot: 0.6,
      subject: 0.75,
      metre: 60,
      faces: [],
      light: { white: [220, 128, 128], from: [0, -0.8, 0.6] },
    };
    const paintParticles = createParticlePainter({ snow: 1, sparks: 1 }, space, 5)!;
    for (const index of [0, 40]) {
      const frame = sharedFrame(small);
      frame.y.fill(90);
      paintParticles(frame, index, viewAt(plan, index), false);
      changeLight(frame, index, { ambient: 1, sweep: 1, frames: 96 });
      paintParticles(frame, index, viewAt(plan, index), true);
      assert.equal(
        frame.y.some((value) => value !== 90),
        index > 0,
      );
    }
  });
});

describe('the outline of people', () => {
  const plate = { width: 160, height: 120 };
  const area = { x: 0, y: 0, ...plate };
  const face = { center: { x: 80, y: 20 }, height: 24 } as Face;
  /** People from x 20 to 140 below y 8, without the rectangles. */
  const without = (...gaps: [left: number, top: number, right: number, bottom: number][]) =>
    new Float32Array(plate.width * plate.height).map((_, i) => {
      const [x, y] = [i % plate.width, Math.floor(i / plate.width)];
      if (x < 20 || x >= 140 || y < 8) return 0;
      return gaps.some(([left, top, right, bottom]) => x >= left && x < right && y >= top && y < bottom)
        ? 0
        : 1;
    });
  const at = (alpha: Float32Array, x: number, y: number) => alpha[y * plate.width + x]!;

  test('what they enclose, or the lower border with them, goes with them', () => {
    const alpha = without([40, 60, 60, 80], [90, 80, 120, 120]);
    closeGaps(alpha, area, plate, [face]);
    for (let y = 8; y < 120; y++)
      for (let x = 20; x < 140; x++) assert.equal(at(alpha, x, y), 1, `${x}, ${y}`);
    assert.equal(at(alpha, 10, 60), 0);
  });

  test('what is open to a side or above, wider than two faces, or above the floor that they stand on stays behind', () => {
    const alpha = without([20, 50, 50, 70], [70, 8, 90, 40], [60, 80, 130, 120]);
    closeGaps(alpha, area, plate, [face]);
    for (const [x, y] of [
      [30, 60],
      [80, 20],
      [100, 100],
    ] as const) {
      assert.equal(at(alpha, x, y), 0);
    }
    const legs = without([70, 80, 90, 120]);
    closeGaps(legs, area, { ...plate, height: 200 }, [face]);
    assert.equal(at(legs, 80, 110), 0);
  });

  test('has a soft rim of a few pixels, which nowhere takes anything off', () => {
    const alpha = without();
    addRim(alpha, area, [face]);
    assert.equal(at(alpha, 19, 100), 1);
    assert.ok(at(alpha, 17, 100) > 0 && at(alpha, 17, 100) < 1);
    assert.equal(at(alpha, 14, 100), 0);
    assert.ok(without().every((value, i) => alpha[i]! >= value));
  });
});

describe('people who do not touch', () => {
  const [width, height] = [40, 20];
  const place = { left: 0, top: 0, density: 1 };
  const faces = [8, 30].map((x) => ({ center: { x: 8 * x, y: 8 * 6 }, height: 40 }) as Face);
  /** Two people, from x 4 to 14 and 24 to 38, with as much of a bridge between them. */
  const matte = (bridge: number) => ({
    width,
    height,
    factor: 8,
    data: new Float32Array(width * height).map((_, i) => {
      const x = i % width;
      return (x >= 4 && x < 14) || (x >= 24 && x < 38) ? 1 : i >= 15 * width ? bridge : 0;
    }),
  });

  test('go by their own face, and so does the gap on their side of it', () => {
    const { pieces, facesAt } = peopleApart(matte(0), place, faces);
    assert.equal(pieces, 2);
    for (const x of [0, 8, 17]) assert.deepEqual(facesAt(x, 18), [faces[0]]);
    for (const x of [21, 30, 39]) assert.deepEqual(facesAt(x, 18), [faces[1]]);
  });

  test('stay one piece with whom they touch', () => {
    const { pieces, facesAt } = peopleApart(matte(0.5), place, faces);
    assert.equal(pieces, 1);
    assert.deepEqual(facesAt(8, 6), faces);
  });
});

describe('the rim', () => {
  test('stays where it holds something of people, and goes where it is like what is behind it', () => {
    const [width, height] = [40, 20];
    const area = { x: 0, y: 0, width, height };
    const core = new Float32Array(width * height).map((_, i) => (i % width < 20 ? 1 : 0));
    const alpha = core.map((value, i) => (i % width < 24 ? 1 : value));
    // Beside people a wall, in the upper half with their glow on it.
    const plane = new Float32Array(core.length).map((_, i) => (i % width < 24 && i < 10 * width ? 0.8 : 0.5));
    const wall = new Float32Array(core.length).fill(0.5);
    const picture = (of: Float32Array): Picture => ({ width, height, planes: [of, wall, wall] });
    settleRim(area, alpha, core, picture(plane), picture(wall));
    assert.equal(alpha[4 * width + 22], 1);
    assert.equal(alpha[15 * width + 22], 0);
    assert.ok(alpha.every((value, i) => value >= core[i]!));
  });
});

describe('what is behind people', () => {
  test('level lines go on behind them, and what is known stays as it is', () => {
    const [width, height] = [96, 48];
    const plane = () => new Float32Array(width * height).map((_, i) => (Math.floor(i / width / 6) % 2) * 0.8);
    const picture = { width, height, planes: [plane(), plane(), plane()] as Picture['planes'] };
    const unknown = new Uint8Array(width * height).map((_, i) => (i % width > 30 && i % width < 60 ? 1 : 0));
    const behind = plane().map((value, i) => (unknown[i] === 1 ? 0.5 : value));
    const [filled] = mirrorFill({ ...picture, planes: [behind, behind, behind] }, unknown);
    for (let i = 0; i < filled.length; i++) {
      const x = i % width;
      if (x < 35 || x > 55) assert.ok(Math.abs(filled[i]! - picture.planes[0][i]!) < 0.02, `at ${x}`);
    }
  });

  test('what stands beside them is not seen a second time', () => {
    const [width, height] = [96, 48];
    // A post at 66 to 69, six pixels beside people whose border is at 60.
    const plane = () =>
      new Float32Array(width * height).map((_, i) => (i % width > 65 && i % width < 70 ? 0.9 : 0.2));
    const unknown = new Uint8Array(width * height).map((_, i) => (i % width > 30 && i % width < 60 ? 1 : 0));
    const [filled] = mirrorFill({ width, height, planes: [plane(), plane(), plane()] }, unknown);
    for (let i = 0; i < filled.length; i++) {
      if (i % width > 48 && i % width < 60) assert.ok(filled[i]! < 0.3, `${filled[i]} at ${i % width}`);
    }
  });
});

describe('what came of a prompt', () => {
  const motion = readMotion('orbit left, snow, a breeze, then dissolve');

  test('simple says that it has neither depth nor effects', () => {
    const { applied, ignored } = sentencesOf(notesOf(motion, { people: null }, 'simple'));
    assert.deepEqual(applied, ['camera: orbit left (orbit left), without depth']);
    assert.equal(ignored.length, 3);
  });

  test('advanced without people ignores the breeze, and what is between two frames', () => {
    const { applied, ignored } = sentencesOf(notesOf(motion, { people: null }, 'advanced'));
    assert.deepEqual(applied, ['camera: orbit left (orbit left)', 'effect: snow (snow)']);
    assert.match(ignored.join('\n'), /breeze[^\n]*nobody[\s\S]*dissolve[^\n]*two frames/);
  });
});

describe('ffmpeg', () => {
  const folder = mkdtempSync(join(tmpdir(), 'guise-ffmpeg-'));
  after(() => rmSync(folder, { recursive: true }));

  /** What a process says that has this program as its `ffmpeg`. */
  async function withFfmpeg(script: string, code: string): Promise<string> {
    const bin = mkdtempSync(join(folder, 'bin-'));
    writeFileSync(join(bin, 'ffmpeg'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, 'ffmpeg'), 0o755);
    const PATH = `${bin}${delimiter}${process.env.PATH}`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
      cwd: folder,
      env: { ...process.env, PATH },
    });
    return stdout.trim();
  }
  const module = (name: string) => JSON.stringify(new URL(`../../src/${name}`, import.meta.url).href);

  test('one without H.264 on the PATH is passed over for the one that npm brought', async () => {
    const said = await withFfmpeg(
      'echo " V..... mpeg4"',
      `const { findFfmpeg } = await import(${module('runtime/ffmpeg.ts')}); console.log((await findFfmpeg()).command)`,
    );
    assert.match(said, /@ffmpeg-installer/);
  });

  test('one that breaks in the middle ends the clip with a sentence, and leaves no file', async () => {
    const said = await withFfmpeg(
      'case "$*" in *-encoders*) echo " V..... libx264";; *-version*) echo "ffmpeg version 1";; *) head -c 1000 >/dev/null; exit 3;; esac',
      `const { openEncoder } = await import(${module('video/encoder.ts')});
      const size = { width: 640, height: 360 };
      const encoder = await openEncoder({ file: 'a.mp4', size, frames: 9, quality: { preset: 'veryfast', crf: 20 },
        signal: new AbortController().signal });
      try { for (let i = 0; i < 9; i++) await encoder.write(new Uint8Array(640 * 360 * 1.5)); await encoder.finish(); }
      catch (error) { console.log(error.code, error.retryable, error.message); }
      await encoder.close();`,
    );
    assert.equal(said, 'ENGINE_BROKE true The video could not be encoded.');
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('a.mp4')),
      [],
    );
  });
});
