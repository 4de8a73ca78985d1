import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { findFaces } from '../../../src/engines/local/faces.ts';
import { boxMean, gaussian } from '../../../src/engines/local/looks/blur.ts';
import { triangulate } from '../../../src/engines/local/looks/delaunay.ts';
import { expose } from '../../../src/engines/local/looks/exposure.ts';
import { maskFaces } from '../../../src/engines/local/looks/face-mask.ts';
import { fromLab, toLab } from '../../../src/engines/local/looks/lab.ts';
import { applyLook, lookNames } from '../../../src/engines/local/looks/looks.ts';
import { randomFrom, whiteNoise } from '../../../src/engines/local/looks/noise.ts';
import { luma, newPlane, type Plane } from '../../../src/engines/local/looks/plane.ts';
import { scatter } from '../../../src/engines/local/looks/scatter.ts';
import { readPhoto } from '../../../src/engines/local/photo.ts';
import type { Face, Picture } from '../../../src/engines/local/picture.ts';

const photoFile = 'node_modules/@vladmandic/face-api/demo/sample3.jpg';

let photo: Picture;
let faces: Face[];
const made = new Map<string, Picture>();

before(async () => {
  photo = await readPhoto(photoFile, 800);
  faces = await findFaces(photo);
  assert.equal(faces.length, 3);
  for (const name of lookNames) made.set(name, applyLook(name, photo, faces, 7));
});

describe('applyLook', () => {
  it('offers the fifteen looks', () => {
    assert.deepEqual(
      [...lookNames].sort(),
      (
        'blueprint comic duotone halftone ink low-poly mosaic neon oil pastel pencil pop-art stained-glass watercolour ' +
        'woodcut'
      ).split(' '),
    );
  });

  for (const name of lookNames) {
    describe(name, () => {
      it('keeps the size and gives display values', () => {
        const picture = made.get(name)!;
        assert.deepEqual([picture.width, picture.height], [photo.width, photo.height]);
        for (const plane of picture.planes) {
          assert.equal(plane.length, photo.planes[0].length);
          assert.ok(
            plane.every((value) => value >= 0 && value <= 1),
            'a value is outside of 0 to 1',
          );
        }
      });

      it('gives the same picture for the same seed and leaves the photo as it was', () => {
        const [small, smallFaces] = reduced();
        const untouched = small.planes.map((plane) => plane.slice());
        const one = applyLook(name, small, smallFaces, 3);
        const other = applyLook(name, small, smallFaces, 3);
        assert.deepEqual(other.planes, one.planes);
        assert.deepEqual(small.planes, untouched);
      });

      it('can be told from the photo and from every other look', () => {
        assert.ok(difference(made.get(name)!, photo) > 0.03, `photo ${difference(made.get(name)!, photo)}`);
        for (const other of lookNames) {
          if (other === name) continue;
          const apart = difference(made.get(name)!, made.get(other)!);
          assert.ok(apart > 0.035, `${other} differs by ${apart.toFixed(3)}`);
        }
      });

      it('works without faces, on odd sizes, and with a face that is cut by the border', () => {
        const odd = cut(photo, Math.round(faces[1]!.center.x), Math.round(faces[1]!.center.y), 211, 157);
        const cutFace = moved(faces[1]!, -Math.round(faces[1]!.center.x), -Math.round(faces[1]!.center.y));
        for (const some of [[], [cutFace]]) {
          const picture = applyLook(name, odd, some, 1);
          assert.deepEqual([picture.width, picture.height], [211, 157]);
          assert.ok(picture.planes.every((plane) => plane.every((value) => value >= 0 && value <= 1)));
        }
      });
    });
  }

  it('keeps the features of every face where they are', () => {
    // Pop art shows the people four times, at half the size.
    for (const name of lookNames.filter((look) => look !== 'pop-art')) {
      for (const face of faces) {
        const alike = featuresAlike(made.get(name)!, photo, face);
        assert.ok(alike > 0.3, `${name}: ${alike.toFixed(2)}`);
      }
    }
  });

  it('would notice a face whose features are elsewhere', () => {
    for (const face of faces) {
      const turned: Picture = { ...photo, planes: [...photo.planes] };
      const side = Math.round(face.height * 0.9);
      const left = Math.round(face.center.x - side / 2);
      const top = Math.round(face.center.y - side / 2);
      turned.planes = photo.planes.map((plane) => {
        const out = plane.slice();
        for (let y = 0; y < side; y++) {
          const from = (top + side - 1 - y) * photo.width + left;
          out.set(plane.subarray(from, from + side), (top + y) * photo.width + left);
        }
        return out;
      }) as Picture['planes'];
      assert.ok(featuresAlike(turned, photo, face) < 0.3, featuresAlike(turned, photo, face).toFixed(2));
    }
  });

  it('takes a cast off skin and keeps skin tones apart', () => {
    const cast = (red: number, green: number, blue: number): Picture => {
      const picture = cut(photo, 0, 0, photo.width, photo.height);
      const gains = [red, green, blue];
      for (const [c, plane] of picture.planes.entries()) {
        for (let i = 0; i < plane.length; i++) plane[i] = Math.min(1, plane[i]! * gains[c]!);
      }
      return picture;
    };
    const skin = (picture: Picture) => {
      const mask = maskFaces(faces, photo.width, photo.height).data;
      return expose(picture, mask).planes.map((plane) => {
        const inFace = plane.filter((_, i) => mask[i]! > 0.9);
        return inFace.reduce((sum, value) => sum + value, 0) / inFace.length;
      });
    };
    const [plainRed, , plainBlue] = skin(photo);
    const [castRed, , castBlue] = skin(cast(1, 1, 0.75));
    const before = 0.75;
    assert.ok(castBlue! / castRed! / (plainBlue! / plainRed!) > before + 0.06);
    const [darkRed] = skin(cast(0.5, 0.5, 0.5));
    assert.ok(darkRed! < plainRed! - 0.05, 'dark skin was lightened as far as light skin');
  });

  it('shows the people four times in pop art', () => {
    const picture = made.get('pop-art')!;
    const quarter = { width: picture.width >> 1, height: picture.height >> 1 };
    const drawn = [0, 1].flatMap((row) =>
      [0, 1].map((column) =>
        luma(cut(picture, column * quarter.width, row * quarter.height, quarter.width, quarter.height)),
      ),
    );
    const dark = drawn.map((plane) => plane.data.map((value) => (value < 0.15 ? 1 : 0)));
    for (const other of dark.slice(1)) assert.ok(correlation(dark[0]!, other) > 0.7);
  });

  it('gives another grain for another seed where a look has grain', () => {
    const [small, smallFaces] = reduced();
    for (const name of ['oil', 'pastel', 'mosaic', 'stained-glass', 'watercolour', 'pencil']) {
      const one = applyLook(name, small, smallFaces, 1);
      const other = applyLook(name, small, smallFaces, 2);
      assert.ok(difference(one, other) > 0.002, name);
    }
  });

  it('refuses a look it does not have', () => {
    assert.throws(() => applyLook('sepia-dream', photo, faces, 1), /no look called sepia-dream/);
  });
});

