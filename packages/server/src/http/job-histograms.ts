import { Counter, Histogram, type Registry } from 'prom-client';
import type { JobMetrics } from '../jobs/job-metrics.ts';

/** Seconds: pictures take some, videos some minutes, and a job waits as long as the queue is. */
const buckets = [0.1, 0.5, 1, 2, 5, 10, 20, 60, 180, 600, 1800];

const likenessBuckets = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/** How long jobs of each family wait and run, and what the servers of engines took for them. */
export function jobHistograms(registry: Registry): JobMetrics {
  const shared = { buckets, registers: [registry] };
  const wait = new Histogram({
    name: 'guise_job_wait_seconds',
    help: 'How long a job was due before a worker claimed it.',
    labelNames: ['family'],
    ...shared,
  });
  const run = new Histogram({
    name: 'guise_job_run_seconds',
    help: 'How long a worker ran a job, by how the run ended.',
    labelNames: ['family', 'outcome'],
    ...shared,
  });
  const counter = (name: string, help: string, ...more: string[]) =>
    new Counter({ name, help, labelNames: ['engine', 'server', ...more], registers: [registry] });
  const attempts = counter('guise_engine_attempts_total', 'Jobs that a server was given.', 'made');
  const gpuSeconds = counter('guise_engine_gpu_seconds_total', 'How long a server was at work for jobs.');
  const cost = counter(
    'guise_engine_cost_usd_total',
    'What jobs cost there, in US dollars, where it is known.',
  );
  const likeness = new Histogram({
    name: 'guise_engine_likeness',
    help: 'How like the photo whoever came out least like it is, in pictures that an engine generated.',
    labelNames: ['engine'],
    buckets: likenessBuckets,
    registers: [registry],
  });
  return {
    attempted({ engine, server, made, ...spent }) {
      attempts.inc({ engine, server, made: String(made) });
      if (spent.gpuSeconds !== undefined) gpuSeconds.inc({ engine, server }, spent.gpuSeconds);
      if (spent.likeness !== undefined) likeness.observe({ engine }, spent.likeness);
      if (spent.cost !== undefined) cost.inc({ engine, server }, spent.cost);
    },
    claimed: (family, waitedMs) => wait.observe({ family }, waitedMs / 1000),
    ended: (family, outcome, ranMs) => run.observe({ family, outcome }, ranMs / 1000),
  };
}
