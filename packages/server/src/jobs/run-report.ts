import type { StageTime } from '@guise/contract/job-details.ts';
import { z } from 'zod';
import { readJson } from '../store/json-column.ts';
import type { JobRow } from '../store/schema.ts';
import { hasEnded } from './read.ts';

/** What came of handing a job to a server, with its time. */
const TimedAttempt = z.object({
  server: z.string(),
  cause: z.string().nullable(),
  at: z.number(),
  /** How long the job was with it. */
  seconds: z.number().optional(),
  /** How long the server was at work for it. */
  gpu_seconds: z.number().optional(),
  /** In US dollars. */
  cost: z.number().optional(),
  /** How like the photo whoever came out least like it is. */
  likeness: z.number().optional(),
});
export type TimedAttempt = z.infer<typeof TimedAttempt>;

/** What is kept of a job's runs in its row: how long the parts of the last one took, and the servers of all. */
const RunReport = z.object({
  /** Signing and storing the result, after the engine was done. */
  storing: z.number().default(0),
  /** The engine's stages, where it reports them. */
  engine: z.array(z.object({ stage: z.string(), ms: z.number() })).default([]),
  /** The servers that the job was with, in all its runs. */
  attempts: z.array(TimedAttempt).default([]),
});
export type RunReport = z.infer<typeof RunReport>;

/** What servers took for a job: seconds at work and US dollars, as far as they tell it. */
export interface Spent {
  gpu_seconds: number;
  cost: number;
}

export const spentOn = (attempts: readonly TimedAttempt[]): Spent => ({
  gpu_seconds: attempts.reduce((sum, { gpu_seconds = 0 }) => sum + gpu_seconds, 0),
  cost: attempts.reduce((sum, { cost = 0 }) => sum + cost, 0),
});

const empty: Readonly<RunReport> = { storing: 0, engine: [], attempts: [] };
/** A job that its servers lose again and again has more. */
const mostAttempts = 20;

export function writeRunReport(report: Partial<RunReport>): string {
  const { attempts = [], ...rest } = report;
  return JSON.stringify({ ...empty, ...rest, attempts: attempts.slice(-mostAttempts) });
}

/** Without times for jobs that did not complete, and without what earlier versions did not write. */
export function readRunReport({ run_report }: Pick<JobRow, 'run_report'>): RunReport {
  return run_report === null ? empty : readJson(RunReport, run_report);
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
