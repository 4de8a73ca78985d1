import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '@guise/engine/runtime/child-environment.ts';
import { networkIsolation } from '../../platform.ts';

/** The folder of `packages`, `catalog` and, in a clone, `node_modules`. */
const top = join(import.meta.dirname, '../../../../..');
const script = fileURLToPath(new URL('./sandbox.sh', import.meta.url));
const systemFiles = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/etc/ld.so.cache'];

/** What a process may allocate, whatever its heartbeats say. Node alone reserves half a gigabyte of it. */
const memoryKb = 2 * 2 ** 20;

/**
 * What stands before the command of a process that decodes, so that it sees no file but those of this program, of the
 * system's libraries and of the scratch folder, no process but itself, and no network, and has no capability. Where Linux
 * does not allow all of it, as in most containers, it has no network, if that is allowed.
 */
export function sandbox(scratchDir: string): readonly string[] {
  return hasSandbox() ? namespaces(scratchDir) : networkIsolation();
}

let isAllowed: boolean | undefined;

/** Whether this system allows all of it. */
export function hasSandbox(): boolean {
  isAllowed ??= process.platform === 'linux' && tryNamespaces();
  return isAllowed;
}

function tryNamespaces(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'guise-sandbox-'));
  try {
    const [command, ...args] = namespaces(folder);
    const options = { stdio: 'ignore', timeout: 5000, env: childEnvironment() } as const;
    return spawnSync(command!, [...args, 'true'], options).status === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function namespaces(scratchDir: string): string[] {
  const root = join(scratchDir, 'decoder-root');
  mkdirSync(root, { recursive: true });
  const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  const alone = ['--net', '--mount', '--pid', '--ipc', '--fork', '--kill-child'];
  const shown = [...systemFiles, ...programFiles()];
  return [
    'unshare',
    ...user,
    ...alone,
    '--',
    'sh',
    script,
    root,
    scratchDir,
    String(memoryKb),
    ...shown,
    '--',
  ];
}

/** The packages that this program imports may stand in a folder above it. */
function programFiles(): string[] {
  const above = [top];
  while (dirname(above[0]!) !== above[0]) above.unshift(dirname(above[0]!));
  const modules = above.map((folder) => join(folder, 'node_modules')).filter((folder) => existsSync(folder));
  return [...modules, join(top, 'packages'), join(top, 'catalog'), process.execPath].map((file) =>
    realpathSync(file),
  );
}
