import { z } from 'zod';
import { Scope } from './scopes.ts';
import { Text } from './texts.ts';

/** Credits that a key may spend in all; null for no limit but the account's balance. */
const Budget = z.int().min(0).max(1_000_000_000).nullable();
const KeyName = Text.trim().min(1).max(100);
const ExpiresAt = z.iso.datetime({ offset: true }).nullable();

/** A key or a token as it is shown: never its secret. */
export const Key = z
  .object({
    id: z.string(),
    kind: z.enum(['key', 'token']),
    name: z.string(),
    last4: z.string(),
    scopes: z.array(Scope),
    budget: z.number().int().nullable(),
    spent: z.number().int(),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().nullable(),
    last_used: z.iso.datetime().nullable(),
    state: z.enum(['valid', 'expired', 'revoked']),
    event_id: z
      .string()
      .nullable()
      .meta({ description: 'The event whose booths it is for; it has no scopes' }),
    made_by: z
      .string()
      .nullable()
      .meta({ description: 'The key that made it, and that it ends with; null where a person did' }),
  })
  .meta({ id: 'Key' });
export type Key = z.infer<typeof Key>;

export const KeyList = z
  .object({ keys: z.array(Key), next_cursor: z.string().nullable() })
  .meta({ id: 'KeyList' });
export type KeyList = z.infer<typeof KeyList>;

/** Without scopes, the key has `defaultScopes`. */
export const NewKey = z
  .object({
    name: KeyName,
    scopes: z.array(Scope).min(1).max(4).optional(),
    budget: Budget.optional(),
    expires_at: ExpiresAt.optional(),
  })
  .meta({ id: 'NewKey', examples: [{ name: 'Booth 1', scopes: ['run'], budget: 500 }] });
export type NewKey = z.infer<typeof NewKey>;

export const CreatedKey = Key.extend({
  secret: z.string().meta({ description: 'Shown only in this answer' }),
}).meta({ id: 'CreatedKey' });
export type CreatedKey = z.infer<typeof CreatedKey>;

export const KeyChange = z
  .object({ name: KeyName, budget: Budget, expires_at: ExpiresAt })
  .partial()
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    message: 'must change the name, the budget or the expiry',
  })
  .meta({ id: 'KeyChange' });
export type KeyChange = z.infer<typeof KeyChange>;
