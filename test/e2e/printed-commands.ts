import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { guiseProgram } from '@guise/server/cli/program.ts';
import type { Command } from 'commander';

/** The commands that README, CONTRIBUTING and the pages of docs/ print, and what each of them runs. */

export const root = join(import.meta.dirname, '../..');

export interface PrintedCommand {
  page: string;
  /** Without variables before it and comments after it. */
  text: string;
}

const programs = /^(?:(?:npm|npx|node|guise|python3|docker) |\.ci\/)/;
const fence = /^ *```(\w*)\n(.*?)^ *```/gms;

const pages = ['README.md', 'CONTRIBUTING.md', ...pagesIn('docs'), ...pagesIn('docs/decisions')];

function pagesIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`);
}

/** Each once, with the first page that has it. */
export function readPrintedCommands(): PrintedCommand[] {
  const found = pages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const lines = [...text.matchAll(fence)]
      .filter(([, language]) => language === '' || language === 'sh')
      .flatMap(([, , block]) => block!.replaceAll('\\\n', '').split('\n'));
    const spans = [...text.replaceAll(fence, '').matchAll(/`([^`\n]+)`/g)].map(([, span]) => span!);
    return [...lines, ...spans]
      .flatMap((line) => line.replace(/ *#.*/, '').split(' && '))
      .map((line) =>
        line
          .trim()
          .replace(/^\$ /, '')
          .replace(/^(?:[A-Z_0-9]+=\S+\s+)*/, ''),
      )
      .filter((line) => programs.test(line))
      .map((line) => ({ page, text: line.replaceAll('\\|', '|') }));
  });
  return [...new Map(found.reverse().map((command) => [command.text, command])).values()].reverse();
}

/** What is not asked for its help, and why. */
export const unasked: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^npm (ci|install|pack|publish)\b/, 'commands of npm; .ci/run and test:package run them'],
  [/^npm test$/, 'is what runs this'],
  [/^npm run test:files /, 'runs test files, which have no help'],
  [/^npx tsc\b/, 'a command of TypeScript'],
  [/^node tools\/…$/, 'what CONTRIBUTING says not to write'],
  [/^npm run tool -- FILE$/, 'stands for all programs'],
  [/^npm run test:(pictures|shared)$/, 'test files have no help'],
  [/^python3 -m venv\b/, 'a command of Python'],
  [/^python3 tools\/render\//, 'needs Blender and OpenCV'],
  [/^docker (build|push|compose up)\b/, 'needs Docker'],
  [/^\.ci\/run$/, 'npm ci and npm test'],
  [/^(npx guise|npm run -s guise --|docker compose run --rm api) COMMAND$/, 'stands for all commands'],
  [/^guise accounts count$/, 'a command that CONTRIBUTING shows how to add'],
];

export function isAsked({ text }: PrintedCommand): boolean {
  return !unasked.some(([pattern]) => pattern.test(text));
}

/** The shell scripts that pages print, by their pages. */
export function readPrintedScripts(): { page: string; script: string }[] {
  return pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(fence)]
      .filter(([, language]) => language === 'sh')
      .map(([, , script]) => ({ page, script: script! })),
  );
}

/** What a command runs: a command of Guise, or a program of the repository as a shell gets it from npm. */
export type Invocation =
  | { kind: 'guise'; words: string[] }
  | { kind: 'program'; command: string; cwd: string; options: string[] };

/** Undefined for what is neither. */
export function findInvocation({ text }: PrintedCommand): Invocation | undefined {
  const guise =
    /^(?:npx guise|guise|docker run guise|docker compose run --rm api|npm run -s guise --)(?: |$)(.*)/;
  const words = guise.exec(text)?.[1];
  if (words !== undefined) return { kind: 'guise', words: words.split(' ').filter(Boolean) };
  if (text === 'npm start') return { kind: 'guise', words: ['start'] };
  if (text.startsWith('python3 ')) return programAt(root, text);
  const run = /^npm run ([\w:-]+)(?: -w @guise\/(\w+))?(?: --)?(.*)/.exec(text);
  if (!run) return undefined;
  const [, name, workspace, rest] = run as unknown as [string, string, string | undefined, string];
  const cwd = workspace === undefined ? root : join(root, 'packages', workspace);
  const script = readScripts(cwd)[name];
  return script === undefined ? undefined : programAt(cwd, script + rest);
}

function readScripts(folder: string): Record<string, string> {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).scripts;
}

/** The part up to the file that is run: what follows are arguments, with placeholders that no shell would take. */
function programAt(cwd: string, command: string): Invocation {
  const runTool = /^node .*?run-tool\.ts \S+/.exec(command);
  const [program] = runTool ?? /^python3 \S+/.exec(command) ?? [command];
  const printed = command.slice(program.length);
  const options = [...printed.matchAll(/(?<= |\[)--[a-z-]+/g)].map(([option]) => option);
  return { kind: 'program', command: program, cwd, options };
}

/** The command of Guise that words begin with, and its arguments. */
export function findCommand(words: readonly string[]): { command: Command; rest: readonly string[] } {
  let command: Command = guiseProgram();
  let rest = words;
  for (;;) {
    const next = command.commands.find((candidate) => candidate.name() === rest[0]);
    if (!next) return { command, rest };
    command = next;
    rest = rest.slice(1);
  }
}
