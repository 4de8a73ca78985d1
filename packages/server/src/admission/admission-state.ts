import type { Admission } from './admission.ts';
import { type AdmissionRow, admissionTable, type GateName } from './admission-table.ts';
import type { GateCounts, GateUse } from './gate.ts';
import { storedQueues } from './stored-queues.ts';

/** A row of the table, as it is now. */
export interface RowState extends GateCounts {
  name: string;
  title: string;
  owner: AdmissionRow['owner'];
  /** Null where the workers decide. */
  atOnce: number | null;
  users: GateUse[];
}

/** What an account has in a stored queue. */
export interface StoredUse {
  account_id: string;
  purpose: 'preview' | 'try' | 'check';
  /** Of which some wait. */
  count: number;
  waiting: number;
}

const storedPurposes = { filter_tests: 'try', previews: 'preview', draft_checks: 'check' } as const;

/** Every row, with who has how much of it and who waits. */
export function admissionStates(admission: Admission, stored: readonly StoredUse[]): RowState[] {
  const gates = Object.entries(admission).map(([name, gate]) => {
    const { title, owner } = admissionTable[name as GateName];
    return { name, title, owner, atOnce: gate.limits.atOnce, ...gate.counts, users: gate.users };
  });
  const queues = Object.entries(storedQueues).map(([name, { title, owner }]) => {
    const purpose = storedPurposes[name as keyof typeof storedPurposes];
    const users = stored
      .filter((use) => use.purpose === purpose)
      .map(({ account_id, count, waiting }) => ({ owner: account_id, running: count - waiting, waiting }))
      .sort((a, b) => b.waiting - a.waiting || b.running - a.running);
    const sum = (of: 'running' | 'waiting') => users.reduce((total, use) => total + use[of], 0);
    const counts = { running: sum('running'), waiting: sum('waiting'), refused: 0, waitedSeconds: 0 };
    return { name, title, owner, atOnce: null, ...counts, users };
  });
  return [...gates, ...queues];
}
