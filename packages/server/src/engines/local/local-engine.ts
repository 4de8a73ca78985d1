import { join } from 'node:path';
import type { EngineSettings } from '@guise/engine/engine.ts';
import { installedPacks } from '../../catalog/packs/installed-packs.ts';
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

/** Real pictures and videos on the CPU from the models that `npm ci` brings, in child processes. */
export function localEngine(config: Pick<Config, 'concurrency' | 'dataDir'>): Engine {
  const kinds = ['scene', 'look', 'prompt', 'template'] as const;
  return processPool({
    name: 'local',
    module: new URL('./local-runner.ts', import.meta.url),
    size: config.concurrency,
    warm: true,
    settings: {
      modelsDir: operatorModelsDir(config),
      cacheDir: modelCacheDir(config),
      packs: installedPacks(config),
    } satisfies EngineSettings,
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
