import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { errorStatus } from '@guise/server/http/error-status.ts';
import { pages } from '../../tools/docs.ts';
import { notice } from '../../tools/notice.ts';

const root = join(import.meta.dirname, '../..');

for (const [path, text] of Object.entries({ ...pages, NOTICE: notice })) {
  test(`${path} says what the code does (npm run docs writes it anew)`, () => {
    assert.equal(readFileSync(join(root, path), 'utf8'), text);
  });
}

test('every public error code of the code stands in the table, and every row of the table is used', () => {
  const sources = readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /^\w+\/src\/.*\.ts$/.test(file) && !file.endsWith('error-status.ts'))
    .map((file) => readFileSync(join(root, 'packages', file), 'utf8'));
  const used = new Set(
    sources.flatMap((text) =>
      [...text.matchAll(/(?:App|Render)Error\(\s*'([A-Z_]+)'/g)].map(([, code]) => code!),
    ),
  );
  /** What the command line, the start and the engines say never reaches a caller as an error code. */
  const inner = [
    'CATALOG_BROKEN',
    'MODEL_UNUSABLE',
    'ENGINE_REFUSED',
    'ENGINE_BROKE',
    'BAD_SETTING',
    'DATA_FOLDER_IN_USE',
    'USAGE',
    'BAD_EMAIL',
    'ACCOUNT_EXISTS',
    'NO_SUCH_ACCOUNT',
    'NO_SUCH_KEY',
    'LEDGER',
    'DISK',
    'MOVE_REFUSED',
  ];
  const missing = [...used].filter((code) => !errorStatus[code] && !inner.includes(code));
  const unused = Object.keys(errorStatus).filter((code) => !used.has(code));
  assert.deepEqual({ missing, unused }, { missing: [], unused: [] });
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
