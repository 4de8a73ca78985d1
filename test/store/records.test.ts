import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { migratePostgres, migrateSqlite } from '@guise/server/store/migrate.ts';
import { openPostgres } from '@guise/server/store/postgres.ts';
import { openSqlite } from '@guise/server/store/sqlite.ts';
import { temporaryConfig } from '../harness.ts';
import { startPostgres } from '../postgres.ts';
import { testRecords } from './records.ts';

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
