import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { familyOf } from '@guise/contract/families/families.ts';
import { createCallers } from '../accounts/callers.ts';
import { createLogins } from '../accounts/log-in.ts';
import { signInUrl } from '../accounts/sign-in-links.ts';
import { loadCatalog } from '../catalog/catalog.ts';
import { createFilterOptions } from '../catalog/filter-options.ts';
import { renderWaiting } from '../catalog/filter-renders.ts';
import { ownFiltersFile } from '../catalog/own-catalog.ts';
import { installedPacks } from '../catalog/packs/installed-packs.ts';
import { createPromptCheck } from '../catalog/prompt-checks.ts';
import { createPromptSuggestions } from '../catalog/prompt-suggestions.ts';
import type { Config } from '../config.ts';
import type { Engine } from '../engines/engine.ts';
import { createPhotoEncoder } from '../engines/photos/photo-encoder.ts';
import { serves } from '../engines/routing.ts';
import { AppError } from '../errors.ts';
import { createGuestTokens } from '../http/access/guest-tokens.ts';
import { createLinkTokens } from '../http/access/link-tokens.ts';
import { deferredMetrics } from '../http/deferred-metrics.ts';
import type { Metrics } from '../http/metrics.ts';
import { type HttpLimits, httpServer } from '../http/server.ts';
import { signedLinks } from '../http/signed-links.ts';
import { openWebFiles } from '../http/web-files.ts';
import { createStreamSlots } from '../job-pages/stream-slots.ts';
import { createThumbnails } from '../job-pages/thumbnails.ts';
import { createBacklog } from '../jobs/backlog.ts';
import { createFailedTime } from '../jobs/failed-time.ts';
import { createJobWaits } from '../jobs/job-waits.ts';
import { readReadyEngines, unavailableFamilies } from '../jobs/server-states.ts';
import { startWebhookDelivery } from '../jobs/webhooks/delivery-loop.ts';
import { createTestDelivery } from '../jobs/webhooks/test-delivery.ts';
import { createWebhookSecrets } from '../jobs/webhooks/webhook-secrets.ts';
import { isMadeLocally, liveEngines, readWorkers } from '../jobs/worker-registry.ts';
import { imageLimits } from '../media/inspect-image.ts';
import { createNameLookup } from '../media/name-lookup.ts';
import { checkUrl } from '../media/safe-connect.ts';
import { safeFetcher } from '../media/safe-fetch.ts';
import { safePoster } from '../media/safe-post.ts';
import { UploadStore } from '../media/upload-store.ts';
import { createFilterTests } from '../previews/filter-tests.ts';
import type { Db } from '../store/db.ts';
import { diskSpace } from '../store/embedded/disk-space.ts';
import { findSetting, insertSetting } from '../store/settings.ts';
import { boothApp, studioApp } from './build-web-apps.ts';
import { definitionChecks } from './definition-checks.ts';
import { createDemo } from './demo.ts';
import { createInstallation } from './installation.ts';
import { type ServiceNode, shutdownGraceMs, startOnNode } from './node.ts';
import { assertShared } from './settings-checks.ts';

/** A process that serves the API. */
export interface App {
  url: string;
  /** The demo account's key, on the first start only. */
  demoKey: string | undefined;
  /** Where the demo account is signed in to, once, on the first start only. */
  signInLink: string | undefined;
  stop(): Promise<void>;
}

/** Serves the API alone: no engine is loaded, and other processes do the jobs. */
export async function startApi(config: Config, limits?: HttpLimits): Promise<App> {
  assertShared(config, 'api');
  return startOnNode(config, async (node) => {
    const api = await serveApi(node, {
      engines: [],
      metrics: deferredMetrics(node.db, node.failures),
      limits,
    });
    api.markReady();
    return {
      url: api.url,
      demoKey: api.demoKey,
      signInLink: api.signInLink,
      async stop() {
        await api.stop();
        await node.close();
      },
    };
  });
}

interface ApiParts {
  /** Engines of this process; those of other workers are read from the records. */
  engines: readonly Engine[];
  metrics: Metrics;
  limits: HttpLimits | undefined;
}

interface ServedApi extends App {
  /** From here on `/ready` answers 200. */
  markReady(): void;
}

