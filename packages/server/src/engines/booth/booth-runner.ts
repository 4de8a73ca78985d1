import { createBoothEngine } from '@guise/engine/booth-tasks.ts';
import type { EngineSettings } from '@guise/engine/engine.ts';
import { translated } from '../local/render-errors.ts';
import type { Runner } from '../pool/runner.ts';

/** The tasks of booths inside a child process of their pool. */
export function createRunner(settings: Pick<EngineSettings, 'cacheDir'>): Runner {
  const engine = createBoothEngine(settings);
  return {
    doBoothTask: (task) => translated(() => engine.do(task)),
    warmUp: () => engine.warmUp(),
  };
}
