import { join } from 'node:path';
import { createAdmission } from '@guise/server/admission/admission.ts';
import { jobHooks } from '@guise/server/app/installed-hooks.ts';
import { startMaintenance } from '@guise/server/app/maintenance.ts';
import type { ServiceNode } from '@guise/server/app/node.ts';
import { startJobWorker } from '@guise/server/app/worker-node.ts';
import { loadCatalog } from '@guise/server/catalog/catalog.ts';
import { ownFiltersFile } from '@guise/server/catalog/own-catalog.ts';
import { type Config, readConfig } from '@guise/server/config.ts';
import { serves } from '@guise/server/engines/routing.ts';
import { createBacklog } from '@guise/server/jobs/backlog.ts';
import { createChanges } from '@guise/server/jobs/changes.ts';
import { createRowFailures } from '@guise/server/jobs/each-row.ts';
import { createFailedTime } from '@guise/server/jobs/failed-time.ts';
import { requeueExpired } from '@guise/server/jobs/requeue-expired.ts';
import type { SubmitParts } from '@guise/server/jobs/submit.ts';
import { startWebhookDelivery } from '@guise/server/jobs/webhooks/delivery-loop.ts';
import { createWebhookSecrets } from '@guise/server/jobs/webhooks/webhook-secrets.ts';
import { liveEngines } from '@guise/server/jobs/worker-registry.ts';
import type { Decoder } from '@guise/server/media/decoder.ts';
import { resetPreviewQueue } from '@guise/server/previews/preview-queue.ts';
import { noSigner } from '@guise/server/provenance/result-signer.ts';
import { localQueue } from '@guise/server/store/embedded/queue-local.ts';
import { noMessageBus } from '@guise/server/store/message-bus.ts';
import type { Queue } from '@guise/server/store/queue.ts';
import type { Logger } from 'pino';
import type { Connection } from './database-network.ts';
import { simulatedEngine } from './simulated-engine.ts';
import { simulatedFolder } from './simulated-files.ts';
import type { Simulation } from './simulation.ts';
import type { NodeSpec, Surroundings } from './surroundings.ts';

/** A node that has started. */
export interface RunningNode {
  node: ServiceNode;
  /** What the endpoints of an API node submit with; null for a worker. */
  submitParts: SubmitParts | null;
  stop(): Promise<void>;
}

const catalog = loadCatalog(ownFiltersFile, []);

/** Puts the parts of a process together as `app/` does, on the simulated surroundings. */
export async function startNode(surroundings: Surroundings, spec: NodeSpec): Promise<RunningNode> {
  const { isEmbedded, simulation } = surroundings;
  const connection = surroundings.database.connect();
  await untilReachable(simulation, connection.followClock);
  const node = openNode(surroundings, spec, connection);
  const maintenance = startMaintenance(node);
  if (isEmbedded) {
    await requeueExpired(node, Number.MAX_SAFE_INTEGER);
    await resetPreviewQueue(node.db);
  }
  const webhooks = spec.role === 'worker' ? null : startDelivery(surroundings, node);
  const worker = spec.role === 'api' ? null : await startEngines(simulation, node, spec);
  return {
    node,
    submitParts: spec.role === 'worker' ? null : submitPartsOf(node),
    async stop() {
      await Promise.all([webhooks?.stop(), worker?.stop()]);
      maintenance.stop();
      await node.close();
    },
  };
}

const noPictures = () => Promise.reject(new Error('no photo of the simulation is decoded'));
const noDecoder: Decoder = {
  checkPicture: async () => {},
  inTurn: noPictures,
  forJob: () => ({
    photoToSend: noPictures,
    cutFace: noPictures,
    layIntoFrame: noPictures,
    finishPicture: noPictures,
    measureAnimation: noPictures,
    decodeFrames: noPictures,
  }),
  async close() {},
};

