import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCallers } from '../accounts/callers.ts';
import { createLogins } from '../accounts/log-in.ts';
import { signInUrl } from '../accounts/sign-in-links.ts';
import { renderWaiting } from '../catalog/filter-renders.ts';
import type { Config } from '../config.ts';
import type { Engine } from '../engines/engine.ts';
import { createFalWebhooks } from '../engines/fal/fal-webhooks.ts';
import { AppError } from '../errors.ts';
import { startMailQueue } from '../events/mailing/mail-queue.ts';
import { startPrintQueue } from '../events/printing/print-queue.ts';
import { deferredMetrics } from '../http/deferred-metrics.ts';
import type { Metrics } from '../http/metrics.ts';
import { createPictureEncoder } from '../http/other-clients/picture-encoder.ts';
import type { HttpParts } from '../http/parts.ts';
import { type HttpLimits, httpServer } from '../http/server.ts';
import { createThumbnails } from '../job-pages/thumbnails.ts';
import { createHangUps } from '../jobs/hang-ups.ts';
import { createJobWaits } from '../jobs/job-waits.ts';
import { startWebhookDelivery } from '../jobs/webhooks/delivery-loop.ts';
import { createTestDelivery } from '../jobs/webhooks/test-delivery.ts';
import { createWebhookSecrets } from '../jobs/webhooks/webhook-secrets.ts';
import { createMailer } from '../mail/mailer.ts';
import { UploadStore } from '../media/upload-store.ts';
import { createFilterTests } from '../previews/filter-tests.ts';
import type { Db } from '../store/db.ts';
import { diskSpace } from '../store/embedded/disk-space.ts';
import { findSetting, insertSetting } from '../store/settings.ts';
import { createBackups } from './backups.ts';
import { createDemo } from './demo.ts';
import {
  accountLimits,
  engineStates,
  openFilters,
  reachOutside,
  signedWith,
  webFiles,
} from './http-parts.ts';
import { createInstallation } from './installation/installation.ts';
import { type ServiceNode, shutdownGraceMs, startOnNode } from './node.ts';
import type { Restarts } from './restarts/restarts.ts';
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
      metrics: deferredMetrics(node),
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
  restarts?: Restarts | undefined;
}

interface ServedApi extends App {
  /** From here on `/ready` answers 200. */
  markReady(): void;
}

/** The HTTP interface and the delivery of webhooks, on a node that is open. */
export async function serveApi(
  node: ServiceNode,
  { engines, metrics, limits, restarts }: ApiParts,
): Promise<ServedApi> {
  const { config, db, log } = node;
  const outside = reachOutside(node);
  const filters = openFilters(node, engines, outside.fetchUrl);
  const demo = await createDemo(node, filters.checks);
  const secret = config.secret || (await storedSecret(db));
  const webhookSecrets = createWebhookSecrets(db, secret);
  const webhookParts = {
    db,
    secrets: webhookSecrets,
    limits: config.webhooks,
    post: outside.post,
    log,
  };
  const services = openServices(node, restarts);
  const mailer = config.mail && createMailer(config.mail);

  let ready = false;
  const parts: HttpParts = {
    ...node,
    ...outside,
    ...filters,
    ...services,
    ...accountLimits(node),
    ...signedWith(secret),
    ...engineStates(db),
    ...webFiles(config),
    callers: createCallers(db),
    installation: createInstallation(config, db, { changes: node.changes, log, restarts }),
    uploadStore: new UploadStore(node.scratchDir, node.admission.large_images),
    thumbnails: createThumbnails(node),
    pictureEncoder: createPictureEncoder(node.decoder),
    mailer,
    hasMail: mailer !== null,
    statusWaitMs: config.statusWaitMs,
    hangUps: createHangUps(),
    webhookSecrets,
    testDelivery: createTestDelivery({ ...webhookParts, checkUrl: outside.checkUrl }),
    metrics,
    metricsToken: config.metricsToken,
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    ready: () => ready,
    disk: diskSpace(config.dataDir, config.leastFreeBytes, config.s3 === null),
  };
  const http = httpServer(parts, limits);
  const url = await http.listen(config.port, config.host).catch(async (error) => {
    await stopServices(services);
    throw listenRefused(config, error);
  });
  const webhooks = startWebhookDelivery({ ...webhookParts, changes: node.changes });
  const outboxes = startOutboxes(node, { ...parts, callPrinter: outside.sendToPrinter });
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
      services.waits.stop();
      if (config.drainMs > 0) await sleep(config.drainMs);
      services.tests.stop();
      services.backups.stop();
      await Promise.all([parts.installation.stop(), http.close(shutdownGraceMs)]);
      await Promise.all([
        webhooks.stop(),
        outboxes.stop(),
        services.logins.stop(),
        services.falWebhooks.close(),
      ]);
    },
  };
}

/** What stops with the server. */
function openServices(node: ServiceNode, restarts: Restarts | undefined) {
  const { config, db, log, changes, admission } = node;
  return {
    logins: createLogins(db, config.loginFailures, admission.password_hashes),
    tests: createFilterTests(node),
    waits: createJobWaits(node),
    backups: createBackups(config, log, restarts),
    falWebhooks: createFalWebhooks({
      keysUrl: config.falKeysUrl,
      publicUrl: config.publicUrl,
      publish: changes.publish,
    }),
  };
}

/** Where nobody is served: the process may go on with other settings. */
async function stopServices({
  waits,
  tests,
  backups,
  logins,
}: Pick<HttpParts, 'waits' | 'tests' | 'logins'> & { backups: { stop(): void } }): Promise<void> {
  for (const service of [waits, tests, backups]) service.stop();
  await logins.stop();
}

/** Prints and mails what guests of events asked for. */
function startOutboxes(
  node: ServiceNode,
  { callPrinter, mailer, guestTokens }: Pick<HttpParts, 'callPrinter' | 'mailer' | 'guestTokens'>,
): { stop(): Promise<void> } {
  const guestUrl = (baseUrl: string, guestId: string) => `${baseUrl}/g/${guestTokens.create(guestId)}`;
  const prints = startPrintQueue({ ...node, callPrinter, guestUrl, gate: node.admission.printers });
  const mails = mailer && startMailQueue({ ...node, mailer, guestUrl, gate: node.admission.mails });
  return {
    async stop() {
      await Promise.all([prints.stop(), mails?.stop()]);
    },
  };
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
