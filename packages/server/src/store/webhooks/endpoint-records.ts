import { sql } from 'kysely';
import { databaseNow } from '../database-clock.ts';
import { statement } from '../statement.ts';
import type { EndpointRow } from './webhook-schema.ts';

type Endpoint = Pick<EndpointRow, 'id' | 'account_id' | 'url'>;

/** A working endpoint is written once an hour: each delivery would write to the same row otherwise. */
const usedEveryMs = sql.lit(3600_000);

/** The endpoint acknowledged a delivery: its failures no longer follow one another. */
export const recordSuccess = statement((db, p: Endpoint) =>
  db
    .insertInto('webhook_endpoints')
    .values((eb) => ({
      id: p.id,
      account_id: p.account_id,
      url: p.url,
      failures: eb.lit(0),
      created_at: databaseNow(db),
      used_at: databaseNow(db),
    }))
    .onConflict((oc) =>
      oc
        .column('id')
        .doUpdateSet((eb) => ({ failures: eb.lit(0), failing_since: null, used_at: databaseNow(db) }))
        .where((eb) =>
          eb.or([
            eb('webhook_endpoints.failures', '>', eb.lit(0)),
            eb('webhook_endpoints.used_at', '<', eb(databaseNow(db), '-', usedEveryMs)),
          ]),
        ),
    ),
);

/** Counts a failure, and disables the endpoint when it is at least the `failures`th in a row, over `ms` or more. */
export const recordFailure = statement((db, p: Endpoint & { failures: number; ms: number }) =>
  db
    .insertInto('webhook_endpoints')
    .values((eb) => ({
      id: p.id,
      account_id: p.account_id,
      url: p.url,
      failures: eb.lit(1),
      failing_since: databaseNow(db),
      created_at: databaseNow(db),
      used_at: databaseNow(db),
    }))
    .onConflict((oc) =>
      oc.column('id').doUpdateSet((eb) => {
        const now = databaseNow(db);
        const isFailingForLong = eb.and([
          eb('webhook_endpoints.disabled_at', 'is', null),
          eb(eb('webhook_endpoints.failures', '+', eb.lit(1)), '>=', p.failures),
          eb('webhook_endpoints.failing_since', '<=', eb(now, '-', p.ms)),
        ]);
        return {
          failures: eb('webhook_endpoints.failures', '+', eb.lit(1)),
          failing_since: eb.fn.coalesce('webhook_endpoints.failing_since', now),
          disabled_at: eb
            .case()
            .when(isFailingForLong)
            .then(now)
            .else(eb.ref('webhook_endpoints.disabled_at'))
            .end(),
          used_at: now,
        };
      }),
    )
    .returning(['disabled_at', 'used_at']),
);

export const findEndpoint = statement((db, p: { id: string; account_id: string }) =>
  db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('id', '=', p.id)
    .where('account_id', '=', p.account_id),
);

/** An account's endpoints, newest first, before the one with `id` that was made at `created_at`. */
export const listEndpoints = statement(
  (db, p: { account_id: string; created_at: number; id: string; limit: number }) =>
    db
      .selectFrom('webhook_endpoints')
      .selectAll()
      .where('account_id', '=', p.account_id)
      .where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'id'), '<', tuple(p.created_at, p.id)))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(p.limit),
);

/** For the operator: the endpoints of all accounts whose last attempt failed, those failing longest first. */
export const listFailingEndpoints = statement((db, p: { limit: number }) =>
  db
    .selectFrom('webhook_endpoints')
    .innerJoin('accounts', 'accounts.id', 'webhook_endpoints.account_id')
    .selectAll('webhook_endpoints')
    .select('accounts.email')
    .where('webhook_endpoints.failing_since', 'is not', null)
    .orderBy('webhook_endpoints.failing_since')
    .limit(p.limit),
);

/** Enables an endpoint, with its failures forgotten. */
export const enableEndpoint = statement((db, p: { id: string; account_id: string }) =>
  db
    .updateTable('webhook_endpoints')
    .set((eb) => ({ disabled_at: null, failing_since: null, failures: eb.lit(0) }))
    .where('id', '=', p.id)
    .where('account_id', '=', p.account_id),
);

/** Deletes endpoints that nothing was sent to since a time. */
export const purgeEndpoints = statement((db, p: { before: number }) =>
  db.deleteFrom('webhook_endpoints').where('used_at', '<', p.before),
);