describe('gaussian', () => {
  it('keeps flat areas flat up to the border and spreads a point to its sigma', () => {
    for (const sigma of [0.8, 1.9, 3, 9]) {
      const flat = newPlane(61, 47);
      flat.data.fill(0.4);
      assert.ok(gaussian(flat, sigma).data.every((value) => Math.abs(value - 0.4) < 1e-5));
      const point = newPlane(121, 121);
      point.data[60 * 121 + 60] = 1;
      assert.ok(Math.abs(spread(gaussian(point, sigma)) - sigma) < 0.06 * sigma, `sigma ${sigma}`);
    }
  });
});

describe('boxMean', () => {
  it('is the mean of what lies inside the window and the plane', () => {
    const noise = whiteNoise(23, 17, 5);
    for (const radius of [1, 4, 12, 30]) {
      const means = boxMean(noise, radius);
      for (const [x, y] of [
        [0, 0],
        [22, 16],
        [11, 8],
        [3, 15],
      ] as const) {
        let sum = 0;
        let count = 0;
        for (let py = Math.max(0, y - radius); py <= Math.min(16, y + radius); py++) {
          for (let px = Math.max(0, x - radius); px <= Math.min(22, x + radius); px++) {
            sum += noise.data[py * 23 + px]!;
            count++;
          }
        }
        assert.ok(Math.abs(means.data[y * 23 + x]! - sum / count) < 1e-5, `radius ${radius} at ${x},${y}`);
      }
    }
  });
});

describe('toLab and fromLab', () => {
  it('know white, and give every colour back', () => {
    const noise = [1, 2, 3].map((seed) => whiteNoise(64, 64, seed).data);
    for (const plane of noise) plane[0] = 1;
    const picture: Picture = { width: 64, height: 64, planes: [noise[0]!, noise[1]!, noise[2]!] };
    const lab = toLab(picture);
    assert.ok(Math.abs(lab.lightness[0]! - 100) < 0.1 && Math.hypot(lab.a[0]!, lab.b[0]!) < 0.2);
    const back = fromLab(lab);
    for (const [c, plane] of back.planes.entries()) {
      assert.ok(plane.every((value, i) => Math.abs(value - picture.planes[c]![i]!) < 0.006));
    }
  });
});

