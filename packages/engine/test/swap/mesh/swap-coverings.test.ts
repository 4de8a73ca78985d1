import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { likeness } from '../../../quality/likeness.ts';
import type { Face } from '../../../src/faces/face.ts';
import { findFaces } from '../../../src/faces/faces.ts';
import { classSide } from '../../../src/matting/class-pass.ts';
import { linearToSrgb, srgbToLinear } from '../../../src/pixels/colour.ts';
import type { LabPicture } from '../../../src/pixels/lab.ts';
import { whiteNoise } from '../../../src/pixels/noise.ts';
import { readPhoto } from '../../../src/pixels/photo.ts';
import { mapPlanes, type Picture } from '../../../src/pixels/picture.ts';
import { RenderError } from '../../../src/runtime/render-error.ts';
import { samplePhotos } from '../../../src/samples.ts';
import type { Alignment } from '../../../src/swap/mesh/alignment.ts';
import { takeOffGlasses } from '../../../src/swap/mesh/clear-glasses.ts';
import { findCoverings, sampleClass } from '../../../src/swap/mesh/coverings.ts';
import { matchDetail } from '../../../src/swap/mesh/detail.ts';
import type { FaceParts } from '../../../src/swap/mesh/face-parts.ts';
import { meshPointCount, rightBrow } from '../../../src/swap/mesh/features.ts';
import { checkGlare, checkGlassesInOtherPose, templateWarnings } from '../../../src/swap/mesh/gate.ts';
import {
  fadeFeaturesBesideHair,
  findGuestHair,
  replaceHair,
  takeFeaturesFromOtherSide,
} from '../../../src/swap/mesh/guest-hair.ts';
import { lightUnevenness, softenHighlights } from '../../../src/swap/mesh/lighting.ts';
import { swapFace } from '../../../src/swap/mesh/mesh-swap.ts';
import { cutPatch, type Patch, pointsInPatch } from '../../../src/swap/mesh/patch.ts';

const dark = [0.06, 0.08, 0.1] as const;

describe('a template in dark glasses', () => {
  let template: Picture;
  let face: Face;
  let isGlasses: Uint8Array;
  let guest: { picture: Picture; face: Face };
  /** In the guest's photo: eyes in the middle of black diamonds, painted on the skin. */
  let paintedEyes: Face;
  let result: Picture;

  before(async () => {
    const [plain, photo] = await Promise.all([
      readPhoto(samplePhotos.onePerson, 900),
      readPhoto('node_modules/@vladmandic/face-api/demo/sample1.jpg', 1280),
    ]);
    face = largest(await findFaces(plain, { traits: false }));
    const faces = await findFaces(photo, { traits: false });
    guest = { picture: photo, face: largest(faces) };
    paintedEyes = faces[1]!;
    isGlasses = glassesOf(plain, face);
    template = withGlasses(plain, isGlasses, dark);
    result = await swapFace(template, face, guest.picture, guest.face);
  });

  it('keeps them before the face of the guest, whole', () => {
    let kept = 0;
    for (let i = 0; i < isGlasses.length; i++) {
      if (isGlasses[i] === 1 && Math.abs(result.planes[0][i]! - template.planes[0][i]!) < 0.02) kept++;
    }
    const share = kept / isGlasses.reduce((sum, value) => sum + value, 0);
    assert.ok(share > 0.95, `${share}`);
  });

  it('shows the guest around them', async () => {
    const was = await likeness(guest.picture, guest.face, template, face);
    const is = await likeness(guest.picture, guest.face, result, face);
    assert.ok(is > was + 0.15, `${was} → ${is}`);
  });

  it('is not warned of, as one is whose eyes are hidden by anything else', async () => {
    assert.deepEqual(await templateWarnings(template, face), []);
    assert.deepEqual(await templateWarnings(guest.picture, paintedEyes), ['eyes hidden']);
    const hidden = swapFace(guest.picture, paintedEyes, guest.picture, guest.face);
    await assert.rejects(hidden, (error) => isRefusal(error, /does not show its eyes/));
  });
});

