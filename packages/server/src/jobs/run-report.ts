import type { StageTime } from '@guise/contract/job-details.ts';
import type { JobRow } from '../store/schema.ts';
import { hasEnded } from './read.ts';

/** How long the parts of a run took, as the job's row keeps it. */
export interface RunReport {
  /** Signing and storing the result, after the engine was done. */
  storing: number;
  /** The engine's stages, where it reports them. */
  engine: StageTime[];
}

export function writeRunReport(report: RunReport): string {
  return JSON.stringify(report);
}

/** Empty for jobs that did not complete, and for those of earlier versions. */
export function readRunReport({ run_report }: Pick<JobRow, 'run_report'>): RunReport {
  return run_report === null ? { storing: 0, engine: [] } : (JSON.parse(run_report) as RunReport);
}

type Timed = Pick<
  JobRow,
  'state' | 'claim' | 'run_after' | 'started_at' | 'created_at' | 'finished_at' | 'run_report'
>;

/** The parts of a job's time so far, in order. Nothing where they are not known. */
export function timingsOf(job: Timed, now: number): StageTime[] {
  const { created_at, run_after, started_at } = job;
  const until = job.finished_at ?? now;
  // A job that goes back to the queue gets a later `run_after`.
  const earlier = run_after > created_at ? [stage('earlier attempts', created_at, run_after)] : [];
  if (started_at === null || started_at < run_after) {
    if (hasEnded(job) && started_at === null && wasClaimed(job)) return [];
    return [...earlier, stage('waiting', run_after, until)];
  }
  const { storing } = readRunReport(job);
  return [
    ...earlier,
    stage('waiting', run_after, started_at),
    stage('running', started_at, until - storing),
    ...(job.state === 'completed' ? [{ stage: 'storing', ms: storing }] : []),
  ];
}

/** Cancelling a job in the queue raises its claim once; every worker that takes it does so too. */
function wasClaimed({ state, claim }: Timed): boolean {
  return state === 'completed' || claim > 1;
}

function stage(name: string, from: number, to: number): StageTime {
  return { stage: name, ms: Math.max(0, Math.round(to - from)) };
}
