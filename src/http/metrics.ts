import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Db } from '../store/db.ts';
import { countJobs } from '../store/jobs.ts';

export interface Metrics {
  answered(route: string, status: number, seconds: number): void;
  render(): Promise<{ type: string; text: string }>;
  stop(): void;
}

/** Prometheus figures: requests by route, jobs that wait and run, and the process itself. */
export function httpMetrics(db: Db): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'guise_http_requests_total',
    help: 'Answers by route and status.',
    labelNames: ['route', 'status'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'guise_http_request_seconds',
    help: 'Time to answer.',
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [registry],
  });
  new Gauge({
    name: 'guise_jobs',
    help: 'Jobs that wait or run.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      for (const state of ['queued', 'running'] as const) {
        this.set({ state }, (await db.one(countJobs, { state }))?.count ?? 0);
      }
    },
  });
  // Labels cost a hash of their values on every call: the counts are kept here and handed over when asked for.
  const counts = new Map<string, number>();
  return {
    answered(route, status, took) {
      const key = `${status} ${route}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      seconds.observe(took);
    },
    async render() {
      for (const [key, count] of counts) {
        requests.inc({ status: key.slice(0, 3), route: key.slice(4) }, count);
      }
      counts.clear();
      return { type: registry.contentType, text: await registry.metrics() };
    },
    stop: () => registry.clear(),
  };
}