describe('a template in clear glasses', () => {
  let template: Picture;
  let face: Face;
  let guest: { picture: Picture; face: Face };
  let patch: Patch;
  /** How much of each pixel of the patch is their frame. */
  let frame: Float32Array;
  let eyeRow: number;

  before(async () => {
    const [two, one] = await Promise.all([
      readPhoto(samplePhotos.twoPeople),
      readPhoto(samplePhotos.onePerson, 900),
    ]);
    template = two;
    // Of the two, the one in glasses has the larger face.
    face = largest(await findFaces(two, { traits: false }));
    guest = { picture: one, face: largest(await findFaces(one, { traits: false })) };
    patch = cutPatch(two, face, 0);
    eyeRow = face.points[33 * 3 + 1]! - patch.top;
    frame = (await findCoverings(two, face, patch, 1)).things;
  });

  const shareOfFrame = (result: Picture, is: (was: number, value: number) => boolean) => {
    const there = cutPatch(result, face, 0).picture.planes[0];
    const [was] = patch.picture.planes;
    // Her hat is a thing too.
    const isAtEyes = (i: number) =>
      Math.abs(Math.floor(i / patch.picture.width) - eyeRow) < 0.15 * face.height;
    const framed = [...frame.keys()].filter((i) => frame[i] === 1 && isAtEyes(i));
    assert.ok(framed.length > 1000, `${framed.length}`);
    return framed.filter((i) => is(was[i]!, there[i]!)).length / framed.length;
  };

  it('is shown without them', async () => {
    const result = await swapFace(template, face, guest.picture, guest.face);
    const isBlack = (_: number, value: number) => value < 0.2;
    assert.ok(shareOfFrame(template, isBlack) > 0.3);
    // Eyes and brows of the guest are dark too.
    assert.ok(shareOfFrame(result, isBlack) < 0.05, `${shareOfFrame(result, isBlack)}`);
    const alike = await likeness(guest.picture, guest.face, result, face);
    assert.ok(alike > 0.65, `${alike}`);
  });

  it('keeps them where its head looks aside', async () => {
    const aside = { ...face, yaw: 0.5 };
    const result = await swapFace(template, aside, guest.picture, guest.face);
    const kept = shareOfFrame(result, (was, value) => Math.abs(was - value) < 0.03);
    assert.ok(kept > 0.85, `${kept}`);
  });

  it('leaves a hand before the eyes, and lashes that pass for a thing', () => {
    const factor = 2;
    const { width, height } = cutPatch(template, face, 0).picture;
    const size = { width: Math.ceil(width / factor), height: Math.ceil(height / factor) };
    const points = pointsInPatch(face.points, patch, factor);
    const takeOff = (rows: (share: number) => boolean) => {
      const things = Float32Array.from({ length: size.width * size.height }, (_, i) =>
        rows(Math.floor(i / size.width) / size.height) ? 1 : 0,
      );
      return takeOffGlasses(patch.picture, { points, unit: face.height / factor, yaw: 0, factor, things });
    };
    const eyes = eyeRow / height;
    assert.ok(takeOff((row) => Math.abs(row - eyes) < 0.04));
    assert.equal(
      takeOff((row) => row > eyes - 0.04),
      null,
    );
    assert.equal(
      takeOff(() => false),
      null,
    );
  });
});

/** A face of side 120 on a plane, and a guest in the dark with a strand of hair from the forehead to the chin. */
function darkGuest() {
  const side = 120;
  const plane = (value: (x: number, y: number) => number) =>
    Float32Array.from({ length: side * side }, (_, i) => value(i % side, Math.floor(i / side)));
  const none = plane(() => 0);
  const oval = plane((x, y) => (Math.hypot(x - 60, y - 60) < 55 ? 1 : 0));
  const parts: FaceParts = {
    oval,
    features: none,
    eyes: none,
    lips: none,
    lids: none,
    inner: oval,
    middle: none,
    skinSample: plane((x, y) => (Math.abs(x - 60) < 25 && Math.abs(y - 65) < 25 ? 1 : 0)),
  };
  const hair = plane((x) => (x >= 84 && x < 90 ? 1 : 0));
  const lab = (lightness: Float32Array): LabPicture => ({
    width: side,
    height: side,
    lightness,
    a: plane(() => 12),
    b: plane(() => 16),
  });
  const lit = (skin: number, strand: number) =>
    hair.map((value, i) => skin + 0.05 * (i % side) + value * (strand - skin));
  return {
    side,
    parts,
    hair,
    glasses: none,
    guest: lab(lit(22, 10)),
    template: lab(plane(() => 70)),
    relit: lab(lit(66, 30)),
  };
}

/** All points in one place: no brow is drawn. */
const noMesh = new Float32Array(3 * meshPointCount);

