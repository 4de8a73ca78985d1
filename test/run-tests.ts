import {
  chmodSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { run } from 'node:test';
import { pathToFileURL } from 'node:url';
import { findChromium } from '../packages/server/test/support/browser.ts';
import {
  type OwnPostgres,
  postgresOfRun,
  startOwnPostgres,
} from '../packages/server/test/support/postgres-server.ts';
import './test-process.ts';
import { processorSeconds, readFileTimes } from './processor-time.ts';
import quietReporter from './quiet-reporter.ts';

/**
 * `npm test`: every test file, or those that are named. Files of one folder share a process, and so do small folders of
 * a package, because starting one and loading the server or the models costs as much as most files do; those of the
 * engine share one for the whole package, whose loops are compiled anew in each. A file that says `@ownProcess` and why
 * gets its own.
 * All of them share one PostgreSQL, each test with a database of its own, and a browser that is installed once. A file
 * can also be run by itself: CONTRIBUTING.md.
 */

const root = join(import.meta.dirname, '..');
const everyFile = ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'];

/** More than the cores: many tests wait for a lease to end, a socket to close or a child to start. */
const processes = 4;
const mostFilesOfAProcess = 20;
/** Folders of fewer files share a process with others of their package: to load the server takes a second. */
const leastFilesOfAProcess = 5;
const enginePackage = 'packages/engine';
/** A run that takes longer than this says which files it waited for. */
const longRunMs = 8 * 60_000;

const started = performance.now();
const named = process.argv.slice(2);
/** Those of the whole system first: they take longest, and nothing else would fill the other core at the end. */
const files = globSync(named.length > 0 ? named : everyFile, { cwd: root })
  .sort()
  .reverse();
if (files.length === 0) throw new Error(`There is no test file ${named.join(' ')}.`);

const folder = mkdtempSync(join(temporaryPlace(), 'guise-test-run-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
// PostgreSQL, which does not run as root, has its files below.
chmodSync(folder, 0o755);
process.env.TMPDIR = folder;
/** A line for each file. */
const processorTimes = join(folder, 'processor-times');

const postgres = process.env[postgresOfRun] ? null : await startPostgresFor(files);

process.env.GUISE_TEST_CHROMIUM ??= await findChromium();

const stream = run({
  files: groupFiles(files).map(writeGroup),
  concurrency: processes,
  execArgv: ['--import', pathToFileURL(join(import.meta.dirname, 'test-process.ts')).href],
  argv: [],
});
const durations: Array<{ file: string; ms: number }> = [];
stream.on('test:fail', () => {
  process.exitCode = 1;
});
stream.on('test:complete', ({ nesting, name, details }) => {
  if (nesting === 0 && details.type === 'suite') durations.push({ file: name, ms: details.duration_ms });
});
for await (const text of quietReporter(stream)) process.stdout.write(text);
if (performance.now() - started > longRunMs) printSlowest();
await postgres?.stop();
console.log(`ℹ processor_s ${processorSeconds().toFixed(0)}`);

/** In memory where there is enough: hundreds of databases wait for the disk at each of their commits. */
function temporaryPlace(): string {
  const inMemory = '/dev/shm';
  if (process.platform !== 'linux' || !existsSync(inMemory)) return tmpdir();
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize >= 4 * 2 ** 30 ? inMemory : tmpdir();
}

/** One for the whole run, if a file of it says that it needs one. */
async function startPostgresFor(all: readonly string[]): Promise<OwnPostgres | null> {
  if (!all.some((file) => /postgres/i.test(readFileSync(resolve(root, file), 'utf8')))) return null;
  const server = await startOwnPostgres();
  process.env[postgresOfRun] = server.admin;
  return server;
}

/** The files of each process. */
function groupFiles(all: readonly string[]): string[][] {
  const isAlone = (file: string) => readFileSync(resolve(root, file), 'utf8').includes('@ownProcess');
  const alone = all.filter(isAlone).map((file) => [file]);
  const together = Map.groupBy(
    all.filter((file) => !isAlone(file)),
    (file) => (file.startsWith(`${enginePackage}/`) ? enginePackage : dirname(file)),
  );
  const packageOf = (folder: string) => folder.split('/').slice(0, 2).join('/');
  const shared = Map.groupBy(together, ([folder, members]) =>
    members.length < leastFilesOfAProcess ? `small folders of ${packageOf(folder)}` : folder,
  );
  // That of the engine has the longest process of all: begun last, it would leave a core without work at the end.
  const ordered = [...shared].sort(([a], [b]) => Number(b === enginePackage) - Number(a === enginePackage));
  const groups = ordered.flatMap(([name, folders]) => {
    const members = folders.flatMap(([, files]) => files);
    const parts = name === enginePackage ? 1 : Math.ceil(members.length / mostFilesOfAProcess);
    return Array.from({ length: parts }, (_, i) => members.filter((__, j) => j % parts === i));
  });
  return [...groups, ...alone];
}

/**
 * A test file that has each file of the group as a suite: hooks of a file then belong to that file alone. They are
 * imported one after the other: where two wait for the same module, the tests of one would go to the suite of the other.
 */
function writeGroup(members: readonly string[], index: number): string {
  const addresses = members.map((file) => [file, pathToFileURL(resolve(root, file)).href]);
  const path = join(folder, `group-${index}.test.mjs`);
  writeFileSync(
    path,
    `import { describe } from 'node:test';
     import { countProcessorTime } from '${pathToFileURL(join(import.meta.dirname, 'processor-time.ts'))}';
     for (const [file, address] of ${JSON.stringify(addresses)}) {
       const { promise, resolve } = Promise.withResolvers();
       describe(file, async () => {
         await import(address).finally(resolve);
         // After what the file itself does at its end.
         countProcessorTime(file, ${JSON.stringify(processorTimes)});
       });
       await promise;
     }`,
  );
  return path;
}

function printSlowest(): void {
  const print = (file: string, seconds: number) =>
    console.log(`ℹ ${seconds.toFixed(1).padStart(6)} s ${file}`);
  console.log('ℹ slowest:');
  const slowest = durations.sort((a, b) => b.ms - a.ms).slice(0, 10);
  for (const { file, ms } of slowest) print(file, ms / 1000);
  console.log('ℹ most processor time:');
  const dearest = readFileTimes(processorTimes).sort((a, b) => b.seconds - a.seconds);
  for (const { file, seconds } of dearest.slice(0, 10)) print(file, seconds);
}
