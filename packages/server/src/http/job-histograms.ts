import { Histogram, type Registry } from 'prom-client';
import type { JobMetrics } from '../jobs/job-metrics.ts';

/** Seconds: pictures take some, videos some minutes, and a job waits as long as the queue is. */
const buckets = [0.1, 0.5, 1, 2, 5, 10, 20, 60, 180, 600, 1800];

/** How long jobs of each family wait and run. */
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
  return {
    claimed: (family, waitedMs) => wait.observe({ family }, waitedMs / 1000),
    ended: (family, outcome, ranMs) => run.observe({ family, outcome }, ranMs / 1000),
  };
}
