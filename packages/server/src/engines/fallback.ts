import { familyOf } from '@guise/contract/families/families.ts';
import { type Engine, isEngineFault } from './engine.ts';

/** When the engine breaks, another makes it at once, and the job says so. What is wrong with the photo stays wrong. */
export function withFallback(engine: Engine, other: Engine): Engine {
  return {
    ...engine,
    hasFallback: true,
    timeLimitOf(family) {
      const { timeLimitMs } = familyOf(family);
      return (engine.timeLimitOf?.(family) ?? timeLimitMs) + timeLimitMs;
    },
    async run(request, context) {
      try {
        return await engine.run(request, context);
      } catch (error) {
        // What a caller's own workflow makes, nothing else does.
        if (!isEngineFault(error) || context.signal.aborted || request.filter?.kind === 'workflow')
          throw error;
        const result = await other.run(request, { ...context, handle: null });
        const note = { kind: 'engine', value: other.name, reason: `${engine.name} could not` } as const;
        return { ...result, applied: [...result.applied, note] };
      }
    },
  };
}
