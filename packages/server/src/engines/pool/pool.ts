import type { Ability, Engine } from '../engine.ts';
import { type ChildPoolOptions, childPool, nothingToTell } from './child-pool.ts';

export interface PoolOptions extends ChildPoolOptions {
  name: string;
  abilities: readonly Ability[];
  /** Whether its runners find faces: those of templates, and those of generated pictures. */
  findsFaces?: boolean;
}

/**
 * An engine whose work runs in child processes: the HTTP thread never waits for a pixel, native code that crashes
 * takes one job's try with it and not the server, and what will not stop can be killed.
 */
export function processPool(options: PoolOptions): Engine {
  const { doWork, close } = childPool(options);
  return {
    name: options.name,
    runsHere: true,
    abilities: options.abilities,
    run: (request, context) => doWork({ type: 'run', request, handle: context.handle }, context),
    ...(options.findsFaces && {
      checkTemplate: (file, signal) => doWork({ type: 'check-template', file }, { signal, ...nothingToTell }),
      findGuests: (photos, signal) => doWork({ type: 'find-guests', photos }, { signal, ...nothingToTell }),
      checkIdentity: (made, signal) => doWork({ type: 'check-identity', made }, { signal, ...nothingToTell }),
    }),
    close,
  };
}
