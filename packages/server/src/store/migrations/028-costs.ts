import type { Kysely } from 'kysely';

/**
 * What servers took for jobs, in seconds at work and in US dollars, as far as they tell it. Sums of jobs whose rows are gone
 * and of events have it too: it was not kept before, which counts as nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['jobs', 'former_usage', 'booth_events'])
    for (const column of ['gpu_seconds', 'cost'])
      await db.schema
        .alterTable(table)
        .addColumn(column, 'real', (c) => c.notNull().defaultTo(0))
        .execute();
}
