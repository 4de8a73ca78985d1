import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { printCommand } from '../platform.ts';

/** Sends a picture to the default printer of this machine, or to the one named. */
export async function printFile(file: string, printer?: string): Promise<void> {
  await promisify(execFile)(...printCommand(file, printer));
}
