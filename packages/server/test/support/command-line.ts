import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { guiseProgram } from '../../src/cli/program.ts';
import { reportError } from '../../src/cli/report-error.ts';

export interface CommandOutput {
  stdout: string;
  stderr: string;
}

type Environment = Record<string, string>;

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** The command line in a process of its own, with these variables beside those of this process. */
export const guiseProcess = (env: Environment, ...words: string[]): Promise<CommandOutput> =>
  promisify(execFile)(process.execPath, [main, ...words], { env: { ...process.env, ...env } });

/**
 * The same in this process, where the modules are loaded already: one call at a time. Fails as that of a process does
 * that ends with another code than 0.
 */
export async function guiseInProcess(env: Environment, ...words: string[]): Promise<CommandOutput> {
  const own = { env: process.env, log: console.log, error: console.error };
  const printed = { stdout: '', stderr: '' };
  process.env = { ...process.env, ...env };
  console.log = (line: string) => {
    printed.stdout += `${line}\n`;
  };
  console.error = (line: string) => {
    printed.stderr += `${line}\n`;
  };
  let code: number;
  try {
    await guiseProgram().parseAsync(words, { from: 'user' });
    code = Number(process.exitCode ?? 0);
  } catch (error) {
    code = reportError(error);
  } finally {
    process.exitCode = undefined;
    process.env = own.env;
    Object.assign(console, { log: own.log, error: own.error });
  }
  if (code === 0) return printed;
  throw Object.assign(new Error(`Command failed: guise ${words.join(' ')}\n${printed.stderr}`), {
    code,
    ...printed,
  });
}
