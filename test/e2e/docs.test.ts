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

test('the clients that interfaces are tested with stand in the pages with their versions', () => {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const versions: Record<string, string> = {
    ...JSON.parse(read('package.json')).devDependencies,
    ...JSON.parse(read('test/generators/package.json')).dependencies,
  };
  const named = ['other-clients', 'compatibility', 'mcp'].flatMap((page) => [
    ...read(`docs/${page}.md`).matchAll(/`([@\w/-]+)` (\d+\.\d+\.\d+)/g),
  ]);
  for (const [, name, version] of named) assert.equal(version, versions[name!], name);
  const names = new Set(named.map(([, name]) => name));
  for (const name of ['openai', 'a1111-webui-api', '@modelcontextprotocol/client', 'openapi-fetch', 'orval'])
    assert.ok(names.has(name), name);
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
