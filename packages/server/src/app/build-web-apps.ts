import { execFile } from 'node:child_process';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const packagesDir = join(import.meta.dirname, '../../..');

/** Pages for browsers that are built from sources of this repository. */
export interface WebApp {
  title: string;
  dir: string;
  /** What the build makes, and what the server serves. */
  filesDir: string;
  /** The pages: files beside the sources, and files of the build. */
  pages: readonly [string, ...string[]];
}

function webApp(title: string, pages: WebApp['pages']): WebApp {
  const dir = join(packagesDir, title);
  return { title, dir, filesDir: join(dir, 'dist'), pages };
}

export const studioApp = webApp('studio', ['index.html']);
export const boothApp = webApp('booth', ['booth.html', 'guest.html', 'wall.html']);
export const webApps: readonly WebApp[] = [studioApp, boothApp];

/** Builds pages before the first start and after their sources have changed, and says so. */
export async function buildStaleWebApps(output: Pick<Console, 'log' | 'error'>): Promise<void> {
  for (const app of webApps.filter(isWebAppStale)) {
    output.log(`Building the ${app.title}, which takes a few seconds…`);
    try {
      await buildWebApp(app);
    } catch (error) {
      // The interface works without it.
      output.error(`The ${app.title} could not be built: ${error instanceof Error ? error.message : error}`);
    }
  }
}

/** Whether the pages are missing or older than their sources. A published package has no sources: it brings the pages. */
export function isWebAppStale({ dir, filesDir, pages }: WebApp): boolean {
  if (!existsSync(join(dir, 'src'))) return false;
  const folders = [
    join(dir, 'src'),
    join(dir, 'public'),
    ...['client', 'contract', 'web'].map((name) => join(packagesDir, name, 'src')),
  ];
  const newest = Math.max(...folders.map(newestChange), ...pages.map((page) => changeOf(join(dir, page))));
  return newest > changeOf(join(filesDir, pages[0]));
}

/** Builds the pages, which takes some seconds. A process of its own: the bundler would stay in the server's memory. */
export async function buildWebApp({ dir, filesDir }: WebApp): Promise<void> {
  const fresh = `${filesDir}-${process.pid}`;
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');
  try {
    await promisify(execFile)(
      process.execPath,
      [vite, 'build', '--logLevel', 'error', '--outDir', fresh, '--emptyOutDir'],
      { cwd: dir, env: { ...process.env, NODE_ENV: 'production' } },
    );
    // Another process may serve the old files: each folder is whole, before and after.
    rmSync(filesDir, { recursive: true, force: true });
    renameSync(fresh, filesDir);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function newestChange(folder: string): number {
  try {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return Math.max(0, ...files.map((file) => changeOf(join(folder, file))));
  } catch {
    return 0;
  }
}

function changeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
