import type { Scope } from '@guise/contract/scopes.ts';

/** What a scope allows, in words. */
export const scopeWords: Record<Scope, { label: string; text: string }> = {
  run: { label: 'Run', text: 'Submit jobs and read their results. Enough for a booth.' },
  read: { label: 'Read', text: 'See jobs, usage, keys and deliveries.' },
  manage: { label: 'Manage', text: 'Change filters, aliases, keys and webhooks.' },
  operator: { label: 'Operator', text: 'See and change the whole installation.' },
};
