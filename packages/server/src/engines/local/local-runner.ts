import { createEngine, type EngineSettings } from '@guise/engine/engine.ts';
import type { Runner } from '../pool/runner.ts';
import { translateRenderError } from './render-errors.ts';

/** The local engine inside a child process of its pool. */
export function createRunner(settings: EngineSettings): Runner {
  const engine = createEngine(settings);
  return {
    run: (request, context) => translated(engine.render(request, context)),
    checkTemplate: (file) => translated(engine.checkTemplate(file)),
    warmUp: () => engine.warmUp(),
  };
}

async function translated<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw translateRenderError(error);
  }
}
