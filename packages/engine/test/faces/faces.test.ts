import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import sharp from 'sharp';
import type { Face } from '../../src/faces/face.ts';
import { detectFaces } from '../../src/faces/face-detector.ts';
import { findFaces, findPeople, measureFace } from '../../src/faces/faces.ts';
import { blazeFace, faceMesh } from '../../src/models/models.ts';
import { session } from '../../src/models/sessions.ts';
import { readPhoto } from '../../src/pixels/photo.ts';
import type { Picture } from '../../src/pixels/picture.ts';
import { RenderError } from '../../src/runtime/render-error.ts';
import { onePerson, peopleInSample, photoFile, sample } from '../support/sample-photos.ts';

const refusedWith = (words: RegExp) => (error: unknown) =>
  error instanceof RenderError && error.code === 'ENGINE_REFUSED' && words.test(error.message);

/** Without age group, gender and irises, which most tests do not look at. */
const quickly = { traits: false, irises: false };

/** The faces of a sample group, which several tests look at. */
const facesOf = new Map<number, { photo: Picture; faces: Face[] }>();

before(async () => {
  for (const number of [1, 2, 3, 4, 5, 6]) {
    // The detector reduces a photo to this size.
    const photo = await readPhoto(sample(number), 960);
    facesOf.set(number, { photo, faces: await findFaces(photo, { traits: false }) });
  }
});

test('every face of the sample groups is found once, left to right, with 478 points inside the photo', () => {
  for (const [number, { photo, faces }] of facesOf) {
    assert.equal(faces.length, peopleInSample[number], `sample ${number}`);
    for (const [i, face] of faces.entries()) {
      assert.equal(face.points.length, 478 * 3);
      assert.ok(face.score > 0.5);
      if (i > 0) assert.ok(face.center.x > faces[i - 1]!.center.x);
      for (let p = 0; p < 478; p++) {
        assert.ok(face.points[p * 3]! > 0 && face.points[p * 3]! < photo.width);
        assert.ok(face.points[p * 3 + 1]! > 0 && face.points[p * 3 + 1]! < photo.height);
      }
    }
  }
});

const blank = (width: number, height: number) => {
  const plane = () => new Float32Array(width * height).fill(0.5);
  return { width, height, planes: [plane(), plane(), plane()] as [Float32Array, Float32Array, Float32Array] };
};

for (const [width, height] of [
  [2560, 1],
  [2560, 128],
] as const) {
  test(`a picture of ${width}×${height} px is searched in no more tiles than others`, async (t) => {
    const network = await session(blazeFace);
    // All tiles are the same grey: the network is asked once, and its answer is given for the others.
    let answer: ReturnType<typeof network.run> | undefined;
    const run = network.run.bind(network);
    const { mock } = t.mock.method(network, 'run', (inputs: Parameters<typeof run>[0]) => {
      answer ??= run(inputs);
      return answer;
    });
    assert.deepEqual(await detectFaces(blank(width, height)), []);
    assert.ok(mock.callCount() <= 1 + 3 * 64, `${mock.callCount()} tiles`);
  });
}

const crowdSentence =
  /^More than 35 people were counted in the photo, and a picture is made of up to 30\. Take two photos/;

test('of a crowd, no more than 40 faces are measured, and the photo is refused', async (t) => {
  const face = sharp(await onePerson()).extract({ left: 150, top: 60, width: 330, height: 330 });
  const input = await face.resize(160).toBuffer();
  const places = Array.from({ length: 63 }, (_, i) => ({
    input,
    left: 160 * (i % 9),
    top: 160 * Math.floor(i / 9),
  }));
  const wall = sharp({ create: { width: 1440, height: 1120, channels: 3, background: '#888' } });
  const crowd = await readPhoto(await photoFile('crowd.jpg', wall.composite(places).jpeg()));
  const { mock } = t.mock.method(await session(faceMesh), 'run');
  await assert.rejects(findPeople(crowd, quickly), refusedWith(crowdSentence));
  assert.ok(mock.callCount() <= 2 * 40, `${mock.callCount()} meshes`);
});

