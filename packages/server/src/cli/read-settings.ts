import type { Config, StoredSettings } from '../config.ts';

/**
 * The settings of the environment, and those that were changed in the studio unless others are given. `overrides` are
 * variables that the command line gives.
 */
export async function readSettings(
  overrides: NodeJS.ProcessEnv = {},
  stored?: StoredSettings,
): Promise<Readonly<Config>> {
  const { readConfig } = await import('../config.ts');
  const { readStoredSettings } = await import('../stored-settings.ts');
  const env = { ...process.env, ...overrides };
  return readConfig(env, stored ?? readStoredSettings(env));
}
