import type { Logger } from 'pino';
import { isStorageAway } from '../store/storage-unavailable.ts';

/** Where maintenance reports the rows that it could not handle. */
export interface RowFailures {
  record(task: string, row: string, error: unknown): void;
  /** How many there were so far, by task. */
  counts: ReadonlyMap<string, number>;
}

export function createRowFailures(log: Logger): RowFailures {
  const counts = new Map<string, number>();
  return {
    counts,
    record(task, row, error) {
      counts.set(task, (counts.get(task) ?? 0) + 1);
      log.error({ err: error, task, row }, 'a row could not be handled');
    },
  };
}

/** One of the rows that a task of maintenance handles. */
export interface TaskRow {
  task: string;
  id: string;
}

/** Works on a row by itself: where that fails, it is reported and the rows after it are not kept waiting. */
export async function isolateRowFailure(
  failures: RowFailures,
  { task, id }: TaskRow,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isStorageAway(error)) throw error;
    failures.record(task, id, error);
  }
}
