import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { families } from '@guise/contract/families.ts';
import type { FilterKind } from '@guise/contract/filters.ts';
import type { EngineSettings } from '@guise/engine/engine.ts';
import type { Config } from '../../config.ts';
import type { Engine } from '../engine.ts';
import { processPool } from '../pool/pool.ts';

/** Where the operator's own models are kept. */
export function operatorModelsDir(config: Pick<Config, 'dataDir'>): string {
  return join(config.dataDir, 'models');
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

/** Where `guise filters import` puts packs. */
export function packsDir(config: Pick<Config, 'dataDir'>): string {
  return join(config.dataDir, 'packs');
}

/** What it makes of families that take a filter: workflows are for remote engines. */
const kinds: readonly FilterKind[] = ['scene', 'look', 'prompt', 'template'];

/** Real pictures and videos on the CPU from the models that `npm ci` brings, in child processes. */
export function localEngine(config: Pick<Config, 'concurrency' | 'dataDir'>): Engine {
  return processPool({
    name: 'local',
    module: new URL('./local-runner.ts', import.meta.url),
    size: config.concurrency,
    warm: true,
    settings: {
      modelsDir: operatorModelsDir(config),
      packs: installedPacks(config),
    } satisfies EngineSettings,
    abilities: families.map(({ name, filter }) => ({ family: name, ...(filter && { kinds }) })),
  });
}
