import { z } from 'zod';
import { Scope } from './scopes.ts';

/** An operator runs the installation: its sessions and keys may have the scope `operator`. */
export const Role = z.enum(['account', 'operator']).meta({ id: 'Role' });
export type Role = z.infer<typeof Role>;

/** Who the caller is and what its credentials allow. */
export const Me = z
  .object({
    id: z.string(),
    email: z.string(),
    role: Role,
    scopes: z.array(Scope),
    balance: z.number().int(),
    key: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .meta({ description: 'The key or token of this request; null for a session' }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Me' });
export type Me = z.infer<typeof Me>;

export const TokenForm = z
  .object({
    username: z.string().min(1).max(320),
    password: z.string().min(1).max(1024),
  })
  .meta({ id: 'TokenForm' });

export const Token = z
  .object({
    access_token: z.string(),
    token_type: z.literal('bearer'),
    expires_in: z.number().int(),
  })
  .meta({ id: 'Token' });
export type Token = z.infer<typeof Token>;

export const LedgerEntry = z
  .object({
    id: z.string(),
    amount: z.number().int(),
    reason: z.string(),
    job_id: z.string().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'LedgerEntry' });
export type LedgerEntry = z.infer<typeof LedgerEntry>;

export const Credits = z
  .object({
    balance: z.number().int(),
    entries: z.array(LedgerEntry),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'Credits' });
export type Credits = z.infer<typeof Credits>;
