import type { AdmissionList } from '@guise/contract/operator/operator.ts';
import { admissionStates, type RowState } from '../../admission/admission-state.ts';
import { findAccount } from '../../store/account-records.ts';
import type { Db } from '../../store/db.ts';
import { findEventById } from '../../store/events/event-records.ts';
import { countRendersByAccount } from '../../store/render-records.ts';
import type { HttpParts } from '../parts.ts';

/** So many of those who have something, or wait for it, are named. */
const mostNamed = 10;

/** Who has what of everything that callers share, and who waits for it. */
export async function readAdmission({
  db,
  admission,
}: Pick<HttpParts, 'db' | 'admission'>): Promise<AdmissionList> {
  const states = admissionStates(admission, await db.all(countRendersByAccount, {}));
  const rows = states.map(async ({ atOnce, waitedSeconds, owner, users, ...row }) => ({
    ...row,
    at_once: atOnce,
    waited_seconds: Math.round(waitedSeconds * 10) / 10,
    users: await Promise.all(
      users.slice(0, mostNamed).map(async (use) => ({ ...use, owner: await nameOf(db, owner, use.owner) })),
    ),
  }));
  return { rows: await Promise.all(rows), next_cursor: null };
}

/** An account's email, an event's name or an address. Before there is an account, it is the address of whoever asks. */
async function nameOf(db: Db, kind: RowState['owner'], id: string): Promise<string> {
  if (kind === 'address') return id;
  const found =
    kind === 'event'
      ? (await db.one(findEventById, { id }))?.name
      : (await db.one(findAccount, { id }))?.email;
  return found ?? id;
}
