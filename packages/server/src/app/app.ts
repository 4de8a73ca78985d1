import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { families } from '@guise/contract/families.ts';
import { lookNames } from '@guise/engine/looks/looks.ts';
import { type Logger, pino } from 'pino';
import { callerLookup } from '../accounts/keys.ts';
import { loadCatalog } from '../catalog/catalog.ts';
import type { DefinitionChecks } from '../catalog/custom-filters.ts';
import type { Config } from '../config.ts';
import { readPrices } from '../credits/prices.ts';
import type { Engine } from '../engines/engine.ts';
import { installedPacks } from '../engines/local/local-engine.ts';
import { familiesByEngine, type JobDemand, serves } from '../engines/routing.ts';
import { checkFilterWorkflow } from '../engines/workflow/check-filter.ts';
import { signedLinks } from '../http/links.ts';
import { httpMetrics, type Metrics } from '../http/metrics.ts';
import { rateLimit } from '../http/rate-limit.ts';
import { httpServer, type Timeouts } from '../http/server.ts';
import { createBacklog } from '../jobs/backlog.ts';
import type { EndParts } from '../jobs/end.ts';
import { jobEvents } from '../jobs/events.ts';
import { type JobMetrics, noJobMetrics } from '../jobs/job-metrics.ts';
import { failJobsWithoutEngine } from '../jobs/no-engine.ts';
import { queuedPreviews, startPreviewWorker } from '../jobs/preview-queue.ts';
import { type EnginePreviews, filterPreviews, type Previews } from '../jobs/previews.ts';
import { requeueExpired } from '../jobs/requeue-expired.ts';
import { createScratch } from '../jobs/scratch.ts';
import { lastingPrefixes, livePrefixes, sweepExpired, sweepUnnamed } from '../jobs/sweep.ts';
import { startWebhookDelivery, webhookSecret } from '../jobs/webhook-outbox.ts';
import { startWorker } from '../jobs/worker-loop.ts';
import { announce, isMadeByWorker, liveEngines } from '../jobs/worker-registry.ts';
import { readImage } from '../media/image-input.ts';
import { imageLimits } from '../media/inspect-image.ts';
import { checkUrl } from '../media/safe-connect.ts';
import { safeFetcher } from '../media/safe-fetch.ts';
import { safePoster } from '../media/safe-post.ts';
import type { Db } from '../store/db.ts';
import { lockFolder } from '../store/lock.ts';
import { findSetting, insertSetting, takeTurn } from '../store/settings.ts';
import { createDemo } from './demo.ts';
import { isShared, openStorage } from './storage.ts';

export { openStore } from './storage.ts';

export interface App {
  url: string;
  /** The demo account's key, on the first start only. */
  demoKey: string | undefined;
  stop(): Promise<void>;
}

type MakeEngines = (config: Config) => Engine[];

const catalogDir = new URL('../../../../catalog/', import.meta.url);

const shutdownGraceMs = 20_000;
const recoverEveryMs = 5000;
const sweepEveryMs = 10 * 60_000;
const dayMs = 24 * 3600_000;

/** Serves the API and does the jobs, in one process. */
export async function startApp(config: Config, makeEngines: MakeEngines, timeouts?: Timeouts): Promise<App> {
  const node = await openNode(config);
  const engines = makeEngines(config);
  const previews = filterPreviews({ ...node, engines });
  // The lock says that no other server has this folder: whoever held these jobs is gone.
  if (!node.shared) await requeueExpired(node, Number.MAX_SAFE_INTEGER);
  const metrics = httpMetrics(node.db);
  const api = await serve(node, engines, previews, metrics, timeouts);
  const worker = await work(node, engines, previews, metrics.jobs);
  api.ready();
  return {
    url: api.url,
    demoKey: api.demoKey,
    async stop() {
      await Promise.all([api.stop(), worker.stop()]);
      await node.close();
    },
  };
}

/** Serves the API alone: no engine is loaded, and other processes do the jobs. */
export async function startApi(config: Config, timeouts?: Timeouts): Promise<App> {
  const node = await openNode(config);
  const previews = queuedPreviews(node);
  const api = await serve(node, [], previews, httpMetrics(node.db), timeouts);
  api.ready();
  return {
    url: api.url,
    demoKey: api.demoKey,
    async stop() {
      await Promise.all([api.stop(), previews.stop()]);
      await node.close();
    },
  };
}

/** Does the jobs that other processes accept. */
export async function startWorkerNode(
  config: Config,
  makeEngines: MakeEngines,
): Promise<{ stop(): Promise<void> }> {
  const node = await openNode(config);
  const engines = makeEngines(config);
  const worker = await work(node, engines, filterPreviews({ ...node, engines }));
  return {
    async stop() {
      await worker.stop();
      await node.close();
    },
  };
}

/** What every process stands on, whatever it does, with the upkeep that any of them may do. */
async function openNode(config: Config) {
  const log = logger(config.logLevel);
  const prices = readPrices(config.prices);
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const shared = isShared(config);
  const lock = shared ? null : lockFolder(config.dataDir);
  const storage = await openStorage(config);
  const { db, blobs, queue } = storage;
  const scratch = createScratch(join(config.dataDir, 'scratch'));
  const ending: EndParts = {
    db,
    blobs,
    queue,
    events: jobEvents(storage.wire),
    resultMs: config.resultMs,
    log,
  };
  const node = { ...ending, config, prices, shared, scratchDir: scratch.folder };
  const timers = [
    every(recoverEveryMs, log, () => recover(node)),
    every(sweepEveryMs, log, () => tidy(node)),
  ];
  return {
    ...node,
    async close() {
      for (const timer of timers) clearInterval(timer);
      scratch.remove();
      await storage.close();
      lock?.release();
    },
  };
}
type Node = Awaited<ReturnType<typeof openNode>>;
type Upkept = Omit<Node, 'close'>;

