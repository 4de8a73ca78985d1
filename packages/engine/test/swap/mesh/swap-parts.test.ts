import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faceOval } from '../../../src/faces/face-outline.ts';
import { allocatePicture } from '../../../src/pixels/picture.ts';
import { alignFaces, alignPoints, poseAngleOf } from '../../../src/swap/mesh/alignment.ts';
import { fitExpression } from '../../../src/swap/mesh/expression.ts';
import { maskFace } from '../../../src/swap/mesh/face-blend-mask.ts';
import {
  innerLips,
  leftLids,
  lips,
  meshPointCount,
  mirrorPoints,
  rightLids,
} from '../../../src/swap/mesh/features.ts';
import { stretchMembrane } from '../../../src/swap/mesh/membrane.ts';
import { meshTriangles } from '../../../src/swap/mesh/mesh-triangles.ts';
import { mapMesh, warpPicture } from '../../../src/swap/mesh/mesh-warp.ts';
import { findSkin } from '../../../src/swap/mesh/skin.ts';

/** A bent sheet of points, all different; not a face, but a shape that has only one best alignment. */
function someFace(): Float32Array {
  const points = new Float32Array(meshPointCount * 3);
  for (let i = 0; i < meshPointCount; i++) {
    const u = (i % 22) / 21 - 0.5;
    const v = Math.floor(i / 22) / 21 - 0.5;
    points.set([300 + 180 * u, 260 + 220 * v + 9 * u, 240 * u * u + 60 * v * v * v], i * 3);
  }
  return points;
}

function rotated(points: Float32Array, yaw: number, roll: number, scale: number, dx: number, dy: number) {
  const moved = new Float32Array(points.length);
  for (let i = 0; i < points.length; i += 3) {
    const x = points[i]! * Math.cos(yaw) + points[i + 2]! * Math.sin(yaw);
    const z = points[i + 2]! * Math.cos(yaw) - points[i]! * Math.sin(yaw);
    moved[i] = scale * (x * Math.cos(roll) - points[i + 1]! * Math.sin(roll)) + dx;
    moved[i + 1] = scale * (x * Math.sin(roll) + points[i + 1]! * Math.cos(roll)) + dy;
    moved[i + 2] = scale * z;
  }
  return moved;
}

describe('alignFaces', () => {
  it('finds the pose, the lean, the size and the place that one face has against another', () => {
    const face = someFace();
    const other = rotated(face, 0.3, -0.4, 1.7, 50, -80);
    const alignment = alignFaces(face, other);
    const aligned = alignPoints(face, alignment);
    assert.ok(aligned.every((value, i) => Math.abs(value - other[i]!) < 0.05));
    assert.ok(Math.abs(alignment.scale - 1.7) < 1e-3);
    assert.ok(Math.abs(poseAngleOf(alignment) - 0.3) < 1e-3);
  });

  it('counts a lean as no other pose', () => {
    const face = someFace();
    assert.ok(poseAngleOf(alignFaces(face, rotated(face, 0, 0.7, 1, 0, 0))) < 1e-2);
  });
});

describe('meshTriangles', () => {
  const edges = new Map<string, number>();
  const nameOf = (a: number, b: number) => (a < b ? `${a}-${b}` : `${b}-${a}`);
  for (let t = 0; t < meshTriangles.length; t += 3) {
    const [a, b, c] = meshTriangles.subarray(t, t + 3) as unknown as [number, number, number];
    for (const edge of [nameOf(a, b), nameOf(b, c), nameOf(c, a)])
      edges.set(edge, (edges.get(edge) ?? 0) + 1);
  }

  it('is a disc over all points of the mesh, with the oval as its border', () => {
    assert.equal(new Set(meshTriangles).size, meshPointCount);
    assert.equal(meshPointCount - edges.size + meshTriangles.length / 3, 1);
    const border = [...edges].filter(([, count]) => count === 1).map(([edge]) => edge);
    const oval = faceOval.map((point, i) => nameOf(point, faceOval[(i + 1) % faceOval.length]!));
    assert.deepEqual(border.sort(), oval.sort());
  });

  it('has edges along the lids and the lips', () => {
    for (const outline of [leftLids, rightLids, lips]) {
      outline.forEach((point, i) => {
        const edge = nameOf(point, outline[(i + 1) % outline.length]!);
        assert.equal(edges.get(edge), 2, edge);
      });
    }
  });
});