describe('hair of the guest before the face', () => {
  it('is replaced by skin that passes into the skin around it, and nothing else is changed', () => {
    const { side, parts, hair, glasses, guest, template, relit } = darkGuest();
    const found = findGuestHair({ guest, template, hair, glasses, roll: 0, parts, unit: 110 });
    const before = relit.lightness.slice();
    replaceHair(relit, found, template, parts, { shape: noMesh, factor: 1 });
    for (const y of [35, 60, 85]) {
      assert.ok(Math.abs(relit.lightness[y * side + 87]! - 70) < 3, `${relit.lightness[y * side + 87]}`);
      assert.equal(relit.lightness[y * side + 60], before[y * side + 60]);
    }
  });

  it('takes its shadow along, which a dark photo shows by a few steps of lightness only', () => {
    const { side, parts, hair, glasses, guest, template } = darkGuest();
    for (let y = 0; y < side; y++) guest.lightness.fill(14, y * side + 80, y * side + 84);
    const { region } = findGuestHair({ guest, template, hair, glasses, roll: 0, parts, unit: 110 });
    assert.equal(region[60 * side + 81], 1);
    assert.equal(region[60 * side + 70], 0);
  });

  it('leaves brows that only its shadow reaches, and what is next to glasses', () => {
    const { side, parts, hair, glasses, guest, template } = darkGuest();
    for (let y = 0; y < side; y++) guest.lightness.fill(14, y * side + 80, y * side + 84);
    const features = parts.features.slice();
    for (let y = 40; y < 50; y++) features.fill(1, y * side + 60, y * side + 78);
    const rims = glasses.slice();
    for (let y = 78; y < 82; y++) rims.fill(1, y * side + 60, y * side + 88);
    const face = { guest, template, hair, roll: 0, parts: { ...parts, features }, unit: 110 };
    const { region, overFeatures } = findGuestHair({ ...face, glasses: rims });
    for (const [x, y, isHair] of [[82, 45, 0], [82, 60, 1], [87, 60, 1], [82, 80, 0], [87, 80, 0]]) // biome-ignore format: one row
      assert.equal(region[y! * side + x!], isHair, `${x}, ${y}`);
    // Hair itself hides the tail of the brow, but no eye.
    const covered = hair.map((value, i) => Math.max(value, features[i]!));
    const lids = features.map((value, i) => (i < 45 * side ? value : 0));
    const over = findGuestHair({
      ...face,
      hair: covered,
      glasses: rims,
      parts: { ...parts, features, lids },
    });
    for (const [x, y, isOver] of [[84, 47, 1], [70, 47, 1], [70, 42, 0], [87, 60, 0]]) // biome-ignore format: one row
      assert.equal(over.overFeatures[y! * side + x!], isOver, `over ${x}, ${y}`);
    assert.equal(overFeatures[47 * side + 70], 0);
  });

  it('shows the brow of the other side in place of a hidden one, unless that is hidden too', () => {
    const { side, parts, hair, glasses, guest, template, relit } = darkGuest();
    const features = parts.features.slice();
    for (let y = 40; y < 50; y++) features.fill(1, y * side + 76, y * side + 96);
    const face = { ...parts, features };
    const found = findGuestHair({ guest, template, hair, glasses, roll: 0, parts: face, unit: 110 });
    const [brow, skinAbove] = [45 * side + 87, 37 * side + 87];
    assert.equal(found.overFeatures[brow], 1);
    const bare = takeFeaturesFromOtherSide(found, glasses, 110);
    assert.ok(bare.taken[brow]! > 0.95);
    const both = takeFeaturesFromOtherSide(found, hair, 110);
    assert.ok(both.taken[brow]! < 0.1);
    // The face as it is filled: the other side's brow and skin, which is in darker light.
    for (const [at, lightness] of [[brow, 20], [skinAbove, 40]] as const) relit.lightness[at] = lightness; // biome-ignore format: one row
    replaceHair(relit, bare, template, face, { shape: noMesh, factor: 1 });
    assert.ok(relit.lightness[brow]! < 30, `brow ${relit.lightness[brow]}`);
    assert.ok(Math.abs(relit.lightness[skinAbove]! - 70) < 3, `skin ${relit.lightness[skinAbove]}`);
  });

  it('leaves a brow as it is whose end alone is hidden', () => {
    const { side, parts, hair, glasses, guest, template } = darkGuest();
    const features = parts.features.slice();
    for (let y = 40; y < 44; y++) features.fill(1, y * side + 30, y * side + 80);
    for (let y = 44; y < 60; y++) features.fill(1, y * side + 30, y * side + 60);
    const face = { ...parts, features };
    const found = findGuestHair({ guest, template, hair, glasses, roll: 0, parts: face, unit: 110 });
    assert.ok(found.overFeatures.includes(1));
    assert.equal(Math.max(...takeFeaturesFromOtherSide(found, glasses, 110).taken), 0);
  });
});

