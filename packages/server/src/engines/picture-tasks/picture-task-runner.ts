import type { EngineSettings } from '@guise/engine/engine.ts';
import { createPictureTaskEngine } from '@guise/engine/picture-tasks.ts';
import { translated } from '../local/render-errors.ts';
import type { Runner } from '../pool/runner.ts';

/** Picture tasks inside a child process of their pool. */
export function createRunner(settings: Omit<EngineSettings, 'packs'>): Runner {
  const engine = createPictureTaskEngine(settings);
  return {
    doPictureTask: (task) => translated(() => engine.do(task)),
    warmUp: () => engine.warmUp(),
  };
}
