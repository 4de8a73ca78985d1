import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Admission } from '../admission/admission.ts';
import type { RowFailures } from '../jobs/each-row.ts';
import type { JobMetrics } from '../jobs/job-metrics.ts';
import { serversOfEngine } from '../jobs/server-states.ts';
import { readWorkers } from '../jobs/worker-registry.ts';
import type { Db } from '../store/db.ts';
import { countDeadLetters } from '../store/dead-letters.ts';
import { countJobs, queueDepth } from '../store/job-records.ts';
import { countRendersByAccount } from '../store/render-records.ts';
import { admissionMetrics } from './admission-metrics.ts';
import { jobHistograms } from './job-histograms.ts';

export interface AnsweredRequest {
  route: string;
  method: string;
  status: number;
  seconds: number;
}

export interface Metrics {
  readonly jobs: JobMetrics;
  recordAnswer(answer: AnsweredRequest): void;
  render(): Promise<{ type: string; text: string }>;
}

/** From a status poll, which takes less than a millisecond, to a status that was waited for. */
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** What figures are of. */
export interface MeasuredParts {
  db: Db;
  failures: RowFailures;
  admission: Admission;
}

/** Figures for Prometheus: answers by route, the queue, the workers, and the process itself. */
export function httpMetrics({ db, failures, admission }: MeasuredParts): Metrics {
  const registry = new Registry();
  const recordAnswer = answerMetrics(registry);
  const jobs = jobHistograms(registry);
  const collectDatabase = databaseMetrics(registry, db);
  maintenanceMetrics(registry, failures);
  const collectAdmission = admissionMetrics(registry, admission);
  let collectsProcess = false;
  const render = async () => {
    // Its sampling wakes the process many times a second: not before somebody asks.
    if (!collectsProcess) collectDefaultMetrics({ register: registry });
    collectsProcess = true;
    await collectDatabase();
    // Without the database, what is in its queues is not known.
    collectAdmission(await db.all(countRendersByAccount, {}).catch(() => []));
    return { type: registry.contentType, text: await registry.metrics() };
  };
  // Counting jobs takes as long as there are many: whoever asks meanwhile gets the same text.
  let rendering: ReturnType<typeof render> | undefined;
  return {
    jobs,
    recordAnswer,
    render() {
      rendering ??= render().finally(() => {
        rendering = undefined;
      });
      return rendering;
    },
  };
}

function answerMetrics(registry: Registry): Metrics['recordAnswer'] {
  const duration = new Histogram({
    name: 'guise_http_request_duration_seconds',
    help: 'Time until answered, by route, method and class of status.',
    labelNames: ['route', 'method', 'status_class'],
    buckets: durationBuckets,
    registers: [registry],
  });
  // Finding a metric by its labels costs more than adding to it: that is left to whoever asks for the figures.
  const kinds = new Map<string, AnswerKind[]>();
  const sumUp = (name: string, help: string, totalOf: (kind: AnswerKind) => number) =>
    new Counter({
      name,
      help,
      labelNames: ['route', 'status'],
      registers: [registry],
      collect() {
        this.reset();
        for (const kind of [...kinds.values()].flat()) this.inc(kind.labels, totalOf(kind));
      },
    });
  sumUp('guise_http_requests_total', 'Answers.', (kind) => kind.count);
  sumUp('guise_http_seconds_total', 'Time spent until answered.', (kind) => kind.seconds);

  return ({ route, method, status, seconds }) => {
    const ofRoute = kinds.get(route) ?? [];
    if (ofRoute.length === 0) kinds.set(route, ofRoute);
    let kind = ofRoute.find((known) => known.labels.status === status && known.method === method);
    if (!kind) {
      const durations = duration.labels(route, method, `${Math.floor(status / 100)}xx`);
      kind = { method, labels: { route, status }, count: 0, seconds: 0, durations };
      ofRoute.push(kind);
    }
    kind.count++;
    kind.seconds += seconds;
    kind.durations.observe(seconds);
  };
}

/** What is counted of the answers of one route, method and status. */
interface AnswerKind {
  method: string;
  labels: { route: string; status: number };
  count: number;
  seconds: number;
  durations: Histogram.Internal<string>;
}

function maintenanceMetrics(registry: Registry, { counts }: RowFailures): void {
  new Counter({
    name: 'guise_maintenance_failures_total',
    help: 'Rows that maintenance could not handle, by task. The log has the reasons.',
    labelNames: ['task'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [task, count] of counts) this.inc({ task }, count);
    },
  });
}

/** Returns what reads the figures of the database; without it, those of the process go out all the same. */
function databaseMetrics(registry: Registry, db: Db): () => Promise<void> {
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const jobs = gauge('guise_jobs', 'Jobs that wait or run.', 'state');
  const depth = gauge('guise_queue_depth', 'Jobs of a family that wait.', 'family');
  const oldest = gauge('guise_queue_oldest_seconds', 'How long the oldest of them has waited.', 'family');
  const dead = gauge('guise_dead_letters', 'Jobs that failed through a fault of the server, of 30 days.');
  const workers = gauge('guise_workers', 'Workers that are alive, by engine.', 'engine');
  const places = gauge('guise_worker_places', 'Jobs that live workers can do at once, and do.', 'state');
  const serverUp = gauge(
    'guise_engine_server_up',
    'Whether a server of an engine gets jobs.',
    'engine',
    'server',
  );
  const serverJobs = gauge('guise_engine_server_jobs', 'Jobs of ours on a server.', 'engine', 'server');
  const serverQueue = gauge(
    'guise_engine_server_queue',
    'What waits or runs on a server, whoever sent it.',
    'engine',
    'server',
  );
  const up = gauge('guise_database_up', 'Whether the database answers.');

  const collect = async () => {
    for (const state of ['queued', 'running'] as const) {
      jobs.set({ state }, (await db.one(countJobs, { state }))?.count ?? 0);
    }
    const waiting = await db.all(queueDepth, {});
    depth.reset();
    oldest.reset();
    for (const { family, count, oldest: since } of waiting) {
      depth.set({ family }, count);
      oldest.set({ family }, Math.max(0, db.now() - since) / 1000);
    }
    dead.set((await db.one(countDeadLetters, {}))?.count ?? 0);
    const alive = await readWorkers(db);
    workers.reset();
    const having = alive.flatMap(({ engines }) => [...new Set(engines.map(({ name }) => name))]);
    for (const engine of having) workers.inc({ engine });
    for (const metric of [serverUp, serverJobs, serverQueue]) metric.reset();
    for (const engine of new Set(having)) {
      for (const { address: server, state, running, queue } of serversOfEngine(alive, engine)) {
        serverUp.set({ engine, server }, state === 'up' ? 1 : 0);
        if (running !== null) serverJobs.set({ engine, server }, running);
        if (queue !== null) serverQueue.set({ engine, server }, queue);
      }
    }
    const sum = (of: 'concurrency' | 'running') => alive.reduce((total, row) => total + row[of], 0);
    places.set({ state: 'all' }, sum('concurrency'));
    places.set({ state: 'busy' }, sum('running'));
  };
  return () =>
    collect().then(
      () => up.set(1),
      () => up.set(0),
    );
}
