import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, relative } from 'node:path';
import { documentShapes } from './document-shapes.ts';
import { typescriptTypes } from './typescript-types.ts';

/** Builds the TypeScript client as it is published, in packages/client/dist: `npm run build -w @guise/client`. */

const root = join(import.meta.dirname, '../..');
const client = join(root, 'packages/client');
const contract = join(root, 'packages/contract/src');

/** The part of the contract that is data and not only types. */
const dataModule = 'families/family-paths';

/**
 * Builds the client as it is published: JavaScript and declarations for every file, the types of the contract without
 * zod, and a package.json of its own. `npm pack ./packages/client/dist` makes the package of it. The compiler sees the
 * same types as whoever installs it.
 */
export async function buildClient(target = join(client, 'dist')): Promise<string> {
  const source = mkdtempSync(join(tmpdir(), 'guise-client-build-'));
  try {
    cpSync(join(client, 'src'), source, { recursive: true });
    const wanted = new Set<string>();
    for (const file of globSync('**/*.ts', { cwd: source }))
      rewriteImports(source, file.replaceAll('\\', '/'), wanted);
    cpSync(join(contract, `${dataModule}.ts`), join(source, 'contract', `${dataModule}.ts`));
    writeFileSync(join(source, 'contract/types.ts'), typescriptTypes(documentShapes(wanted)));
    appendFileSync(join(source, 'index.ts'), "export type * from './contract/types.js';\n");
    writeFileSync(join(source, 'package.json'), '{"type":"module"}');
    cpSync(join(client, 'tsconfig.build.json'), join(source, 'tsconfig.json'));
    rmSync(target, { recursive: true, force: true });
    runTsc(['-p', source, '--outDir', target]);
  } finally {
    rmSync(source, { recursive: true, force: true });
  }
  // Types alone: no file imports it.
  rmSync(join(target, 'contract/types.js'));
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(publishedManifest(), null, 2)}\n`);
  cpSync(join(client, 'README.md'), join(target, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
  return target;
}

export function runTsc(words: readonly string[], cwd = root): void {
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/lib/tsc.js'), ...words], {
      cwd,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  } catch (error) {
    throw new Error(`tsc found: ${(error as { stdout?: string }).stdout}`);
  }
}

/** Points imports of the contract to the files that stand for it, and notes the types that are asked for. */
function rewriteImports(folder: string, file: string, wanted: Set<string>): void {
  const path = join(folder, file);
  const to = (module: string) => {
    const way = posix.relative(posix.dirname(file), `contract/${module}.js`);
    return way.startsWith('.') ? way : `./${way}`;
  };
  const text = readFileSync(path, 'utf8').replaceAll(
    /import (type )?\{([^}]*)\} from '@guise\/contract\/([\w/-]+)\.ts'/g,
    (_, type: string | undefined, list: string, module: string) => {
      if (module === dataModule) return `import ${type ?? ''}{${list}} from '${to(module)}'`;
      if (!type) throw new Error(`${file} imports more than types from ${module}, which needs zod`);
      const names = list.split(',').map((name) => name.trim().split(' as ')[0]!);
      for (const name of names.filter(Boolean)) wanted.add(name);
      return `import type {${list}} from '${to('types')}'`;
    },
  );
  if (text.includes("from '@guise/")) throw new Error(`${file} imports another package`);
  // The compiler would rewrite these in JavaScript, and leave them in declarations.
  writeFileSync(path, text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
}

/** The package.json of the repository has the sources and the contract package in it, which nobody else has. */
function publishedManifest(): object {
  const { name, version, description, license } = JSON.parse(
    readFileSync(join(client, 'package.json'), 'utf8'),
  );
  const entry = { types: './index.d.ts', default: './index.js' };
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    main: './index.js',
    types: './index.d.ts',
    exports: { '.': entry, './package.json': './package.json' },
  };
}

if (import.meta.main) console.log(relative(process.cwd(), await buildClient()));
