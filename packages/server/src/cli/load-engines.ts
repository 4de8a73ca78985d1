import type { MakeEngines } from '../app/worker-node.ts';
import type { Config } from '../config.ts';

/** What makes the engines of an installation. The code of remote engines is loaded only where some are named. */
export async function loadEngines(config: Config, only?: string[]): Promise<MakeEngines> {
  if (config.enginesFile === '' && only === undefined) {
    const { localEngine } = await import('../engines/local/local-engine.ts');
    return (settings) => [localEngine(settings)];
  }
  const { createEngines } = await import('../engines/engines.ts');
  const { readEnginesPlan } = await import('../engines/engines-file.ts');
  const plan = readEnginesPlan(config, process.env);
  return (settings) => createEngines(settings, plan, { only });
}
