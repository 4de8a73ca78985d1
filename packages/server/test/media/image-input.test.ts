import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AppError } from '../../src/errors.ts';
import { type Image, readImage as readImageOf } from '../../src/media/image-input.ts';
import { imageLimits } from '../../src/media/inspect-image.ts';
import { mayConnectTo } from '../../src/media/public-address.ts';
import { type FetchUrl, safeFetcher } from '../../src/media/safe-fetch.ts';
import { decodesHere } from '../support/decode-here.ts';
import { samplePhoto, smallPhotos } from './photo-files.ts';

const readImage = (text: string, fetchUrl: FetchUrl, signal?: AbortSignal): Promise<Image> =>
  readImageOf(text, { fetchUrl, decoder: decodesHere }, { accountId: 'a', signal });

const photos = await smallPhotos();
const photo = photos['baseline JPEG']!;
const base64 = photo.toString('base64');
const image = { bytes: photo, type: 'image/jpeg', width: 160, height: 120 };

const noFetch = () => Promise.reject(new Error('nothing is to be fetched'));

function refused(code: string, sentence = /./) {
  return { name: 'AppError', code, message: sentence };
}

test('reads raw base64 of both alphabets, with or without padding and line breaks', async () => {
  const spelt = [
    base64,
    base64.replace(/=+$/, ''),
    photo.toString('base64url'),
    ` \r\n${base64}\n`,
    base64.replace(/.{76}/g, '$&\r\n'),
    base64.replace(/.{64}/g, '$&\n'),
    base64.replace(/.{10}/g, '$& '),
    base64.replaceAll('+', '-'),
  ];
  for (const text of spelt) assert.deepEqual(await readImage(text, noFetch), image);
});

test('reads every length of padding', async () => {
  for (const extra of [0, 1, 2, 3]) {
    const bytes = Buffer.concat([photo, Buffer.alloc(extra)]);
    for (const encoding of ['base64', 'base64url'] as const) {
      assert.deepEqual((await readImage(bytes.toString(encoding), noFetch)).bytes, bytes);
    }
  }
});

test('reads data URIs as browsers and libraries write them', async () => {
  const headers = [
    'data:image/jpeg;base64,',
    'data:image/jpg;base64,',
    'DATA:IMAGE/JPEG;BASE64,',
    'data:image/png;base64,',
    'data:image/jpeg;name=photo.jpg;charset=utf-8;base64,',
    'data:;base64,',
    'data:application/octet-stream;base64,',
    'data:application/x-octet-stream;base64,',
    'data:binary/octet-stream;base64,',
    'data:*/*;base64,',
    'data:image/jpeg; base64, ',
  ];
  for (const header of headers) assert.deepEqual(await readImage(header + base64, noFetch), image, header);
  assert.deepEqual(
    await readImage(`data:image/jpeg;base64,${encodeURIComponent(base64)}%0A`, noFetch),
    image,
  );
});

test('refuses data URIs that hold no base64 image', async () => {
  const wrong = [
    'data:',
    'data:,',
    'data:image/jpeg;base64',
    'data:image/jpeg,photo',
    `data:text/html;base64,${base64}`,
    `data:image/jpeg,${base64}`,
    `data:${'x'.repeat(10_000)};base64,${base64}`,
    'data:image/jpeg;base64,',
    'data:image/jpeg;base64,%',
    `data:image/jpeg;base64,%zz${base64}`,
    'data:image/svg+xml;base64,PHN2Zy8+',
  ];
  for (const text of wrong)
    await assert.rejects(readImage(text, noFetch), refused('INVALID_IMAGE'), text.slice(0, 60));
});

test('refuses base64 with anything else in it, wherever it stands', async () => {
  for (const garbage of ['!', '.', '\0', 'é', '€', '😀', '=', '==', '%2B', '"', '\u00a0']) {
    for (const at of [1, 2, 3, 4, 1000, base64.length - 3]) {
      const text = base64.slice(0, at) + garbage + base64.slice(at);
      await assert.rejects(readImage(text, noFetch), refused('INVALID_IMAGE'), `${garbage} at ${at}`);
    }
  }
  await assert.rejects(
    readImage(`${base64.replace(/=+$/, '')}!`, noFetch),
    refused('INVALID_IMAGE', /must be base64/),
  );
  await assert.rejects(readImage(base64 + base64.slice(0, 1), noFetch), refused('INVALID_IMAGE'));
});

test('refuses nothing at all', async () => {
  for (const text of ['', ' ', '\r\n\t'])
    await assert.rejects(readImage(text, noFetch), refused('INVALID_IMAGE', /empty/));
});

test('hands http and https URLs, trimmed, and the caller to the fetcher, and inspects what it gives', async () => {
  const caller = { accountId: 'a', signal: new AbortController().signal };
  for (const url of ['http://photos.test/a.jpg', 'HTTPS://photos.test/a.jpg?b=c', 'http:photos.test']) {
    const asked: unknown[] = [];
    const fetchUrl = async (...given: unknown[]) => {
      asked.push(given);
      return photo;
    };
    assert.deepEqual(await readImage(`  ${url}\n`, fetchUrl, caller.signal), image);
    assert.deepEqual(asked, [[url, caller]]);
  }
  await assert.rejects(
    readImage('http://photos.test/', async () => Buffer.from('<html>')),
    refused('INVALID_IMAGE'),
  );
});

