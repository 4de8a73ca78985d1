import { execSync } from 'node:child_process';
import { delimiter } from 'node:path';
import {
  findCommand,
  findInvocation,
  isAsked,
  type PrintedCommand,
  readPrintedCommands,
  root,
} from './printed-commands.ts';

/**
 * Asks every command that the pages print for its help, by npm and npx with the machine's own Node, as a reader does:
 * `npm run test:commands`. Ends with 1 when one does not answer. Takes a minute.
 */

const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
const env = { ...process.env, PATH: path.join(delimiter) };
const asked = new Set(
  readPrintedCommands()
    .filter(isAsked)
    .flatMap((command) => askedAs(command) ?? []),
);
const failed = [...asked].filter((command) => !answers(command));

const version = execSync('node --version', { env, encoding: 'utf8' }).trim();
console.log(`Node ${version}: ${asked.size - failed.length} of ${asked.size} commands answer --help`);
if (failed.length > 0) process.exitCode = 1;

function askedAs(printed: PrintedCommand): string | undefined {
  const invocation = findInvocation(printed);
  if (invocation?.kind === 'guise') {
    const { rest } = findCommand(invocation.words);
    const named = invocation.words.slice(0, invocation.words.length - rest.length);
    return ['npx guise', ...named, '--help'].join(' ');
  }
  const run = /^npm run (?:tool -- \S+|[\w:-]+(?: -w \S+)?)/.exec(printed.text)?.[0];
  if (!invocation || run === undefined) return undefined;
  return `${run}${run.includes(' -- ') ? '' : ' --'} --help`;
}

function answers(command: string): boolean {
  try {
    execSync(command, { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
    return true;
  } catch (error) {
    console.error(`${command}\n${(error as { stderr: string }).stderr}`);
    return false;
  }
}
