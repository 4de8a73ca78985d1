import type { JobMetrics } from '../jobs/job-metrics.ts';

/** Seconds: pictures take some, videos some minutes, and a job waits as long as the queue is. */
const buckets = [0.1, 0.5, 1, 2, 5, 10, 20, 60, 180, 600, 1800];

export interface JobHistograms extends JobMetrics {
  /** In the text format of Prometheus. */
  render(): Promise<string>;
}

/** How long jobs of each family wait and run. The library is loaded with the first job. */
export function jobHistograms(): JobHistograms {
  let loading: ReturnType<typeof load> | undefined;
  const histograms = () => {
    loading ??= load();
    return loading;
  };
  return {
    claimed(family, waitedMs) {
      void histograms().then(({ wait }) => wait.observe({ family }, waitedMs / 1000));
    },
    ended(family, outcome, ranMs) {
      void histograms().then(({ run }) => run.observe({ family, outcome }, ranMs / 1000));
    },
    render: async () => (await histograms()).registry.metrics(),
  };
}

async function load() {
  const { Histogram, Registry } = await import('prom-client');
  const registry = new Registry();
  const wait = new Histogram({
    name: 'guise_job_wait_seconds',
    help: 'How long a job was due before a worker claimed it.',
    labelNames: ['family'],
    buckets,
    registers: [registry],
  });
  const run = new Histogram({
    name: 'guise_job_run_seconds',
    help: 'How long a worker ran a job, by how the run ended.',
    labelNames: ['family', 'outcome'],
    buckets,
    registers: [registry],
  });
  return { registry, wait, run };
}