/** Rows of people: the heads of the sample groups, each two face heights wide, as often as it takes. */
async function rowsOfPeople(people: number, faceHeight: number): Promise<Picture> {
  const cell = 2 * faceHeight;
  const heads = await Promise.all(
    [...facesOf].flatMap(([number, { photo, faces }]) =>
      faces.map(async ({ center, height }) => {
        const file = sharp(sample(number));
        const scale = (await file.metadata()).width / photo.width;
        const side = Math.floor(2 * height * scale);
        const left = Math.max(0, Math.round(center.x * scale - side / 2));
        const top = Math.max(0, Math.round(center.y * scale - side / 2));
        const { width, height: rows } = await file.metadata();
        const area = { left, top, width: Math.min(side, width - left), height: Math.min(side, rows - top) };
        return file.extract(area).resize(cell, cell, { fit: 'cover' }).toBuffer();
      }),
    ),
  );
  const columns = Math.ceil(Math.sqrt(1.6 * people));
  const pieces = Array.from({ length: people }, (_, i) => ({
    input: heads[(7 * i) % heads.length]!,
    left: cell * (i % columns),
    top: cell * Math.floor(i / columns),
  }));
  const size = { width: cell * columns, height: cell * Math.ceil(people / columns) };
  const wall = sharp({ create: { ...size, channels: 3, background: '#8a8f94' } });
  return readPhoto(await photoFile(`people-${people}.png`, wall.composite(pieces).png()));
}

for (const people of [15, 29]) {
  test(`${people} people are ${people}, each found once`, async () => {
    assert.equal((await findPeople(await rowsOfPeople(people, 90), quickly)).length, people);
  });
}

test('more people than a picture is made of are refused with how many they are', async () => {
  const words = /^32 people were counted in the photo, and a picture is made of up to 30\. Take two photos/;
  await assert.rejects(findPeople(await rowsOfPeople(32, 90), quickly), refusedWith(words));
});

test('a face in a panorama of 10:1 is found', async () => {
  const input = await sharp(await onePerson())
    .extract({ left: 100, top: 0, width: 430, height: 430 })
    .resize(500)
    .toBuffer();
  const empty = sharp({ create: { width: 5000, height: 500, channels: 3, background: '#6a8caf' } });
  const file = await photoFile('panorama.jpg', empty.composite([{ input, left: 3100, top: 0 }]).jpeg());
  const [face, ...others] = await findPeople(await readPhoto(file), quickly);
  assert.equal(others.length, 0);
  assert.ok(Math.abs(face!.center.x - 3350 / (5000 / 2560)) < 60, `at ${face!.center.x}`);
});

test('irises lie between the corners of their eyes', () => {
  const { faces } = facesOf.get(3)!;
  assert.equal(faces.length, 3);
  for (const face of faces) {
    const x = (i: number) => face.points[i * 3]!;
    for (const [outer, inner, iris] of [
      [33, 133, 468],
      [263, 362, 473],
    ] as const) {
      const along = (x(iris) - x(outer)) / (x(inner) - x(outer));
      assert.ok(along > 0.15 && along < 0.85, `iris at ${along}`);
    }
  }
});

test('a photo scaled down keeps its faces where they are', async () => {
  const { faces: small } = facesOf.get(3)!;
  const faces = await findFaces(await readPhoto(sample(3)), quickly);
  assert.equal(small.length, faces.length);
  for (const [i, face] of faces.entries()) {
    assert.ok(Math.abs(small[i]!.center.x * 2 - face.center.x) < 0.06 * face.height);
    assert.ok(Math.abs(small[i]!.center.y * 2 - face.center.y) < 0.06 * face.height);
    assert.ok(Math.abs(small[i]!.height * 2 - face.height) < 0.06 * face.height);
  }
});

test('a photo rotated by EXIF comes out upright', async () => {
  const rotated = sharp(sample(3)).resize(960).rotate(-90).withMetadata({ orientation: 6 }).jpeg();
  const faces = await findFaces(await readPhoto(await photoFile('rotated.jpg', rotated)), quickly);
  assert.equal(faces.length, 3);
  for (const face of faces) assert.ok(Math.abs(face.roll) < 0.5);
});

