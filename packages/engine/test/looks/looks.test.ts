import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Face } from '../../src/faces/face.ts';
import { findFaces } from '../../src/faces/faces.ts';
import { lookNames } from '../../src/looks/look-names.ts';
import { applyLook, classDetailOf } from '../../src/looks/looks.ts';
import { correctExposure } from '../../src/looks/subject/exposure.ts';
import { maskFaces } from '../../src/looks/subject/face-masks.ts';
import { openTones } from '../../src/looks/subject/people-classes.ts';
import { labelFacets } from '../../src/looks/tiling/facets.ts';
import { scatterPoints } from '../../src/looks/tiling/scatter.ts';
import { gaussianBlur } from '../../src/pixels/gaussian-blur.ts';
import { toLab } from '../../src/pixels/lab.ts';
import { readPhoto } from '../../src/pixels/photo.ts';
import { lumaPlane, type Picture } from '../../src/pixels/picture.ts';

const photoFile = 'node_modules/@vladmandic/face-api/demo/sample3.jpg';

let photo: Picture;
let faces: Face[];
const made = new Map<string, Picture>();
const plain = new Map<string, Picture>();

before(async () => {
  photo = await readPhoto(photoFile, 600);
  faces = await findFaces(photo, { traits: false });
  assert.equal(faces.length, 3);
  for (const name of lookNames) made.set(name, applyLook(name, photo, faces, 7));
});

