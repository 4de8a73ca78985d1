import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { InvalidJson } from '../../src/http/bodies/body-errors.ts';
import { type JsonRules, JsonScanner, type LongString } from '../../src/http/bodies/json-scanner.ts';
import type { TextSink } from '../../src/http/bodies/json-string-decoder.ts';

const tooLarge = new Error('too large');

/** The text of an image as its sink got it. */
class CollectedText implements TextSink {
  readonly parts: Buffer[] = [];

  write(chunk: Buffer, from: number, to: number): void {
    this.parts.push(Buffer.from(chunk.subarray(from, to)));
  }

  end(): boolean {
    return Buffer.concat(this.parts).some((byte) => byte < 0x20);
  }

  text(): string {
    return Buffer.concat(this.parts).toString();
  }
}

interface Scanned {
  value: unknown;
  images: Map<unknown, string>;
}

function scan(json: Buffer, cuts: readonly number[], rules: Partial<JsonRules> = {}): Scanned {
  const images = new Map<string, CollectedText>();
  const scanner = new JsonScanner({
    longStringBytes: 8,
    longString: () => 'whole',
    openImage: () => {
      const sink = new CollectedText();
      const name = `image ${images.size}`;
      images.set(name, sink);
      return { name, sink };
    },
    maxBytes: 1e9,
    maxValues: 1e9,
    maxDepth: 1e9,
    tooLarge: () => tooLarge,
    ...rules,
  });
  const ends = [...new Set([...cuts.map((cut) => cut % (json.length + 1)), json.length])].sort(
    (a, b) => a - b,
  );
  let from = 0;
  for (const to of ends) {
    // A copy, as the socket's next read would overwrite it.
    const chunk = Buffer.from(json.subarray(from, to));
    scanner.write(chunk);
    chunk.fill(0x22);
    from = to;
  }
  const value = scanner.end();
  return { value, images: new Map([...images].map(([name, sink]) => [name, sink.text()])) };
}

