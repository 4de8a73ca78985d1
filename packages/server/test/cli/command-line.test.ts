import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { guiseProgram } from '../../src/cli/program.ts';
import { reportError } from '../../src/cli/report-error.ts';
import { temporaryConfig } from '../support/harness.ts';

const cli = join(import.meta.dirname, '../../src/cli');
const root = join(import.meta.dirname, '../../../..');
const run = promisify(execFile);

/** The words of every command and of every group, such as `['accounts', 'create']`. */
function pathsIn(command: Command, above: string[] = []): string[][] {
  return command.commands.flatMap((child) => {
    const path = [...above, child.name()];
    return [path, ...pathsIn(child, path)];
  });
}
const groups = [
  'jobs',
  'accounts',
  'keys',
  'credits',
  'webhooks',
  'models',
  'engines',
  'filters',
  'events',
  'provenance',
];
const paths = pathsIn(guiseProgram());
const leaves = paths.filter((path) => path.length > 1 || !groups.includes(path[0]!));

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** The command line in this process: for lines that end before a command does anything. */
async function parse(t: TestContext, words: string[]): Promise<Ended> {
  const texts = { stdout: '', stderr: '' };
  const out = t.mock.method(process.stdout, 'write', (text: string) => {
    texts.stdout += text;
    return true;
  });
  const err = t.mock.method(console, 'error', (line: string) => {
    texts.stderr += `${line}\n`;
  });
  try {
    await guiseProgram().parseAsync(words, { from: 'user' });
    return { code: 0, ...texts };
  } catch (error) {
    return { code: reportError(error), ...texts };
  } finally {
    out.mock.restore();
    err.mock.restore();
  }
}

test('there are the commands that the documentation names', () => {
  assert.deepEqual(leaves.map((path) => path.join(' ')).sort(), [
    'accounts create',
    'accounts link',
    'accounts list',
    'api',
    'backup',
    'camera',
    'create-bucket',
    'credits grant',
    'doctor',
    'engines check',
    'engines compare',
    'engines init',
    'engines setup',
    'events export',
    'filters import',
    'filters list',
    'filters remove',
    'jobs dead',
    'jobs list',
    'jobs retry',
    'keys create',
    'keys list',
    'keys revoke',
    'mcp',
    'migrate-store',
    'models add',
    'models convert',
    'models export',
    'models get',
    'models import',
    'models list',
    'provenance init',
    'provenance verify',
    'restore',
    'start',
    'watch',
    'watch install',
    'watch uninstall',
    'webhooks endpoints',
    'webhooks list',
    'worker',
    'workers',
  ]);
});

for (const path of [[], ...paths]) {
  const name = ['guise', ...path].join(' ');
  test(`${name} --help explains it in sentences, with an example`, async (t) => {
    const { code, stdout, stderr } = await parse(t, [...path, '--help']);
    assert.equal(code, 0);
    assert.equal(stderr, '');
    assert.ok(stdout.startsWith(`Usage: ${name}`), stdout);
    assert.match(stdout, /\n\n[A-Z][^\n]*[\s\S]*\.\n\n/);
    assert.match(stdout, /\nExample:\n {2}.*guise /);
    const [, options = ''] = stdout.split(/^Options:$/m);
    for (const line of options.matchAll(/^ {2}-.*$/gm)) assert.match(line[0], / {2}[A-Z]/);
  });
}

/** The words of a line as a shell passes them on, without the settings before the command. */
const wordsOf = (line: string) =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);

test('every example of the help is understood by its command', async (t) => {
  for (const path of [[], ...paths]) {
    const { stdout } = await parse(t, [...path, '--help']);
    const [, examples = ''] = stdout.split('\nExample:\n');
    for (const line of examples.split('\n').filter((text) => text.includes('guise '))) {
      const words = wordsOf(line.slice(line.indexOf('guise ')));
      const reached = new Error('its action would run now');
      const program = guiseProgram().hook('preAction', () => {
        throw reached;
      });
      await assert.rejects(program.parseAsync(words.slice(1), { from: 'user' }), reached, line);
    }
  }
});

for (const path of leaves) {
  const name = path.join(' ');
  test(`guise ${name} refuses an option and an argument that it does not have`, async (t) => {
    const unknown = await parse(t, [...path, '--no-such-option']);
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /^Unknown option '--no-such-option'\..*\n$/);
    const surplus = await parse(t, [...path, 'swap', 'file', 'surplus']);
    assert.equal(surplus.code, 2);
    assert.match(surplus.stderr, /^Too many arguments .*\n$/);
  });
}

