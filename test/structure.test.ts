import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..', 'src');

/** What each folder may import beside itself and what stands everywhere. */
const below: Record<string, string[]> = {
  http: ['jobs', 'accounts', 'catalog', 'credits', 'store'],
  jobs: ['catalog', 'credits', 'engines', 'media', 'store'],
  accounts: ['credits', 'store'],
  catalog: ['accounts', 'store'],
  credits: ['store'],
  engines: ['media'],
  media: [],
  store: [],
  contract: [],
};
const everywhere = ['contract', 'errors.ts', 'ids.ts', 'iso-time.ts', 'config.ts'];

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path]) =>
    relative(root, join(root, dirname(file), path!)),
  );
}

test('imports go one way: http → jobs → (accounts, catalog, credits, engines) → (media, store)', () => {
  assert.ok(files.length > 50);
  const wrong = files.flatMap((file) => {
    const folder = file.split('/')[0]!;
    const may = below[folder];
    if (!may) return [];
    return importsOf(file)
      .filter((path) => ![folder, ...may, ...everywhere].includes(path.split('/')[0]!))
      .map((path) => `${file} imports ${path}`);
  });
  assert.deepEqual(wrong, []);
});

test('every folder of src has its place in that order', () => {
  const folders = new Set(files.filter((file) => file.includes('/')).map((file) => file.split('/')[0]!));
  assert.deepEqual([...folders].sort(), Object.keys(below).sort());
});

test('no module imports itself by a detour', () => {
  const done = new Set<string>();
  const walk = (file: string, trail: string[]): void => {
    if (trail.includes(file)) assert.fail([...trail.slice(trail.indexOf(file)), file].join(' → '));
    if (done.has(file)) return;
    const text = readFileSync(join(root, file), 'utf8').replaceAll(/import type [^;]+;/g, '');
    for (const [, path] of text.matchAll(/from\s*'(\.[^']+)'/g)) {
      walk(relative(root, join(root, dirname(file), path!)), [...trail, file]);
    }
    done.add(file);
  };
  for (const file of files) walk(file, []);
});
