import type { Scope } from './scopes.ts';

/** A key or a token, by what limits it. */
export interface Credential {
  scopes: readonly Scope[];
  /** Credits that it may spend in all; null for as many as the account has. */
  budget: number | null;
  /** Credits of its own jobs and of those of whatever it made, without what was refunded. */
  spent: number;
  /** Milliseconds since 1970; null for no end. */
  expires_at: number | null;
  revoked_at: number | null;
  /** Whether whoever has it gets the next one with the account's password: then its expiry limits nobody. */
  is_renewable: boolean;
}

/**
 * A credential with all that it descends from: the key that made it, the one that made that, and so on. Empty for whoever
 * is signed in: a person acts as the account itself. What keys make beside keys, such as links and events, has the
 * lineage of its maker.
 */
export type Lineage = readonly Credential[];

/** What somebody wants to do. */
export interface Act {
  /** All of them are needed. */
  scopes: readonly Scope[];
  /** Credits that it costs; without it, it costs nothing. */
  price?: number;
  /** Whether what is made, changed or ended works, or stays ended, without the credential. */
  outlives?: boolean;
}

export type Refusal =
  | { reason: 'ended' }
  | { reason: 'scope_missing'; missing: Scope[] }
  | { reason: 'limited' }
  | { reason: 'budget_spent' };

/**
 * Why a credential may not do something: null where it may. The one rule of whatever makes, changes, ends or spends: it
 * may do no more than every one of its lineage, as they are now.
 */
export function refusalOf(lineage: Lineage, act: Act, now: number): Refusal | null {
  const { scopes, price, outlives = false } = act;
  if (!isInForce(lineage, now)) return { reason: 'ended' };
  const missing = scopes.filter((scope) => !isAllowed(lineage, scope));
  if (missing.length > 0) return { reason: 'scope_missing', missing };
  if (outlives && lineage.some(isLimited)) return { reason: 'limited' };
  if (price !== undefined && creditsLeft(lineage) < price) return { reason: 'budget_spent' };
  return null;
}

/** Whether neither the credential nor one that it descends from was revoked or has expired. */
export function isInForce(lineage: Lineage, now: number): boolean {
  return lineage.every(
    ({ revoked_at, expires_at }) => revoked_at === null && (expires_at === null || expires_at > now),
  );
}

/** Whether every one of the lineage has a scope. */
export function isAllowed(lineage: Lineage, scope: Scope): boolean {
  return lineage.every(({ scopes }) => scopes.includes(scope));
}

/** What the budgets of a lineage leave to spend, whatever the account has. A budget below what was spent leaves less than nothing. */
export function creditsLeft(lineage: Lineage): number {
  return Math.min(
    Number.POSITIVE_INFINITY,
    ...lineage.map(({ budget, spent }) => (budget === null ? Number.POSITIVE_INFINITY : budget - spent)),
  );
}

/** Whether it has a budget or an end, which would not limit what works without it. */
function isLimited({ budget, expires_at, is_renewable }: Credential): boolean {
  return budget !== null || (expires_at !== null && !is_renewable);
}

/** Keys that descend from one another: the last of so many makes none. */
export const mostGenerations = 8;
