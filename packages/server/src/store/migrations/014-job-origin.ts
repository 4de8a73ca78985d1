import type { Kysely } from 'kysely';

/** The installations that handed a job on before it came here. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('jobs').addColumn('via', 'text').execute();
}
