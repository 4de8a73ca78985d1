import type { Random } from '../random.ts';
import type { Timeline } from '../timeline.ts';
import type { Scheduler, SimulatedProcess } from './scheduler.ts';

/** What the outermost parts of a simulation stand on. */
export interface Simulation {
  scheduler: Scheduler;
  random: Random;
  timeline: Timeline;
  conditions: Conditions;
  /** What each run was drawn to do, by `JOB-TOKEN`. */
  outcomes: Map<string, string>;
  /** Jobs that an operator took from their workers. */
  takenByOperator: Set<string>;
  /** What happens when the worker of a name begins its next run. */
  onRun: Map<string, () => void>;
}

/** What is wrong with the surroundings now. Faults set it, and take it back at their end. */
export interface Conditions {
  database: 'ok' | 'away' | 'slow' | 'dropping' | 'full';
  storage: 'ok' | 'slow' | 'silent' | 'stalling' | 'full' | 'failing';
  /** Whether messages between processes get lost. */
  losesMessages: boolean;
  engines: 'ok' | 'reliable' | 'hanging' | 'breaking' | 'slow';
  receivers: 'ok' | 'hanging' | 'refusing';
}

export const fineConditions = (): Conditions => ({
  database: 'ok',
  storage: 'ok',
  losesMessages: false,
  engines: 'ok',
  receivers: 'ok',
});

/** A call over the network: the request travels, is served whether or not its caller still lives, and is answered. */
export async function call<T>(
  { scheduler }: Simulation,
  server: SimulatedProcess,
  latencyMs: () => number,
  serve: () => Promise<T>,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const caller = scheduler.current;
  scheduler.schedule(
    latencyMs(),
    () => {
      serve().then(
        (result) => scheduler.schedule(latencyMs(), () => resolve(result), caller),
        (error) => scheduler.schedule(latencyMs(), () => reject(error), caller),
      );
    },
    server,
  );
  return promise;
}
