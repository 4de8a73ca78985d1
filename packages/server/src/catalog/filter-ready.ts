import type { FilterReady, FilterReadyChange } from '@guise/contract/qa-runs.ts';
import { isoTime } from '../iso-time.ts';
import { changedElsewhere } from '../precondition.ts';
import type { Db } from '../store/db.ts';
import { setReady } from '../store/filter-records.ts';
import { readCustomFilter } from './custom-filters.ts';

/**
 * A person says that the current version of a filter may go live, or that it may not after all. No pass rate does so by
 * itself. `CHANGED_ELSEWHERE` when the person has seen another version than the current one.
 */
export async function changeReady(
  db: Db,
  person: { id: string; email: string },
  filterId: string,
  { version, ready }: FilterReadyChange,
): Promise<FilterReady> {
  await readCustomFilter(db, person.id, filterId);
  const said = ready ? { ready_by: person.email, ready_at: db.now() } : { ready_by: null, ready_at: null };
  const rows = await db.run(setReady, { id: filterId, account_id: person.id, version, ...said });
  if (rows === 0) throw changedElsewhere();
  return {
    filter_id: filterId,
    version,
    ready,
    by: said.ready_by,
    at: said.ready_at === null ? null : isoTime(said.ready_at),
  };
}
