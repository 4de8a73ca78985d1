import type { Scope } from '@guise/contract/scopes.ts';
import { AppError } from './errors.ts';

/** Names the scopes of which one is needed. */
export function scopeMissing(scopes: readonly Scope[]): AppError {
  const needed = scopes.length === 1 ? `the scope ${scopes[0]}` : `one of the scopes ${scopes.join(', ')}`;
  return new AppError('SCOPE_MISSING', `This needs ${needed}, which these credentials do not have.`);
}
