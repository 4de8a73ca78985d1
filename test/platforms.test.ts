import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isReservedFileName } from '@guise/server/platform.ts';

const root = join(import.meta.dirname, '..');

/** The files in which what differs between platforms stands. */
const platformFiles = [
  'packages/engine/src/runtime/ffmpeg-platform.ts',
  'packages/server/src/cli/brought-node.js',
  'packages/server/src/engines/decoding/sandbox.ts',
  'packages/server/src/platform.ts',
];

/** What only some systems have, or have in another way. */
const platformDependent: readonly (readonly [pattern: RegExp, what: string])[] = [
  [
    /\bprocess\.(platform|arch)\b|\bfrom 'node:os'.*\b(platform|arch)\b|\bos\.(platform|type)\(/,
    'asks for the platform',
  ],
  [/\bprocess\.(get|set)e?[ug]id|\bprocess\.(umask|initgroups)\b/, 'asks for users of POSIX'],
  [/['"`]\/(proc|sys|dev|tmp|etc|usr|bin|var|home)\//, 'names a folder of Unix'],
  [/'SIG(?!KILL')[A-Z0-9]+'/, 'names a signal'],
  [/\bprocess\.kill\((?!')/, 'sends a signal to a process by its number'],
  [/\bchmod(Sync)?\(|\bchown(Sync)?\(|\bl?symlink(Sync)?\(|\blink(Sync)\(/, 'changes modes, or makes links'],
  [
    /\bshell: |['"`](sh|bash|cmd(\.exe)?|powershell(\.exe)?|lp|unshare|xdg-open|npm)['"`]/,
    'uses a shell or a program of one system',
  ],
  [/import\.meta\.url\)\.pathname/, 'takes the path of an address for the path of a file'],
  [/\bimport\((?:join|resolve|path)\b/, 'imports a path that is no address'],
  [/\bdetached: true/, 'starts a process of its own group'],
];

/** Commands that npm runs with cmd.exe on Windows. */
const shellSyntax: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/'/, 'has single quotes, which cmd.exe passes on'],
  [/(^|&& )[A-Z_]+=/, 'sets a variable'],
  [/[|;`$]|(^|[^&])&([^&]|$)/, 'uses syntax of a shell'],
  [/(^|&& )(rm|cp|mv|mkdir|cat|sh|bash|test|export)\b/, 'runs a program of Unix'],
];

/** Comments may name what they like. */
const withoutComments = (text: string) =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/[^\n]*/g, '$1');

function violations(path: string, text: string): string[] {
  if (platformFiles.includes(path)) return [];
  return platformDependent
    .filter(([pattern]) => pattern.test(withoutComments(text)))
    .map(([, what]) => `${path} ${what}`);
}

const shipped = ['contract', 'engine', 'client', 'server'].flatMap((name) =>
  readdirSync(join(root, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[jt]s$/.test(file))
    .map((file) => `packages/${name}/src/${file.replaceAll('\\', '/')}`),
);
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('what differs between platforms stands in the files for it, and nowhere else', () => {
  assert.ok(shipped.length > 400);
  assert.deepEqual(
    shipped.flatMap((path) => violations(path, read(path))),
    [],
  );
  for (const path of platformFiles) assert.ok(shipped.includes(path), path);
});

test('the scripts of npm run in a shell of Windows too', () => {
  const manifests = [
    'package.json',
    ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/package.json`),
  ];
  const wrong = manifests.flatMap((path) =>
    Object.entries((JSON.parse(read(path)) as { scripts?: Record<string, string> }).scripts ?? {}).flatMap(
      ([name, command]) =>
        shellSyntax
          .filter(([pattern]) => pattern.test(command))
          .map(([, what]) => `${path}: ${name} ${what}`),
    ),
  );
  assert.deepEqual(wrong, []);
});

test('no file of the repository has a name that Windows cannot have', () => {
  const folders = ['packages', 'catalog', 'tools', 'test', 'docs', 'clients', 'bench'];
  const names = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).flatMap((path) =>
      path.split(/[/\\]/),
    ),
  );
  assert.ok(names.length > 1000);
  assert.deepEqual(names.filter(isReservedFileName), []);
  for (const name of ['con', 'NUL.png', 'aux', 'com1', 'scene.', 'scene ', 'a:b'])
    assert.ok(isReservedFileName(name), name);
  for (const name of ['console', 'nullify.png', 'com', 'a.b']) assert.ok(!isReservedFileName(name), name);
});

test('a planted violation of each rule is found', () => {
  for (const text of [
    "if (process.platform === 'win32') return;",
    'process.getuid?.()',
    "readFileSync('/proc/self/status')",
    "process.on('SIGTERM', stop)",
    "process.kill(pid, 'SIGKILL')",
    'await chmod(path, 0o755)',
    "spawn('sh', ['-c', words])",
    'new URL(`x`, import.meta.url).pathname',
    'await import(join(folder, name))',
    'spawn(program, [], { detached: true })',
  ])
    assert.ok(violations('packages/server/src/planted.ts', text).length > 0, text);
  assert.deepEqual(
    violations('packages/server/src/planted.ts', "// process.platform\nchild.kill('SIGKILL');"),
    [],
  );
});
