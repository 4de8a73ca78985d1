import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Logger, pino } from 'pino';
import { callerLookup } from './accounts/keys.ts';
import { loadCatalog } from './catalog/catalog.ts';
import type { DefinitionChecks } from './catalog/custom-filters.ts';
import type { Config } from './config.ts';
import { createDemo } from './demo.ts';
import type { Engine } from './engines/engine.ts';
import { installedPacks } from './engines/local/engine.ts';
import { lookNames } from './engines/local/looks/looks.ts';
import { AppError } from './errors.ts';
import { signedLinks } from './http/links.ts';
import { httpMetrics } from './http/metrics.ts';
import { rateLimit } from './http/rate-limit.ts';
import { httpServer, type Timeouts } from './http/server.ts';
import type { EndParts } from './jobs/end.ts';
import { jobEvents } from './jobs/events.ts';
import { families } from './jobs/families.ts';
import { filterPreviews } from './jobs/previews.ts';
import { recoverLost } from './jobs/recover.ts';
import { sweep } from './jobs/sweep.ts';
import { startWorker } from './jobs/worker.ts';
import { readImage } from './media/image-input.ts';
import { imageLimits } from './media/inspect.ts';
import { safeFetcher } from './media/safe-fetch.ts';
import { diskBlobs } from './store/blobs-disk.ts';
import type { Db } from './store/db.ts';
import { lockFolder } from './store/lock.ts';
import { migrateSqlite } from './store/migrate.ts';
import { localQueue } from './store/queue-local.ts';
import { findSetting, insertSetting } from './store/settings.ts';
import { openSqlite } from './store/sqlite.ts';

export interface App {
  url: string;
  /** The demo account's key, on the first start only. */
  demoKey: string | undefined;
  stop(): Promise<void>;
}

const catalogDir = new URL('../catalog/', import.meta.url);

const shutdownGraceMs = 20_000;
const recoverEveryMs = 5000;
const sweepEveryMs = 10 * 60_000;

/** The records alone, for commands that need no server. */
export async function openStore(config: Config): Promise<Db> {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const file = join(config.dataDir, 'guise.db');
  await migrateSqlite(file);
  return openSqlite(file);
}

/** Wires everything together, by hand and in order, and starts to serve. */
export async function startApp(
  config: Config,
  makeEngines: (config: Config) => Engine[],
  timeouts?: Timeouts,
): Promise<App> {
  const log = logger(config.logLevel);
  mustBeFamilies(Object.keys(config.prices));
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const lock = lockFolder(config.dataDir);
  const db = await openStore(config);
  const blobs = diskBlobs(join(config.dataDir, 'blobs'));
  const scratchDir = join(config.dataDir, 'scratch');
  rmSync(scratchDir, { recursive: true, force: true });

  const packs = installedPacks(config);
  const catalog = loadCatalog(new URL('filters.json', catalogDir), packs);
  const fetchUrl = safeFetcher({
    maxBytes: imageLimits.bytes,
    timeoutMs: 10_000,
    allowPrivate: config.allowPrivateUrls,
  });
  const checks: DefinitionChecks = {
    scenes: namesIn(packs, 'scenes', 'scene.json'),
    costumes: namesIn(packs, 'costumes', 'costume.json'),
    looks: lookNames,
    readPhoto: async (image) => (await readImage(image, fetchUrl)).bytes,
  };
  const queue = localQueue(db);
  const events = jobEvents();
  const ending: EndParts = { db, blobs, queue, events, resultMs: config.resultMs };
  const engines = makeEngines(config);
  const previews = filterPreviews({
    db,
    blobs,
    engines,
    scratchDir,
    log,
  });
  const metrics = httpMetrics(db);

  // The lock says that no other server has this folder: whoever held these jobs is gone.
  await recoverLost(ending, Number.MAX_SAFE_INTEGER);
  const demo = await createDemo({ db, blobs, checks });

  let ready = false;
  const http = httpServer(
    {
      ...ending,
      catalog,
      fetchUrl,
      findCaller: callerLookup(db),
      prices: config.prices,
      maxQueued: config.maxQueued,
      checks,
      previews,
      rateLimit: rateLimit(config.runsPerMinute),
      links: signedLinks(config.secret || (await ownSecret(db))),
      metrics,
      publicUrl: config.publicUrl,
      ready: () => ready,
      engines: () =>
        engines.map(({ name, abilities }) => ({
          name,
          families: abilities.map((ability) => ability.family),
        })),
      log,
    },
    timeouts,
  );
  const url = await http.listen(config.port, config.host);
  const worker = startWorker({ ...ending, engines, scratchDir, log }, config.concurrency);
  for (const id of demo?.filterIds ?? []) previews.make(id);
  const timers = [
    every(recoverEveryMs, log, async () => void (await recoverLost(ending, Date.now()))),
    every(sweepEveryMs, log, () => sweep({ db, blobs, log })),
  ];
  ready = true;

  return {
    url,
    demoKey: demo?.api_key,
    async stop() {
      ready = false;
      for (const timer of timers) clearInterval(timer);
      await Promise.all([http.close(shutdownGraceMs), worker.stop(shutdownGraceMs), previews.stop()]);
      await Promise.all(engines.map((engine) => engine.close()));
      await db.close();
      lock.release();
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

function mustBeFamilies(names: string[]): void {
  const unknown = names.filter((name) => !families.some((family) => family.name === name));
  if (unknown.length === 0) return;
  const known = families.map((family) => family.name).join(', ');
  throw new AppError(
    'BAD_SETTING',
    `GUISE_PRICES names ${unknown.join(', ')}. The job families are ${known}.`,
  );
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

function every(ms: number, log: Logger, work: () => Promise<void>): NodeJS.Timeout {
  const timer = setInterval(() => {
    work().catch((error) => log.error({ err: error }, 'upkeep failed'));
  }, ms);
  return timer.unref();
}