describe('mirrorPoints', () => {
  it('exchanges the sides of the face and leaves its midline', () => {
    assert.ok(mirrorPoints.every((other, i) => mirrorPoints[other] === i));
    assert.deepEqual(new Set(leftLids.map((i) => mirrorPoints[i])), new Set(rightLids));
    for (const outline of [faceOval, lips, innerLips]) {
      assert.deepEqual(new Set(outline.map((i) => mirrorPoints[i])), new Set(outline));
    }
    assert.deepEqual(
      [10, 1, 13, 152].map((i) => mirrorPoints[i]),
      [10, 1, 13, 152],
    );
  });
});

describe('fitExpression', () => {
  /** A head of height 200 whose lips are this far apart; the points of the mouth lie on two lines. */
  function face(gap: number): Float32Array {
    const points = new Float32Array(meshPointCount * 3).fill(500);
    points.set([100, 0, 0], 10 * 3);
    points.set([100, 200, 0], 152 * 3);
    innerLips.forEach((point, k) => {
      const x = k <= 10 ? 80 + 4 * k : 120 - 4 * (k - 10);
      points.set([x, k > 0 && k < 10 ? 150 - gap / 2 : k > 10 ? 150 + gap / 2 : 150, 0], point * 3);
    });
    for (const lids of [leftLids, rightLids]) {
      lids.forEach((point, k) => {
        const x = lids === leftLids ? 60 : 110;
        points.set(
          [x + (k <= 8 ? 4 * k : 4 * (16 - k)), k === 0 || k === 8 ? 60 : k < 8 ? 55 : 65, 0],
          point * 3,
        );
      });
    }
    return points;
  }
  const fit = (guest: Float32Array, template: Float32Array, yaw = 0, differsInPose = false) =>
    fitExpression(guest, guest, template, { height: 200, yaw }, differsInPose);

  it('leaves a smile as it is', () => {
    const smile = face(12);
    const { shape, shown } = fit(smile, face(2));
    assert.deepEqual(shape, smile);
    assert.deepEqual(shown, []);
  });

  it("takes the template's lips, and shows its teeth, where only the template's mouth is wide open", () => {
    const template = face(40);
    const { shape, shown } = fit(face(2), template);
    for (const i of innerLips) assert.ok(Math.abs(shape[i * 3 + 1]! - template[i * 3 + 1]!) < 0.5);
    assert.deepEqual(shown, [innerLips]);
  });

  it('does so for a smaller gap in a template that looks aside', () => {
    assert.deepEqual(fit(face(2), face(16), 0.6).shown, [innerLips]);
    assert.deepEqual(fit(face(2), face(16), 0.2).shown, []);
  });

  it("takes the template's mouth for a smile whose pose was changed far to look aside, and for no other", () => {
    assert.deepEqual(fit(face(14), face(16), 0.6, true).shown, [innerLips]);
    assert.deepEqual(fit(face(14), face(16), 0.6).shown, []);
    assert.deepEqual(fit(face(14), face(16), 0.2, true).shown, []);
  });

  it("closes a wide open mouth in a template whose lips are closed, without the template's teeth", () => {
    const { shape, shown } = fit(face(40), face(2));
    assert.ok(shape[14 * 3 + 1]! - shape[13 * 3 + 1]! < 3);
    assert.deepEqual(shown, []);
  });
});

