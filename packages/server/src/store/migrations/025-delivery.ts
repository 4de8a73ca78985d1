import type { Kysely } from 'kysely';

/** Printers of accounts, what waits to be printed or mailed to guests of events, and the cameras of booths. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('printers')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('trusted', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('printers_by_account').on('printers').columns(['account_id', 'id']).execute();
  await db.schema.alterTable('event_stations').addColumn('camera', 'text').execute();
  const leased = (table: string) =>
    db.schema
      .createTable(table)
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('event_id', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('guest_id', 'text', (c) => c.notNull())
      .addColumn('job_id', 'text', (c) => c.notNull())
      .addColumn('base_url', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('sentence', 'text')
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('due_at', 'bigint', (c) => c.notNull())
      .addColumn('claim', 'integer', (c) => c.notNull())
      .addColumn('lease_until', 'bigint')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('sent_at', 'bigint')
      .addColumn('ended_at', 'bigint');
  await leased('event_prints')
    .addColumn('key_id', 'text')
    .addColumn('job_ids', 'text', (c) => c.notNull())
    .addColumn('layout', 'text', (c) => c.notNull())
    .addColumn('copies', 'integer', (c) => c.notNull())
    .addColumn('printer_id', 'text', (c) => c.notNull())
    .addColumn('printer_job_id', 'integer')
    .execute();
  await leased('event_mails')
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('consent_at', 'bigint', (c) => c.notNull())
    .execute();
  for (const table of ['event_prints', 'event_mails']) {
    await db.schema.createIndex(`${table}_by_event`).on(table).columns(['event_id', 'id']).execute();
    await db.schema.createIndex(`${table}_by_guest`).on(table).columns(['guest_id', 'id']).execute();
    await db.schema
      .createIndex(`${table}_due`)
      .on(table)
      .columns(['due_at'])
      .where('ended_at' as never, 'is', null)
      .execute();
  }
}
