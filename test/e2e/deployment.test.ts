import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { settings } from '@guise/server/settings-table.ts';

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
  const steps = ['install -d -o node', 'USER node', 'RUN node tools/convert-models.ts', 'VOLUME /data'];
  const places = steps.map((step) => dockerfile.indexOf(step));
  assert.ok(places.every((place) => place > 0));
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
  );
});

test('what the image leaves out, the server does not import', () => {
  const folders = readdirSync(join(root, 'packages'));
  const installed = new Set(
    folders.flatMap((folder) => {
      const manifest = JSON.parse(read(`packages/${folder}/package.json`)) as {
        name: string;
        dependencies?: object;
      };
      return [manifest.name, ...Object.keys(manifest.dependencies ?? {})];
    }),
  );
  const files = readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /^\w+\/src\/.*\.ts$/.test(file))
    .map((file) => join('packages', file));
  assert.ok(files.length > 100);
  const imported = [...files, 'tools/make-bucket.ts', 'tools/convert-models.ts'].flatMap((file) =>
    [...read(file).matchAll(/(?:\bfrom |\bimport\()\s*'([@\w][^'\s]*)'/g)].map(([, name]) => name!),
  );
  const leftOut = files.filter((file) => /'\.[^']*\/(quality|test)\//.test(read(file)));
  assert.deepEqual(leftOut, []);
  const packages = imported
    .filter((name) => !name.startsWith('node:') && !builtinModules.includes(name))
    .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'));
  assert.deepEqual(
    [...new Set(packages)].filter((name) => !installed.has(name)),
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
