import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { checkIdentity, findGuests } from '../src/identity-check.ts';
import { samplePhotos } from '../src/samples.ts';
import { onePerson, photoFile } from './support/sample-photos.ts';

const guest = { gender: 1 };

test('a guest in other light and another frame is known again, and another person is told from her', async () => {
  const photo = samplePhotos.onePerson;
  const other = await photoFile(
    'warmer.png',
    sharp(photo).modulate({ brightness: 0.8, saturation: 0.6 }).rotate(5).png(),
  );
  const same = await checkIdentity({ photos: [photo], picture: other, guest });
  assert.equal(same.strangers, 0);
  assert.ok(same.likeness[0]! > 0.8, `${same.likeness}`);
  const foreign = await checkIdentity({ photos: [photo], picture: await onePerson(450), guest });
  assert.equal(foreign.likeness.length, 1);
  assert.ok(foreign.likeness[0]! < 0.5, `${foreign.likeness}`);
});

test('of two people each is found once, whoever is missing is told, and whoever came along', async () => {
  const photo = samplePhotos.twoPeople;
  const mirrored = await photoFile('mirrored.png', sharp(photo).flop().png());
  const both = await checkIdentity({ photos: [photo], picture: mirrored, guest: null });
  assert.equal(both.likeness.length, 2);
  assert.ok(Math.min(...both.likeness.map(Number)) > 0.6, `${both.likeness}`);
  const { width, height } = await sharp(photo).metadata();
  const half = await photoFile(
    'half.png',
    sharp(photo)
      .extract({ left: 0, top: 0, width: Math.round(width / 2), height })
      .png(),
  );
  const one = await checkIdentity({ photos: [photo], picture: half, guest: null });
  assert.equal(one.likeness.filter((value) => value === null).length, 1);
  const more = await checkIdentity({ photos: [half], picture: photo, guest });
  assert.equal(more.strangers, 1);
});

test('photos that were looked at before the picture was there are compared as photos are', async () => {
  const photos = { photos: [samplePhotos.twoPeople], guest };
  const people = await findGuests(photos);
  assert.deepEqual([people.guests.length, people.faces], [1, 2]);
  const picture = await photoFile('turned.png', sharp(samplePhotos.twoPeople).flop().png());
  const without = { photos: [], guest, picture, people };
  assert.deepEqual(await checkIdentity(without), await checkIdentity({ ...photos, picture }));
});

test('a photo without a face is compared with nothing', async () => {
  const wall = await photoFile(
    'wall.png',
    sharp({ create: { width: 300, height: 300, channels: 3, background: '#8a7' } }).png(),
  );
  const found = await checkIdentity({ photos: [wall], picture: samplePhotos.onePerson, guest });
  assert.deepEqual(found, { likeness: [], strangers: 0 });
});
