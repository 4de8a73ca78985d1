import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { chunk, pngOf } from '../../../packages/server/test/media/png-file.ts';
import {
  ownPictureProcesses,
  startTestServer,
  type TestServer,
} from '../../../packages/server/test/support/harness.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({ allowPrivateUrls: true }, undefined, ownPictureProcesses);
});
after(() => server.stop());

/** Black pixels of any shape: one byte for each row's filter, and one for each pixel. */
const blackPng = (width: number, height: number) =>
  pngOf({ width, height }, chunk('IDAT', deflateSync(Buffer.alloc(height * (width + 1)))));

const blackJpeg = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#000' } })
    .jpeg()
    .toBuffer();

const swap = (image: string) => ({ filter_id: 1, gender: 4, base64: image });

const shapes: [string, () => Buffer | Promise<Buffer>][] = [
  ['25,000,000×1', () => blackPng(25_000_000, 1)],
  ['1×25,000,000', () => blackPng(1, 25_000_000)],
  ['65,500×381', () => blackJpeg(65_500, 381)],
  ['200×7', () => blackPng(200, 7)],
];

for (const [shape, file] of shapes) {
  test(`a picture of ${shape} px is refused before any engine sees it`, async () => {
    const account = await server.account(10);
    const image = (await file()).toString('base64');
    const { status, body } = await account.call('POST', '/v6/run/face_swap', swap(image));
    assert.deepEqual([status, body.error_code], [400, 'INVALID_IMAGE']);
    assert.match(body.error, /^The image measures \d+×\d+\. Each side needs at least 8 pixels/);
    assert.equal(await account.credits(), 10);
    assert.equal(server.engine.requests.length, 0);
  });
}

test('the same picture by a URL, as a frame of a video and as a template is refused too', async (t) => {
  const bytes = blackPng(25_000_000, 1);
  const host = createServer((_, response) => response.end(bytes)).listen(0, '127.0.0.1');
  t.after(() => host.close());
  await once(host, 'listening');
  const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}/thin.png`;
  const account = await server.account(100);
  const base64 = bytes.toString('base64');
  const video = { prompt: 'zoom in', model: 'simple', duration: '4s' };
  for (const [path, body] of [
    ['/v6/run/face_swap', swap(url)],
    ['/v1/run/single_frame_video', { ...video, prompt_image: base64 }],
    [
      '/v1/users/me/my-custom-filters',
      { name: 'thin', filter_type: 'face_swap', definition: { kind: 'template', image: base64 } },
    ],
  ] as const) {
    const answer = await account.call('POST', path, body);
    assert.deepEqual([answer.status, answer.body.error_code], [400, 'INVALID_IMAGE'], path);
  }
  assert.equal(await account.credits(), 100);
});

test('a panorama of 10:1, as phones stitch them, is accepted', async () => {
  const account = await server.account(10);
  const image = (await blackJpeg(8000, 800)).toString('base64');
  assert.equal((await account.call('POST', '/v6/run/face_swap', swap(image))).status, 200);
});
