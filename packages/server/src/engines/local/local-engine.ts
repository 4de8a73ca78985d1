import { join } from 'node:path';
import { families } from '@guise/contract/families/families.ts';
import type { FilterKind } from '@guise/contract/filters.ts';
import type { EngineSettings } from '@guise/engine/engine.ts';
import { installedPacks } from '../../catalog/packs/installed-packs.ts';
import type { Config } from '../../config.ts';
import type { Engine } from '../engine.ts';
import { type PoolOptions, processPool } from '../pool/pool.ts';

/** Where the operator's own models are kept. */
export function operatorModelsDir(config: Pick<Config, 'dataDir'>): string {
  return join(config.dataDir, 'models');
}

/** Where converted models are kept between starts. It may be deleted at any time. */
export function modelCacheDir(config: Pick<Config, 'dataDir'>): string {
  return join(config.dataDir, 'cache', 'models');
}

/** What it makes of families that take a filter: workflows are for remote engines. */
const kinds: readonly FilterKind[] = ['scene', 'look', 'prompt', 'template'];

type LocalConfig = Pick<Config, 'concurrency' | 'dataDir' | 'engineMemory' | 'engineSilenceMs'>;

/** Real pictures and videos on the CPU from the models that `npm ci` brings, in child processes. */
export function localEngine(config: LocalConfig): Engine {
  return processPool({
    ...poolOptions(config),
    size: config.concurrency,
    warm: true,
    abilities: families.map(({ name, filter }) => ({ family: name, ...(filter && { kinds }) })),
  });
}

/** Makes nothing and finds faces, for workflows that want them: one process, started for the first of them. */
export function faceFinder(config: LocalConfig): Engine {
  return processPool({ ...poolOptions(config), size: 1, abilities: [] });
}

function poolOptions(config: LocalConfig): Omit<PoolOptions, 'size' | 'abilities'> {
  return {
    name: 'local',
    module: new URL('./local-runner.ts', import.meta.url),
    findsFaces: true,
    settings: {
      modelsDir: operatorModelsDir(config),
      cacheDir: modelCacheDir(config),
      packs: installedPacks(config),
    } satisfies EngineSettings,
    limits: {
      memory: config.engineMemory,
      memoryAtMost: 2 * config.engineMemory,
      silenceMs: config.engineSilenceMs,
    },
  };
}
