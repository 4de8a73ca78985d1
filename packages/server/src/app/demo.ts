import type { NewCustomFilter } from '@guise/contract/catalogs.ts';
import { defaultScopes } from '@guise/contract/scopes.ts';
import { createAccount } from '../accounts/accounts.ts';
import { createSignInLink } from '../accounts/sign-in-links.ts';
import { createAlias } from '../catalog/aliases.ts';
import { createCustomFilter } from '../catalog/custom-filters.ts';
import type { DefinitionChecks } from '../catalog/definitions.ts';
import { listAccounts } from '../store/account-records.ts';
import { acquireMaintenanceLock } from '../store/maintenance-lock.ts';
import type { ServiceNode } from './node.ts';

const credits = 1000;
const dayMs = 24 * 3600_000;

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

/**
 * Where there are no accounts yet and the settings allow it: one to try everything with. Its key and a link that
 * signs in to it are returned only now.
 */
export async function createDemo(
  { config, shared, db, blobs }: ServiceNode,
  checks: DefinitionChecks,
): Promise<{ api_key: string; link: string } | undefined> {
  if (!config.demo) return undefined;
  // Nodes that start together must not all make one.
  if (shared && !(await acquireMaintenanceLock(db, 'demo', dayMs))) return undefined;
  if ((await db.all(listAccounts, {})).length > 0) return undefined;
  const account = await createAccount(db, { email: 'demo@guise.local', credits, role: 'operator' });
  const made: { id: string }[] = [];
  for (const filter of filters) {
    const { definition } = filter;
    if (definition.kind === 'scene' && !checks.scenes.includes(definition.scene)) continue;
    made.push(await createCustomFilter({ db, blobs, checks, maxFilters: 0 }, account.id, filter));
  }
  const caller = {
    ...account,
    role: 'operator',
    scopes: defaultScopes,
    key_id: null,
    maker_id: null,
    event_id: null,
    session: null,
  } as const;
  await createAlias(db, caller, { ai_filter: made[0]!.id, project: 'demo' });
  const { token } = await createSignInLink(db, account.id);
  return { api_key: account.api_key, link: token };
}
