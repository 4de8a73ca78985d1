import type { Scope } from '@guise/contract/scopes.ts';
import { say } from '../../words/say.ts';

/** What a scope allows, in words. */
export const scopeWords: Record<Scope, { label: string; text: string }> = {
  run: { label: say('Run'), text: say('Submit jobs and read their results. Enough for a booth.') },
  read: { label: say('Read'), text: say('See jobs, usage, keys and deliveries.') },
  manage: { label: say('Manage'), text: say('Change filters, aliases, keys and webhooks.') },
  operator: { label: say('Operator'), text: say('See and change the whole installation.') },
};