describe('mapMesh', () => {
  /** All points in one place but three, so that there is one triangle to see. */
  function oneTriangle(corners: number[][], [a, b, c]: Iterable<number>): Float32Array {
    const points = new Float32Array(meshPointCount * 3);
    [a!, b!, c!].forEach((point, k) => {
      points.set(corners[k]!, point * 3);
    });
    return points;
  }

  it('reads every pixel from where its triangle lies in the source', () => {
    const corners = meshTriangles.subarray(0, 3);
    const source = oneTriangle([[10, 10, 0], [90, 10, 0], [10, 90, 0]], corners); // biome-ignore format: a triangle
    const shape = oneTriangle([[5, 5, 0], [45, 5, 0], [5, 45, 0]], corners); // biome-ignore format: a triangle
    const map = mapMesh(source, shape, 50, 50);
    const at = 10 * 50 + 20;
    assert.equal(map.covered[at], 1);
    assert.ok(Math.abs(map.x[at]! - 40) < 1e-3 && Math.abs(map.y[at]! - 20) < 1e-3);
    assert.equal(map.covered[49 * 50 + 49], 0);
  });

  it('lets the nearer of two triangles hide the other', () => {
    const first = [...meshTriangles.subarray(0, 3)];
    const second = Array.from({ length: meshTriangles.length / 3 }, (_, t) => [
      ...meshTriangles.subarray(t * 3, t * 3 + 3),
    ]).find((triangle) => triangle.every((point) => !first.includes(point)))!;
    const place = (near: number[], far: number[]) => {
      const points = new Float32Array(meshPointCount * 3);
      const corners = [[2, 2], [18, 2], [2, 18]]; // biome-ignore format: a triangle
      corners.forEach(([x, y], k) => {
        points.set([x!, y!, -5], near[k]! * 3);
        points.set([x!, y!, 5], far[k]! * 3);
      });
      return points;
    };
    const source = new Float32Array(meshPointCount * 3);
    for (const point of first) source[point * 3] = 100;
    for (const point of second) source[point * 3] = 200;
    const at = 5 * 20 + 5;
    assert.ok(Math.abs(mapMesh(source, place(first, second), 20, 20).x[at]! - 100) < 1e-3);
    assert.ok(Math.abs(mapMesh(source, place(second, first), 20, 20).x[at]! - 200) < 1e-3);
  });
});

describe('warpPicture', () => {
  const checks = (width: number, height: number, cell: number) =>
    Float32Array.from(
      { length: width * height },
      (_, i) => (Math.floor((i % width) / cell) + Math.floor(Math.floor(i / width) / cell)) % 2,
    );

  it('keeps pixels that do not move', () => {
    const plane = checks(32, 24, 3);
    const picture = {
      width: 32,
      height: 24,
      planes: [plane, plane, plane] as [Float32Array, Float32Array, Float32Array],
    };
    const x = Float32Array.from({ length: plane.length }, (_, i) => i % 32);
    const y = Float32Array.from({ length: plane.length }, (_, i) => Math.floor(i / 32));
    const map = { x, y, covered: new Float32Array(plane.length).fill(1) };
    assert.deepEqual(warpPicture(picture, map, 32, 24, 1).planes[0], plane);
  });

  it('turns a pattern too fine for its new size into grey instead of another pattern', () => {
    const plane = checks(200, 200, 1);
    const picture = {
      width: 200,
      height: 200,
      planes: [plane, plane, plane] as [Float32Array, Float32Array, Float32Array],
    };
    const x = Float32Array.from({ length: 400 }, (_, i) => 20 + (i % 20) * 7.3);
    const y = Float32Array.from({ length: 400 }, (_, i) => 20 + Math.floor(i / 20) * 7.3);
    const map = { x, y, covered: new Float32Array(400).fill(1) };
    const [red] = warpPicture(picture, map, 20, 20, 1 / 7.3).planes;
    assert.ok(red.every((value) => Math.abs(value - 0.5) < 0.06));
  });
});

