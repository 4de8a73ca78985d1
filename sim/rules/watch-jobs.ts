import type { Ability } from '@guise/server/engines/engine.ts';
import type { FaultTimes } from '../inject-faults.ts';
import type { Installation } from '../simulation/installation.ts';
import { epochMs } from '../simulation/scheduler.ts';
import type { ChangeReader, Handlers, JobChange, JobInsert, Needs } from './change-log.ts';
import { hasEnded, type ObservedJob, type ObservedState } from './observed-state.ts';
import { RuleBroken } from './violation.ts';

/** Rules of a job's way from acceptance to its end. */
export function watchJobs(
  installation: Installation,
  observed: ObservedState,
  { reader, faults }: { reader: ChangeReader; faults: FaultTimes },
): Handlers {
  const { simulation } = installation;
  const { jobs } = observed;
  const { scheduler, timeline } = simulation;
  const note = (what: string) => timeline.add(scheduler.now, 'database', what);
  const end = (job: ObservedJob, { to, result_key, error }: JobChange) => {
    job.endedAt = scheduler.now;
    observed.unended--;
    note(`${job.id} has ${to}${error === null ? '' : `: ${error}`}`);
    if (to === 'completed') checkResult(installation, job, result_key);
    if (error === noEngineSentence) checkNoEngine(installation, job);
  };
  return {
    'job-new'(change) {
      timeline.name(change.id, 'J');
      note(`${change.id} is accepted: ${change.family} for ${change.account}, turn ${change.turn}`);
      checkAccepted(installation, change, jobs);
      observed.unended++;
      const untouched = { state: 'queued', claim: 0, worker: null, claimedAt: null, endedAt: null };
      jobs.set(change.id, { ...change, ...untouched, net: 0, acceptedAt: scheduler.now, isGone: false });
    },
    job(change, by) {
      const job = jobs.get(change.id)!;
      checkToken(change);
      checkFailure(job, change, by);
      const { claimedAt } = job;
      Object.assign(job, { state: change.to, claim: change.claim, worker: change.worker });
      if (change.from === change.to) return;
      const worker = change.worker?.split(':')[0] ?? '';
      if (change.to === 'running') {
        job.claimedAt = scheduler.now;
        note(`${job.id} is claimed by ${worker}, token ${change.claim}`);
        checkClaim(installation, job, worker, reader);
      } else if (change.to === 'queued') {
        note(`${job.id} is queued again, ${change.retries} retries, ${change.losses} losses`);
        const isLost = change.losses > change.losses_before && !simulation.takenByOperator.has(job.id);
        if (isLost) checkLoss(installation, faults, { ...job, claimedAt });
      } else {
        end(job, change);
      }
    },
    'job-gone'({ id, from }) {
      if (!hasEnded(from)) throw new RuleBroken('ends', `${id} was deleted while it was ${from}`);
      jobs.get(id)!.isGone = true;
      note(`${id} is deleted`);
    },
    'failed-run'({ job: id, claim, engine_ms }) {
      const outcome = simulation.outcomes.get(`${id}-${claim}`);
      const [row] = reader.rows<{ cancelled: number }>('select cancelled from jobs where id = ?', id);
      note(`${engine_ms} ms of ${id} count against its account`);
      if (outcome === 'refuses' || outcome === 'is unfit' || !row || row.cancelled === 1) return;
      throw new RuleBroken('blame', `${engine_ms} ms of ${id} were counted, and its engine ${outcome}`);
    },
  };
}

/** Photos are stored before the row that names them, and a request that is repeated is accepted once. */
function checkAccepted(
  { storage }: Installation,
  { id, via, inputs }: JobInsert,
  jobs: ObservedState['jobs'],
): void {
  for (const other of via === null ? [] : jobs.values())
    if (other.via === via) throw new RuleBroken('ends', `${id} is a second job of ${via}`);
  for (const key of JSON.parse(inputs) as string[])
    if (!storage.contents.has(key))
      throw new RuleBroken('inputs', `${id} was accepted, and ${key} is not stored`);
}

/** As `routing.ts` says it. */
const noEngineSentence = 'This server has no engine for this kind of job yet.';
/** As `no-engine.ts` sets it. */
const noEngineMs = 5 * 60_000;

function checkNoEngine({ nodes, simulation }: Installation, job: ObservedJob): void {
  const isMakeable = [...nodes.values()].some(
    ({ spec, isWanted }) => isWanted && spec.abilities.some((ability) => isMadeBy(ability, job)),
  );
  if (isMakeable && simulation.scheduler.now - job.acceptedAt < noEngineMs - 1000)
    throw new RuleBroken(
      'routing',
      `${job.id} failed for want of an engine while its worker was about to start`,
    );
}

/** Longer than a lease and the time until somebody looks. */
const lossMs = 60_000;

