import { createEngine, type EngineSettings } from '@guise/engine/engine.ts';
import type { Runner } from '../pool/runner.ts';
import { translated } from './render-errors.ts';
import { timeStages } from './stage-times.ts';

/** The local engine inside a child process of its pool. */
export function createRunner(settings: EngineSettings): Runner {
  const engine = createEngine(settings);
  return {
    run: (request, context) =>
      translated(async () => {
        const { result, stages } = await timeStages(() => engine.render(request, context));
        return { ...result, stages };
      }),
    checkTemplate: (file) => translated(() => engine.checkTemplate(file)),
    findGuests: (photos) => translated(() => engine.findGuests(photos)),
    checkIdentity: (made) => translated(() => engine.checkIdentity(made)),
    warmUp: () => engine.warmUp(),
  };
}
