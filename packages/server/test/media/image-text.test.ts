import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ByteSink } from '../../src/media/base64-decoder.ts';
import { ImageText } from '../../src/media/image-text.ts';

class CollectedBytes implements ByteSink {
  readonly #parts: Buffer[] = [];
  #room = Buffer.alloc(0);
  size = 0;

  room(bytes: number): Buffer {
    this.#room = Buffer.alloc(bytes + 10, 0xaa);
    return this.#room;
  }

  filled(bytes: number): void {
    this.#parts.push(this.#room.subarray(0, bytes));
    this.size += bytes;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

interface Read {
  bytes?: Buffer;
  problem?: string;
  hasControlCharacter: boolean;
}

function read(text: Buffer, cuts: readonly number[]): Read {
  const sink = new CollectedBytes();
  const image = new ImageText(sink);
  let from = 0;
  for (const to of [...cuts, text.length].sort((a, b) => a - b)) {
    if (to < from || to > text.length) continue;
    image.write(text, from, to);
    from = to;
  }
  image.end();
  const { hasControlCharacter } = image;
  return image.problem
    ? { problem: image.problem.message, hasControlCharacter }
    : { bytes: sink.bytes(), hasControlCharacter };
}

/** How base64 was decoded before it came in parts: what is taken and what is refused must stay the same. */
function decodeWhole(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  const symbols = text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
  const blanks = text.slice(0, symbols).replaceAll(/[^\t-\r ]/g, '').length;
  const lengths = [symbols, symbols - blanks].map((n) =>
    n % 4 === 1 ? Number.NaN : Math.floor((n * 3) / 4),
  );
  return lengths.includes(bytes.length) ? bytes : undefined;
}

/** A payload as it stood in a data URI. */
function decodeUri(payload: string): Buffer | undefined {
  try {
    return decodeWhole(payload.includes('%') ? decodeURIComponent(payload).trim() : payload);
  } catch {
    return undefined;
  }
}

/** Longer than a block of the decoder, or as long but for a few characters. */
const prefixLength = fc.oneof(
  { weight: 5, arbitrary: fc.constant(0) },
  fc.integer({ min: 65_536 - 12, max: 65_536 + 4 }),
);
const spoilt = fc
  .tuple(
    prefixLength,
    fc.oneof(
      fc.base64String({ maxLength: 60 }),
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
    ),
    fc.array(
      fc.record({
        at: fc.nat(60),
        inserted: fc.constantFrom(
          ' ',
          '  ',
          '=',
          '==',
          '%',
          '%2B',
          '%2f',
          '%3D',
          '%20',
          '%zz',
          '!',
          'é',
          'A',
          '\x7f',
        ),
      }),
      { maxLength: 3 },
    ),
  )
  .map(([length, text, insertions]) => {
    const start = 'AbC4'.repeat(Math.ceil(length / 4)).slice(0, length);
    return insertions.reduce((before, { at, inserted }) => {
      const place = Math.max(0, before.length - at);
      return before.slice(0, place) + inserted + before.slice(place);
    }, start + text);
  });
const cuts = fc.array(fc.oneof(fc.nat(100), fc.nat(66_000)), { maxLength: 5 });

test('base64 in any parts is decoded, or refused, as the whole text was', () => {
  let [taken, refused] = [0, 0];
  fc.assert(
    fc.property(spoilt, cuts, (text, at) => {
      const trimmed = text.trim();
      const expected = trimmed === '' ? undefined : decodeWhole(trimmed);
      const { bytes } = read(Buffer.from(text), at);
      assert.ok(expected ? bytes?.equals(expected) : !bytes, text.slice(-200));
      if (expected) taken++;
      else refused++;
    }),
    { numRuns: 1500 },
  );
  assert.ok(taken > 300 && refused > 300, `${taken} taken, ${refused} refused`);
});

test('data URIs in any parts are decoded, or refused, as the whole text was', () => {
  fc.assert(
    fc.property(spoilt, cuts, (text, at) => {
      const expected = decodeUri(`data:image/png;base64,${text}`.trim().split(',')[1]!);
      const { bytes } = read(Buffer.from(`data:image/png;base64,${text}`), at);
      assert.ok(expected ? bytes?.equals(expected) : !bytes, text.slice(-200));
    }),
    { numRuns: 1500 },
  );
});

test('a data URI that ends within an escape is refused, whatever stood there in the block before', () => {
  for (let length = 65_536 - 12; length < 65_536 + 4; length++) {
    for (const end of [' %', ' %4', '%', '%4']) {
      const text = `data:image/png;base64,${'4A4A'.repeat(17_000).slice(0, length)}${end}`;
      assert.ok(!read(Buffer.from(text), []).bytes, `${length} and ${end}`);
    }
  }
});

test('a control character is found wherever it stands, in base64 or in what is refused', () => {
  const garbage = fc.constantFrom('', '!'.repeat(2000), '=', 'data:text/html,', 'ftp://');
  fc.assert(
    fc.property(garbage, spoilt, fc.nat(70_000), cuts, (start, text, place, at) => {
      const whole = Buffer.from(start + text);
      assert.equal(read(whole, at).hasControlCharacter, false);
      const cut = place % (whole.length + 1);
      const broken = Buffer.concat([whole.subarray(0, cut), Buffer.from('\n'), whole.subarray(cut)]);
      assert.equal(read(broken, at).hasControlCharacter, true);
    }),
    { numRuns: 500 },
  );
});

test('blanks around a long text are no part of it, those of other scripts included', () => {
  const base64 = Buffer.alloc(70_000, 'photo').toString('base64');
  const expected = Buffer.from(base64, 'base64');
  for (const blank of [' ', '\u00a0', '\ufeff', '\u2003', ' '.repeat(5000)]) {
    const parts = [1, 100, 300, 70_000];
    for (const text of [blank + base64, base64 + blank.slice(0, 1)]) {
      assert.ok(read(Buffer.from(text), parts).bytes?.equals(expected), JSON.stringify(text.slice(0, 9)));
    }
  }
});

test('more base64 than 20 MB hold is refused, and so are long texts of other kinds', () => {
  const problemOf = (text: string) => read(Buffer.from(text), [100_000]).problem;
  assert.match(problemOf('A'.repeat(32_000_000))!, /larger than 20 MB/);
  assert.match(problemOf('A'.repeat(29_000_000))!, /larger than 20 MB/);
  assert.match(problemOf(' '.repeat(1000))!, /empty/);
  assert.match(problemOf(`https://photos.test/${'a'.repeat(20_000)}`)!, /public address/);
  assert.match(problemOf(`data:image/png,${'A'.repeat(20_000)}`)!, /data URI/);
  assert.match(problemOf(`data:${'x'.repeat(20_000)}`)!, /data URI/);
});
