import Database from 'better-sqlite3';
import {
  type DataTypeNode,
  type Dialect,
  Kysely,
  PostgresDialect,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteDialect,
} from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import * as first from './migrations/001-first.ts';
import * as workers from './migrations/002-workers.ts';
import * as turns from './migrations/003-turns.ts';
import * as vacuum from './migrations/004-vacuum.ts';
import * as webhooks from './migrations/005-webhooks.ts';
import * as failedRuns from './migrations/006-failed-runs.ts';
import * as filterVersions from './migrations/007-filter-versions.ts';
import * as webhookDeliveries from './migrations/008-webhook-deliveries.ts';
import * as previewQueue from './migrations/009-preview-queue.ts';
import * as identity from './migrations/010-identity.ts';
import * as jobPages from './migrations/011-job-pages.ts';
import * as filterHistory from './migrations/012-filter-history.ts';
import * as qa from './migrations/013-qa.ts';
import * as jobOrigin from './migrations/014-job-origin.ts';
import * as boothEvents from './migrations/015-booth-events.ts';
import * as eventOverlays from './migrations/016-event-overlays.ts';
import * as walls from './migrations/017-walls.ts';
import * as stations from './migrations/018-stations.ts';
import * as jobNeeds from './migrations/019-job-needs.ts';
import * as jobEnds from './migrations/020-job-ends.ts';
import * as deliveryIds from './migrations/021-delivery-ids.ts';
import * as makers from './migrations/022-makers.ts';
import * as photosStay from './migrations/023-photos-stay.ts';
import * as filterDrafts from './migrations/024-filter-drafts.ts';
import * as delivery from './migrations/025-delivery.ts';
import * as scenes from './migrations/026-scenes.ts';
import * as takes from './migrations/027-takes.ts';
import * as costs from './migrations/028-costs.ts';
import * as drafts from './migrations/029-drafts.ts';

/** Append only: a migration that has shipped is never edited. */
export const migrations: Record<string, Migration> = {
  '001-first': first,
  '002-workers': workers,
  '003-turns': turns,
  '004-vacuum': vacuum,
  '005-webhooks': webhooks,
  '006-failed-runs': failedRuns,
  '007-filter-versions': filterVersions,
  '008-webhook-deliveries': webhookDeliveries,
  '009-preview-queue': previewQueue,
  '010-identity': identity,
  '011-job-pages': jobPages,
  '012-filter-history': filterHistory,
  '013-qa': qa,
  '014-job-origin': jobOrigin,
  '015-booth-events': boothEvents,
  '016-event-overlays': eventOverlays,
  '017-walls': walls,
  '018-stations': stations,
  '019-job-needs': jobNeeds,
  '020-job-ends': jobEnds,
  '021-delivery-ids': deliveryIds,
  '022-makers': makers,
  '023-photos-stay': photosStay,
  '024-filter-drafts': filterDrafts,
  '025-delivery': delivery,
  '026-scenes': scenes,
  '027-takes': takes,
  '028-costs': costs,
  '029-drafts': drafts,
};

/** To the last migration, or for tests to an earlier one. */
export async function migrateSqlite(file: string, to?: string): Promise<void> {
  const dialect = new SqliteDialect({ database: new Database(file) });
  dialect.createAdapter = () => new TransactionalSqlite();
  await migrate(dialect, to);
}

/** All migrations are one transaction: written to the disk once, and never half done. */
class TransactionalSqlite extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Any number of processes may do this at once: the migrator takes a lock in the database. */
export async function migratePostgres(url: string, to?: string): Promise<void> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: 5000 });
  // A connection that breaks fails its next query; the event alone must not end the process.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  const dialect = new PostgresDialect({ pool });
  dialect.createQueryCompiler = () => new SqliteTypesOnPostgres();
  await migrate(dialect, to);
}

async function migrate(dialect: Dialect, to?: string): Promise<void> {
  const db = new Kysely<unknown>({ dialect });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  try {
    const { error } = await (to === undefined ? migrator.migrateToLatest() : migrator.migrateTo(to));
    if (error) throw error;
  } finally {
    await db.destroy();
  }
}

/** PostgreSQL's equivalents of SQLite's types: integers of 64 bits, text that is compared byte by byte. */
const postgresTypes: Partial<Record<string, string>> = {
  integer: 'bigint',
  real: 'double precision',
  text: 'text collate "C"',
};

class SqliteTypesOnPostgres extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    this.append(postgresTypes[String(node.dataType)] ?? String(node.dataType));
  }
  protected override getAutoIncrement(): string {
    return 'generated by default as identity';
  }
}
