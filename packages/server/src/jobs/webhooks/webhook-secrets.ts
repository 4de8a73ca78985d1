import { createHmac, randomBytes } from 'node:crypto';
import type { RolledWebhookSecret, WebhookSecretInfo } from '@guise/contract/webhooks.ts';
import { AppError } from '../../errors.ts';
import { isoTime } from '../../iso-time.ts';
import { findAccount } from '../../store/account-records.ts';
import type { Db } from '../../store/db.ts';
import type { WebhookSecretRow } from '../../store/webhooks/webhook-schema.ts';
import { findWebhookSecret, rollWebhookSecret } from '../../store/webhooks/webhook-secret-records.ts';
import { secretPrefix } from './signature-headers.ts';

export interface WebhookSecrets {
  /** What the account's webhooks are signed with, the newest secret first. */
  signing(accountId: string): Promise<string[]>;
  /** The secret that the account began with; refused once it has been rolled. */
  readFirst(accountId: string): Promise<string>;
  describe(accountId: string): Promise<WebhookSecretInfo>;
  /** A repeated call with the same `Idempotency-Key` is answered as the first one was. */
  roll(accountId: string, idempotencyKey: string | undefined): Promise<RolledWebhookSecret>;
}

const dayMs = 24 * 3600_000;
/** How long the previous secret goes on signing beside the new one. */
const previousSignsMs = dayMs;
const repeatableMs = dayMs;
const firstNonce = '';

const secretRolled = () =>
  new AppError(
    'WEBHOOK_SECRET_ROLLED',
    'The webhook secret was rolled, and only the answer of the roll shows it. Roll it again if it is lost.',
  );

/**
 * Secrets are derived from the server's secret, the account and a nonce, and are not stored: a copy of the database
 * alone does not let anybody sign where the server's secret is a setting.
 */
export function createWebhookSecrets(db: Db, serverSecret: string): WebhookSecrets {
  const derive = (accountId: string, nonce: string) => {
    const text = `webhooks of ${accountId}${nonce === firstNonce ? '' : ` ${nonce}`}`;
    return secretPrefix + createHmac('sha256', serverSecret).update(text).digest('base64');
  };
  const find = (account_id: string) => db.one(findWebhookSecret, { account_id });
  const describeRow = (row: WebhookSecretRow): WebhookSecretInfo => ({
    created_at: isoTime(row.created_at),
    last4: derive(row.account_id, row.nonce).slice(-4),
    previous_signs_until: row.previous_until > Date.now() ? isoTime(row.previous_until) : null,
  });

  return {
    async signing(accountId) {
      const row = await find(accountId);
      if (!row) return [derive(accountId, firstNonce)];
      const nonces = row.previous_until > Date.now() ? [row.nonce, row.previous_nonce] : [row.nonce];
      return nonces.map((nonce) => derive(accountId, nonce));
    },
    async readFirst(accountId) {
      if (await find(accountId)) throw secretRolled();
      return derive(accountId, firstNonce);
    },
    async describe(accountId) {
      const row = await find(accountId);
      if (row) return describeRow(row);
      const account = await db.one(findAccount, { id: accountId });
      return {
        created_at: isoTime(account?.created_at ?? 0),
        last4: derive(accountId, firstNonce).slice(-4),
        previous_signs_until: null,
      };
    },
    async roll(accountId, idempotencyKey) {
      const now = Date.now();
      const nonce = randomBytes(16).toString('hex');
      await db.run(rollWebhookSecret, {
        account_id: accountId,
        nonce,
        created_at: now,
        previous_nonce: firstNonce,
        previous_until: now + previousSignsMs,
        roll_key: idempotencyKey ?? nonce,
        repeatable_since: now - repeatableMs,
      });
      const row = (await find(accountId))!;
      return { secret: derive(accountId, row.nonce), ...describeRow(row) };
    },
  };
}
