import { openStorage } from '../app/storage.ts';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { isoTime } from '../iso-time.ts';
import { readWorkers } from '../jobs/worker-registry.ts';
import type { Db } from '../store/db.ts';
import { listDeadLetters } from '../store/dead-letters.ts';
import { findJobById, listJobsByState } from '../store/job-records.ts';
import { count, type Flags, needed, print } from './flags.ts';

/** What an operator asks of the workers and the queue. */
export async function showWorkers(db: Db, flags: Flags): Promise<void> {
  const rows = (await readWorkers(db)).map((row) => ({
    ...row,
    started_at: isoTime(row.started_at),
    beat_at: isoTime(row.beat_at),
  }));
  print(
    flags,
    rows,
    rows.map(({ id, host, pid, engines, running, concurrency, draining, started_at }) => {
      const made = engines.map(({ name, abilities }) => `${name} (${abilities.length} families)`).join(', ');
      const state = draining ? 'draining' : 'working ';
      return `${id}  ${host}:${pid}  ${running}/${concurrency}  ${state}  since ${started_at}  ${made}`;
    }),
  );
}

const jobStates = ['queued', 'running', 'completed', 'failed'] as const;

export async function showJobs(db: Db, flags: Flags): Promise<void> {
  const state = jobStates.find((name) => name === (flags.state ?? 'queued'));
  if (!state) throw new AppError('USAGE', `--state must be one of ${jobStates.join(', ')}.`);
  const rows = (await db.all(listJobsByState, { state, limit: count(flags.limit ?? '50', 'limit') })).map(
    (row) => ({
      ...row,
      created_at: isoTime(row.created_at),
    }),
  );
  print(
    flags,
    rows,
    rows.map((row) => {
      const tries = `retries ${row.retries}, losses ${row.losses}`;
      const says = row.error ?? `${Math.round(row.progress * 100)} %`;
      return `${row.id}  ${row.created_at}  ${row.state.padEnd(9)}  ${row.family}  ${row.email}  ${tries}  ${says}`;
    }),
  );
}

export async function showDeadLetters(db: Db, flags: Flags): Promise<void> {
  const rows = (await db.all(listDeadLetters, { limit: count(flags.limit ?? '50', 'limit') })).map((row) => ({
    ...row,
    created_at: isoTime(row.created_at),
  }));
  print(
    flags,
    rows,
    rows.map(
      (row) =>
        `${row.job_id}  ${row.created_at}  ${row.family}  retries ${row.retries}, losses ${row.losses}  ${row.reason.split('\n')[0]}`,
    ),
  );
}

/** Only a job that is held can be retried: one that has ended was refunded, and its photos are deleted. */
export async function retryJob(config: Config, flags: Flags): Promise<void> {
  const id = needed(flags, 'id');
  const { db, queue, close } = await openStorage(config);
  try {
    const job = await db.one(findJobById, { id });
    if (!job) throw new AppError('USAGE', `There is no job ${id}.`);
    if (job.state === 'queued') throw new AppError('USAGE', `${id} already waits to be taken.`);
    const claim = { job, token: job.claim };
    const back =
      job.state === 'running' && (await db.transaction((tx) => queue.requeue(tx, claim, Date.now(), 'loss')));
    if (!back) {
      throw new AppError(
        'USAGE',
        `${id} has ended: its credits are settled and its photos deleted, so its caller must submit it anew.`,
      );
    }
    print(flags, { id, state: 'queued' }, [`${id} waits for another worker.`]);
  } finally {
    await close();
  }
}
