import type { Kysely } from 'kysely';

/** Events with their guests, consents and keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createEvents(db);
  await createGuests(db);
  // Keys of events have no scopes: `[]` in their row keeps processes of earlier versions from giving them the default ones.
  await db.schema.alterTable('credentials').addColumn('event_id', 'text').execute();
  await db.schema
    .createIndex('credentials_by_event')
    .on('credentials')
    .column('event_id')
    .where('event_id' as never, 'is not', null)
    .execute();
  await db.schema.alterTable('jobs').addColumn('event_id', 'text').execute();
  await db.schema
    .createIndex('jobs_by_event')
    .on('jobs')
    .columns(['event_id', 'id'])
    .where('event_id' as never, 'is not', null)
    .execute();
}

async function createEvents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('booth_events')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('starts_at', 'bigint', (c) => c.notNull())
    .addColumn('ends_at', 'bigint', (c) => c.notNull())
    .addColumn('paused', 'integer', (c) => c.notNull())
    .addColumn('closed', 'integer', (c) => c.notNull())
    .addColumn('budget', 'bigint')
    .addColumn('spent', 'bigint', (c) => c.notNull())
    .addColumn('jobs', 'integer', (c) => c.notNull())
    .addColumn('pictures_per_guest', 'integer')
    .addColumn('tries_per_guest', 'integer')
    .addColumn('result_hours', 'integer')
    .addColumn('consent_version', 'integer', (c) => c.notNull())
    .addColumn('settings', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('erasure_begun_at', 'bigint')
    .addColumn('erased_at', 'bigint')
    .addColumn('erasure', 'text')
    .execute();
  await db.schema
    .createIndex('booth_events_by_account')
    .on('booth_events')
    .columns(['account_id', 'id'])
    .execute();
  await db.schema
    .createTable('event_consents')
    .addColumn('event_id', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('document', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('event_consents_key', ['event_id', 'version'])
    .execute();
}

async function createGuests(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('event_guests')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('event_id', 'text', (c) => c.notNull())
    .addColumn('guest_ref', 'text', (c) => c.notNull())
    .addColumn('pictures', 'integer', (c) => c.notNull())
    .addColumn('tries', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('event_guests_by_ref', ['event_id', 'guest_ref'])
    .execute();
  await db.schema
    .createTable('event_jobs')
    .addColumn('job_id', 'text', (c) => c.primaryKey())
    .addColumn('event_id', 'text', (c) => c.notNull())
    .addColumn('guest_id', 'text', (c) => c.notNull())
    .addColumn('offer_id', 'text', (c) => c.notNull())
    .addColumn('price', 'integer', (c) => c.notNull())
    .addColumn('counted', 'integer', (c) => c.notNull())
    .addColumn('consent_version', 'integer')
    .addColumn('consent_language', 'text')
    .addColumn('consent_answers', 'text')
    .addColumn('consent_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('event_jobs_by_event')
    .on('event_jobs')
    .columns(['event_id', 'job_id'])
    .execute();
  await db.schema
    .createIndex('event_jobs_by_guest')
    .on('event_jobs')
    .columns(['guest_id', 'job_id'])
    .execute();
}
