import type { Db } from '../store/db.ts';
import { countJobs } from '../store/jobs.ts';

export interface Metrics {
  answered(route: string, status: number, seconds: number): void;
  render(): Promise<{ type: string; text: string }>;
}

/**
 * Figures for Prometheus: answers by route, jobs that wait and run, and the process itself. Counting costs two
 * additions an answer; the library that renders is loaded when it is first asked for.
 */
export function httpMetrics(db: Db): Metrics {
  const routes = new Map<string, Map<number, { count: number; seconds: number }>>();
  let rendering: ReturnType<typeof registry> | undefined;
  return {
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
      const { requests, time, metrics } = await rendering;
      for (const [route, statuses] of routes) {
        for (const [status, { count, seconds }] of statuses) {
          requests.inc({ route, status }, count);
          time.inc({ route, status }, seconds);
        }
      }
      routes.clear();
      return { type: metrics.contentType, text: await metrics.metrics() };
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
  new Gauge({
    name: 'guise_jobs',
    help: 'Jobs that wait or run.',
    labelNames: ['state'],
    registers: [metrics],
    async collect() {
      for (const state of ['queued', 'running'] as const) {
        this.set({ state }, (await db.one(countJobs, { state }))?.count ?? 0);
      }
    },
  });
  collectDefaultMetrics({ register: metrics });
  return { requests, time, metrics };
}