describe('stretchMembrane', () => {
  it('carries a slope that its border has over its inside', () => {
    const [width, height] = [61, 47];
    const slope = Float32Array.from(
      { length: width * height },
      (_, i) => 0.3 * (i % width) - 0.2 * Math.floor(i / width),
    );
    const inside = new Uint8Array(width * height).fill(1);
    const known = Uint8Array.from(inside, (_, i) => {
      const [x, y] = [i % width, Math.floor(i / width)];
      return x === 0 || y === 0 || x === width - 1 || y === height - 1 ? 1 : 0;
    });
    const values = slope.map((value, i) => value * known[i]!);
    const surface = stretchMembrane(values, known, inside, width, height);
    assert.ok(surface.every((value, i) => Math.abs(value - slope[i]!) < 0.05));
  });

  it('takes on the one value it knows and stays out of what is outside', () => {
    const inside = Uint8Array.from({ length: 900 }, (_, i) => (i % 30 < 20 ? 1 : 0));
    const known = new Uint8Array(900);
    known[5 * 30 + 5] = 1;
    const values = new Float32Array(900);
    values[5 * 30 + 5] = 7;
    const surface = stretchMembrane(values, known, inside, 30, 30);
    assert.ok(surface.every((value, i) => (inside[i] === 1 ? Math.abs(value - 7) < 0.2 : value === 0)));
  });
});

describe('maskFace', () => {
  const side = 160;
  const disc = (x: number, y: number, radius: number) =>
    Float32Array.from({ length: side * side }, (_, i) =>
      Math.hypot((i % side) - x, Math.floor(i / side) - y) < radius ? 1 : 0,
    );
  const none = new Float32Array(side * side);
  const all = new Float32Array(side * side).fill(1);
  const oval = disc(80, 80, 70);
  const parts = { oval, features: none, eyes: none, lips: none, lids: none, inner: none, middle: none, skinSample: none }; // biome-ignore format: one row
  const area = { unit: 140, factor: 1, drawn: all, glasses: none };
  const skins = { there: all, guest: all, lit: all };
  const picture = allocatePicture({ width: side, height: side });

  it('shows the guest over a spot inside of the face, and leaves hair that reaches in from its border', () => {
    const spot = disc(80, 110, 6);
    const isHair = (i: number) => Math.abs((i % side) - 50) < 6 && Math.floor(i / side) < 80;
    const there = all.map((_, i) => (spot[i] === 1 || isHair(i) ? 0 : 1));
    const spotted = allocatePicture({ width: side, height: side });
    for (const plane of spotted.planes) plane.set(there.map((value) => 0.2 + 0.5 * value));
    const { alpha } = maskFace(spotted, parts, { ...skins, there }, area);
    assert.ok(alpha[110 * side + 80]! > 0.9, 'spot');
    assert.ok(alpha[50 * side + 50]! < 0.1, 'hair');
  });

  it('leaves dark glasses in front of everything, even between brows and lips', () => {
    const glasses = disc(80, 60, 12);
    const { alpha, open } = maskFace(picture, { ...parts, inner: oval }, skins, { ...area, glasses });
    assert.ok(alpha[60 * side + 80] === 0 && open[60 * side + 80] === 0, 'glasses');
    assert.ok(alpha[90 * side + 80]! > 0.9, 'beside');
  });
});

describe('findSkin', () => {
  it('knows skin in shadow from hair of nearly the same lightness', () => {
    const [width, height] = [80, 80];
    const count = width * height;
    const lightness = new Float32Array(count);
    const a = new Float32Array(count).fill(14);
    const b = new Float32Array(count).fill(18);
    const sample = new Float32Array(count);
    for (let i = 0; i < count; i++) {
      const [x, y] = [i % width, Math.floor(i / width)];
      lightness[i] = 75 - 0.45 * x;
      if (x > 20 && x < 50 && y > 25 && y < 60) sample[i] = 1;
      if (y < 10) {
        // Hair: darker than the skin beside it, though not than the skin in shadow.
        lightness[i] = 38;
        a[i] = 4;
        b[i] = 6;
      }
    }
    const none = new Float32Array(count);
    const strangeness = findSkin(
      { width, height, lightness, a, b },
      new Float32Array(count).fill(1),
      sample,
      none,
    );
    assert.ok(strangeness[70 * width + 78]! < 1, 'shadow');
    assert.ok(strangeness[70 * width + 2]! < 1, 'light');
    assert.ok(strangeness[4 * width + 20]! > 1.5, 'hair');
  });
});