describe('a brow that hair hides on both sides', () => {
  const { side, parts, hair, glasses, guest, template, relit } = darkGuest();
  const isBrow = (i: number) => i % side > 64 && i % side < 100 && Math.abs(Math.floor(i / side) - 45) < 3;
  const features = parts.features.map((_, i) => (isBrow(i) ? 1 : 0));
  const face = { ...parts, features };
  const found = findGuestHair({ guest, template, hair, glasses, roll: 0, parts: face, unit: 110 });
  const faded = fadeFeaturesBesideHair(found, 110);
  /** A mesh whose brow on the right of the picture lies between rows 42 and 48. */
  const shape = new Float32Array(3 * meshPointCount);
  for (const [i, x] of [64, 73, 82, 91, 100].entries()) {
    shape.set([x, 42, 0], 3 * rightBrow.above[i]!);
    shape.set([x, 48, 0], 3 * rightBrow.below[i]!);
  }

  it('fades beside the hair', () => {
    const [besideHair, farFromHair] = [45 * side + 82, 45 * side + 72];
    assert.ok(faded.share[besideHair]! > found.share[besideHair]! + 0.1);
    assert.ok(faded.share[farFromHair]! < 0.01);
  });

  it('is drawn on the skin in its place, as dark as what is seen of it, and lighter outwards', () => {
    const drawn = relit.lightness.map((value, i) => (isBrow(i) && hair[i] === 0 ? 30 : value));
    const lit = { ...relit, lightness: drawn };
    replaceHair(lit, faded, template, face, { shape, factor: 1 });
    const at = (x: number, y: number) => lit.lightness[y * side + x]!;
    assert.ok(at(86, 45) < 55 && at(86, 45) > 30, `brow below hair ${at(86, 45)}`);
    assert.ok(at(86, 45) < at(89, 45), `${at(86, 45)}, outwards ${at(89, 45)}`);
    for (const y of [30, 60]) assert.ok(Math.abs(at(87, y) - 70) < 3, `skin below hair ${at(87, y)}`);
  });
});

describe('sampleClass', () => {
  it('reads a class at places of the photo, between the pixels of its window', () => {
    const data = Float32Array.from({ length: classSide * classSide }, (_, i) => (i % classSide) / classSide);
    const shares = { hair: data, things: data, background: data, bodySkin: data, faceSkin: data, clothes: data }; // biome-ignore format: one row
    const window = { x: 100, y: 50, width: 2 * classSide, height: 2 * classSide };
    const places = { x: Float32Array.of(100 + classSide, -500, 9000), y: Float32Array.of(60, 60, 60) };
    const [middle, left, right] = sampleClass({ window, shares }, 'hair', places);
    assert.ok(Math.abs(middle! - 0.5) < 0.01 && left === 0 && right! > 0.99);
  });
});

describe('softenHighlights', () => {
  it('weakens hard highlights on skin and leaves soft ones, eyes and teeth', () => {
    const four = (...values: number[]) => Float32Array.from(values);
    const lab = {
      width: 4,
      height: 1,
      lightness: four(95, 68, 95, 95),
      a: four(0, 0, 0, 0),
      b: four(0, 0, 0, 0),
    };
    const light = { ...lab, lightness: four(60, 60, 60, 60) };
    softenHighlights(lab, light, { eyes: four(0, 0, 1, 0), lips: four(0, 0, 0, 1) });
    assert.ok(lab.lightness[0]! > 69 && lab.lightness[0]! < 75, `${lab.lightness[0]}`);
    assert.deepEqual([...lab.lightness.slice(1)], [68, 95, 95]);
  });
});

describe('matchDetail', () => {
  const side = 96;
  const size = { width: side, height: side };
  const everywhere = new Float32Array(side * side).fill(1);
  const regions = { skin: everywhere, features: everywhere };
  const lab = (lightness: (i: number) => number): LabPicture => ({
    ...size,
    lightness: Float32Array.from(everywhere, (_, i) => lightness(i)),
    a: new Float32Array(side * side),
    b: new Float32Array(side * side),
  });
  const grainOn = (template: LabPicture) => {
    const guest = lab(() => 60);
    matchDetail(guest, template, regions, 1);
    return Math.hypot(...guest.lightness.map((value) => value - 60)) / side;
  };

  it('gives a smooth face the grain of the template', () => {
    const noise = whiteNoise(size, 3).data;
    const grain = grainOn(lab((i) => 60 + 6 * (noise[i]! - 0.5)));
    assert.ok(grain > 1 && grain < 3, `${grain}`);
  });

  it('does not take wrinkles for grain', () => {
    const grain = grainOn(lab((i) => (i % side < side / 2 && Math.floor(i / side) % 4 === 0 ? 40 : 60)));
    assert.ok(grain < 0.1, `${grain}`);
  });
});

