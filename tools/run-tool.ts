import { readFileSync } from 'node:fs';
import { Module } from 'node:module';
import { resolve } from 'node:path';

/**
 * Runs a program of this repository in the Node that npm brings, whichever Node the machine has. With --help it prints
 * the comment that the program begins with, and runs nothing.
 *
 *   npm run tool -- FILE [argument …]
 */

const [node, , file, ...rest] = process.argv as [string, string, ...string[]];
if (file === undefined || file === '--help') {
  process.stdout.write(readUsage(import.meta.filename));
} else if (rest.includes('--help')) {
  process.stdout.write(readUsage(file));
} else {
  process.argv = [node, resolve(file), ...rest];
  Module.runMain();
}

function readUsage(program: string): string {
  const comment = /^\/\*\*(.*?)\*\/$/ms.exec(readFileSync(program, 'utf8'));
  if (!comment) throw new Error(`${program} has no comment that says what it does.`);
  return `${comment[1]!.replaceAll(/^ \* ?/gm, '').trim()}\n`;
}