async function recover(node: Upkept): Promise<void> {
  await requeueExpired(node, Date.now());
  // An embedded server's own worker takes jobs of every family and says itself what it cannot make.
  if (node.shared) await failJobsWithoutEngine(node);
}

/** One node at a time. What a bucket keeps for days is too much to look through every few minutes. */
async function tidy(node: Upkept): Promise<void> {
  if (await isOurTurn(node.db, 'sweep', sweepEveryMs / 2)) {
    await sweepExpired(node);
    await sweepUnnamed(node, livePrefixes);
  }
  if (await isOurTurn(node.db, 'sweep-lasting', node.shared ? dayMs : sweepEveryMs / 2)) {
    await sweepUnnamed(node, lastingPrefixes);
  }
}

async function serve(
  node: Node,
  engines: readonly Engine[],
  previews: Previews,
  metrics: Metrics,
  timeouts?: Timeouts,
) {
  const { config, db, blobs, log } = node;
  const outside = { timeoutMs: 10_000, allowPrivate: config.allowPrivateUrls };
  const fetchUrl = safeFetcher({ ...outside, maxBytes: imageLimits.bytes });
  const packs = installedPacks(config);
  const checks: DefinitionChecks = {
    scenes: namesIn(packs, 'scenes', 'scene.json'),
    costumes: namesIn(packs, 'costumes', 'costume.json'),
    looks: lookNames,
    readPhoto: async (image) => (await readImage(image, fetchUrl)).bytes,
    workflow: (definition) => checkFilterWorkflow(engines, definition),
  };
  const wantsDemo = config.demo && (!node.shared || (await isOurTurn(db, 'demo', dayMs)));
  const demo = wantsDemo ? await createDemo({ db, blobs, checks }) : undefined;

  const secret = config.secret || (await ownSecret(db));

  let ready = false;
  const http = httpServer(
    {
      ...node,
      catalog: loadCatalog(new URL('filters.json', catalogDir), packs),
      fetchUrl,
      checkUrl: (input) => checkUrl(input, config.allowPrivateUrls),
      findCaller: callerLookup(db),
      runsWorkflows: async (family) => serves(await liveEngines(db), family, 'workflow'),
      backlog: createBacklog(db, config.maxQueued),
      checks,
      previews,
      rateLimit: rateLimit(config.runsPerMinute),
      links: signedLinks(secret),
      webhookSecret: (accountId) => webhookSecret(secret, accountId),
      metrics,
      publicUrl: config.publicUrl,
      ready: () => ready,
      engines: async () => familiesByEngine(await liveEngines(db)),
      log,
    },
    timeouts,
  );
  const url = await http.listen(config.port, config.host);
  const webhooks = startWebhookDelivery({ db, secret, post: safePoster(outside), log });
  for (const id of demo?.filterIds ?? []) previews.make(id);
  return {
    url,
    demoKey: demo?.api_key,
    ready() {
      ready = true;
    },
    async stop() {
      ready = false;
      await http.close(shutdownGraceMs);
      await webhooks.stop();
    },
  };
}

async function work(
  node: Node,
  engines: Engine[],
  previews: EnginePreviews,
  metrics: JobMetrics = noJobMetrics,
) {
  const { config, db, log, shared } = node;
  const others = shared && { isMadeElsewhere: (demand: JobDemand) => isMadeByWorker(db, demand) };
  const made = new Set(engines.flatMap(({ abilities }) => abilities.map(({ family }) => family)));
  const unmade = families.map((family) => family.name).filter((name) => !made.has(name));
  // Where nobody else does the jobs, what no engine here makes is told so.
  const worker = startWorker(
    { ...node, ...others, engines, metrics },
    config.concurrency,
    shared ? [] : unmade,
  );
  const announcement = await announce({ db, log }, engines, config.concurrency, worker.running);
  const renders = shared ? startPreviewWorker({ ...node, previews }, engines) : null;
  return {
    async stop() {
      await announcement.drain();
      await Promise.all([worker.stop(shutdownGraceMs), previews.stop(), renders?.stop()]);
      await Promise.all(engines.map((engine) => engine.close()));
      await announcement.end();
    },
  };
}

function logger(level: string): Logger {
  return pino({
    level,
    base: null,
    redact: ['req.headers', 'headers', 'body', 'params', 'prompt', '*.prompt', '*.params'],
  });
}

function namesIn(packs: string[], kind: string, file: string): string[] {
  return [fileURLToPath(catalogDir), ...packs].flatMap((catalog) => {
    const folder = join(catalog, kind);
    if (!existsSync(folder)) return [];
    return readdirSync(folder).filter((name) => existsSync(join(folder, name, file)));
  });
}

async function ownSecret(db: Db): Promise<string> {
  await db.run(insertSetting, { name: 'link_secret', value: randomBytes(32).toString('hex') });
  return (await db.one(findSetting, { name: 'link_secret' }))!.value;
}

async function isOurTurn(db: Db, name: string, ms: number): Promise<boolean> {
  const now = Date.now();
  return (await db.run(takeTurn, { name: `turn:${name}`, now: String(now), until: String(now + ms) })) === 1;
}

function every(ms: number, log: Logger, work: () => Promise<void>): NodeJS.Timeout {
  const timer = setInterval(() => {
    work().catch((error) => log.error({ err: error }, 'upkeep failed'));
  }, ms);
  return timer.unref();
}