describe('lightUnevenness', () => {
  const lab = (...lightness: number[]): LabPicture => ({
    width: 4,
    height: 1,
    lightness: Float32Array.from(lightness),
    a: new Float32Array(4),
    b: new Float32Array(4),
  });
  const skin = Float32Array.of(1, 1, 1, 0);

  it('is nothing where one light is brighter everywhere', () => {
    assert.equal(lightUnevenness(lab(50, 60, 70, 10), lab(40, 50, 60, 90), skin), 0);
  });

  it('is how far the difference strays on skin, in lightness and colour', () => {
    const even = lab(50, 50, 50, 50);
    assert.ok(Math.abs(lightUnevenness(lab(50, 53, 47, 99), even, skin) - Math.sqrt(6)) < 1e-6);
    const coloured = { ...lab(50, 53, 47, 99), b: Float32Array.of(0, 3, -3, 60) };
    assert.ok(Math.abs(lightUnevenness(coloured, even, skin) - Math.sqrt(12)) < 1e-6);
  });
});

describe('checkGlassesInOtherPose', () => {
  const { parts } = darkGuest();
  const eyes = parts.skinSample;
  const face = { yaw: 0, pitch: 0 } as Face;
  const check = (things: Float32Array) => () =>
    checkGlassesInOtherPose(things, { ...parts, eyes }, { ...face, yaw: 0.5 }, face);

  it('lets a free face pass', () => assert.doesNotThrow(check(new Float32Array(eyes.length))));

  it('refuses glasses, which would bend with the head', () => {
    const third = eyes.map((value, i) => (i % 3 === 0 ? value : 0));
    assert.throws(check(third), (error) => isRefusal(error, /Turn it a little to your right/));
  });
});

describe('checkGlare', () => {
  it('refuses light over a small face, and lets a large one pass', async () => {
    const photo = await readPhoto(samplePhotos.head);
    const face = largest(await findFaces(photo, { traits: false }));
    const lift = (value: number) => linearToSrgb(srgbToLinear(value) + 0.12);
    const glary = { ...photo, planes: mapPlanes(photo.planes, (plane) => plane.map(lift)) };
    const check = (picture: Picture, scale: number) => () =>
      checkGlare(picture, face, { scale } as Alignment);
    assert.doesNotThrow(check(photo, 3));
    assert.doesNotThrow(check(glary, 1.5));
    assert.throws(check(glary, 3), (error) => isRefusal(error, /light behind you/));
  });
});

function isRefusal(error: unknown, sentence: RegExp): boolean {
  return error instanceof RenderError && error.code === 'ENGINE_REFUSED' && sentence.test(error.message);
}

function largest(faces: readonly Face[]): Face {
  return faces.toSorted((one, other) => other.height - one.height)[0]!;
}

/** Two lenses, the bridge and the arms over a face: 1 where they are. */
function glassesOf({ width, height }: Picture, { points, yaw, roll, height: unit }: Face): Uint8Array {
  const middle = (i: number, j: number) => ({
    x: (points[i * 3]! + points[j * 3]!) / 2,
    y: (points[i * 3 + 1]! + points[j * 3 + 1]!) / 2,
  });
  const [left, right] = [middle(33, 133), middle(263, 362)];
  const apart = Math.hypot(right.x - left.x, right.y - left.y);
  const [cos, sin] = [Math.cos(roll), Math.sin(roll)];
  const size = { across: 0.17 * unit * Math.cos(yaw), down: 0.12 * unit };
  const isGlasses = new Uint8Array(width * height);
  const isInLens = (along: number, across: number) =>
    (along / size.across) ** 4 + ((across - 0.02 * unit) / size.down) ** 4 < 1;
  for (let i = 0; i < isGlasses.length; i++) {
    const x = i % width;
    const y = Math.floor(i / width);
    const along = (x - left.x) * cos + (y - left.y) * sin;
    const across = (y - left.y) * cos - (x - left.x) * sin;
    const isOnFrame = Math.abs(across) < 0.02 * unit && along > -0.6 * apart && along < 1.6 * apart;
    if (isOnFrame || isInLens(along, across) || isInLens(along - apart, across)) isGlasses[i] = 1;
  }
  return isGlasses;
}

function withGlasses(
  picture: Picture,
  isGlasses: Uint8Array,
  colour: readonly [number, number, number],
): Picture {
  const planes = mapPlanes(picture.planes, (plane) => plane.slice());
  planes.forEach((plane, p) => {
    for (let i = 0; i < plane.length; i++) if (isGlasses[i] === 1) plane[i] = colour[p]!;
  });
  return { ...picture, planes };
}
