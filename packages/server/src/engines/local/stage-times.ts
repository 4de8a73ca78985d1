import type { StageTime } from '@guise/contract/job-details.ts';
import { stages } from '@guise/engine/runtime/stages.ts';

/** Does the work, and adds up how long its stages took. The engine names a stage when it begins. */
export async function timeStages<T>(work: () => Promise<T>): Promise<{ result: T; stages: StageTime[] }> {
  const times = new Map<string, number>();
  let current = 'prepare';
  let since = performance.now();
  const begin = (next: unknown) => {
    const now = performance.now();
    times.set(current, (times.get(current) ?? 0) + now - since);
    current = String(next);
    since = now;
  };
  stages.subscribe(begin);
  try {
    const result = await work();
    begin('end');
    return { result, stages: [...times].map(([stage, ms]) => ({ stage, ms: Math.round(ms) })) };
  } finally {
    stages.unsubscribe(begin);
  }
}