function openNode(
  { isEmbedded, accountConcurrency, simulation, storage, notifications }: Surroundings,
  { name, slots }: NodeSpec,
  connection: Connection,
): ServiceNode {
  const { db } = connection;
  const log = timelineLogger(simulation);
  const config: Config = { ...readConfig({}), concurrency: slots };
  return {
    admission: createAdmission({ descriptors: 1024, bodyBytes: config.maxBytesInFlight }),
    db,
    log,
    config,
    blobs: storage.blobs,
    queue: queueOf(connection, notifications, accountConcurrency),
    changes: createChanges(isEmbedded ? noMessageBus : notifications.bus()),
    jobHooks,
    resultMs: config.resultMs,
    prices: {},
    shared: !isEmbedded,
    failures: createRowFailures(log),
    installationId: '00000000-0000-4000-8000-000000000000',
    pictureTasks: {
      doTask: () => Promise.reject(new Error('no event of the simulation has an overlay')),
      warmUp() {},
      async close() {},
    },
    decoder: noDecoder,
    scratchDir: join(simulatedFolder, `${name}-${simulation.scheduler.now}`),
    close: () => db.close(),
  };
}

/** The queue of SQLite, whose claims are those of PostgreSQL too, with notifications between processes. */
function queueOf(
  connection: Connection,
  notifications: Surroundings['notifications'],
  accountConcurrency: number,
): Queue {
  return {
    ...localQueue(connection.db, accountConcurrency),
    async enqueue(tx) {
      connection.notifyAtCommit(tx);
    },
    onEnqueued: notifications.onEnqueued,
  };
}

function startDelivery({ receivers }: Surroundings, { db, config, changes, log }: ServiceNode) {
  const secrets = createWebhookSecrets(db, 'the secret of the simulation');
  return startWebhookDelivery({ db, secrets, limits: config.webhooks, post: receivers.post, changes, log });
}

async function startEngines(simulation: Simulation, node: ServiceNode, spec: NodeSpec) {
  const { abilities, slots, isRemote } = spec;
  const engine = simulatedEngine(simulation, { name: 'simulated', abilities, slots, isRemote });
  return startJobWorker(node, [engine], noSigner);
}

function submitPartsOf(node: ServiceNode): SubmitParts {
  const { db, config } = node;
  return {
    ...node,
    catalog,
    fetchUrl: () => Promise.reject(new Error('photos of the simulation come with their requests')),
    fetchVideo: () => Promise.reject(new Error('the simulation has no videos')),
    checkUrl: (url) => url,
    runsWorkflows: async (family) => serves(await liveEngines(db), family, 'workflow'),
    backlog: createBacklog(db, {
      queued: config.maxQueued,
      queuedOfAccount: Math.max(1, Math.floor(config.accountQueueShare * config.maxQueued)),
    }),
    failedTime: createFailedTime(db, config.accountFailedSeconds),
  };
}

/** As `storage.ts` waits for a database that starts together with its nodes. */
async function untilReachable({ scheduler }: Simulation, work: () => Promise<void>): Promise<void> {
  for (const until = scheduler.now + 30_000; ; ) {
    try {
      return await work();
    } catch (error) {
      if (scheduler.now > until) throw error;
      await scheduler.wait(250);
    }
  }
}

/** Writes what a node logs into the timeline, without what changes nothing. */
function timelineLogger({ scheduler, timeline }: Simulation): Logger {
  const { name } = scheduler.current;
  const write = (facts: Record<string, unknown>, message: string) => {
    const { err, ...rest } = facts;
    const shown = Object.entries(rest)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([fact, value]) => `${fact}=${value}`);
    const reason = err instanceof Error ? [`because: ${reasonOf(err)}`] : [];
    timeline.add(scheduler.now, name, [message, ...shown, ...reason].join(' '));
  };
  return { info: write, warn: write, error: write } as unknown as Logger;
}

function reasonOf(error: Error): string {
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
