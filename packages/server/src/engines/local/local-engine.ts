import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { Engine } from '../engine.ts';
import { processPool } from '../pool/pool.ts';

/** Where the operator's own models are kept. */
export function operatorModelsDir(config: Pick<Config, 'dataDir'>): string {
  return join(config.dataDir, 'models');
}

/** Where converted models are kept between starts. It may be deleted at any time. */
export function modelCacheDir(config: Pick<Config, 'dataDir'>): string {
  return join(config.dataDir, 'cache', 'models');
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

/** Real pictures and videos on the CPU from the models that `npm ci` brings, in child processes. */
export function localEngine(config: Pick<Config, 'concurrency' | 'dataDir'>): Engine {
  const kinds = ['scene', 'look', 'prompt', 'template'] as const;
  return processPool({
    name: 'local',
    module: new URL(import.meta.resolve('@guise/engine/worker.ts')),
    size: config.concurrency,
    warm: true,
    settings: {
      modelsDir: operatorModelsDir(config),
      cacheDir: modelCacheDir(config),
      packs: installedPacks(config),
    },
    abilities: [
      { family: 'face_swap_v6', kinds },
      { family: 'face_swap_v5', kinds },
      { family: 'face_swap_v1', kinds },
      { family: 'self_prompt_v2' },
      { family: 'multi_swap_v5', kinds },
      { family: 'multi_swap_self_prompt_v5' },
      { family: 'stylized_multi_swap_v1', kinds },
      { family: 'stylized_multi_swap_self_prompt_v1' },
      { family: 'multi_swap_v4', kinds },
      { family: 'single_frame_video' },
      { family: 'first_last_frame_video' },
    ],
  });
}
