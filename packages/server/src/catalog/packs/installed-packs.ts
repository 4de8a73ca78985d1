import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';

/** Where `guise filters import` puts packs. */
export function packsDir(config: Pick<Config, 'dataDir'>): string {
  return join(config.dataDir, 'packs');
}

/** The folders of the operator's packs, one each, in order. */
export function installedPacks(config: Pick<Config, 'dataDir'>): string[] {
  const folder = packsDir(config);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name);
  return names.sort().map((name) => join(folder, name));
}
