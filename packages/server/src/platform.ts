import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, readFileSync, writeFileSync } from 'node:fs';
import { sep } from 'node:path';

/**
 * What differs between Linux, macOS and Windows, for the server. docs/platforms.md tells what of it was run where.
 * `cli/brought-node.js` chooses the Node of a platform, and `runtime/ffmpeg-platform.ts` of the engine its ffmpeg.
 */

export const isWindows = process.platform === 'win32';

/** Platforms on which the tests run. On others, packages are installed and their files checked. */
const testedPlatforms = ['linux-x64'];

/** The platform, and whether the tests run on it. */
export function describePlatform(): string {
  const name = `${process.platform}-${process.arch}`;
  return testedPlatforms.includes(name)
    ? name
    : `${name}, on which the tests were not run: docs/platforms.md`;
}

/** What asks a process to stop. Windows sends SIGHUP when the console's window is closed, SIGBREAK for Ctrl-Break. */
const stopSignals: readonly NodeJS.Signals[] = isWindows
  ? ['SIGINT', 'SIGTERM', 'SIGBREAK', 'SIGHUP']
  : ['SIGINT', 'SIGTERM'];

export function onStopSignal(listener: () => void): void {
  for (const signal of stopSignals) process.on(signal, listener);
}

/** What stands before a command so that it runs without a network; empty where this system does not allow it. */
export function networkIsolation(): readonly string[] {
  if (process.platform !== 'linux') return [];
  // A network namespace of its own has no interface but a loopback that is down. Whoever is not root needs a user
  // namespace for it, which some systems and most containers refuse.
  const user = process.getuid?.() === 0 ? [] : ['--user', '--map-current-user'];
  const words = ['unshare', ...user, '--net', '--'];
  const [command, ...args] = [...words, 'true'];
  const { status } = spawnSync(command!, args, {
    stdio: 'ignore',
    timeout: 5000,
    env: { PATH: process.env.PATH },
  });
  return status === 0 ? words : [];
}

/** How many files and connections this process may have open at once; infinite where the system does not say. */
export function readDescriptorLimit(): number {
  if (isWindows) return Infinity;
  try {
    const soft =
      process.platform === 'linux'
        ? /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
        : limitOfReport();
    return Number.isInteger(Number(soft)) ? Number(soft) : Infinity;
  } catch {
    return Infinity;
  }
}

/** Takes 20 ms. */
function limitOfReport(): unknown {
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { soft: number | string } };
  };
  return userLimits?.open_files?.soft;
}

/** When the machine runs out of memory, Linux is to end this process and not another one. */
export function preferAsVictim(): void {
  if (process.platform !== 'linux') return;
  try {
    writeFileSync('/proc/self/oom_score_adj', '500');
  } catch {
    // Some containers have it read-only.
  }
}

/** Makes a user the owner of a file; Windows has other owners, whose number is -1. */
export function giveFile(path: string, { uid, gid }: { uid: number; gid: number }): void {
  if (uid >= 0) chownSync(path, uid, gid);
}

/**
 * Lets nobody but the owner of a file read it. Windows has no such modes, and refuses to set any on a file that SQLite
 * has open: whoever may read the folder may read the file.
 */
export function allowOwnerOnly(path: string): void {
  if (isWindows) return;
  try {
    chmodSync(path, 0o600);
  } catch (error) {
    // The file is another user's, who has decided who may read it.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

/** A path of this system with slashes, as keys and addresses have them. */
export function withSlashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

const reservedName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|[. ]$|[<>:"|?*]/i;

/** Whether Windows can have no file of this name. Refused everywhere: folders are copied from one system to another. */
export function isReservedFileName(name: string): boolean {
  return reservedName.test(name);
}

/** The program and words that send a picture to the default printer, or to the one named. */
export function printCommand(file: string, printer?: string): [program: string, words: string[]] {
  if (isWindows) {
    const verb = printer === undefined ? 'Print' : 'PrintTo';
    const target = printer === undefined ? [] : ['-ArgumentList', JSON.stringify(printer)];
    const command = ['Start-Process', '-FilePath', JSON.stringify(file), '-Verb', verb, ...target, '-Wait'];
    return ['powershell.exe', ['-NoProfile', '-Command', command.join(' ')]];
  }
  // CUPS, on Linux and macOS.
  return ['lp', [...(printer === undefined ? [] : ['-d', printer]), '-o', 'fit-to-page', '--', file]];
}

/** The program and words that run npm, which is a script of cmd.exe on Windows. */
export function npmCommand(words: readonly string[]): [program: string, words: string[]] {
  return isWindows ? ['cmd.exe', ['/d', '/c', 'npm', ...words]] : ['npm', [...words]];
}

/** What starts programs with the machine or its user. */
export type ServiceManager = 'systemd' | 'launchd' | 'task scheduler';

export function serviceManager(): ServiceManager {
  if (isWindows) return 'task scheduler';
  return process.platform === 'darwin' ? 'launchd' : 'systemd';
}

/** Shows an address in the browser of whoever sits at this machine. Where there is none, nothing happens. */
export function openInBrowser(url: string): void {
  const commands: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
    win32: ['rundll32', 'url.dll,FileProtocolHandler'],
    darwin: ['open'],
  };
  const [program, ...words] = commands[process.platform] ?? ['xdg-open'];
  spawn(program, [...words, url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}

/** What a command begins with in this installation: a clone has a script for it, a package its program. */
export function guiseCommand(): string {
  return import.meta.filename.endsWith('.js') ? 'npx guise' : 'npm run -s guise --';
}
