import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Sends a picture to the default printer of this machine, or to the one named. */
export async function printFile(file: string, printer?: string): Promise<void> {
  if (process.platform === 'win32') {
    const verb = printer === undefined ? 'Print' : 'PrintTo';
    const target = printer === undefined ? [] : ['-ArgumentList', JSON.stringify(printer)];
    const command = ['Start-Process', '-FilePath', JSON.stringify(file), '-Verb', verb, ...target, '-Wait'];
    await run('powershell.exe', ['-NoProfile', '-Command', command.join(' ')]);
    return;
  }
  // CUPS, on Linux and macOS.
  await run('lp', [...(printer === undefined ? [] : ['-d', printer]), '-o', 'fit-to-page', '--', file]);
}
