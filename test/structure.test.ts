import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, dirname, join, posix } from 'node:path';
import { test } from 'node:test';

/**
 * What each folder of the packages may import beside itself. A folder that is not listed, and a file that stands
 * beside the folders without being listed under its package, are violations too.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  contract: ['contract/families'],
  'contract/families': ['contract'],
  'contract/events': ['contract', 'contract/families'],
  'contract/operator': ['contract'],
  'contract/scenes': ['contract', 'contract/families'],
  'contract/other-clients': ['contract', 'contract/families'],

  'engine/runtime': [],
  'engine/pixels': ['contract', 'contract/families', 'engine/runtime'],
  'engine/models': ['engine/runtime'],
  'engine/faces': ['engine/models', 'engine/pixels', 'engine/runtime'],
  'engine/picture-tasks': [
    'contract',
    'contract/events',
    'contract/families',
    'engine/costume',
    'engine/faces',
    'engine/matting',
    'engine/pixels',
    'engine/runtime',
  ],
  'engine/prompt': ['contract', 'contract/families', 'engine/looks', 'engine/models'],
  'engine/scenes': ['contract', 'contract/families', 'engine/pixels', 'engine/runtime'],
  'engine/backdrop': [
    'contract',
    'contract/families',
    'contract/scenes',
    'engine/pixels',
    'engine/runtime',
    'engine/scenes',
  ],
  'engine/matting': ['engine/faces', 'engine/models', 'engine/pixels', 'engine/runtime'],
  'engine/outpaint': ['engine/matting', 'engine/models', 'engine/pixels', 'engine/runtime'],
  'engine/looks': ['engine/faces', 'engine/pixels', 'engine/runtime'],
  'engine/upscale': ['engine/faces', 'engine/models', 'engine/pixels'],
  'engine/swap': [
    'engine/upscale',
    'engine/faces',
    'engine/matting',
    'engine/models',
    'engine/pixels',
    'engine/runtime',
  ],
  'engine/compose': [
    'contract',
    'contract/families',
    'engine/prompt',
    'engine/outpaint',
    'engine/scenes',
    'engine/matting',
    'engine/faces',
    'engine/pixels',
    'engine/runtime',
  ],
  'engine/costume': [
    'contract',
    'contract/families',
    'engine/compose',
    'engine/scenes',
    'engine/matting',
    'engine/faces',
    'engine/pixels',
    'engine/runtime',
  ],
  'engine/judge': [
    'contract',
    'engine/compose',
    'engine/costume',
    'engine/swap',
    'engine/matting',
    'engine/faces',
    'engine/models',
    'engine/pixels',
    'engine/runtime',
  ],
  'engine/packs': [
    'contract',
    'contract/families',
    'engine/costume',
    'engine/scenes',
    'engine/pixels',
    'engine/runtime',
  ],
  'engine/video': [
    'contract',
    'contract/families',
    'engine/prompt',
    'engine/compose',
    'engine/matting',
    'engine/models',
    'engine/faces',
    'engine/pixels',
    'engine/runtime',
  ],
  'engine/living': [
    'contract',
    'engine/judge',
    'engine/prompt',
    'engine/compose',
    'engine/costume',
    'engine/matting',
    'engine/models',
    'engine/faces',
    'engine/pixels',
    'engine/runtime',
    'engine/scenes',
    'engine/video',
  ],
  engine: [
    'contract',
    'contract/events',
    'contract/families',
    'engine/picture-tasks',
    'engine/backdrop',
    'engine/compose',
    'engine/costume',
    'engine/faces',
    'engine/judge',
    'engine/living',
    'engine/looks',
    'engine/matting',
    'engine/models',
    'engine/outpaint',
    'engine/pixels',
    'engine/prompt',
    'engine/runtime',
    'engine/scenes',
    'engine/swap',
    'engine/upscale',
    'engine/video',
  ],

  client: [
    'client/runs',
    'contract',
    'contract/events',
    'contract/families',
    'contract/operator',
    'contract/scenes',
  ],
  'client/runs': ['client', 'contract', 'contract/families'],

  web: [],

  'studio/words': ['client', 'contract'],
  'studio/ui': ['client', 'contract', 'contract/families', 'web', 'studio/words'],
  'studio/photo': ['web', 'studio/ui', 'studio/words'],
  'studio/app': [
    'client',
    'contract',
    'contract/families',
    'contract/operator',
    'web',
    'studio/screens',
    'studio/ui',
    'studio/words',
  ],
  'studio/screens': [
    'client',
    'contract',
    'contract/events',
    'contract/families',
    'contract/operator',
    'contract/scenes',
    'web',
    'studio/app',
    'studio/photo',
    'studio/ui',
    'studio/words',
  ],
  studio: ['web', 'studio/app', 'studio/words'],

  'booth/shared': ['client', 'contract', 'contract/events', 'contract/families', 'web'],
  'booth/booth': ['client', 'contract', 'contract/events', 'contract/families', 'web', 'booth/shared'],
  'booth/guest': ['client', 'contract', 'contract/events', 'contract/families', 'web', 'booth/shared'],
  'booth/wall': ['client', 'contract', 'contract/events', 'contract/families', 'web', 'booth/shared'],
  'booth/worker': [],

  server: ['contract', 'contract/families', 'contract/operator'],
  'server/admission': ['server'],
  'server/store': ['contract', 'contract/events', 'contract/families', 'server', 'server/admission'],
  'server/media': ['contract', 'contract/families', 'server', 'server/admission', 'server/store'],
  'server/mail': ['server'],
  'server/printing': ['contract', 'contract/events', 'server', 'server/admission', 'server/media'],
  'server/provenance': ['engine/runtime', 'server', 'server/store'],
  'server/credits': ['contract', 'contract/families', 'server', 'server/store'],
  'server/accounts': [
    'contract',
    'contract/events',
    'contract/families',
    'contract/operator',
    'server',
    'server/admission',
    'server/credits',
    'server/store',
  ],
  'server/catalog': [
    'contract',
    'contract/families',
    'contract/scenes',
    'contract/other-clients',
    'engine',
    'engine/costume',
    'engine/looks',
    'engine/packs',
    'engine/prompt',
    'engine/runtime',
    'engine/scenes',
    'server',
    'server/accounts',
    'server/media',
    'server/store',
  ],
  'server/engines': [
    'contract',
    'contract/families',
    'contract/operator',
    'engine',
    'engine/runtime',
    'server',
    'server/admission',
    'server/catalog',
    'server/media',
  ],
  'server/jobs': [
    'contract',
    'contract/families',
    'contract/operator',
    'server',
    'server/catalog',
    'server/credits',
    'server/engines',
    'server/media',
    'server/provenance',
    'server/store',
  ],
  // What only uses the core of jobs stands above it.
  'server/job-pages': [
    'contract',
    'contract/families',
    'server',
    'server/admission',
    'server/engines',
    'server/jobs',
    'server/media',
    'server/store',
  ],
  'server/events': [
    'contract',
    'contract/events',
    'contract/families',
    'engine',
    'server',
    'server/admission',
    'server/catalog',
    'server/engines',
    'server/jobs',
    'server/mail',
    'server/media',
    'server/printing',
    'server/store',
  ],
  'server/qa': [
    'contract',
    'contract/families',
    'engine',
    'server',
    'server/admission',
    'server/catalog',
    'server/credits',
    'server/engines',
    'server/jobs',
    'server/media',
    'server/store',
  ],
  'server/quick-tests': [
    'contract',
    'contract/families',
    'server',
    'server/catalog',
    'server/jobs',
    'server/media',
    'server/qa',
    'server/store',
  ],
  'server/previews': [
    'contract',
    'contract/families',
    'engine',
    'server',
    'server/admission',
    'server/catalog',
    'server/engines',
    'server/jobs',
    'server/media',
    'server/qa',
    'server/store',
  ],
  'server/scenes': [
    'contract',
    'contract/families',
    'contract/scenes',
    'server',
    'server/catalog',
    'server/engines',
    'server/jobs',
    'server/media',
    'server/previews',
    'server/store',
  ],
  'server/http': [
    'client',
    'contract',
    'contract/events',
    'contract/families',
    'contract/operator',
    'contract/scenes',
    'contract/other-clients',
    'server',
    'server/admission',
    'server/accounts',
    'server/catalog',
    'server/credits',
    'server/events',
    'server/job-pages',
    'server/jobs',
    'server/mail',
    'server/mcp',
    'server/media',
    'server/previews',
    'server/printing',
    'server/qa',
    'server/quick-tests',
    'server/scenes',
    'server/store',
  ],
  'server/backups': ['contract', 'contract/operator', 'server', 'server/jobs', 'server/store'],
  'server/app': [
    'contract',
    'contract/families',
    'contract/operator',
    'engine/looks',
    'engine/models',
    'engine/runtime',
    'engine/swap',
    'server',
    'server/admission',
    'server/accounts',
    'server/backups',
    'server/catalog',
    'server/credits',
    'server/engines',
    'server/events',
    'server/http',
    'server/job-pages',
    'server/jobs',
    'server/mail',
    'server/media',
    'server/previews',
    'server/printing',
    'server/provenance',
    'server/quick-tests',
    'server/store',
  ],
  'server/cli': [
    'client',
    'contract',
    'contract/families',
    'engine',
    'engine/models',
    'engine/runtime',
    'engine/swap',
    'server',
    'server/accounts',
    'server/app',
    'server/backups',
    'server/camera',
    'server/catalog',
    'server/credits',
    'server/engines',
    'server/events',
    'server/jobs',
    'server/mcp',
    'server/provenance',
    'server/store',
    'server/watch',
  ],
  'server/camera': ['server', 'server/watch'],
  'server/watch': ['client', 'client/runs', 'contract', 'contract/other-clients', 'server'],
  'server/mcp': [
    'client',
    'client/runs',
    'contract',
    'contract/families',
    'contract/other-clients',
    'server',
  ],
};

const mostLines = 400;
const mostFiles = 30;
const mostLinesOfFunction = 80;

/** Files with a longer function: a migration never changes. */
const filesWithLongFunctions: readonly string[] = ['server/src/store/migrations/001-first.ts'];

