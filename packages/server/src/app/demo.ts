import type { NewCustomFilter } from '@guise/contract/catalogs.ts';
import { createAccount } from '../accounts/accounts.ts';
import { createAlias } from '../catalog/aliases.ts';
import { createCustomFilter, type DefinitionChecks } from '../catalog/custom-filters.ts';
import { listAccounts } from '../store/account-records.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db } from '../store/db.ts';

const credits = 1000;

/** Two of each type. Those that name a scene or a look are left out where the catalog was changed and lacks it. */
const filters: NewCustomFilter[] = [
  {
    name: 'Lantern night in oil',
    filter_type: 'face_swap',
    definition: { kind: 'scene', scene: 'lantern-night', look: 'oil' },
  },
  {
    name: 'Northern lights',
    filter_type: 'face_swap',
    definition: { kind: 'prompt', prompt: 'under the northern lights, in the snow' },
  },
  {
    name: 'Everybody in the great hall',
    filter_type: 'multi_swap',
    definition: { kind: 'scene', scene: 'great-hall' },
  },
  {
    name: 'Group under water',
    filter_type: 'multi_swap',
    definition: { kind: 'prompt', prompt: 'all of us under the sea' },
  },
];

/** On a data folder without accounts: one to try everything with. Its key is returned only this once. */
export async function createDemo(parts: {
  db: Db;
  blobs: Blobs;
  checks: DefinitionChecks;
}): Promise<{ api_key: string; filterIds: string[] } | undefined> {
  if ((await parts.db.all(listAccounts, {})).length > 0) return undefined;
  const account = await createAccount(parts.db, { email: 'demo@guise.local', credits });
  const filterIds: string[] = [];
  for (const filter of filters) {
    const { definition } = filter;
    if (definition.kind === 'scene' && !parts.checks.scenes.includes(definition.scene)) continue;
    filterIds.push((await createCustomFilter(parts, account.id, filter)).id);
  }
  await createAlias(parts.db, account, { ai_filter: filterIds[0]!, project: 'demo' });
  return { api_key: account.api_key, filterIds };
}
