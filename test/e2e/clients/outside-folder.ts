import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { photo, startTestServer, type TestServer } from '../../../packages/server/test/support/harness.ts';
import { untilAborted } from '../../../packages/server/test/support/test-engine.ts';

export const root = join(import.meta.dirname, '../../..');
const run = promisify(execFile);

/** A folder outside of the repository with a photo in it, as a customer's project is one. */
export interface OutsideFolder {
  path: string;
  /** Runs a program there; rejects with what it printed when it fails. */
  run(program: string, words: readonly string[], env?: Record<string, string>): Promise<string>;
}

/** A server whose jobs report progress, and never end when their prompt says so. */
export async function startClientServer(): Promise<
  TestServer & { env: Record<'GUISE_URL' | 'GUISE_KEY', string> }
> {
  const server = await startTestServer();
  server.engine.before = async (request, context) => {
    context.progress(0.5);
    if (/for ever|castle/.test(request.prompt ?? '')) await untilAborted(request, context);
  };
  const { api_key } = await server.account();
  return { ...server, env: { GUISE_URL: server.url, GUISE_KEY: api_key } };
}

/** The folders are removed by the returned function. */
export function outsideFolders(): { make(): OutsideFolder; remove(): void } {
  const made: string[] = [];
  return {
    make() {
      const path = mkdtempSync(join(tmpdir(), 'guise-client-'));
      made.push(path);
      writeFileSync(join(path, 'guest.jpg'), Buffer.from(photo, 'base64'));
      return { path, run: (program, words, env) => runProgram(path, program, words, env) };
    },
    remove: () => made.forEach((path) => void rmSync(path, { recursive: true, force: true })),
  };
}

async function runProgram(
  cwd: string,
  program: string,
  words: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  try {
    return (await run(program, words, { cwd, env: { ...process.env, ...env } })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${words.join(' ')} failed: ${stdout}\n${stderr}`, { cause: error });
  }
}

/** The Node of the machine, which may be the oldest one that the client is for; else the one of the tests. */
export function machineNode(): string {
  const folders = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'));
  return folders.map((folder) => join(folder, 'node')).find((file) => existsSync(file)) ?? process.execPath;
}

export const hasPython = await run('python3', ['-c', 'import sys; assert sys.version_info >= (3, 9)']).then(
  () => true,
  () => false,
);
/** For tests that need it. */
export const needsPython = { skip: hasPython ? false : 'python3 is not installed' };

/** Installs the Python client into a folder of the folder; gives what has to be in the environment to import it. */
export async function installPythonClient(folder: OutsideFolder): Promise<Record<string, string>> {
  const backend = join(root, 'clients/python/build_backend');
  const build = `import sys; sys.path.insert(0, ${JSON.stringify(backend)}); sys.dont_write_bytecode = True; import wheel_builder; print(wheel_builder.build_wheel('.'))`;
  const wheel = (await folder.run('python3', ['-c', build])).trim();
  // A wheel is a zip file of what belongs into a folder of packages: pip does no more for one without dependencies.
  await folder.run('python3', ['-m', 'zipfile', '-e', wheel, 'packages']);
  return { PYTHONPATH: join(folder.path, 'packages') };
}
