import { z } from 'zod';

/** What a key may do: submit jobs and read its account's, read everything, change things, run the installation. */
export const Scope = z.enum(['run', 'read', 'manage', 'operator']).meta({ id: 'Scope' });
export type Scope = z.infer<typeof Scope>;

/** What a key has that was made without scopes. */
export const defaultScopes: readonly Scope[] = ['run', 'read', 'manage'];
