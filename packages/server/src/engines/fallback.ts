import { familyOf } from '@guise/contract/families/families.ts';
import {
  type Engine,
  type EngineContext,
  type EngineRequest,
  type EngineResult,
  isEngineFault,
} from './engine.ts';

/**
 * When the engine breaks, or makes somebody else of the guests, another makes it at once, and the job says so. What is wrong
 * with the photo stays wrong.
 */
export function withFallback(engine: Engine, other: Engine): Engine {
  return {
    ...engine,
    hasFallback: true,
    timeLimitOf(family) {
      const { timeLimitMs } = familyOf(family);
      return (engine.timeLimitOf?.(family) ?? timeLimitMs) + timeLimitMs;
    },
    async run(request, context) {
      const made = await engine.run(request, context).catch((error: unknown) => {
        // What a caller's own workflow makes, nothing else does.
        if (!isEngineFault(error) || context.signal.aborted || request.filter?.kind === 'workflow')
          throw error;
        return null;
      });
      if (!made) return makeInstead(other, request, context, `${engine.name} could not`);
      if (!made.isUnlike) return made;
      const reason = `the picture of ${engine.name} did not show the guests as they are`;
      return makeInstead(other, request, context, reason).catch((error: unknown) => {
        if (context.signal.aborted) throw error;
        return made;
      });
    },
  };
}

async function makeInstead(
  other: Engine,
  request: EngineRequest,
  context: EngineContext,
  reason: string,
): Promise<EngineResult> {
  const result = await other.run(request, { ...context, handle: null });
  return { ...result, applied: [...result.applied, { kind: 'engine', value: other.name, reason }] };
}
