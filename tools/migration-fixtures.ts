import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { migrateSqlite, migrations } from '../packages/server/src/store/migrate.ts';
import { fillEmptyTables } from '../packages/server/test/store/example-rows.ts';

/**
 * Makes the databases of earlier versions that `packages/server/test/store/migrations.test.ts` opens: `npm run tool --
 * tools/migration-fixtures.ts`. For each migration, the server of the commit that had it as its last one is started and
 * accepts a job; tables that are empty then get a row. Where no commit on the main branch had it as its last one, the
 * database of the version before is migrated up to it. All of them are made: of a new migration, keep the new file alone.
 */
const commits: Readonly<Record<string, string>> = {
  '001-first': '27b018c4',
  '002-workers': '5760b6f1',
  '003-turns': '1c74e862',
  '004-vacuum': '12795898',
  '005-webhooks': '355e388e',
  '008-webhook-deliveries': '87db7f6f',
  '009-preview-queue': '2b2baec1',
  '010-identity': 'f711d8fb',
  '013-qa': '35db188e',
  '014-job-origin': '793b103d',
  '015-booth-events': '6924803c',
  '016-event-overlays': 'fe1229f7',
  '018-stations': '91a52207',
  '019-job-needs': '3b78c6b3',
  '020-job-ends': '87e0508f',
  '021-delivery-ids': 'b74ef132',
  '022-makers': 'd0945572',
};

const isOwn = (name: string) => name.startsWith('@guise/');
const readManifest = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

const root = join(import.meta.dirname, '..');
const target = join(root, 'packages/server/test/store/migrated');
mkdirSync(target, { recursive: true });
const work = mkdtempSync(join(tmpdir(), 'guise-fixtures-'));
try {
  let before: Buffer | undefined;
  for (const name of Object.keys(migrations)) {
    const file = join(work, `${name}.db`);
    const commit = commits[name];
    const isMade = commit !== undefined && (await writeByServer(commit, file));
    if (!isMade && before) writeFileSync(file, before);
    if (!isMade && commit !== undefined) throw new Error(`${commit} does not start`);
    await migrateSqlite(file, name);
    const database = new Database(file);
    const db = new Kysely<Record<string, Record<string, unknown>>>({
      dialect: new SqliteDialect({ database }),
    });
    await fillEmptyTables(db);
    database.pragma('journal_mode = delete');
    database.exec('vacuum');
    await db.destroy();
    before = readFileSync(file);
    const packed = brotliCompressSync(before, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
    writeFileSync(join(target, `${name}.db.br`), packed);
    console.log(
      `${name}: ${isMade ? `written by ${commit}` : 'migrated from the one before'}, ${packed.length} bytes`,
    );
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Starts the server of a commit on an empty folder, lets it accept a job, and copies its database. */
async function writeByServer(commit: string, file: string): Promise<boolean> {
  const checkout = join(work, commit);
  mkdirSync(checkout);
  execFileSync('sh', ['-c', `git archive ${commit} | tar -x -C "${checkout}"`], { cwd: root });
  linkPackages(checkout);
  const { start } = readManifest(checkout).scripts;
  const data = join(checkout, 'data');
  const server = spawn(process.execPath, start.split(' ').slice(1), {
    cwd: checkout,
    env: { PATH: process.env.PATH, PORT: '0', GUISE_DATA_DIR: data, GUISE_OPEN_BROWSER: 'false' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    const { url, key } = await readGreeting(server);
    await submitJob(url, key, readFileSync(join(root, 'catalog/samples/astronaut.jpg')));
    server.kill('SIGTERM');
    await once(server, 'exit');
    const database = new Database(join(data, readdirSync(data).find((entry) => entry.endsWith('.db'))!));
    database.exec(`vacuum into '${file}'`);
    database.close();
    return true;
  } catch (error) {
    console.log(`${commit}: ${error}`);
    return false;
  } finally {
    server.kill('SIGKILL');
    rmSync(checkout, { recursive: true, force: true });
  }
}

/** The packages of today with those that only the checkout needs, and those of the checkout instead of our own. */
function linkPackages(checkout: string): void {
  const ours = join(checkout, 'packages');
  const manifests = existsSync(ours) ? readdirSync(ours).map((name) => join(ours, name)) : [checkout];
  const wanted = Object.assign({}, ...manifests.map((folder) => readManifest(folder).dependencies));
  const former = Object.entries(wanted).filter(
    ([name]) => !isOwn(name) && !existsSync(join(root, 'node_modules', name)),
  );
  if (former.length > 0) {
    const words = [
      'install',
      '--ignore-scripts',
      '--prefix',
      checkout,
      ...former.map((entry) => entry.join('@')),
    ];
    rmSync(join(checkout, 'package-lock.json'), { force: true });
    writeFileSync(join(checkout, 'package.json.kept'), readFileSync(join(checkout, 'package.json')));
    writeFileSync(join(checkout, 'package.json'), '{}');
    execFileSync('npm', words, { stdio: 'ignore' });
    writeFileSync(join(checkout, 'package.json'), readFileSync(join(checkout, 'package.json.kept')));
  }
  for (const name of packageNames(join(root, 'node_modules')))
    link(checkout, name, join(root, 'node_modules', name));
  if (existsSync(ours))
    for (const name of readdirSync(ours)) link(checkout, `@guise/${name}`, join(ours, name));
}

function packageNames(modules: string): string[] {
  return readdirSync(modules)
    .flatMap((entry) =>
      entry.startsWith('@') ? readdirSync(join(modules, entry)).map((name) => `${entry}/${name}`) : [entry],
    )
    .filter((name) => !isOwn(name));
}

function link(checkout: string, name: string, to: string): void {
  const place = join(checkout, 'node_modules', name);
  if (existsSync(place)) return;
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(to, place);
}

async function readGreeting(server: ChildProcess): Promise<{ url: string; key: string }> {
  let said = '';
  for await (const chunk of mergedOutput(server)) {
    said += chunk;
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
    const key = /\bgk_\w{20,}/.exec(said)?.[0];
    if (url && key) return { url, key };
  }
  throw new Error(`the server did not start: ${said.slice(-2000)}`);
}

async function* mergedOutput(server: ChildProcess): AsyncGenerator<string> {
  const lines: string[] = [];
  let wake = () => {};
  let open = true;
  const take = (chunk: unknown) => {
    lines.push(String(chunk));
    wake();
  };
  server.stdout!.on('data', take);
  server.stderr!.on('data', take);
  server.once('exit', () => {
    open = false;
    wake();
  });
  while (open || lines.length > 0) {
    const next = lines.shift();
    if (next !== undefined) yield next;
    else await new Promise<void>((resolve) => (wake = resolve));
  }
}

async function submitJob(url: string, key: string, photo: Buffer): Promise<void> {
  const response = await fetch(`${url}/v6/run/face_swap`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ filter_id: 1, gender: 4, base64: photo.toString('base64') }),
  });
  if (!response.ok) throw new Error(`the run was answered with ${response.status} ${await response.text()}`);
}
