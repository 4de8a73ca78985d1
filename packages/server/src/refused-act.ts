import type { Refusal } from '@guise/contract/authority.ts';
import { AppError } from './errors.ts';
import { scopeMissing } from './scope-missing.ts';
import { unauthorized } from './unauthorized.ts';

/** The error for whoever may not do something; `price` where it has one in credits. */
export function refusedAct(refusal: Refusal, price?: number): AppError {
  switch (refusal.reason) {
    case 'ended':
      return unauthorized();
    case 'scope_missing':
      return scopeMissing(refusal.missing);
    case 'limited':
      return new AppError(
        'KEY_LIMITED',
        'A key that has a budget or an expiry can neither make, change nor end keys, sessions, events, quick test links and backups.',
      );
    case 'budget_spent': {
      if (price === undefined)
        return new AppError('INSUFFICIENT_CREDITS', 'Nothing is left of the budget of this key.');
      const wanted = price === 1 ? '1 credit' : `${price} credits`;
      return new AppError(
        'INSUFFICIENT_CREDITS',
        `This request costs ${wanted}, more than is left of the budget of this key.`,
      );
    }
  }
}