test('refuses every other scheme', async () => {
  for (const url of [
    'ftp://a/b.jpg',
    'file:///etc/passwd',
    'gopher://a',
    'javascript:alert(1)',
    'blob:http://a/b',
    'C:\\a.jpg',
  ]) {
    await assert.rejects(readImage(url, noFetch), refused('URL_NOT_ALLOWED'), url);
  }
});

test('refuses more base64 than 20 MB hold before decoding it, and 20 MB of garbage in little time', async () => {
  const huge = 'A'.repeat(imageLimits.bytes * 2);
  await assert.rejects(readImage(huge, noFetch), refused('INVALID_IMAGE', /larger than 20 MB/));
  const start = process.cpuUsage();
  await assert.rejects(readImage(`${'A'.repeat(imageLimits.bytes)}!`, noFetch), refused('INVALID_IMAGE'));
  const { user, system } = process.cpuUsage(start);
  assert.ok(user + system < 1e6, `${user + system} µs`);
});

/** Whatever comes in, an image goes out or the caller is told why not; anything else would answer 500. */
async function staysInContract(input: string) {
  const fetchUrl = safeFetcher({ maxBytes: 1000, timeoutMs: 100, resolve: async () => ['127.0.0.1'] });
  try {
    const { width, height, type } = await readImage(input, fetchUrl);
    assert.ok(width >= 1 && height >= 1 && width * height <= imageLimits.pixels && type.startsWith('image/'));
  } catch (error) {
    assert.ok(error instanceof AppError, `${error}`);
    assert.ok(error.code === 'INVALID_IMAGE' || error.code === 'URL_NOT_ALLOWED', error.code);
  }
}

test('any string is an image or is refused', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.base64String({ maxLength: 200 }),
    fc.webUrl({ withQueryParameters: true }),
    fc.ipV4Extended().map((host) => `http://${host}/`),
    fc.ipV6().map((host) => `http://[${host}]/`),
    fc
      .tuple(
        fc.constantFrom('data:', 'http://', 'data:image/png;base64,', 'x:'),
        fc.string({ unit: 'binary' }),
      )
      .map((parts) => parts.join('')),
  );
  // A public literal would really be dialled.
  const offline = text.filter((input) => !mayConnectTo(hostOf(input)));
  await fc.assert(fc.asyncProperty(offline, staysInContract), { numRuns: 1000 });
});

function hostOf(input: string): string {
  return URL.canParse(input) ? new URL(input).hostname.replace(/^\[|\]$/g, '') : '';
}

test('any bytes behind an image signature are an image or are refused', async () => {
  const signatures = [
    '\xff\xd8\xff',
    '\x89PNG\r\n\x1a\n\0\0\0\rIHDR',
    'RIFF\x40\0\0\0WEBPVP8 ',
    'RIFF\x40\0\0\0WEBPVP8X',
  ];
  const file = fc.tuple(fc.constantFrom(...signatures), fc.uint8Array({ maxLength: 300 }));
  await fc.assert(
    fc.asyncProperty(file, async ([signature, rest]) => {
      await staysInContract(Buffer.concat([Buffer.from(signature, 'latin1'), rest]).toString('base64'));
    }),
    { numRuns: 2000 },
  );
});

const mutation = fc.record({
  kind: fc.constantFrom('set', 'insert', 'remove', 'repeat'),
  /** Half of them near the start, where the structure is. */
  at: fc.oneof(fc.double({ min: 0, max: 0.02, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }),
});

function mutated(
  file: Buffer,
  { kind, at, bytes }: typeof mutation extends fc.Arbitrary<infer T> ? T : never,
): Buffer {
  const place = Math.floor(at * file.length);
  const [before, after] = [file.subarray(0, place), file.subarray(place)];
  if (kind === 'set') return Buffer.concat([before, bytes, after.subarray(bytes.length)]);
  if (kind === 'insert') return Buffer.concat([before, bytes, after]);
  if (kind === 'remove') return Buffer.concat([before, after.subarray(bytes.length)]);
  return Buffer.concat([before, after.subarray(0, 500), after]);
}

test('any spoilt photo is an image or is refused', async () => {
  const files = fc.constantFrom(...Object.values(photos));
  const spoilt = fc.tuple(files, fc.array(mutation, { minLength: 1, maxLength: 4 }));
  await fc.assert(
    fc.asyncProperty(spoilt, async ([file, mutations]) => {
      await staysInContract(mutations.reduce(mutated, file).toString('base64'));
    }),
    { numRuns: 800 },
  );
});

test('any spoilt camera photo is an image or is refused', async () => {
  const files = fc.constantFrom(samplePhoto(2), samplePhoto(6));
  await fc.assert(
    fc.asyncProperty(files, fc.array(mutation, { minLength: 1, maxLength: 4 }), async (file, mutations) => {
      await staysInContract(mutations.reduce(mutated, file).toString('base64'));
    }),
    { numRuns: 60 },
  );
});
