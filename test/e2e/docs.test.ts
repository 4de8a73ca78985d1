import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { errorCodes } from '@guise/contract/error-codes.ts';
import { pages } from '../../tools/docs.ts';

const root = join(import.meta.dirname, '../..');

for (const [path, text] of Object.entries(pages)) {
  test(`${path} says what the code does (npm run docs writes it anew)`, () => {
    assert.equal(readFileSync(join(root, path), 'utf8'), text);
  });
}

test('every row of the table of error codes is used', () => {
  const sources = readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /^\w+\/src\/.*\.ts$/.test(file) && !file.endsWith('error-codes.ts'))
    .map((file) => readFileSync(join(root, 'packages', file), 'utf8'));
  const unused = Object.keys(errorCodes).filter(
    (code) => !sources.some((text) => text.includes(`'${code}'`)),
  );
  assert.deepEqual(unused, []);
});

test('every link between the pages leads to a file', () => {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.md'),
  );
  const broken = ['README.md', 'CONTRIBUTING.md', ...docs.map((file) => join('docs', file))].flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)]
      .map(([, link]) => join(page, '..', link!))
      .filter((target) => {
        try {
          readdirSync(join(root, target, '..'));
          return !readdirSync(join(root, target, '..')).includes(target.split('/').filter(Boolean).at(-1)!);
        } catch {
          return true;
        }
      })
      .map((target) => `${page} → ${target}`),
  );
  assert.deepEqual(broken, []);
});