describe('triangulate', () => {
  it('covers the hull once and leaves no point inside another triangle’s circle', () => {
    const random = randomFrom(4);
    const xs = [...Array.from({ length: 150 }, () => random() * 100), 0, 100, 0, 100];
    const ys = [...Array.from({ length: 150 }, () => random() * 80), 0, 0, 80, 80];
    const triangles = triangulate(Float32Array.from(xs), Float32Array.from(ys), 100, 80);
    let area = 0;
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [triangles[t]!, triangles[t + 1]!, triangles[t + 2]!];
      const twice = (xs[b]! - xs[a]!) * (ys[c]! - ys[a]!) - (ys[b]! - ys[a]!) * (xs[c]! - xs[a]!);
      assert.ok(twice > 0, 'turned the other way');
      area += twice / 2;
      for (let p = 0; p < xs.length; p++) {
        if (p !== a && p !== b && p !== c) assert.ok(!insideCircle(xs, ys, a, b, c, p), 'not Delaunay');
      }
    }
    assert.ok(Math.abs(area - 8000) < 40, `area ${area}`);
  });
});

describe('scatter', () => {
  it('fills the picture and keeps its distance', () => {
    const { x, y, count } = scatter(200, 150, 12, () => 12, 3);
    let nearest = Number.POSITIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < i; j++) nearest = Math.min(nearest, Math.hypot(x[i]! - x[j]!, y[i]! - y[j]!));
    }
    // What is taken is remembered in steps of two pixels.
    assert.ok(nearest > 9, `nearest ${nearest}`);
    assert.ok(count > 0.5 * ((200 * 150) / (12 * 12)), `count ${count}`);
  });
});

function reduced(): [Picture, Face[]] {
  const face = faces[1]!;
  const left = Math.round(face.center.x - 120);
  const top = Math.max(0, Math.round(face.center.y - 100));
  return [cut(photo, left, top, 240, 240), [moved(face, -left, -top)]];
}

function cut(picture: Picture, left: number, top: number, width: number, height: number): Picture {
  const [red, green, blue] = picture.planes.map((plane) => {
    const out = new Float32Array(width * height);
    for (let y = 0; y < height; y++) {
      const from = (top + y) * picture.width + left;
      out.set(plane.subarray(from, from + width), y * width);
    }
    return out;
  });
  return { width, height, planes: [red!, green!, blue!] };
}

function moved(face: Face, dx: number, dy: number): Face {
  const points = face.points.map((value, i) => value + (i % 3 === 0 ? dx : i % 3 === 1 ? dy : 0));
  return { ...face, points, center: { x: face.center.x + dx, y: face.center.y + dy } };
}

function difference(one: Picture, other: Picture): number {
  let sum = 0;
  let count = 0;
  for (let c = 0; c < 3; c++) {
    const [a, b] = [one.planes[c]!, other.planes[c]!];
    for (let i = 0; i < a.length; i += 7) {
      sum += Math.abs(a[i]! - b[i]!);
      count++;
    }
  }
  return sum / count;
}

/** How alike two pictures are in where a face has detail: eyes, brows, nose and mouth, light on dark or dark on light. */
function featuresAlike(one: Picture, other: Picture, face: Face): number {
  const side = Math.round(face.height * 0.9);
  const left = Math.round(face.center.x - side / 2);
  const top = Math.round(face.center.y - side / 2);
  const detail = (picture: Picture) => {
    const light = luma(cut(picture, left, top, side, side));
    const coarse = gaussian(light, face.height * 0.02).data;
    const around = gaussian(light, face.height * 0.09).data;
    const energy: Plane = {
      width: side,
      height: side,
      data: coarse.map((value, i) => Math.abs(value - around[i]!)),
    };
    return gaussian(energy, face.height * 0.03).data;
  };
  return correlation(detail(one), detail(other));
}

function correlation(a: Float32Array, b: Float32Array): number {
  const meanA = a.reduce((sum, value) => sum + value, 0) / a.length;
  const meanB = b.reduce((sum, value) => sum + value, 0) / b.length;
  let both = 0;
  let onlyA = 0;
  let onlyB = 0;
  for (let i = 0; i < a.length; i++) {
    both += (a[i]! - meanA) * (b[i]! - meanB);
    onlyA += (a[i]! - meanA) ** 2;
    onlyB += (b[i]! - meanB) ** 2;
  }
  return both / Math.sqrt(onlyA * onlyB);
}

/** The standard deviation, along x, of a plane taken as a heap of weight. */
function spread({ width, data }: Plane): number {
  let weight = 0;
  let sum = 0;
  let squares = 0;
  data.forEach((value, i) => {
    weight += value;
    sum += value * (i % width);
    squares += value * (i % width) ** 2;
  });
  return Math.sqrt(squares / weight - (sum / weight) ** 2);
}

function insideCircle(xs: number[], ys: number[], a: number, b: number, c: number, p: number): boolean {
  const [ax, ay, bx, by, cx, cy] = [xs[a]!, ys[a]!, xs[b]!, ys[b]!, xs[c]!, ys[c]!].map((value, i) =>
    i % 2 === 0 ? value - xs[p]! : value - ys[p]!,
  ) as [number, number, number, number, number, number];
  const [aa, bb, cc] = [ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy];
  return ax * (by * cc - bb * cy) - ay * (bx * cc - bb * cx) + aa * (bx * cy - by * cx) > 1e-3;
}
