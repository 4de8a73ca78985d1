import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesOfModel, models } from '../../packages/engine/src/models/models.ts';

type Versions = Record<string, string>;

interface Manifest {
  name: string;
  version: string;
  description: string;
  license: string;
  engines: object;
  dependencies?: Versions;
  optionalDependencies?: Versions;
}

/** An entry of package-lock.json. */
interface Locked extends Partial<Manifest> {
  peerDependencies?: Versions;
  cpu?: unknown;
}

const readJson = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8'));

/** The package.json of what is published: third-party packages alone, each with its one version. */
export function packageManifest(root: string, names: readonly string[]): object {
  const { name, version, description, license, engines, optionalDependencies } = readJson(
    root,
    'package.json',
  ) as Manifest;
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    engines,
    bin: { guise: 'packages/server/src/cli/guise.js' },
    dependencies: dependenciesOf(root, names),
    optionalDependencies,
    bundleDependencies: findBundledDependencies(root, names).names,
  };
}

function dependenciesOf(root: string, names: readonly string[]): Versions {
  const all: Versions = {};
  for (const name of names) {
    const { dependencies = {} } = readJson(root, 'packages', name, 'package.json') as Manifest;
    for (const [wanted, version] of Object.entries(dependencies)) {
      if (wanted.startsWith('@guise/')) continue;
      all[wanted] ??= version;
      if (all[wanted] !== version) throw new Error(`${wanted} has two versions: ${all[wanted]}, ${version}`);
    }
  }
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Brought as packages of their own for each platform: npm has to choose when it installs. */
const perPlatform = new Set(['@ffmpeg-installer/ffmpeg', 'better-sqlite3', 'sharp']);

/**
 * What install scripts alone need, which are not run: that of onnxruntime-node fetches the libraries of CUDA from
 * elsewhere, and fails without that place; @scarf/scarf reports installations.
 */
const installOnly = new Set(['@scarf/scarf', 'adm-zip', 'global-agent']);

/** Only files of theirs are read: what they need to run is not needed. */
const modelPackages = new Set(models.flatMap(filesOfModel).map((file) => file.package));

export interface BundledDependencies {
  /** The dependencies that are in the tarball. */
  names: string[];
  /** Their folders and those of all they need, such as `node_modules/pg/node_modules/x`. */
  folders: string[];
}

/**
 * The dependencies that have dependencies of their own, with all of these, at the versions of package-lock.json. npm
 * would choose the newest versions that fit instead, and it applies the `overrides` of the repository to nobody else:
 * a shrinkwrap file is read for packages of a registry only, and not for a tarball. A dependency without any of its own
 * needs no bundling: its one version is in package.json.
 */
export function findBundledDependencies(root: string, names: readonly string[]): BundledDependencies {
  const { packages } = readJson(root, 'package-lock.json') as { packages: Record<string, Locked> };
  const folders = new Set<string>();
  const add = (from: string, name: string, optional: boolean) => {
    if (perPlatform.has(name) || installOnly.has(name)) return;
    const path = findLocked(packages, from, name);
    if (path !== undefined && isReplaced(name, packages[path]!)) return;
    if (path === undefined && !optional) throw new Error(`package-lock.json has no ${name} for ${from}`);
    if (path === undefined || folders.has(path)) return;
    const { dependencies, optionalDependencies, peerDependencies, cpu } = packages[path]!;
    if (cpu) throw new Error(`${name} is of one platform, and ${from} has it in the bundle`);
    folders.add(path);
    if (modelPackages.has(name)) return;
    for (const wanted of Object.keys(dependencies ?? {})) add(path, wanted, false);
    for (const wanted of Object.keys({ ...optionalDependencies, ...peerDependencies }))
      add(path, wanted, true);
  };
  const bundled = Object.keys(dependenciesOf(root, names)).filter((name) => {
    const { dependencies = {} } = packages[`node_modules/${name}`] ?? {};
    return !perPlatform.has(name) && Object.keys(dependencies).length > 0;
  });
  for (const name of bundled) add('', name, false);
  return { names: bundled, folders: [...folders].sort() };
}

/** The overrides of the repository put another package in the place of one that nothing imports. */
const isReplaced = (name: string, locked: Locked) => locked.name !== undefined && locked.name !== name;

/** Whether a package in this folder has another package in the place of this one. */
function hasReplaced(root: string, folder: string, name: string): boolean {
  const { packages } = readJson(root, 'package-lock.json') as { packages: Record<string, Locked> };
  const path = findLocked(packages, folder, name);
  return path !== undefined && isReplaced(name, packages[path]!);
}

/** The package.json of a dependency in the bundle: nothing of it runs when it is installed. */
export function bundledManifest(root: string, folder: string): object {
  const manifest = readJson(root, folder, 'package.json') as Manifest & { scripts?: object };
  const { scripts: _, dependencies = {}, ...rest } = manifest;
  const kept = Object.entries(dependencies).filter(
    ([name]) => !installOnly.has(name) && !hasReplaced(root, folder, name),
  );
  return { ...rest, dependencies: Object.fromEntries(kept) };
}

/** Where Node would find a package: beside whoever asks, or in a folder above. */
function findLocked(packages: Record<string, Locked>, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder && `${folder}/`}node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === '') return undefined;
  }
}