describe('applyLook', () => {
  for (const name of lookNames) {
    describe(name, () => {
      it('keeps the size and gives display values', () => {
        assert.ok(isPictureOf(made.get(name)!, photo), 'another size, or a value outside of 0 to 1');
      });

      it('gives the same picture for the same seed and leaves the photo as it was', () => {
        const [part, cutFace] = cutAtBorder();
        const untouched = part.planes.map((plane) => plane.slice());
        const [one, again] = [1, 2].map(() => applyLook(name, part, [cutFace], 1));
        assert.deepEqual(again!.planes, one!.planes);
        assert.deepEqual(part.planes, untouched);
        assert.ok(isPictureOf(one!, part));
      });

      it('can be told from the photo and from every other look', () => {
        assert.ok(difference(made.get(name)!, photo) > 0.03, `photo ${difference(made.get(name)!, photo)}`);
        for (const other of lookNames) {
          if (other === name) continue;
          const apart = difference(made.get(name)!, made.get(other)!);
          assert.ok(apart > 0.035, `${other} differs by ${apart.toFixed(3)}`);
        }
      });

      it('works without faces', () => {
        const [part] = cutAtBorder();
        assert.ok(isPictureOf(applyLook(name, part, [], 1), part));
      });
    });
  }

  it('keeps the features of every face where they are', () => {
    // Pop art shows the people four times, at half the size.
    for (const name of lookNames.filter((look) => look !== 'pop-art')) {
      for (const [index, face] of faces.entries()) {
        assert.deepEqual(featureShift(made.get(name)!, photo, face), [0, 0], `${name}, face ${index}`);
      }
    }
  });

  it('would notice features that have moved by an eighth of the face', () => {
    for (const face of faces) {
      const by = Math.round(face.height / 8);
      const moved = cut(photo, 0, by, photo.width, photo.height - by);
      assert.deepEqual(featureShift(moved, photo, face), [0, -1]);
    }
  });

  it('takes a yellow cast off skin and keeps skin tones apart', async () => {
    const group = await readPhoto('node_modules/@vladmandic/face-api/demo/sample6.jpg', 600);
    const mask = maskFaces(await findFaces(group, { traits: false }), group).data;
    const skin = (gains: readonly number[]) => {
      const picture = cut(group, 0, 0, group.width, group.height);
      for (const [c, plane] of picture.planes.entries()) {
        for (let i = 0; i < plane.length; i++) plane[i] = Math.min(1, plane[i]! * gains[c]!);
      }
      const mean = (plane: Float32Array) => {
        let sum = 0;
        let count = 0;
        for (let i = 0; i < plane.length; i++) {
          if (mask[i]! <= 0.9) continue;
          sum += plane[i]!;
          count++;
        }
        return sum / count;
      };
      return { given: picture.planes.map(mean), exposed: correctExposure(picture, mask).planes.map(mean) };
    };
    const hue = (rgb: number[]) => {
      const [red, green, blue] = rgb.map((value) => Float32Array.of(value));
      const lab = toLab({ width: 1, height: 1, planes: [red!, green!, blue!] });
      return (Math.atan2(lab.b[0]!, lab.a[0]!) * 180) / Math.PI;
    };
    const { given, exposed } = skin([1, 1, 0.85]);
    assert.ok(hue(exposed) < hue(given) - 4, `${hue(given)} to ${hue(exposed)} degrees`);
    const light = skin([1, 1, 1]).exposed[0]!;
    const dark = skin([0.5, 0.5, 0.5]).exposed[0]!;
    assert.ok(dark < light - 0.05, `${light} and ${dark}`);
  });

  it('shows the people four times in pop art', () => {
    const picture = made.get('pop-art')!;
    const quarter = { width: picture.width >> 1, height: picture.height >> 1 };
    const drawn = [0, 1].flatMap((row) =>
      [0, 1].map((column) =>
        lumaPlane(cut(picture, column * quarter.width, row * quarter.height, quarter.width, quarter.height)),
      ),
    );
    const dark = drawn.map((plane) => plane.data.map((value) => (value < 0.15 ? 1 : 0)));
    for (const other of dark.slice(1)) assert.ok(correlation(dark[0]!, other) > 0.7);
  });

  it('gives another grain for another seed where a look has grain', () => {
    const [small, smallFaces] = reduced();
    for (const name of ['oil', 'pastel', 'mosaic', 'stained-glass', 'watercolour', 'pencil']) {
      const other = applyLook(name, small, smallFaces, 2);
      assert.ok(difference(plainOf(name), other) > 0.002, name);
    }
  });

  it('paints hair in its own way where it is told what is hair', () => {
    const [small, smallFaces] = reduced();
    const { width, height } = small;
    const nothing = new Float32Array(width * height);
    const hair = nothing.map((_, i) => (i < (width * height) / 4 ? 1 : 0));
    const shares = { hair, bodySkin: nothing, faceSkin: nothing, clothes: nothing };
    const classes = { width, height, shares };
    const halves = (name: string) => {
      const untold = plainOf(name);
      const told = applyLook(name, small, smallFaces, 3, classes);
      const apart = (top: number, rows: number) =>
        difference(cut(untold, 0, top, width, rows), cut(told, 0, top, width, rows));
      return { upper: apart(0, height >> 2), lower: apart(height - 90, 90) };
    };
    for (const name of ['pencil', 'oil']) {
      const { upper, lower } = halves(name);
      assert.ok(upper > 2 * lower && upper > 0.01, `${name}: ${upper} in hair, ${lower} elsewhere`);
    }
    assert.equal(classDetailOf('watercolour'), null);
    assert.deepEqual(halves('watercolour'), { upper: 0, lower: 0 });
  });

  it('lifts dark clothes and darkens blown-out skin, and leaves all else', () => {
    const size = { width: 90, height: 30 };
    const third = (from: number) =>
      Float32Array.from({ length: 2700 }, (_, i) => (Math.floor((i % 90) / 30) === from ? 1 : 0));
    const values = Float32Array.from({ length: 2700 }, (_, i) => {
      const fold = i % 2 === 0 ? 0.02 : 0;
      return [0.04, 0.5, 0.93][Math.floor((i % 90) / 30)]! + fold;
    });
    const [clothes, skin] = [third(0), third(2)];
    const none = new Float32Array(2700);
    const classes = { ...size, shares: { hair: none, bodySkin: skin, faceSkin: none, clothes } };
    const picture = {
      ...size,
      planes: [values, values, values] as [Float32Array, Float32Array, Float32Array],
    };
    const opened = openTones(picture, classes, 20).planes[0];
    const at = (x: number) => opened[15 * 90 + x]!;
    assert.ok(at(15) > 0.12 && at(15) < 0.3, `clothes ${at(15)}`);
    assert.ok(Math.abs(at(15) - at(16)) > 0.03, 'the folds show');
    assert.equal(at(45), values[15 * 90 + 45]);
    assert.ok(at(75) < 0.85, `skin ${at(75)}`);
  });

  it('refuses a look it does not have', () => {
    assert.throws(() => applyLook('sepia-dream', photo, faces, 1), /no look called sepia-dream/);
    assert.throws(() => applyLook('constructor', photo, faces, 1), /no look called constructor/);
  });
});

