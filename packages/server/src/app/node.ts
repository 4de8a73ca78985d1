import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { type Admission, createAdmission } from '../admission/admission.ts';
import type { Capacity } from '../admission/admission-table.ts';
import type { Config } from '../config.ts';
import { type Prices, readPrices } from '../credits/prices.ts';
import { createDecoder } from '../engines/decoding/child-decoder.ts';
import { createPictureTasks } from '../engines/picture-tasks/picture-tasks.ts';
import type { WorkPool } from '../engines/pool/child-pool.ts';
import type { PictureTaskParts } from '../events/picture-task-parts.ts';
import { createChanges } from '../jobs/changes.ts';
import { createRowFailures, type RowFailures } from '../jobs/each-row.ts';
import type { EndParts } from '../jobs/end.ts';
import { createScratch } from '../jobs/scratch.ts';
import type { Decoder } from '../media/decoder.ts';
import { readDescriptorLimit } from '../platform.ts';
import type { Db } from '../store/db.ts';
import { lockFolder } from '../store/folder-lock.ts';
import { findSetting, insertSetting } from '../store/settings.ts';
import { jobHooks } from './installed-hooks.ts';
import { startMaintenance } from './maintenance.ts';
import { startFault } from './start-faults.ts';
import { isShared, openStorage } from './storage.ts';

/** What every process needs, whether it serves the API, does jobs or both. */
export interface ServiceNode extends EndParts, PictureTaskParts {
  decoder: Decoder;
  admission: Admission;
  config: Config;
  prices: Prices;
  log: Logger;
  /** Whether other processes work on the same records. */
  shared: boolean;
  /** Rows that maintenance could not handle. */
  failures: RowFailures;
  /** The same for all processes of the installation, and no other's. */
  installationId: string;
  close(): Promise<void>;
}

/** How long requests and jobs may go on after a process was told to stop. */
export const shutdownGraceMs = 20_000;

export interface NodeOptions {
  /** Instead of what the process has to share. */
  capacity?: Partial<Capacity> | undefined;
  /** Works on pictures instead of the processes that decode and check them for this node alone. */
  picturePool?: WorkPool | undefined;
}

/** Opens a node for `start`, and closes it again where that fails. */
export async function startOnNode<T>(
  config: Config,
  start: (node: ServiceNode) => Promise<T>,
  options?: NodeOptions,
): Promise<T> {
  try {
    const node = await openNode(config, options);
    try {
      return await start(node);
    } catch (error) {
      await node.close();
      throw error;
    }
  } catch (error) {
    throw startFault(config, error);
  }
}

async function openNode(
  config: Config,
  { capacity, picturePool: pool }: NodeOptions = {},
): Promise<ServiceNode> {
  const prices = readPrices(config.prices);
  const log = createLogger(config.logLevel);
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const shared = isShared(config);
  const lock = shared ? null : lockFolder(config.dataDir);
  const storage = await openStorage(config);
  const { db, blobs, queue } = storage;
  const scratch = createScratch(join(config.dataDir, 'scratch'));
  const changes = createChanges(storage.bus);
  const failures = createRowFailures(log);
  const admission = createAdmission({
    descriptors: readDescriptorLimit(),
    bodyBytes: config.maxBytesInFlight,
    ...capacity,
  });
  const pictureTasks = createPictureTasks(config, admission, pool);
  const decoder = createDecoder({ scratchDir: scratch.folder, limits: config, admission, pool });
  const ending: EndParts = { db, blobs, queue, changes, jobHooks, resultMs: config.resultMs, log };
  const maintenance = startMaintenance({ ...ending, shared, failures });
  return {
    ...ending,
    admission,
    config,
    prices,
    log,
    shared,
    failures,
    installationId: await readInstallationId(db),
    pictureTasks,
    decoder,
    scratchDir: scratch.folder,
    async close() {
      maintenance.stop();
      await Promise.all([pictureTasks.close(), decoder.close()]);
      scratch.remove();
      await storage.close();
      lock?.release();
    },
  };
}

/** The first process chooses it, and all read the same. */
async function readInstallationId(db: Db): Promise<string> {
  await db.run(insertSetting, { name: 'installation_id', value: randomUUID() });
  return (await db.one(findSetting, { name: 'installation_id' }))!.value;
}

function createLogger(level: string): Logger {
  return pino({
    level,
    base: null,
    redact: ['req.headers', 'headers', 'body', 'params', 'prompt', '*.prompt', '*.params'],
  });
}