const cuts = fc.array(fc.nat(400), { maxLength: 6 });
const blanks = fc.string({ unit: fc.constantFrom(' ', '\n', '\r', '\t'), maxLength: 3 });
const hex = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`;
const shortEscapes: Record<string, string> = {
  '"': '\\"',
  '\\': '\\\\',
  '/': '\\/',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** A code unit of text, spelt in one of the ways that JSON has for it. */
const spelt = fc
  .tuple(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), fc.constantFrom('plain', 'short', 'hex'))
  .map(([character, way]) => {
    const mustBeEscaped = character < ' ' || character === '"' || character === '\\';
    if (way === 'plain' && !mustBeEscaped) return character;
    if (way !== 'hex' && shortEscapes[character]) return shortEscapes[character];
    return [...Array(character.length).keys()].map((i) => hex(character.charCodeAt(i))).join('');
  });
const base64 = fc.base64String({ maxLength: 40 });
const loneSurrogate = fc.constantFrom('\\ud83d', '\\ude00');
const string = fc
  .oneof(
    fc
      .array(fc.oneof({ weight: 9, arbitrary: spelt }, loneSurrogate), { maxLength: 20 })
      .map((parts) => parts.join('')),
    base64,
  )
  .map((text) => `"${text}"`);
const key = fc.oneof(string, fc.constantFrom('"image"', '"ima\\u0067e"', '"images"', '"other"'));

/** JSON as text: any spelling of strings, blanks anywhere, keys that occur twice. */
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc
    .tuple(
      blanks,
      fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        string,
        fc.constantFrom('null', 'true', 'false', '0', '-1.5e3', '12345678901234567890'),
        fc.array(tie('json'), { maxLength: 4 }).map((values) => `[${values.join()}]`),
        fc
          .array(fc.tuple(blanks, key, blanks, tie('json')), { maxLength: 4 })
          .map((members) => `{${members.map(([a, name, b, value]) => `${a}${name}${b}:${value}`).join()}}`),
      ),
      blanks,
    )
    .map((parts) => parts.join('')),
}));

/** A map: a key of the JSON may be the name of something that every object has, such as `toString`. */
const treatments = new Map<string, LongString>([
  ['image', 'image'],
  ['other', 'start'],
]);
/** The image of an object and the lists of images, at any depth. */
const longString: JsonRules['longString'] = (path) =>
  path.at(-1) === '*' && path.at(-2) === 'images' ? 'image' : (treatments.get(path.at(-1) ?? '') ?? 'whole');

/** A text as it goes to a sink. What is not ASCII is no base64 and need not be exact. */
const sinkText = (text: string) =>
  text
    .replaceAll(/[\t-\r]/g, ' ')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced.
    .replaceAll(/[\0-\x1f]/g, '\x7f')
    .replaceAll(/[\x80-\uffff]+/g, '?');

/** Compares with what `JSON.parse` gives, where images and the ends of long strings are missing. */
function assertSame({ value, images }: Scanned, expected: unknown, path: string[] = []): void {
  if (typeof expected === 'string') {
    assertSameText({ value, images }, expected, longString(path));
  } else if (typeof expected === 'object' && expected !== null) {
    assert.ok(typeof value === 'object' && value !== null);
    assert.deepEqual(Object.keys(value), Object.keys(expected));
    for (const [name, inner] of Object.entries(expected)) {
      const found = (value as Record<string, unknown>)[name];
      assertSame({ value: found, images }, inner, [...path, Array.isArray(expected) ? '*' : name]);
    }
  } else assert.deepEqual(value, expected);
}

function assertSameText({ value, images }: Scanned, expected: string, kind: LongString): void {
  assert.ok(typeof value === 'string');
  if (kind === 'image' && images.has(value)) assert.equal(sinkText(images.get(value)!), sinkText(expected));
  else if (kind === 'start' && value !== expected)
    // The cut may go through a character.
    assert.ok(value.length > 0 && expected.startsWith(value.replace(/\ufffd+$/, '')));
  else assert.equal(value, expected);
}

const byteOrderMark = '\ufeff';

test('gives what JSON.parse gives, with or without a byte order mark before it, with images and long strings apart, wherever the text is cut', () => {
  fc.assert(
    fc.property(fc.constantFrom('', byteOrderMark), json, cuts, (before, text, at) => {
      assertSame(scan(Buffer.from(before + text), at, { longString }), JSON.parse(text));
    }),
    { numRuns: 3000 },
  );
});

const mutation = fc.record({
  at: fc.nat(400),
  removed: fc.nat(3),
  inserted: fc.oneof(
    fc.constantFrom(
      '"',
      '\\',
      '\\u',
      '\\u12',
      '\\x',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      ' ',
      '\n',
      '\0',
      '1',
      'e',
      '\u00a0',
      '',
    ),
    fc.string({ unit: 'binary', maxLength: 3 }),
  ),
});

test('refuses what JSON.parse refuses, and nothing else', () => {
  for (const text of [byteOrderMark, `${byteOrderMark}${byteOrderMark}{}`, ` ${byteOrderMark}{}`])
    assert.throws(() => scan(Buffer.from(text), [1, 2]), InvalidJson);
  let [valid, invalid] = [0, 0];
  const mutated = fc
    .tuple(json, fc.array(mutation, { minLength: 1, maxLength: 2 }))
    .map(([text, mutations]) =>
      mutations.reduce((before, { at, removed, inserted }) => {
        const place = at % (before.length + 1);
        return (before.slice(0, place) + inserted + before.slice(place + removed)).toWellFormed();
      }, text),
    );
  fc.assert(
    fc.property(mutated, cuts, (text, at) => {
      if (isJson(text)) {
        valid++;
        assertSame(scan(Buffer.from(text), at, { longString }), JSON.parse(text));
      } else {
        invalid++;
        assert.throws(() => scan(Buffer.from(text), at, { longString }), InvalidJson);
      }
    }),
    { numRuns: 5000 },
  );
  assert.ok(valid > 500 && invalid > 500, `${valid} valid, ${invalid} invalid`);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('bytes that are no UTF-8 do what they do to JSON.parse', () => {
  fc.assert(
    fc.property(json, fc.uint8Array({ maxLength: 4 }), fc.nat(400), cuts, (text, bytes, place, at) => {
      const whole = Buffer.from(text);
      const body = Buffer.concat([
        whole.subarray(0, place % (whole.length + 1)),
        bytes,
        whole.subarray(place % (whole.length + 1)),
      ]);
      if (isJson(body.toString())) assertSame(scan(body, at, { longString }), JSON.parse(body.toString()));
      else assert.throws(() => scan(body, at, { longString }), InvalidJson);
    }),
    { numRuns: 2000 },
  );
});

test('an image is known by its path, whatever the order, the spelling of its key and what stands before it', () => {
  const long = 'A'.repeat(100);
  const find = (text: string) => [...scan(Buffer.from(text), [], { longString }).images.values()];
  assert.deepEqual(find(`{"image":"${long}","prompt":"x"}`), [long]);
  assert.deepEqual(find(`{"prompt":"x", "i\\u006dage" : "${long}"}`), [long]);
  assert.deepEqual(find(`{"images":["${long}1", "${long}2"]}`), [`${long}1`, `${long}2`]);
  assert.deepEqual(find(`{"a\\":\\"image":"${long}"}`), []);
  assert.deepEqual(find(`{"image":["${long}"],"x":"image","y":"${long}"}`), []);
  assert.deepEqual(find(`{"a\\":\\"image":"${long}"}`), []);
});

test('of a key that occurs twice the last image counts', () => {
  const [first, second] = ['A'.repeat(50), 'B'.repeat(50)];
  const { value, images } = scan(Buffer.from(`{"image":"${first}","image":"${second}"}`), [], { longString });
  assert.equal(images.get((value as { image: string }).image), second);
  const url = scan(Buffer.from(`{"image":"${first}","image":"url"}`), [], { longString });
  assert.deepEqual(url.value, { image: 'url' });
});

test('values, depth and bytes are counted before anything is parsed, and blanks and images do not count', () => {
  const limits = { maxValues: 1000, maxDepth: 50, maxBytes: 10_000, longString };
  const refused = (text: string, error: unknown) =>
    assert.throws(() => scan(Buffer.from(text), [100], limits), error as Error);
  const isTooLarge = (error: unknown) => error === tooLarge;
  assert.doesNotThrow(() => scan(Buffer.from(`[${'{},'.repeat(400)}{}]`), [], limits));
  refused(`[${'{},'.repeat(600)}`, isTooLarge);
  refused(`[${'0,'.repeat(1001)}`, isTooLarge);
  refused('9'.repeat(10_001), isTooLarge);
  refused(`{"${'k'.repeat(10_001)}`, isTooLarge);
  refused(`["${'x'.repeat(10_001)}`, isTooLarge);
  assert.doesNotThrow(() => scan(Buffer.from('['.repeat(50) + ']'.repeat(50)), [], limits));
  refused('['.repeat(51), InvalidJson);
  refused('{"a":'.repeat(51), InvalidJson);
  const blank = ' \n'.repeat(50_000);
  const image = 'A'.repeat(100_000);
  const body = `${blank}{"image":${blank}"${image}","other":"${image}"}${blank}`;
  const { value, images } = scan(Buffer.from(body), [77, 70_000], limits);
  assert.deepEqual([...images.values()], [image]);
  assert.deepEqual(value, { image: 'image 0', other: 'A'.repeat(8) });
});
