import assert from 'node:assert/strict';
import { execFileSync, execSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { needsPython } from './clients/outside-folder.ts';
import {
  findCommand,
  findInvocation,
  isAsked,
  readPrintedCommands,
  readPrintedScripts,
  root,
  unasked,
} from './printed-commands.ts';

const commands = readPrintedCommands().filter(isAsked);
const invocations = commands.map((command) => ({ ...command, invocation: findInvocation(command) }));

test('every command that a page prints is known', () => {
  assert.ok(commands.length > 100);
  const unknown = invocations.filter(({ invocation }) => invocation === undefined);
  assert.deepEqual(
    unknown.map(({ page, text }) => `${page}: ${text}`),
    [],
  );
  const printed = readPrintedCommands();
  for (const [pattern] of unasked)
    assert.ok(
      printed.some(({ text }) => pattern.test(text)),
      `${pattern}`,
    );
});

test('every command of Guise that a page prints exists, with its options', () => {
  const wrong = invocations.flatMap(({ page, text, invocation }) => {
    if (invocation?.kind !== 'guise') return [];
    const complaint = complaintAbout(invocation.words);
    return complaint === undefined ? [] : [`${page}: ${text}: ${complaint}`];
  });
  assert.deepEqual(wrong, []);
});

function complaintAbout(words: readonly string[]): string | undefined {
  const { command, rest } = findCommand(words);
  const isGroup = command.commands.length > 0 && command.registeredArguments.length === 0;
  if (isGroup && rest.length > 0 && !rest[0]!.startsWith('--')) return `there is no ${rest[0]}`;
  const known = ['--help', ...command.options.map(({ long }) => long)];
  const unknown = rest.find((word) => word.startsWith('--') && !known.includes(word));
  return unknown === undefined ? undefined : `there is no ${unknown}`;
}

const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);

/** As a shell gets it from npm. */
function askForHelp(command: string, cwd: string): string {
  return execSync(`${command} --help`, { cwd, encoding: 'utf8', env: { ...process.env, PATH: path } });
}

test(
  'every program that a page prints answers --help, and names the options that are printed',
  needsPython,
  () => {
    const answers = new Map<string, string>();
    const wrong = invocations.flatMap(({ page, text, invocation }) => {
      if (invocation?.kind !== 'program') return [];
      const { command, cwd, options } = invocation;
      const key = `${cwd} ${command}`;
      if (!answers.has(key)) answers.set(key, askForHelp(command, cwd));
      const answer = answers.get(key)!;
      if (answer.trim() === '') return [`${page}: ${text}: no help`];
      return options
        .filter((option) => !answer.includes(option))
        .map((option) => `${page}: ${text}: the help does not name ${option}`);
    });
    assert.deepEqual(wrong, []);
    assert.ok(answers.size > 40, `${answers.size} programs`);
  },
);

test('the shell understands every script that a page prints', () => {
  const scripts = readPrintedScripts();
  assert.ok(scripts.length > 5);
  for (const { page, script } of scripts) {
    // The text of a page is indented where it belongs to a list.
    execFileSync('bash', ['-n'], {
      input: script.replaceAll(/^ {3}/gm, ''),
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    assert.ok(page);
  }
});
