import type { Installation } from '../simulation/installation.ts';
import { epochMs } from '../simulation/scheduler.ts';
import type { ChangeReader } from './change-log.ts';
import { RuleBroken } from './violation.ts';

interface JobRow {
  state: string;
  result_key: string | null;
  expires_at: number;
}

/** Holds whenever a blob is removed: nobody needs it any more. */
export function watchRemovals({ simulation }: Installation, reader: ChangeReader): (key: string) => void {
  return (key) => {
    const id = key.slice(key.lastIndexOf('/') + 1).slice(0, 36);
    const [job] = reader.rows<JobRow>('select state, result_key, expires_at from jobs where id = ?', id);
    if (!job) return;
    if (key.startsWith('inputs/') && (job.state === 'queued' || job.state === 'running'))
      throw new RuleBroken('inputs', `${key} was removed while ${id} was ${job.state}`);
    // Clocks of machines jump by hours, and results are kept for days.
    const isFresh = job.expires_at > epochMs + simulation.scheduler.now + 3 * 3600_000;
    if (key === job.result_key && job.state === 'completed' && isFresh)
      throw new RuleBroken('result', `${key} was removed, and ${id} still names it`);
  };
}
