import { statement } from '../statement.ts';
import type { WebhookSecretRow } from './webhook-schema.ts';

export const findWebhookSecret = statement((db, p: { account_id: string }) =>
  db.selectFrom('webhook_secrets').selectAll().where('account_id', '=', p.account_id),
);

type Roll = Pick<
  WebhookSecretRow,
  'account_id' | 'nonce' | 'created_at' | 'previous_nonce' | 'previous_until' | 'roll_key'
> & { repeatable_since: number };

/**
 * Makes the present nonce the previous one. `previous_nonce` is for an account that rolls for the first time. Changes
 * no row when the last roll, not before `repeatable_since`, had the same key.
 */
export const rollWebhookSecret = statement((db, p: Roll) =>
  db
    .insertInto('webhook_secrets')
    .values({
      account_id: p.account_id,
      nonce: p.nonce,
      created_at: p.created_at,
      previous_nonce: p.previous_nonce,
      previous_until: p.previous_until,
      roll_key: p.roll_key,
    })
    .onConflict((oc) =>
      oc
        .column('account_id')
        .doUpdateSet((eb) => ({
          nonce: p.nonce,
          created_at: p.created_at,
          previous_nonce: eb.ref('webhook_secrets.nonce'),
          previous_until: p.previous_until,
          roll_key: p.roll_key,
        }))
        .where((eb) =>
          eb.or([
            eb('webhook_secrets.roll_key', '!=', p.roll_key),
            eb('webhook_secrets.created_at', '<', p.repeatable_since),
          ]),
        ),
    ),
);
