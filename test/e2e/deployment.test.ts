import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { settings } from '@guise/server/settings-table.ts';
import { shippedPackages } from '../../tools/package/build-package.ts';
import { findBundledDependencies } from '../../tools/package/package-manifest.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const dockerfile = read('Dockerfile');
const compose = read('compose.yaml');

test('everything the image copies is there, and let through by .dockerignore', () => {
  const sources = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, list]) =>
    list!.split(' '),
  );
  assert.ok(sources.length > 6);
  assert.deepEqual(
    sources.filter((source) => !existsSync(join(root, source))),
    [],
  );
  const allowed = read('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));
  assert.deepEqual([...new Set(sources)].sort(), allowed.sort());
});

test('the image runs as somebody other than root', () => {
  assert.match(dockerfile, /^USER (?!root)\w+$/m);
});

test('the image holds the converted models, in the data folder and of the user who runs it', () => {
  const steps = ['install -d -o node', 'USER node', 'guise.js models convert', 'VOLUME /data'];
  const places = steps.map((step) => dockerfile.indexOf(step));
  assert.ok(places.every((place) => place > 0));
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
  );
});

test('the image installs the package that npx installs, and starts its command', () => {
  assert.match(dockerfile, /npm run -s build && npm pack \.\/dist\/guise/);
  assert.match(dockerfile, /npm install [^\n]*\/guise-\*\.tgz/);
  const manifest = JSON.parse(read('packages/server/package.json'));
  const command = `node_modules/guise/packages/server/${manifest.bin.guise}`;
  assert.ok(dockerfile.includes(`ENTRYPOINT ["node", "${command}"]`));
});

test('every package that the image installs is there without development dependencies', () => {
  const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { dev?: boolean }> };
  const { folders } = findBundledDependencies(root, shippedPackages);
  assert.ok(folders.length > 100);
  assert.deepEqual(
    folders.filter((folder) => lock.packages[folder]?.dev),
    [],
  );
});

test('every setting of compose.yaml is one, and every file it mounts is there', () => {
  const names = [...compose.matchAll(/^ {4}(DATABASE_URL|GUISE_\w+|HOST|PORT):/gm)].map(([, name]) => name!);
  assert.ok(names.length > 5);
  assert.deepEqual(
    names.filter((name) => !(name in settings)),
    [],
  );
  const mounted = [...compose.matchAll(/"\.\/([^:"]+):/g)].map(([, file]) => file!);
  assert.ok(mounted.length > 0);
  for (const file of mounted) assert.ok(existsSync(join(root, file)), file);
});
