import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { openStore } from '../../src/app/storage.ts';
import { findAccount } from '../../src/store/account-records.ts';
import { findJobById } from '../../src/store/job-records.ts';
import { unbalancedAccounts } from '../../src/store/ledger-records.ts';
import { migrations } from '../../src/store/migrate.ts';
import { startTestServer, temporaryConfig } from '../support/harness.ts';
import { countRows, type Rows } from './example-rows.ts';

const names = Object.keys(migrations);

/** The database of the version whose last migration this was: `tools/migration-fixtures.ts`. */
const databaseOf = (name: string) =>
  brotliDecompressSync(readFileSync(join(import.meta.dirname, 'migrated', `${name}.db.br`)));

async function countRowsOf(file: string): Promise<Record<string, number>> {
  const database = new Database(file, { readonly: true });
  const db = new Kysely<Rows>({ dialect: new SqliteDialect({ database }) });
  return countRows(db).finally(() => db.destroy());
}

function readIds(file: string, table: string): string[] {
  const database = new Database(file, { readonly: true });
  const rows = database.prepare(`select id from ${table}`).all() as { id: string }[];
  database.close();
  return rows.map(({ id }) => id);
}

for (const name of names) {
  test(`a data folder of the version that ended with ${name} is opened with every row`, async (t) => {
    const config = temporaryConfig();
    t.after(() => rmSync(config.dataDir, { recursive: true }));
    const file = join(config.dataDir, 'guise.db');
    writeFileSync(file, databaseOf(name));
    const before = await countRowsOf(file);
    assert.deepEqual(
      Object.entries(before).filter(([, count]) => count === 0),
      [],
    );
    const [accounts, jobs] = [readIds(file, 'accounts'), readIds(file, 'jobs')];
    const db = await openStore(config);
    try {
      for (const id of accounts) assert.equal((await db.one(findAccount, { id }))?.id, id);
      for (const id of jobs) assert.equal((await db.one(findJobById, { id }))?.id, id);
      assert.deepEqual(await db.all(unbalancedAccounts, {}), []);
    } finally {
      await db.close();
    }
    assert.partialDeepStrictEqual(await countRowsOf(file), before);
  });
}

test('a server starts on the data folder of the first version', async () => {
  const { dataDir } = temporaryConfig();
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(join(dataDir, 'guise.db'), databaseOf(names[0]!));
  const server = await startTestServer({ dataDir, databaseUrl: '', s3: null });
  const { status } = await fetch(`${server.url}/ready`);
  await server.stop();
  assert.equal(status, 200);
});
