import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { migrateSqlite } from '@guise/server/store/migrate.ts';
import Database from 'better-sqlite3';

const main = join(import.meta.dirname, '../../../packages/server/src/cli/main.ts');

interface Started {
  env?: Record<string, string>;
  /** Runs in a shell before the server does, with its data folder as `$1`. */
  prepare?: string;
  /** Stands before the shell. */
  prefix?: string[];
}

/** `guise start` in a folder, which is to end by itself. Returns its exit code and what it said. */
async function start(folder: string, { env, prepare = ':', prefix = [] }: Started = {}) {
  const command = [process.execPath, main, 'start'];
  const words = [...prefix, 'sh', '-c', `${prepare} && shift && exec "$@"`, 'sh', folder, ...command];
  const child = spawn(words[0]!, words.slice(1), {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      GUISE_DATA_DIR: folder,
      GUISE_DEMO: 'false',
      PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [[code], said] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
  return { code, said };
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'guise-start-'));
/** Root writes where modes forbid it: then a mount of its own is read-only. */
const ownMounts = ['unshare', '--mount'];
const isRoot = process.getuid?.() === 0;
const hasMounts = isRoot && spawnSync(ownMounts[0]!, [...ownMounts.slice(1), 'true']).status === 0;

async function refuses(folder: string, started: Started, expected: RegExp): Promise<void> {
  try {
    const { code, said } = await start(folder, started);
    assert.match(said, expected);
    assert.equal(said.trimEnd().split('\n').length, 1, said);
    assert.equal(code, 1);
  } finally {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true, force: true });
  }
}

test('a start in a folder that is read-only ends with a sentence', async (t) => {
  if (isRoot && !hasMounts) t.diagnostic('root may write everywhere here');
  const folder = newFolder();
  if (!isRoot) chmodSync(folder, 0o500);
  const readOnly = { prefix: ownMounts, prepare: 'mount --bind -o ro "$1" "$1"' };
  if (!isRoot || hasMounts)
    await refuses(folder, isRoot ? readOnly : {}, /cannot write to .* GUISE_DATA_DIR/);
});

test('a start on a damaged database ends with a sentence', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'guise.db'), Buffer.alloc(9000, 'no database'));
  await refuses(folder, {}, /^The database in .* is damaged\. Restore a backup/);
});

test('a start on the database of a newer version ends with a sentence', async () => {
  const folder = newFolder();
  const file = join(folder, 'guise.db');
  await migrateSqlite(file);
  const database = new Database(file);
  database.exec(`insert into kysely_migration (name, timestamp) values ('999-later', '2100-01-01')`);
  database.close();
  await refuses(
    folder,
    {},
    /^The database in .* was written by a newer version of Guise\. Start that version/,
  );
});

test('a start on a port that is taken ends with a sentence', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  t.after(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const expected = new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is in use\\. Set PORT`);
  await refuses(newFolder(), { env: { PORT: String(port) } }, expected);
});

test('a start without space for the database ends with a sentence', async () => {
  // Files of more than 4 KB cannot be written.
  await refuses(newFolder(), { prepare: 'ulimit -f 8' }, /^There is no space left for .* Make room/);
  const tiny = { prefix: ownMounts, prepare: 'mount -t tmpfs -o size=64k guise "$1"' };
  if (hasMounts) await refuses(newFolder(), tiny, /^There is no space left for .* Make room/);
});

test('a start with too few descriptors ends with a sentence', async () => {
  await refuses(
    newFolder(),
    { prepare: 'ulimit -n 40' },
    /^This process may have only 40 files .* ulimit -n 4096/,
  );
});
