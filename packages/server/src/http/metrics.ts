import type { JobMetrics } from '../jobs/job-metrics.ts';
import { readWorkers } from '../jobs/worker-registry.ts';
import type { Db } from '../store/db.ts';
import { countDeadLetters } from '../store/dead-letters.ts';
import { countJobs, queueDepth } from '../store/job-records.ts';
import { jobHistograms } from './job-histograms.ts';

export interface Metrics {
  readonly jobs: JobMetrics;
  answered(route: string, status: number, seconds: number): void;
  render(): Promise<{ type: string; text: string }>;
}

/**
 * Figures for Prometheus: answers by route, the queue, the workers, jobs, and the process itself. Counting costs two
 * additions an answer; the library that renders is loaded when it is first asked for.
 */
export function httpMetrics(db: Db): Metrics {
  const routes = new Map<string, Map<number, { count: number; seconds: number }>>();
  const jobs = jobHistograms();
  let rendering: ReturnType<typeof registry> | undefined;
  return {
    jobs,
    answered(route, status, seconds) {
      let statuses = routes.get(route);
      if (!statuses) {
        statuses = new Map();
        routes.set(route, statuses);
      }
      const known = statuses.get(status);
      if (known) {
        known.count++;
        known.seconds += seconds;
      } else statuses.set(status, { count: 1, seconds });
    },
    async render() {
      rendering ??= registry(db);
      const { requests, time, metrics, collect } = await rendering;
      await collect();
      for (const [route, statuses] of routes) {
        for (const [status, { count, seconds }] of statuses) {
          requests.inc({ route, status }, count);
          time.inc({ route, status }, seconds);
        }
      }
      routes.clear();
      return { type: metrics.contentType, text: `${await metrics.metrics()}\n${await jobs.render()}` };
    },
  };
}

async function registry(db: Db) {
  const { collectDefaultMetrics, Counter, Gauge, Registry } = await import('prom-client');
  const metrics = new Registry();
  const shared = { labelNames: ['route', 'status'], registers: [metrics] };
  const requests = new Counter({ name: 'guise_http_requests_total', help: 'Answers.', ...shared });
  const time = new Counter({
    name: 'guise_http_seconds_total',
    help: 'Time spent until answered.',
    ...shared,
  });
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers: [metrics] });
  const jobs = gauge('guise_jobs', 'Jobs that wait or run.', 'state');
  const depth = gauge('guise_queue_depth', 'Jobs of a family that wait.', 'family');
  const oldest = gauge('guise_queue_oldest_seconds', 'How long the oldest of them has waited.', 'family');
  const dead = gauge('guise_dead_letters', 'Jobs that failed through a fault of the server, of 30 days.');
  const workers = gauge('guise_workers', 'Workers that are alive, by engine.', 'engine');
  const places = gauge('guise_worker_places', 'Jobs that live workers can do at once, and do.', 'state');
  const up = gauge('guise_database_up', 'Whether the database answers.');
  collectDefaultMetrics({ register: metrics });

  const look = async () => {
    for (const state of ['queued', 'running'] as const) {
      jobs.set({ state }, (await db.one(countJobs, { state }))?.count ?? 0);
    }
    const waiting = await db.all(queueDepth, {});
    depth.reset();
    oldest.reset();
    for (const { family, count, oldest: since } of waiting) {
      depth.set({ family }, count);
      oldest.set({ family }, Math.max(0, Date.now() - since) / 1000);
    }
    dead.set((await db.one(countDeadLetters, {}))?.count ?? 0);
    const alive = await readWorkers(db);
    workers.reset();
    for (const { name } of alive.flatMap(({ engines }) => engines)) workers.inc({ engine: name });
    const sum = (of: 'concurrency' | 'running') => alive.reduce((total, row) => total + row[of], 0);
    places.set({ state: 'all' }, sum('concurrency'));
    places.set({ state: 'busy' }, sum('running'));
  };
  return {
    requests,
    time,
    metrics,
    /** The figures of the database as they are now; without it, those of the process go out all the same. */
    collect: () =>
      look().then(
        () => up.set(1),
        () => up.set(0),
      ),
  };
}