test('a head that leans is found and its lean told', async () => {
  const leaning = sharp(await sharp(sample(3)).resize(960).toBuffer())
    .rotate(35, { background: '#777' })
    .jpeg();
  const faces = await findFaces(await readPhoto(await photoFile('leaning.jpg', leaning)), quickly);
  const upright = facesOf.get(3)!.faces;
  assert.equal(faces.length, 3);
  const mean = (list: typeof faces) => list.reduce((sum, face) => sum + face.roll, 0) / list.length;
  assert.ok(Math.abs(mean(faces) - mean(upright) - (35 * Math.PI) / 180) < 0.1);
});

test('a face seen from the front has no yaw; mirrored, yaw and roll change sign', () => {
  const points = new Float32Array(478 * 3);
  const put = (index: number, x: number, y: number, z: number) => points.set([x, y, z], index * 3);
  put(10, 50, 0, 0);
  put(152, 50, 100, 0);
  put(234, 10, 50, 20);
  put(454, 90, 50, 0);
  put(33, 30, 40, 0);
  put(263, 70, 45, 0);
  const face = measureFace(points);
  for (let i = 0; i < 478; i++) points[i * 3] = 100 - points[i * 3]!;
  const swap = (a: number, b: number) => {
    const kept = points.slice(a * 3, a * 3 + 3);
    points.copyWithin(a * 3, b * 3, b * 3 + 3);
    points.set(kept, b * 3);
  };
  swap(234, 454);
  swap(33, 263);
  const mirrored = measureFace(points);
  assert.ok(Math.abs(face.yaw + mirrored.yaw) < 1e-4 && Math.abs(face.yaw) > 0.1);
  assert.ok(Math.abs(face.roll + mirrored.roll) < 1e-4 && face.roll > 0.1);
  assert.ok(Math.abs(face.height - 100) < 1e-4);
});

test('a photo without a face is refused in words for the guest', async () => {
  const sky = sharp({ create: { width: 480, height: 320, channels: 3, background: '#8fb4d9' } }).png();
  const photo = await readPhoto(await photoFile('sky.png', sky));
  await assert.rejects(findPeople(photo, quickly), refusedWith(/^No face was found in the photo\./));
});

test('the back of a head is refused as no face', async () => {
  const photo = sharp(sample(3)).extract({ left: 1100, top: 120, width: 800, height: 900 });
  const front = await findFaces(await readPhoto(await photoFile('front.png', photo.clone().png())), quickly);
  // Hair from beside the face, laid over it: the head, the hair and the shoulders stay.
  const hair = await sharp(sample(1)).extract({ left: 1640, top: 420, width: 150, height: 420 }).toBuffer();
  const over = await Promise.all(
    front.map(async ({ center, width, height }) => ({
      input: await sharp(hair)
        .resize(Math.round(1.3 * width), Math.round(1.3 * height), { fit: 'fill' })
        .toBuffer(),
      left: Math.max(0, Math.round(center.x - 0.65 * width)),
      top: Math.max(0, Math.round(center.y - 0.65 * height)),
    })),
  );
  assert.ok(over.length > 0);
  const back = await photoFile('back.png', await photo.clone().composite(over).png().toBuffer());
  await assert.rejects(
    findPeople(await readPhoto(back), quickly),
    refusedWith(/^No face was found in the photo\./),
  );
});

test('a black photo is refused as too dark', async () => {
  const black = sharp({ create: { width: 480, height: 320, channels: 3, background: '#010101' } }).png();
  await assert.rejects(
    findPeople(await readPhoto(await photoFile('black.png', black))),
    refusedWith(/too dark/),
  );
});

test('a face of 40 pixels is refused as too small', async () => {
  const far = sharp(sample(3)).resize({ width: 300 }).png();
  await assert.rejects(
    findPeople(await readPhoto(await photoFile('far.png', far)), quickly),
    refusedWith(/^The face in the photo is too small\./),
  );
});
