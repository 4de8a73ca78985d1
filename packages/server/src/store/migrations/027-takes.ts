import { type Kysely, sql } from 'kysely';

/** Jobs that one touch of a guest makes, which count once; what the guest gave; whether there is a moving picture of the moment. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const column = (name: string) => db.schema.alterTable('event_jobs').addColumn(name, 'text').execute();
  await column('take');
  await column('details');
  await db.schema.alterTable('event_jobs').addColumn('variation', 'integer').execute();
  for (const name of ['further', 'moment'])
    await db.schema
      .alterTable('event_jobs')
      .addColumn(name, 'integer', (c) => c.notNull().defaultTo(sql`0`))
      .execute();
}
