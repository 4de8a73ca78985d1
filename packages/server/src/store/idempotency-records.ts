import type { IdempotencyRow } from './schema.ts';
import { columns, statement } from './statement.ts';

/** The answer stored under a key that has not expired. */
export const findIdempotency = statement((db, p: { account_id: string; key: string; now: number }) =>
  db
    .selectFrom('idempotency')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .where('key', '=', p.key)
    .where('expires_at', '>', p.now),
);

/** Changes no row when the key is in use. An expired key is free, purged or not. */
export const insertIdempotency = statement((db, p: IdempotencyRow & { now: number }) =>
  db
    .insertInto('idempotency')
    .values(columns(p, ['account_id', 'key', 'fingerprint', 'job_id', 'answer', 'expires_at']))
    .onConflict((oc) =>
      oc
        .columns(['account_id', 'key'])
        .doUpdateSet(columns(p, ['fingerprint', 'job_id', 'answer', 'expires_at']))
        .where('idempotency.expires_at', '<=', p.now),
    ),
);

/** Deletes the expired keys. */
export const purgeIdempotency = statement((db, p: { now: number }) =>
  db.deleteFrom('idempotency').where('expires_at', '<=', p.now),
);
