import type { Config } from '../config.ts';

/** The settings of the environment. `overrides` are variables that the command line gives. */
export async function readSettings(overrides: NodeJS.ProcessEnv = {}): Promise<Readonly<Config>> {
  const { readConfig } = await import('../config.ts');
  return readConfig({ ...process.env, ...overrides });
}