interface Source {
  /** From the packages folder: `engine/src/pixels/blur.ts`. */
  path: string;
  text: string;
}

const packagesDir = join(import.meta.dirname, '../packages');
const packages = readdirSync(packagesDir);
const readSources = (folder: string): Source[] =>
  readdirSync(join(packagesDir, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[jt]sx?$/.test(file))
    .map((file) => posix.join(folder, file.replaceAll('\\', '/')))
    .map((path) => ({ path, text: readFileSync(join(packagesDir, path), 'utf8') }));
const sources = packages.flatMap((name) => readSources(`${name}/src`));
/** Tests, benches and tools, for the one rule that holds for them too. */
const besideSources = [
  ...['engine/test', 'engine/quality', 'server/test', 'client/test', 'contract/test'],
  ...['../test', '../bench', '../tools', '../sim'],
].flatMap(readSources);
const dependencies = new Map(
  packages.map((name) => {
    const manifest = JSON.parse(readFileSync(join(packagesDir, name, 'package.json'), 'utf8'));
    return [name, Object.keys(manifest.dependencies ?? {})];
  }),
);

/** `engine/src/looks/strokes/brush.ts` stands in the folder `engine/looks`, `engine/src/render.ts` in `engine`. */
function folderOf(path: string): string {
  const [name, , ...rest] = path.split('/');
  return rest.length > 1 ? `${name}/${rest[0]}` : name!;
}

function importsOf({ text }: Source): string[] {
  const specifiers = text.matchAll(/^(?:import|export)\s(?:[^;'"()=]*\bfrom\s)?'([^'\n]+)'/gm);
  const lazy = text.matchAll(/\bimport\('([^'\n]+)'\)/g);
  const modules = text.matchAll(/new URL\(\s*'(\.[^']+\.ts)',\s*import\.meta\.url/g);
  const resolved = text.matchAll(/import\.meta\.resolve\('([^']+)'\)/g);
  return [...specifiers, ...lazy, ...modules, ...resolved].map(([, specifier]) => specifier!);
}

/** The imported file of ours, or null for a package or a module of Node. */
function resolveImport(from: string, specifier: string): string | null {
  const own = /^@guise\/([^/]+)\/(.+)$/.exec(specifier);
  if (own) return `${own[1]}/src/${own[2]}`;
  return specifier.startsWith('.') ? posix.join(dirname(from), specifier) : null;
}

function importViolations(files: readonly Source[]): string[] {
  return files.flatMap((file) => {
    const folder = folderOf(file.path);
    const allowed = mayImport[folder];
    if (!allowed) return [`${file.path} stands in ${folder}, which has no rule`];
    return importsOf(file).flatMap((specifier) => {
      const target = resolveImport(file.path, specifier);
      if (target === null) return packageViolation(file.path, specifier);
      const to = folderOf(target);
      return to === folder || allowed.includes(to) ? [] : [`${file.path} imports ${target}`];
    });
  });
}

function packageViolation(path: string, specifier: string): string[] {
  if (specifier.startsWith('node:') || builtinModules.includes(specifier)) return [];
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  const known = dependencies.get(path.split('/')[0]!) ?? [];
  return known.includes(name) ? [] : [`${path} imports ${name}, which its package.json does not name`];
}

/** Imports of types count too: two files that know each other are read as one. */
function cycles(files: readonly Source[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) found.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
    const file = byPath.get(path);
    if (!file || done.has(path) || trail.includes(path)) return;
    for (const specifier of importsOf(file)) {
      const target = resolveImport(path, specifier);
      if (target) visit(target, [...trail, path]);
    }
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  return found;
}

/** What decodes pictures, and the models that look at them. */
const decodingPackages = ['sharp', 'onnxruntime-node'];
/** The programs that serve requests and work on jobs, with the secrets of the installation. */
const servingModules = [
  'server/src/app/all-in-one.ts',
  'server/src/app/api-node.ts',
  'server/src/app/worker-node.ts',
];
/** Modules that these import when an operator asks for it, for what decodes nothing: packs and models are listed, packs removed. */
const decodesNothing: readonly string[] = [
  'engine/src/swap/network/operator-models.ts',
  'server/src/catalog/packs/describe-pack.ts',
  'server/src/catalog/packs/import-pack.ts',
];

/** Ways of imports from a program that serves to a package that decodes. Modules of child processes are no part of them. */
function decodingViolations(files: readonly Source[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const seen = new Set<string>(decodesNothing);
  const visit = (path: string, trail: readonly string[]): string[] => {
    const file = byPath.get(path);
    if (!file || seen.has(path)) return [];
    seen.add(path);
    const imports = [
      ...file.text.matchAll(/^(?:import|export)\s(?!type\b)(?:[^;'"()=]*\bfrom\s)?'([^'\n]+)'/gm),
      ...file.text.matchAll(/\bimport\(\s*'([^'\n]+)',?\s*\)/g),
    ].map(([, specifier]) => specifier!);
    return imports.flatMap((specifier) => {
      if (decodingPackages.includes(specifier)) return [[...trail, path, specifier].join(' → ')];
      const target = resolveImport(path, specifier);
      return target ? visit(target, [...trail, path]) : [];
    });
  };
  return servingModules.flatMap((path) => visit(path, []));
}

function sizeViolations(files: readonly Source[]): string[] {
  const long = files
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > mostLines)
    .map(({ path, lines }) => `${path} has ${lines} lines`);
  const crowded = [...Map.groupBy(files, ({ path }) => dirname(path))]
    .filter(([, members]) => members.length > mostFiles)
    .map(([folder, members]) => `${folder} has ${members.length} files`);
  return [...long, ...crowded];
}

const opensFunction =
  /^\s*(?:export )?(?:default )?(?:async )?function\b|=> \{$|^\s+(?:(?:static|async|get|set) )*[*#]?\w+(?:<.*>)?\(.*\).* \{$/;
const opensBlock = /^\s*(?:\} )?(?:if|for|while|switch|catch|else|do|try|return)\b/;

/** By indentation, which the formatter keeps: a function ends with the next brace that stands as far left as it. */
function functionViolations(files: readonly Source[]): string[] {
  return files.flatMap(({ path, text }) => {
    const lines = text.split('\n');
    return lines.flatMap((line, at) => {
      if (!opensFunction.test(line) || opensBlock.test(line)) return [];
      const indent = /^\s*/.exec(line)![0];
      const end = lines.findIndex(
        (other, i) => i > at && other.startsWith(`${indent}}`) && !other.endsWith('{'),
      );
      const length = end - at + 1;
      return length > mostLinesOfFunction ? [`${path}: ${line.trim()} has ${length} lines`] : [];
    });
  });
}

/** Two files of one name in a package make a reader open the wrong one. */
function nameViolations(files: readonly Source[]): string[] {
  const named = files.filter(({ path }) => !/(^|\/)(index|[\w-]*routes?)\.\w+$/.test(path));
  const groups = Map.groupBy(named, ({ path }) => `${path.split('/')[0]}/${basename(path)}`);
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .map((group) => group.map(({ path }) => path).join(' and '));
}

test('every file stands in a folder with a rule, and imports only what that rule allows', () => {
  assert.ok(sources.length > 200, `${sources.length} files`);
  assert.deepEqual(importViolations(sources), []);
});

test('every rule is of a folder that exists', () => {
  const folders = new Set(sources.map(({ path }) => folderOf(path)));
  assert.deepEqual(
    Object.keys(mayImport).filter((folder) => !folders.has(folder)),
    [],
  );
});

test('no module imports itself through others', () => {
  assert.deepEqual(cycles([...sources, ...besideSources]), []);
});

test('nothing that decodes pictures is imported by a process that serves requests or has secrets', () => {
  for (const path of [...servingModules, ...decodesNothing])
    assert.ok(
      sources.some((file) => file.path === path),
      path,
    );
  assert.deepEqual(decodingViolations(sources), []);
});

test(`no file has more than ${mostLines} lines, no folder more than ${mostFiles} files`, () => {
  assert.deepEqual(sizeViolations(sources), []);
});

test(`no function has more than ${mostLinesOfFunction} lines`, () => {
  const checked = sources.filter(({ path }) => !filesWithLongFunctions.includes(path));
  assert.deepEqual(functionViolations(checked), []);
});

test('no base name occurs twice in a package', () => {
  assert.deepEqual(nameViolations(sources), []);
});

test('a planted violation of each rule is found', () => {
  const plant = (path: string, text: string) => [...sources, { path, text }];
  const found = (files: Source[], check: (files: readonly Source[]) => string[], expected: RegExp) =>
    assert.match(check(files).join('\n'), expected);
  found(
    plant('engine/src/pixels/planted.ts', "import { x } from '../looks/looks.ts';"),
    importViolations,
    /planted\.ts imports engine\/src\/looks/,
  );
  found(
    plant('server/src/jobs/planted.ts', "import { x } from '../events/events.ts';"),
    importViolations,
    /jobs\/planted\.ts imports server\/src\/events/,
  );
  found(
    plant('contract/src/planted.ts', "import { x } from '@guise/server/config.ts';"),
    importViolations,
    /planted\.ts imports server\/src\/config/,
  );
  found(
    plant('engine/src/planted.ts', "import pg from 'pg';"),
    importViolations,
    /planted\.ts imports pg, which its package\.json/,
  );
  found(plant('server/src/nowhere/planted.ts', ''), importViolations, /server\/nowhere, which has no rule/);
  for (const way of ["import sharp from 'sharp';", "const { default: sharp } = await import('sharp');"]) {
    const planted = sources.map((file) =>
      file.path === 'server/src/media/inspect-image.ts' ? { ...file, text: `${way}\n${file.text}` } : file,
    );
    found(planted, decodingViolations, /inspect-image\.ts → sharp/);
  }
  for (const way of [
    "import { a } from './a.ts';",
    "import type { A } from './a.ts';",
    "import('./a.ts');",
  ]) {
    found(
      [
        { path: 'server/src/http/a.ts', text: "import { b } from './b.ts';" },
        { path: 'server/src/http/b.ts', text: way },
      ],
      cycles,
      /a\.ts → .*b\.ts → .*a\.ts/,
    );
  }
  found(
    plant('server/src/http/planted.ts', 'x\n'.repeat(mostLines + 1)),
    sizeViolations,
    /planted\.ts has 401 lines/,
  );
  const crowd = Array.from({ length: mostFiles + 1 }, (_, i) => ({
    path: `server/src/http/x${i}.ts`,
    text: '',
  }));
  found(crowd, sizeViolations, /server\/src\/http has 31 files/);
  const longFunction = `export function planted(\n  a: number,\n): void {\n${'  x();\n'.repeat(80)}}\n`;
  found(
    plant('server/src/http/planted.ts', longFunction),
    functionViolations,
    /planted\.ts: export function planted\( has 84 lines/,
  );
  found(plant('server/src/http/config.ts', ''), nameViolations, /config\.ts and .*config\.ts/);
});
