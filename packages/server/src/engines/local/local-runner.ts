import { createEngine, type EngineSettings } from '@guise/engine/engine.ts';
import type { Runner } from '../pool/runner.ts';
import { translateRenderError } from './render-errors.ts';

/** The local engine inside a child process of its pool. */
export function createRunner(settings: EngineSettings): Runner {
  const engine = createEngine(settings);
  return {
    async run(request, context) {
      try {
        return await engine.render(request, context);
      } catch (error) {
        throw translateRenderError(error);
      }
    },
    warmUp: () => engine.warmUp(),
  };
}
