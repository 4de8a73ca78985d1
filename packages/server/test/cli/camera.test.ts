import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { samplePhotos } from '@guise/engine/samples.ts';
import { serveCamera } from '../../src/camera/camera-server.ts';
import { openFolderCamera } from '../../src/camera/folder-camera.ts';
import type { PhotoSource } from '../../src/camera/photo-source.ts';
import { openTetheredCamera } from '../../src/camera/tethered-camera.ts';

const folder = mkdtempSync(join(tmpdir(), 'guise-camera-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const origin = 'http://localhost:8080';
const { signal } = new AbortController();

/** A program with the command line of gphoto2 that copies a file, or does what `shoot` says. */
function gphoto2(shoot: string, found = 'Canon EOS 250D                 usb:001,004     '): string {
  const program = join(folder, `gphoto2-${Math.random()}`);
  const list = `printf 'Model                          Port\\n----------------------------------------------\\n${found}\\n'`;
  writeFileSync(program, `#!/bin/sh\ncase "$*" in\n--auto-detect) ${list} ;;\n*) ${shoot} ;;\nesac\n`, {
    mode: 0o755,
  });
  return program;
}

async function serve(camera: PhotoSource) {
  const lines: string[] = [];
  const server = await serveCamera({ camera, origin, port: 0, report: (line) => lines.push(line) });
  const call = (path: string, method = 'POST', from = origin, hangUp: AbortSignal = signal) =>
    fetch(server.url + path, { method, headers: { origin: from }, signal: hangUp });
  return { call, lines, stop: () => server.stop() };
}

test('a camera by cable is released and read, for the page of the booth alone', async () => {
  const photo = readFileSync(samplePhotos.onePerson);
  const words = '--quiet --capture-image-and-download --force-overwrite --filename';
  const copies = `test "$1 $2 $3 $4" = '${words}' && cp ${samplePhotos.onePerson} "$5"`;
  const camera = await openTetheredCamera(gphoto2(copies));
  const { call, lines, stop } = await serve(camera);
  assert.deepEqual(await (await call('/camera', 'GET')).json(), { name: 'Canon EOS 250D' });
  const [first, second] = await Promise.all([call('/photos'), call('/photos')]);
  assert.deepEqual([first.status, first.headers.get('content-type')], [200, 'image/jpeg']);
  assert.equal(first.headers.get('access-control-allow-origin'), origin);
  assert.deepEqual(Buffer.from(await first.arrayBuffer()), photo);
  assert.deepEqual(Buffer.from(await second.arrayBuffer()), photo);
  assert.equal(
    (await call('/photos', 'OPTIONS')).headers.get('access-control-allow-private-network'),
    'true',
  );
  for (const stranger of ['http://localhost:9', 'https://example.com', 'null'])
    assert.equal((await call('/photos', 'POST', stranger)).status, 403, stranger);
  assert.equal((await call('/else')).status, 404);
  assert.match(lines.join(), /A photo of 0\.\d MB/);
  await stop();
});

test('who touches again has the photo, also when the page of the first touch is gone', async (t) => {
  const photo = readFileSync(samplePhotos.onePerson);
  const begun = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<Buffer>();
  const shots: AbortSignal[] = [];
  const camera: PhotoSource = {
    name: 'Camera',
    shoot(unwanted) {
      shots.push(unwanted);
      begun.resolve();
      const stopped = new Promise<never>((_, reject) => {
        unwanted.addEventListener('abort', () => reject(unwanted.reason), { once: true });
      });
      return Promise.race([taken.promise, stopped]);
    },
  };
  const { call, stop } = await serve(camera);
  t.after(stop);
  const page = new AbortController();
  const first = assert.rejects(call('/photos', 'POST', origin, page.signal));
  await begun.promise;
  const second = call('/photos');
  // Whatever was sent before has arrived by then.
  await call('/camera', 'GET');
  page.abort();
  await first;
  await call('/camera', 'GET');
  taken.resolve(photo);
  const answer = await second;
  assert.equal(answer.status, 200);
  assert.ok(photo.equals(await answer.bytes()));
  assert.equal(shots.length, 1);
});

test('what keeps a camera from a photo is said in a sentence', async () => {
  await assert.rejects(openTetheredCamera(join(folder, 'none')), /is not installed\. On Debian/);
  await assert.rejects(openTetheredCamera(gphoto2('true', '')), /finds no camera\. Connect it by USB/);
  for (const [shoot, sentence] of [
    ['echo "*** Error: no focus ***" >&2; exit 1', 'gphoto2: *** Error: no focus ***'],
    ['true', 'The camera gave no JPEG. Set it to JPEG, or to raw with JPEG.'],
    ['printf RAW > "$5"', 'The camera gave no JPEG. Set it to JPEG, or to raw with JPEG.'],
  ] as const) {
    const { call, lines, stop } = await serve(await openTetheredCamera(gphoto2(shoot)));
    const answer = await call('/photos');
    assert.deepEqual([answer.status, await answer.json()], [503, { error: sentence }]);
    assert.deepEqual(lines, [sentence]);
    await stop();
  }
});

test('of a folder the photo is the one that appears after the touch, once it is whole', async () => {
  const photo = readFileSync(samplePhotos.onePerson);
  writeFileSync(join(folder, 'before.jpg'), photo);
  const camera = openFolderCamera(folder);
  const taken = camera.shoot(signal);
  writeFileSync(join(folder, 'new.jpg'), photo.subarray(0, 9000));
  setTimeout(() => writeFileSync(join(folder, 'new.jpg'), photo), 300);
  assert.deepEqual(await taken, photo);
  await assert.rejects(openFolderCamera(join(folder, 'gone')).shoot(signal), /gone cannot be read/);
});
