import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { InvalidForm } from '../../src/http/bodies/body-errors.ts';
import { type FormRules, FormScanner } from '../../src/http/bodies/form-scanner.ts';

interface Scan {
  value: Record<string, string | string[]>;
  files: Map<string, Buffer>;
}

function scan(body: Buffer, boundary: string, size: number, rules: Partial<FormRules> = {}): Scan {
  const files = new Map<string, Buffer[]>();
  const scanner = new FormScanner({
    boundary,
    openImage: () => {
      const name = `file ${files.size + 1}`;
      const kept: Buffer[] = [];
      files.set(name, kept);
      const write = (chunk: Buffer, from: number, to: number) =>
        kept.push(Buffer.from(chunk.subarray(from, to)));
      return { name, sink: { write, end: () => false } };
    },
    maxFieldBytes: 1000,
    maxBytes: 2000,
    maxParts: 10,
    tooLarge: () => new Error('too large'),
    hash: null,
    ...rules,
  });
  for (let at = 0; at < body.length; at += size) scanner.write(body.subarray(at, at + size));
  const value = scanner.end();
  return { value, files: new Map([...files].map(([name, kept]) => [name, Buffer.concat(kept)])) };
}

async function bodyOf(form: FormData): Promise<{ body: Buffer; boundary: string }> {
  const response = new Response(form);
  const boundary = /boundary=(.*)$/.exec(response.headers.get('content-type')!)![1]!;
  return { body: Buffer.from(await response.arrayBuffer()), boundary };
}

/** What looks like a boundary, in every length, and line breaks. */
const tricky = Buffer.from('\r\n--\r\n----\r\n-\r\r\n--x\r\n--form\n\r\n');

function trickyForm(): FormData {
  const form = new FormData();
  form.append('note', 'two\r\nlines, ünïcode');
  form.append('empty', '');
  form.append('image[]', new Blob([tricky]), 'a.jpg');
  form.append('image[]', new Blob([Buffer.alloc(0)]), 'b.jpg');
  form.append('a "quoted" name', new Blob([Buffer.from('c')]), 'c.jpg');
  return form;
}

test('a form reads the same wherever it is cut', async () => {
  const { body, boundary } = await bodyOf(trickyForm());
  for (let size = 1; size <= body.length; size++) {
    const { value, files } = scan(body, boundary, size);
    assert.deepEqual(value, {
      note: 'two\r\nlines, ünïcode',
      empty: '',
      image: ['file 1', 'file 2'],
      'a %22quoted%22 name': 'file 3',
    });
    assert.deepEqual([...files.values()], [tricky, Buffer.alloc(0), Buffer.from('c')], String(size));
  }
});

test('names without quotes, files without names, text around the parts and padding are read', () => {
  const body = [
    'before the first part\r\n--b\r\nContent-Disposition: form-data; name=photo; filename=x.jpg\r\n\r\n1',
    '--b \t\r\ncontent-disposition: form-data; name="other"\r\nContent-Type: image/png\r\n\r\n2',
    '--b\r\nX: y\r\nContent-Disposition: form-data; filename="name=z"; name="third"\r\n\r\n3',
    '--b--\r\nafter the last one',
  ].join('\r\n');
  for (const size of [1, 7, 1000]) {
    const { value, files } = scan(Buffer.from(body), 'b', size);
    assert.deepEqual(value, { photo: 'file 1', other: 'file 2', third: 'file 3' });
    assert.equal(Buffer.concat([...files.values()]).toString(), '123');
  }
});

test('what is no form is refused', () => {
  const head = '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n';
  for (const body of [
    '',
    'text',
    '--b',
    `${head}1`,
    `${head}1\r\n--b`,
    `${head}1\r\n--bx\r\n`,
    '--b\r\nX: y\r\n\r\n\r\n--b--',
  ])
    assert.throws(() => scan(Buffer.from(body), 'b', 5), InvalidForm, body);
  assert.throws(() => scan(Buffer.from(`--b\r\n${'x'.repeat(10_000)}`), 'b', 100), InvalidForm);
});

test('fields and parts beyond the limits are too large, files are not', () => {
  const part = (content: string, file = '') =>
    `--b\r\nContent-Disposition: form-data; name="x"${file}\r\n\r\n${content}\r\n`;
  const large = 'x'.repeat(1001);
  assert.throws(() => scan(Buffer.from(`${part(large)}--b--`), 'b', 100), /too large/);
  assert.throws(() => scan(Buffer.from(`${part('x'.repeat(900)).repeat(3)}--b--`), 'b', 100), /too large/);
  assert.throws(() => scan(Buffer.from(`${part('').repeat(11)}--b--`), 'b', 100), /too large/);
  scan(Buffer.from(`${part(large, '; filename="y"')}--b--`), 'b', 100);
});

test('the hash is of names and contents, whatever the boundary and the cuts', async () => {
  const digest = async (form: FormData, size: number) => {
    const { body, boundary } = await bodyOf(form);
    const hash = createHash('sha256');
    scan(body, boundary, size, { hash });
    return hash.digest('hex');
  };
  const one = await digest(trickyForm(), 10);
  assert.equal(await digest(trickyForm(), 1000), one);
  const other = trickyForm();
  other.append('more', '');
  assert.notEqual(await digest(other, 10), one);
});
