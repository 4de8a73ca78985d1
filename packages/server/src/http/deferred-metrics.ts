import type { MeasuredParts, Metrics } from './metrics.ts';

/**
 * `httpMetrics`, loaded when there is something to record: prom-client takes 60 ms of a start. What is recorded while it
 * loads is kept.
 */
export function deferredMetrics(measured: MeasuredParts): Metrics {
  let loaded: Metrics | undefined;
  let loading: Promise<Metrics> | undefined;
  const kept: ((metrics: Metrics) => void)[] = [];
  const load = () => {
    loading ??= import('./metrics.ts').then(({ httpMetrics }) => {
      loaded = httpMetrics(measured);
      for (const record of kept.splice(0)) record(loaded);
      return loaded;
    });
    return loading;
  };
  const keep = (record: (metrics: Metrics) => void) => {
    kept.push(record);
    void load();
  };
  return {
    jobs: {
      claimed: (...what) =>
        loaded ? loaded.jobs.claimed(...what) : keep(({ jobs }) => jobs.claimed(...what)),
      ended: (...what) => (loaded ? loaded.jobs.ended(...what) : keep(({ jobs }) => jobs.ended(...what))),
      attempted: (attempt) =>
        loaded ? loaded.jobs.attempted(attempt) : keep(({ jobs }) => jobs.attempted(attempt)),
    },
    recordAnswer: (answer) =>
      loaded ? loaded.recordAnswer(answer) : keep((metrics) => metrics.recordAnswer(answer)),
    render: async () => (await load()).render(),
  };
}