for (const [words, code, says] of [
  [['no-such-command'], 2, "Unknown command 'no-such-command'."],
  [['acounts', 'list'], 2, 'Did you mean accounts?'],
  [['accounts', 'remove'], 2, "Unknown command 'remove'."],
  [['accounts', 'create', '--mail', 'a@b.c'], 2, 'Did you mean --email?'],
  [['accounts', 'list', '--email', 'a@b.c'], 2, "Unknown option '--email'."],
  [['--json', 'accounts', 'list'], 2, "Unknown option '--json'."],
  [['accounts', 'create', '--email'], 1, "Option '--email <address>' argument missing."],
  [['accounts', 'create', '--email', ' '], 1, '--email is needed.'],
  [['accounts', 'create', '--credits', 'many'], 1, '--credits must be a whole number'],
  [['credits', 'grant', '--email', 'a@b.c'], 1, '--amount is needed.'],
  [['credits', 'grant', '--email', 'a@b.c', '--amount', ''], 1, '--amount is needed.'],
  [['jobs', 'list', '--state', 'asleep'], 1, '--state must be one of queued, running, completed, failed.'],
  [['jobs', 'list', '--limit', '-1'], 1, '--limit must be a whole number from 0 to 1,000,000,000.'],
  [['jobs', 'retry'], 1, '--id is needed.'],
  [['keys', 'revoke'], 1, '--id is needed.'],
  [['worker', '--concurrency', '65'], 1, '--concurrency must be a whole number from 1 to 64.'],
  [['migrate-store'], 1, '--to is needed.'],
  [['filters', 'import'], 1, "Missing required argument 'folder'."],
  [['models', 'add', 'lips', 'file'], 1, 'The kind must be one of swap, embed, matrix.'],
  [['models', 'get', 'sam3'], 1, 'The model must be one of sam2, realesrgan.'],
  [['models', 'add', 'swap', 'file'], 1, 'Under which licence do you use this swap model?'],
] as const) {
  test(`guise ${words.join(' ')} is refused with ${code}`, async (t) => {
    const ended = await parse(t, [...words]);
    assert.equal(ended.code, code);
    assert.equal(ended.stdout, '');
    assert.ok(ended.stderr.includes(says), ended.stderr);
    assert.equal(ended.stderr.trimEnd().split('\n').length, 1);
  });
}

/** As it is installed. */
const guise = (words: string[], options: { nodeOptions?: string[]; env?: NodeJS.ProcessEnv } = {}) =>
  run(process.execPath, [...(options.nodeOptions ?? []), join(cli, 'guise.js'), ...words], {
    env: { ...process.env, ...options.env },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Ended) => error,
  );

test('guise without a command shows the help and ends with 2', async () => {
  const { code, stdout, stderr } = await guise([]);
  assert.equal(code, 2);
  assert.equal(stdout, '');
  assert.match(stderr, /^Usage: guise .*Commands:/s);
});

test('guise accounts without a command shows the help of accounts and ends with 2', async () => {
  const { code, stderr } = await guise(['accounts']);
  assert.equal(code, 2);
  assert.match(stderr, /^Usage: guise accounts .*create .*list /s);
});

test('a command that the engine refuses ends with 1 and one sentence', async () => {
  const { dataDir } = temporaryConfig();
  const words = ['models', 'add', 'swap', join(root, 'package.json'), '--licence', 'none'];
  const { code, stdout, stderr } = await guise(words, { env: { GUISE_DATA_DIR: dataDir } });
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match(stderr, /^[^\n]+\.\n$/);
});

/** Makes a Node believe that it is older, for as long as `guise.js` asks; the one that it starts is not told. */
const older = (platform: string) =>
  `Object.defineProperty(process, "versions", { value: { node: "20.20.2" } }); Object.defineProperty(process, "platform", { value: "${platform}" })`;
const asOlder = (platform = process.platform) => ({
  nodeOptions: ['--import', `data:text/javascript,${encodeURIComponent(older(platform))}`],
});

test('a Node that is too old starts the one that npm brought, and ends as that does', async () => {
  const help = await guise(['--help'], asOlder());
  assert.equal(help.code, 0);
  assert.match(help.stdout, /^Usage: guise /);
  assert.equal((await guise(['no-such-command'], asOlder())).code, 2);
});

test('a Node that is too old on a platform for which npm brings none says which one is needed', async () => {
  const { code, stderr } = await guise(['--help'], asOlder('aix'));
  assert.equal(code, 1);
  assert.match(stderr, /^Guise needs Node\.js 24 or newer[^\n]*\n$/);
});

test('the package has guise as a command, and its file can be executed', () => {
  const manifest = JSON.parse(readFileSync(join(cli, '../../package.json'), 'utf8'));
  const file = join(cli, '../..', manifest.bin.guise);
  assert.match(readFileSync(file, 'utf8'), /^#!\/usr\/bin\/env node\n/);
  assert.ok((statSync(file).mode & 0o111) !== 0);
});

test('what a command does is imported when it runs, and not for --help', () => {
  const files = readdirSync(cli, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const wrong = files.flatMap((file) =>
    [...readFileSync(join(cli, file), 'utf8').matchAll(/^import (?!type)[^;]*? from '([^']+)';/gms)]
      .map(([, path]) => path!)
      .filter((path) => path.startsWith('.') && !join(cli, file, '..', path).startsWith(`${cli}/`))
      .filter((path) => !/\/(errors|platform)\.ts$/.test(path))
      .map((path) => `${file} imports ${path}`),
  );
  assert.deepEqual(wrong, []);
});
