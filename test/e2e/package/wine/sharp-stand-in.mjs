import { readFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';

/**
 * Stands in for sharp, whose library does not load under Wine: a photo passes through as it is, and a picture that is
 * to be made is grey or a sample photo. What a test says of pixels fails with it.
 */
export default function sharp(input) {
  const { width = 64, height = 64 } = input?.create ?? {};
  let bytes = Buffer.isBuffer(input) ? input : null;
  const results = {
    png: () => give(greyPng(width, height)),
    jpeg: () => give(readFileSync(new URL('../../../../catalog/samples/astronaut.jpg', import.meta.url))),
    metadata: async () => ({ width, height, format: 'png', channels: 3 }),
    async toBuffer(options) {
      const data = bytes ?? greyPng(width, height);
      return options?.resolveWithObject ? { data, info: { width, height, channels: 3 } } : data;
    },
  };
  const chain = new Proxy(results, {
    get: (target, name) => target[name] ?? (name === 'then' ? undefined : () => chain),
  });
  return chain;

  function give(made) {
    bytes ??= made;
    return chain;
  }
}

sharp.concurrency = () => 1;
sharp.cache = () => ({});
sharp.versions = { vips: 'none' };

function greyPng(width, height) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0], 8);
  const rows = Buffer.alloc((width + 1) * height);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name, data) {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}