/** A job is taken only from a worker that could not renew its lease. */
function checkLoss(
  { nodes, simulation, isEmbedded }: Installation,
  faults: FaultTimes,
  { id, worker, claimedAt }: ObservedJob,
): void {
  const { now } = simulation.scheduler;
  const [name = ''] = worker?.split(':') ?? [];
  const process = nodes.get(name)?.process;
  if (isEmbedded || !process || claimedAt === null) return;
  const isAlive = process.state === 'up' && process.startedAt < claimedAt;
  if (isAlive && now - claimedAt > 1000 && faults.takenBetween(now - lossMs, now) === 0)
    throw new RuleBroken('lease', `${id} was taken from ${name}, which was alive and well`);
}

function checkToken({ id, from, to, claim, claim_before }: JobChange): void {
  if (hasEnded(from) && from !== to) throw new RuleBroken('ends', `${id} went from ${from} to ${to}`);
  if (claim < claim_before) throw new RuleBroken('fencing', `the token of ${id} went back to ${claim}`);
  // A result is kept under the token that it was made with; every other change ends that token.
  const isRaised = claim > claim_before;
  if (from !== to && to !== 'completed' && !isRaised)
    throw new RuleBroken(
      'fencing',
      `${id} went from ${from} to ${to}, and its last holder still has a valid token`,
    );
}

/** As `requeue-expired.ts` sets it. */
const maxLosses = 10;

/** Apart from callers who cancel it and jobs that nobody makes, a job is failed by the worker that holds it. */
function checkFailure(
  { id, state, worker }: ObservedJob,
  { to, error, cancelled, losses }: JobChange,
  by: string,
): void {
  if (to !== 'failed' || cancelled === 1 || error === noEngineSentence || losses >= maxLosses) return;
  const holder = state === 'running' ? worker?.split(':')[0] : 'nobody';
  if (by !== holder) throw new RuleBroken('fencing', `${by} failed ${id}, which ${holder} held: ${error}`);
}

/** The nodes measure the database's clock to some milliseconds. */
const doubtMs = 50;

interface QueuedRow extends Needs {
  id: string;
  turn: number;
  account_id: string;
}

function checkClaim(
  { nodes, isEmbedded, accountConcurrency, simulation }: Installation,
  job: ObservedJob,
  worker: string,
  reader: ChangeReader,
): void {
  const spec = nodes.get(worker)?.spec;
  if (!spec) return;
  const makes = (needs: Needs) => isEmbedded || spec.abilities.some((ability) => isMadeBy(ability, needs));
  if (!makes(job))
    throw new RuleBroken('routing', `${worker} claimed ${job.id} and makes no such ${job.family}`);
  if (accountConcurrency > 0 && countRunning(reader, job.account) > accountConcurrency)
    throw new RuleBroken('order', `${job.account} has more than ${accountConcurrency} jobs running at once`);
  const before = epochMs + simulation.scheduler.now - doubtMs;
  // In an embedded installation, times of rows are those of a clock that jumps.
  if (isEmbedded) return;
  const earlier = reader
    .rows<QueuedRow>(
      `select * from jobs where state = 'queued' and (turn, id) < (?, ?) and run_after <= ? and created_at <= ?`,
      ...[job.turn, job.id, before, before],
    )
    .filter((row) => makes(row) && !isAtLimit(reader, row.account_id, accountConcurrency));
  if (earlier.length === 0) return;
  throw new RuleBroken(
    'order',
    `${worker} claimed ${job.id} before ${earlier.map(({ id }) => id).join(', ')}`,
  );
}

function isAtLimit(reader: ChangeReader, account: string, limit: number): boolean {
  return limit > 0 && countRunning(reader, account) >= limit;
}

function countRunning(reader: ChangeReader, account: string): number {
  const sql = `select count(*) as running from jobs where state = 'running' and account_id = ?`;
  return reader.rows<{ running: number }>(sql, account)[0]!.running;
}

/** Before a job is seen as completed, its result is there. */
function checkResult({ storage }: Installation, job: ObservedJob, key: string | null): void {
  const blob = key === null ? undefined : storage.contents.get(key);
  if (!key?.includes(`${job.id}-${job.claim}.`))
    throw new RuleBroken('fencing', `${job.id} was completed by a worker that had lost it: ${key}`);
  if (!blob) throw new RuleBroken('result', `${job.id} completed, and its result ${key} is not stored`);
  const bytes = key!.endsWith('.b64') ? Buffer.from(blob.bytes.toString(), 'base64') : blob.bytes;
  if (!bytes.toString('latin1').includes(job.id))
    throw new RuleBroken('result', `${job.id} completed with the result of another job`);
}

/** What an engine says that it makes, read anew and not by the code that is tested. */
export function isMadeBy(ability: Ability, needs: Needs): boolean {
  const { family, kinds, exceptKinds, filters, models, photos } = ability;
  const allows = (list: readonly unknown[] | undefined, value: unknown) => !list || list.includes(value);
  if (family !== needs.family || exceptKinds?.some((kind) => kind === needs.filter_kind)) return false;
  return (
    allows(kinds, needs.filter_kind) &&
    allows(filters, needs.filter_ref) &&
    allows(models, needs.model) &&
    allows(photos, needs.photo_count)
  );
}
