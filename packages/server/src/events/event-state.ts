import type { BoothEventState } from '@guise/contract/events/events.ts';
import { AppError } from '../errors.ts';
import { isKeyInForce } from '../store/accounts/lineages.ts';
import type { Db } from '../store/db.ts';
import type { EventRow } from '../store/events/event-schema.ts';

export const eventNotFound = () => new AppError('EVENT_NOT_FOUND', 'There is no event with this id.');

const ended = () => new AppError('EVENT_ENDED', 'This event has ended. Thank you for being there.');
const notBegun = () =>
  new AppError('EVENT_NOT_BEGUN', 'This event has not begun. Come back when the doors are open.');
export const eventPaused = (cause?: AppError) =>
  new AppError('EVENT_PAUSED', 'There is a short break. Try again in a while.', {
    cause,
    headers: { 'retry-after': cause?.headers?.['retry-after'] ?? '60' },
  });
const budgetSpent = () =>
  new AppError(
    'EVENT_BUDGET_SPENT',
    'All pictures of this event have been taken. Thank you for being there.',
  );

/** An event counts as paused while the key that made it is revoked or has expired: until somebody else changes it. */
export async function pausedWithMaker(db: Db, row: EventRow): Promise<EventRow> {
  return (await isKeyInForce(db, row.made_by, db.now())) ? row : { ...row, paused: 1 };
}

/** Whether guests can be served, and if not, why. A budget counts as spent when nothing is left of it. */
export function eventStateOf(row: EventRow, now: number): BoothEventState {
  if (row.erasure_begun_at !== null) return 'erased';
  if (row.closed === 1 || row.ends_at <= now) return 'ended';
  if (row.starts_at > now) return 'planned';
  if (row.paused === 1) return 'paused';
  return row.budget !== null && row.spent >= row.budget ? 'budget_spent' : 'open';
}

/** Why a job was not accepted, in words for guests; a budget that does not cover its price counts as spent. */
export function refusalOf(row: EventRow | undefined, now: number): AppError {
  switch (row && eventStateOf(row, now)) {
    case 'planned':
      return notBegun();
    case 'paused':
      return eventPaused();
    case 'open':
    case 'budget_spent':
      return budgetSpent();
    default:
      return ended();
  }
}

const hourMs = 3600_000;

/** How long results are kept: never longer than those of other jobs. */
export function keptMsOf({ result_hours }: Pick<EventRow, 'result_hours'>, resultMs: number): number {
  return result_hours === null ? resultMs : Math.min(resultMs, result_hours * hourMs);
}
