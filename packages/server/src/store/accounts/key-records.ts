import { mostGenerations } from '@guise/contract/authority.ts';
import { type Kysely, sql } from 'kysely';
import type { CredentialRow, Schema } from '../schema.ts';
import { columns, statement } from '../statement.ts';

/** A key or a token of an account. */
export const findKey = statement((db, p: { id: string; account_id: string }) =>
  db.selectFrom('credentials').selectAll().where('id', '=', p.id).where('account_id', '=', p.account_id),
);

/** An account's keys and tokens, newest first, before the key `before`: ids grow with time. */
export const listKeys = statement((db, p: { account_id: string; before: string; limit: number }) =>
  db
    .selectFrom('credentials')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

/** How many keys of an account are not revoked. */
export const countKeys = statement((db, p: { account_id: string }) =>
  db
    .selectFrom('credentials')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', p.account_id)
    .where('kind', '=', 'key')
    .where('revoked_at', 'is', null),
);

type KeyEdit = Pick<CredentialRow, 'id' | 'account_id' | 'version' | 'name' | 'budget' | 'expires_at'>;

/** Makes the version after `version`. Changes no row when that is not the current one, or the key is revoked. */
export const updateKey = statement((db, p: KeyEdit) =>
  db
    .updateTable('credentials')
    .set((eb) => ({
      ...columns(p, ['name', 'budget', 'expires_at']),
      version: eb('version', '+', eb.lit(1)),
    }))
    .where('id', '=', p.id)
    .where('account_id', '=', p.account_id)
    .where('version', '=', p.version)
    .where('revoked_at', 'is', null),
);

/** Two credentials with all that they descend from. No row of one that does not exist. */
const lineage = (db: Kysely<Schema>, p: LineageOf) =>
  db.withRecursive('lineage', (cte) =>
    cte
      .selectFrom('credentials')
      .select(['credentials.id', 'credentials.made_by', sql<number>`0`.as('generation')])
      .where('credentials.id', 'in', [p.key_id, p.maker_id] as string[])
      .union((next) =>
        next
          .selectFrom('lineage')
          .innerJoin('credentials', 'credentials.id', 'lineage.made_by')
          .select([
            'credentials.id',
            'credentials.made_by',
            sql<number>`lineage.generation + 1`.as('generation'),
          ])
          .where('lineage.generation', '<', sql.lit(mostGenerations)),
      ),
  );
interface LineageOf {
  key_id: string | null;
  maker_id: string | null;
}

export const listLineage = statement((db, p: LineageOf) =>
  lineage(db, p)
    .selectFrom('credentials')
    .selectAll()
    .where('id', 'in', (eb) => eb.selectFrom('lineage').select('lineage.id')),
);

/** Counts a price as spent by two credentials and all that they descend from, and gives them as they are then. */
export const addSpent = statement((db, p: LineageOf & { price: number }) =>
  lineage(db, p)
    .updateTable('credentials')
    .set((eb) => ({ spent: eb('spent', '+', p.price) }))
    .where('id', 'in', (eb) => eb.selectFrom('lineage').select('lineage.id'))
    .returningAll(),
);
