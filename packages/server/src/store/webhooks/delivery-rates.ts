import { sql } from 'kysely';
import { databaseNow } from '../database-clock.ts';
import { statement } from '../statement.ts';

// How many attempts of webhooks began in the current minute of the database's clock, by account and by host.

const minuteMs = sql.lit(60_000);

/** Counts one attempt. */
export const countAttempt = statement((db, p: { name: string }) =>
  db
    .insertInto('webhook_rates')
    .values((eb) => ({ name: p.name, minute: eb(databaseNow(db), '/', minuteMs), attempts: eb.lit(1) }))
    .onConflict((oc) =>
      oc.column('name').doUpdateSet((eb) => ({
        minute: eb.ref('excluded.minute'),
        attempts: eb
          .case()
          .when('webhook_rates.minute', '=', eb.ref('excluded.minute'))
          .then(eb('webhook_rates.attempts', '+', eb.lit(1)))
          .else(eb.lit(1))
          .end(),
      })),
    ),
);

/** The counts of the current minute. */
export const attemptsThisMinute = statement((db, _: Record<string, never>) =>
  db
    .selectFrom('webhook_rates')
    .select(['name', 'attempts'])
    .where('minute', '=', (eb) => eb(databaseNow(db), '/', minuteMs)),
);

/** Deletes the counts of minutes before the current one. */
export const purgeRates = statement((db, _: Record<string, never>) =>
  db.deleteFrom('webhook_rates').where('minute', '<', (eb) => eb(databaseNow(db), '/', minuteMs)),
);
