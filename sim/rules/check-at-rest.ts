import type { Installation } from '../simulation/installation.ts';
import { epochMs } from '../simulation/scheduler.ts';
import type { ClientLog } from '../workload.ts';
import type { ChangeReader } from './change-log.ts';
import { hasEnded, type ObservedState } from './observed-state.ts';
import { RuleBroken } from './violation.ts';

interface Rest {
  installation: Installation;
  observed: ObservedState;
  reader: ChangeReader;
  clientLog: ClientLog;
}

/** Holds when every job has ended and nobody asks for anything. */
export function checkEnds({ observed, reader, clientLog }: Rest): void {
  for (const [action, id] of clientLog.accepted) {
    const job = observed.jobs.get(id);
    if (!job) throw new RuleBroken('ends', `${action} was told of job ${id}, which there never was`);
    if (!hasEnded(job.state)) throw new RuleBroken('ends', `${id} is still ${job.state}`);
  }
  for (const id of clientLog.erased) {
    if (!observed.jobs.get(id)!.isGone) throw new RuleBroken('ends', `${id} was erased, and is still there`);
  }
  checkKeys(observed, reader);
  checkReturns(reader);
  checkDeliveriesMade(reader);
}

interface Counted {
  what: string;
  counted: number;
  due: number;
}

/** A key has spent what its jobs cost that did not fail, those included that are gone. */
function checkKeys({ jobs }: ObservedState, reader: ChangeReader): void {
  for (const { id, spent } of reader.rows<{ id: string; spent: number }>(
    'select id, spent from credentials',
  )) {
    const due = [...jobs.values()]
      .filter(({ key_id, state }) => key_id === id && state !== 'failed')
      .reduce((sum, { price }) => sum + price, 0);
    if (spent !== due)
      throw new RuleBroken('budget', `key ${id} has spent ${spent}, and its jobs cost ${due}`);
  }
}

/** Budgets hold what was not refunded, and nothing else. */
function checkReturns(reader: ChangeReader): void {
  const counts = reader.rows<Counted>(`
    select 'event ' || e.id as what, e.spent as counted,
      (select coalesce(sum(price), 0) from event_jobs where event_id = e.id and counted = 1) as due
      from booth_events e where e.erasure_begun_at is null
    union all
    select 'guest ' || g.id, g.pictures,
      (select count(*) from event_jobs where guest_id = g.id and counted = 1 and further = 0) from event_guests g
      where (select erasure_begun_at from booth_events where id = g.event_id) is null
    union all
    select 'link ' || l.id, l.runs_used,
      (select count(*) from quick_test_runs where link_id = l.id and counted = 1) from quick_test_links l`);
  // What an erased job was counted for stays counted: its credits are spent.
  for (const { what, counted, due } of counts)
    if (counted < due) throw new RuleBroken('budget', `${what} counts ${counted}, and ${due} are due`);
  const uncounted = reader.rows<{ id: string }>(`
    select j.id from jobs j join event_jobs e on e.job_id = j.id where j.state = 'failed' and e.counted = 1
    union all
    select j.id from jobs j join quick_test_runs r on r.job_id = j.id where j.state = 'failed' and r.counted = 1`);
  for (const { id } of uncounted) throw new RuleBroken('budget', `${id} failed and is still counted`);
}

/** A job that ended told of it, once. */
function checkDeliveriesMade(reader: ChangeReader): void {
  const missing = reader.rows<{ id: string }>(`
    select id from jobs where params like '%"webhook_url":"%' and state in ('completed', 'failed')
      and not exists (select 1 from webhooks where webhooks.id = jobs.id)`);
  for (const { id } of missing) throw new RuleBroken('webhooks', `the end of ${id} is told to nobody`);
}

/** Holds when every webhook has had its time. */
export function checkDeliveries({ reader }: Rest): void {
  const pending = reader.rows<{ id: string; attempts: number }>(
    `select id, attempts from webhooks where state = 'pending'`,
  );
  for (const { id, attempts } of pending)
    throw new RuleBroken('webhooks', `${id} is still pending after ${attempts} attempts`);
}

/** Holds when the sweep has come by after everything had ended. */
export function checkPhotos({ installation, clientLog }: Rest): void {
  for (const { action, process } of clientLog.underWay)
    if (process.state === 'up') throw new RuleBroken('deadline', `${process.name} still works on ${action}`);
  for (const key of installation.storage.contents.keys())
    if (key.startsWith('inputs/')) throw new RuleBroken('inputs', `${key} is left after the end of its job`);
}

/** Holds when the daily sweep has come by: every result has its row, and every row its result until it expires. */
export function checkResults({ installation, reader }: Rest): void {
  const named = new Set(
    reader
      .rows<{ result_key: string }>('select result_key from jobs where result_key is not null')
      .map(({ result_key }) => result_key),
  );
  const stored = [...installation.storage.contents.keys()].filter((key) => key.startsWith('results/'));
  for (const key of stored)
    if (!named.has(key)) throw new RuleBroken('result', `${key} is kept, and no job names it`);
  for (const key of named)
    if (!installation.storage.contents.has(key))
      throw new RuleBroken('result', `${key} is gone before its time`);
}

/** Holds when nothing runs: every live worker says that all its slots are free. */
export function checkSlots({ reader, installation }: Rest): void {
  const up = new Set(
    [...installation.nodes.values()].filter(({ running }) => running).map(({ spec }) => spec.name),
  );
  // Of each host the last row: that of an earlier process stays as it died, with the time of a clock that may be wrong.
  const now = epochMs + installation.simulation.scheduler.now;
  const rows = reader.rows<{ host: string; running: number }>(
    `select host, running from workers
      where rowid in (select max(rowid) from workers group by host) and beat_at between ? and ?`,
    ...[now - 12_000, now + 100],
  );
  for (const { host, running } of rows)
    if (up.has(host) && running > 0)
      throw new RuleBroken('slots', `${host} holds ${running} slots and runs nothing`);
}

/** Holds a month after everything has expired: nothing of a guest is left. */
export function checkNothingKept({ installation, reader }: Rest): void {
  const [kept] = installation.storage.contents.keys();
  if (kept !== undefined) throw new RuleBroken('result', `${kept} is kept a month after it expired`);
  const [row] = reader.rows<{ id: string }>('select id from jobs');
  if (row) throw new RuleBroken('ends', `the row of ${row.id} is kept a month after it expired`);
}
