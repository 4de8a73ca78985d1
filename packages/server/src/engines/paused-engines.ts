import type { Ability, Engine } from './engine.ts';

/** An engine that can be told to take no new jobs. Those that it has end. */
export type PausableEngine = Engine & {
  /** What it makes when it is not paused. */
  readonly wholeAbilities: readonly Ability[];
  readonly isPaused: boolean;
  setPaused(paused: boolean): void;
};

const isPausable = (engine: Engine): engine is PausableEngine => 'setPaused' in engine;

/** While it is paused it makes nothing, so that jobs go to others or wait. */
export function makePausable(engine: Engine): PausableEngine {
  if (isPausable(engine)) return engine;
  let isPaused = false;
  const added: PropertyDescriptorMap = {
    abilities: { get: () => (isPaused ? [] : engine.abilities) },
    wholeAbilities: { get: () => engine.abilities },
    isPaused: { get: () => isPaused },
    setPaused: {
      value(paused: boolean) {
        isPaused = paused;
      },
    },
  };
  // Everything else is the engine's own, also what it changes later.
  return Object.create(engine, added);
}

/** The same engine as if it were not paused. */
export const asIfResumed = (engine: Engine): Pick<Engine, 'name' | 'slots' | 'abilities'> =>
  isPausable(engine)
    ? {
        name: engine.name,
        abilities: engine.wholeAbilities,
        ...(engine.slots !== undefined && { slots: engine.slots }),
      }
    : engine;

export const isEnginePaused = (engine: Engine): boolean => isPausable(engine) && engine.isPaused;
