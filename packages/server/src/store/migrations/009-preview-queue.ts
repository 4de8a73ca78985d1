import { type Kysely, sql } from 'kysely';

/**
 * The table `renders` is the queue of previews and tests for all kinds of processes, in which accounts take turns. The
 * columns have defaults because processes of the version before go on inserting rows until they are replaced.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('renders')
    .addColumn('account_id', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
  await db.schema
    .alterTable('renders')
    .addColumn('tries', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await sql`update renders set account_id =
    coalesce((select account_id from custom_filters where custom_filters.id = renders.filter_id), '')`.execute(
    db,
  );
  await db.schema
    .createIndex('renders_waiting')
    .on('renders')
    .columns(['account_id', 'purpose desc', 'id'])
    .where(sql<boolean>`ended = 0`)
    .execute();
}
