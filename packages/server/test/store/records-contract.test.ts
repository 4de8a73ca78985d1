import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from '../../src/store/embedded/sqlite.ts';
import { migratePostgres, migrateSqlite } from '../../src/store/migrate.ts';
import { openPostgres } from '../../src/store/shared/postgres.ts';
import { temporaryConfig } from '../support/harness.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { testRecords } from './records-contract.ts';

testRecords('SQLite', async () => {
  const { dataDir } = temporaryConfig();
  const file = join(dataDir, 'guise.db');
  await migrateSqlite(file);
  const db = openSqlite(file);
  return {
    db,
    async close() {
      await db.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
});

testRecords('PostgreSQL', async () => {
  const server = await startPostgres();
  const url = await server.database();
  await migratePostgres(url);
  const db = openPostgres(url);
  return {
    db,
    async close() {
      await db.close();
      await server.stop();
    },
  };
});
