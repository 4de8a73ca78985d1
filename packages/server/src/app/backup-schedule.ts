import { statfs } from 'node:fs/promises';
import type { Backup } from '@guise/contract/operator/operator.ts';

const firstPauseMs = 60_000;
const longestPauseMs = 3600_000;

/** When backups are made by themselves. `Ms` are of a clock that nobody sets, `now` is the time of day. */
export interface BackupSchedule {
  isDue(backups: readonly Backup[], now: number, monotonicMs: number): boolean;
  /** After every try, also of one that was asked for. */
  tried(failed: boolean, monotonicMs: number): void;
}

/** One that failed is tried again after a minute, and then ever rarer: what was in its way may take long to go. */
export function createBackupSchedule(everyMs: number): BackupSchedule {
  let failures = 0;
  let failedAt = Number.NEGATIVE_INFINITY;
  const pauseMs = () => Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs, everyMs);
  return {
    isDue(backups, now, monotonicMs) {
      if (failures > 0 && monotonicMs - failedAt < pauseMs()) return false;
      // The clock was set back since those of the future were made.
      const newest = backups.map(({ made_at }) => Date.parse(made_at)).find((madeAt) => madeAt <= now);
      return newest === undefined || now - newest >= everyMs;
    },
    tried(failed, monotonicMs) {
      failures = failed ? failures + 1 : 0;
      failedAt = monotonicMs;
    },
  };
}

/** Why there is hardly room for another backup, which is about as large as the newest one; null where there is. */
export async function spaceProblem(folder: string, newest: Backup | undefined): Promise<string | null> {
  if (!newest) return null;
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= newest.bytes) return null;
  return `There is no room for a backup in ${folder}: the newest one has ${gigabytes(newest.bytes)}, and ${gigabytes(free)} are free.`;
}

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