describe('labelFacets', () => {
  const square = { triangles: [0, 1, 2, 2, 1, 3], coords: [-2, -2, 41, -2, -2, 31, 41, 31] };
  const size = { width: 40, height: 30 };

  it('gives every pixel of the triangles to one of them', () => {
    const { labels } = labelFacets(square, size, 1);
    assert.ok(labels.every((facet) => facet === 0 || facet === 1));
    assert.deepEqual([labels[0], labels.at(-1)], [0, 1]);
  });

  it('scales the triangles around their centers', () => {
    const [whole, half] = [1, 0.5].map((scale) => labelFacets(square, size, scale).labels);
    assert.ok(half!.every((facet, i) => facet === -1 || facet === whole![i]));
    const share = half!.filter((facet) => facet >= 0).length / (43 * 33);
    assert.ok(Math.abs(share - 0.25) < 0.03, `${share} of the area`);
  });
});

describe('scatterPoints', () => {
  it('fills the picture and keeps its distance', () => {
    const { x, y, count } = scatterPoints(
      { width: 200, height: 150 },
      { smallest: 12, distanceAt: () => 12, seed: 3 },
    );
    let nearest = Number.POSITIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < i; j++) nearest = Math.min(nearest, Math.hypot(x[i]! - x[j]!, y[i]! - y[j]!));
    }
    // What is taken is remembered in steps of two pixels.
    assert.ok(nearest > 9, `nearest ${nearest}`);
    assert.ok(count > 0.5 * ((200 * 150) / (12 * 12)), `count ${count}`);
  });
});

/** A part of an odd size whose left upper corner cuts a face. */
function cutAtBorder(): [Picture, Face] {
  const [x, y] = [Math.round(faces[1]!.center.x), Math.round(faces[1]!.center.y)];
  return [cut(photo, x, y, 167, 123), moved(faces[1]!, -x, -y)];
}

function reduced(): [Picture, Face[]] {
  const face = faces[1]!;
  const left = Math.round(face.center.x - 120);
  const top = Math.max(0, Math.round(face.center.y - 100));
  return [cut(photo, left, top, 240, 240), [moved(face, -left, -top)]];
}

/** The reduced photo in a look with seed 3, made once. */
function plainOf(name: string): Picture {
  const picture = plain.get(name) ?? applyLook(name, ...reduced(), 3);
  plain.set(name, picture);
  return picture;
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

/** Whether it has the photo's size, and values that can be shown. */
function isPictureOf({ width, height, planes }: Picture, of: Picture): boolean {
  const isWhole = (plane: Float32Array) => plane.length === of.width * of.height && isShown(plane);
  return width === of.width && height === of.height && planes.every(isWhole);
}

function isShown(plane: Float32Array): boolean {
  for (let i = 0; i < plane.length; i++) if (!(plane[i]! >= 0 && plane[i]! <= 1)) return false;
  return true;
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

/**
 * How far, in eighths of the face's height, a face's detail has to be moved to fit the photo's best: eyes, brows, nose
 * and mouth, whether they are drawn dark on light or light on dark.
 */
function featureShift(picture: Picture, original: Picture, face: Face): [number, number] {
  const side = Math.round(face.height * 0.62);
  const left = Math.round(face.center.x - side / 2);
  const top = Math.round(face.center.y - side / 2);
  const step = Math.round(face.height / 8);
  const wanted = detail(cut(original, left, top, side, side), face.height);
  let best = Number.NEGATIVE_INFINITY;
  let found: [number, number] = [9, 9];
  for (const dy of [-1, 0, 1]) {
    for (const dx of [-1, 0, 1]) {
      const there = cut(picture, left + dx * step, top + dy * step, side, side);
      const alike = correlation(detail(there, face.height), wanted);
      if (alike > best) {
        best = alike;
        found = [dx, dy];
      }
    }
  }
  return found;
}

function detail(picture: Picture, unit: number): Float32Array {
  const light = lumaPlane(picture);
  const coarse = gaussianBlur(light, unit * 0.02).data;
  const around = gaussianBlur(light, unit * 0.09).data;
  const energy = coarse.map((value, i) => Math.abs(value - around[i]!));
  return gaussianBlur({ ...light, data: energy }, unit * 0.03).data;
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
