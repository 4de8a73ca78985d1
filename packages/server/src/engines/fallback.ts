import { type FamilyName, familyOf } from '@guise/contract/families/families.ts';
import type { Note } from '@guise/contract/notes.ts';
import { z } from 'zod';
import {
  type Engine,
  type EngineContext,
  type EngineRequest,
  type EngineResult,
  isEngineFault,
} from './engine.ts';
import { findEngine } from './routing.ts';
import { readStoredHandle } from './stored-handle.ts';

/** A run of the engine that stands in, as a process that goes on with the job finds it. */
const StandIn = z.object({
  kind: z.literal('stand-in'),
  engine: z.string(),
  handle: z.string(),
  reason: z.string(),
  /** What the engine that failed had stored last. */
  first: z.string(),
});
type StandIn = z.infer<typeof StandIn>;

/**
 * When the engine breaks, or makes somebody else of the guests, the first of `others` that makes the request does so at once,
 * and the job says so. What is wrong with the photo stays wrong.
 */
export function withFallback(engine: Engine, others: readonly Engine[]): Engine {
  return {
    ...engine,
    timeLimitOf: (family) => limitOf(engine, family) + longestOf(others, family),
    async run(request, context) {
      const begun = readStoredHandle(StandIn, context.handle);
      const standIn = findEngine(others, request);
      if (begun && begun.engine === standIn?.name) return makeInstead(standIn, request, context, begun);
      let first = context.handle ?? '';
      const saveHandle = (handle: string) => {
        first = handle;
        return context.saveHandle(handle);
      };
      const instead = (reason: string) => ({
        kind: 'stand-in' as const,
        engine: standIn!.name,
        handle: '',
        reason,
        first,
      });
      // What a caller's own workflow makes, nothing else does.
      const isMadeInstead = standIn !== undefined && request.filter?.kind !== 'workflow';
      const isTriedAgain = (context.isTriedAgain ?? false) && !isMadeInstead;
      const made = await engine.run(request, { ...context, saveHandle, isTriedAgain }).catch((error) => {
        if (!isEngineFault(error) || context.signal.aborted || !isMadeInstead) throw error;
        return null;
      });
      if (!made) return makeInstead(standIn!, request, context, instead(`${engine.name} could not`));
      if (!made.isUnlike || !standIn) return made;
      const reason = `the picture of ${engine.name} did not show the guests as they are`;
      const once = { ...context, isTriedAgain: false };
      return makeInstead(standIn, request, once, instead(reason)).catch((error: unknown) => {
        if (context.signal.aborted) throw error;
        return made;
      });
    },
  };
}

/** Of the engines that make something of the family, the longest time limit. */
function longestOf(engines: readonly Engine[], family: FamilyName): number {
  const makers = engines.filter(({ abilities }) => abilities.some((ability) => ability.family === family));
  return Math.max(0, ...makers.map((engine) => limitOf(engine, family)));
}

function limitOf(engine: Engine, family: FamilyName): number {
  return engine.timeLimitOf?.(family) ?? familyOf(family).timeLimitMs;
}

async function makeInstead(
  other: Engine,
  request: EngineRequest,
  context: EngineContext,
  standIn: StandIn,
): Promise<EngineResult> {
  const result = await other.run(request, {
    ...context,
    handle: standIn.handle,
    // Once its run is given up, the next try begins with the first engine again.
    saveHandle: (handle) =>
      context.saveHandle(handle === '' ? standIn.first : JSON.stringify({ ...standIn, handle })),
  });
  return { ...result, applied: withMaker(result.applied, other, standIn.reason) };
}

/** Says once who made it, also where one engine after another could not. */
function withMaker(applied: readonly Note[], { name }: Engine, reason: string): Note[] {
  const last = applied.find((note) => note.kind === 'engine');
  const reasons = last ? `${reason}, and ${last.reason}` : reason;
  return [
    ...applied.filter((note) => note !== last),
    { kind: 'engine', value: last?.value ?? name, reason: reasons },
  ];
}