/** The HTTP interface and the delivery of webhooks, on a node that is open. */
export async function serveApi(
  node: ServiceNode,
  { engines, metrics, limits }: ApiParts,
): Promise<ServedApi> {
  const { config, db, log } = node;
  const outside = {
    timeoutMs: 10_000,
    allowPrivate: config.allowPrivateUrls,
    resolve: createNameLookup(),
  };
  const fetchUrl = safeFetcher({ ...outside, maxBytes: imageLimits.bytes });
  const packs = installedPacks(config);
  const checks = definitionChecks({
    engines,
    liveEngines: () => liveEngines(db),
    packs,
    fetchUrl,
    scratchDir: node.scratchDir,
  });
  const catalog = loadCatalog(ownFiltersFile, packs);
  const filterOptions = createFilterOptions(packs, catalog);
  const demo = await createDemo(node, checks);
  const secret = config.secret || (await storedSecret(db));
  const webhookSecrets = createWebhookSecrets(db, secret);
  const webhookParts = {
    db,
    secrets: webhookSecrets,
    limits: config.webhooks,
    post: safePoster(outside),
    log,
  };
  const checkCallerUrl = (input: string) => checkUrl(input, config.allowPrivateUrls);

  const logins = createLogins(db, config.loginFailures);
  const tests = createFilterTests(node);
  const waits = createJobWaits(node);
  const photoEncoder = createPhotoEncoder(node.scratchDir, config);

  let ready = false;
  const http = httpServer(
    {
      ...node,
      catalog,
      filterOptions,
      suggestWords: createPromptSuggestions(filterOptions),
      checkPrompt: createPromptCheck(filterOptions, ({ family, model }) =>
        isMadeLocally(db, {
          family,
          params: { model },
          filter: null,
          filterRef: null,
          images: familyOf(family).images.map(() => ''),
        }),
      ),
      fetchUrl,
      checkUrl: checkCallerUrl,
      callers: createCallers(db),
      logins,
      installation: createInstallation(config, db),
      runsWorkflows: async (family) => serves(await liveEngines(db), family, 'workflow'),
      backlog: createBacklog(db, {
        queued: config.maxQueued,
        queuedOfAccount: Math.max(1, Math.floor(config.accountQueueShare * config.maxQueued)),
      }),
      failedTime: createFailedTime(db, config.accountFailedSeconds),
      checks,
      tests,
      runsPerMinute: config.runsPerMinute,
      testsPerMinute: config.testsPerMinute,
      maxFilters: config.maxFilters,
      uploadStore: new UploadStore(node.scratchDir),
      photoEncoder,
      maxBytesInFlight: config.maxBytesInFlight,
      thumbnails: createThumbnails(node),
      waits,
      statusWaitMs: config.statusWaitMs,
      changeStreams: createStreamSlots(8, 'An account has at most 8 streams of changes. Close one first.'),
      wallStreams: createStreamSlots(8, 'An event has at most 8 walls at once. Close one first.'),
      links: signedLinks(secret),
      guestTokens: createGuestTokens(secret),
      linkTokens: createLinkTokens(secret),
      webhookSecrets,
      testDelivery: createTestDelivery({ ...webhookParts, checkUrl: checkCallerUrl }),
      metrics,
      metricsToken: config.metricsToken,
      publicUrl: config.publicUrl,
      trustedProxies: config.trustedProxies,
      ready: () => ready,
      disk: diskSpace(config.dataDir, config.leastFreeBytes),
      engines: () => readReadyEngines(db),
      unavailableFamilies: async () => unavailableFamilies(await readWorkers(db)),
      studioFiles: openWebFiles(studioApp.filesDir),
      boothFiles: openWebFiles(boothApp.filesDir),
      fileOrigins: fileOriginsOf(config),
      log,
    },
    limits,
  );
  const url = await http.listen(config.port, config.host).catch((error) => {
    throw listenRefused(config, error);
  });
  const webhooks = startWebhookDelivery(webhookParts);
  if (demo) node.changes.publish(renderWaiting);
  return {
    url,
    demoKey: demo?.api_key,
    signInLink: demo && signInUrl(config.publicUrl || url, demo.link),
    markReady() {
      ready = true;
    },
    async stop() {
      ready = false;
      waits.stop();
      if (config.drainMs > 0) await sleep(config.drainMs);
      tests.stop();
      await http.close(shutdownGraceMs);
      await Promise.all([webhooks.stop(), logins.stop(), photoEncoder.close()]);
    },
  };
}

/** The public address of this server, and the host of the bucket where callers reach it. */
function fileOriginsOf({ publicUrl, s3 }: Config): string[] {
  const own = publicUrl ? [new URL(publicUrl).origin] : [];
  if (!s3?.publicEndpoint) return own;
  const { protocol, host } = new URL(s3.publicEndpoint);
  return [...own, `${protocol}//${s3.pathStyle ? host : `${s3.bucket}.${host}`}`];
}

/** Signs links and webhooks. The first process makes it, and all read the same. */
async function storedSecret(db: Db): Promise<string> {
  await db.run(insertSetting, { name: 'link_secret', value: randomBytes(32).toString('hex') });
  return (await db.one(findSetting, { name: 'link_secret' }))!.value;
}

function listenRefused({ port, host }: Config, error: NodeJS.ErrnoException): Error {
  const reason = { EADDRINUSE: 'is in use', EACCES: 'is not allowed', EADDRNOTAVAIL: 'does not exist' };
  const why = reason[error.code as keyof typeof reason];
  if (!why) return error;
  return new AppError('BAD_SETTING', `Port ${port} on ${host} ${why}. Set PORT or HOST to another one.`, {
    cause: error,
  });
}
