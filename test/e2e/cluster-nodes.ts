import { rmSync } from 'node:fs';
import { openStore } from '@guise/server/app/storage.ts';
import type { Config } from '@guise/server/config.ts';
import type { Db } from '@guise/server/store/db.ts';
import { temporaryConfig } from '../../packages/server/test/support/harness.ts';
import { type OwnPostgres, startOwnPostgres } from '../../packages/server/test/support/postgres-server.ts';
import { startS3 } from '../../packages/server/test/support/s3.ts';
import type { NodeSettings } from './cluster-node.ts';
import { type ServerProcess, startProcess } from './server-process.ts';

/** A process of the cluster. One that ends without being told to is started again, as a supervisor would. */
export interface ClusterNode {
  role: NodeSettings['role'];
  /** The process it is at the moment. */
  now: ServerProcess;
  /** Jobs that its present process has begun. */
  begun: Set<string>;
  /** Jobs that it was made to stop. */
  halted: Set<string>;
  /** Ends it for good. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface Cluster {
  config: Config;
  postgres: OwnPostgres;
  /** A connection of the test's own to the records. */
  db: Db;
  apis: ClusterNode[];
  workers: ClusterNode[];
  /** Where one of the API nodes listens, whichever does. */
  url(): Promise<string>;
  start(role: NodeSettings['role'], families?: string[]): ClusterNode;
  stop(): Promise<void>;
}

/** Several real processes on one real PostgreSQL and S3 server. */
export async function startCluster(
  wanted: { apis: number; workers: number; jobMs: string; durable?: boolean },
  overrides: Partial<Config> = {},
): Promise<Cluster> {
  const [postgres, s3] = await Promise.all([
    startOwnPostgres({ durable: wanted.durable ?? false }),
    startS3(),
  ]);
  const config = temporaryConfig({ databaseUrl: await postgres.database(), s3: s3.place(), ...overrides });
  const db = await openStore(config);
  const nodes: ClusterNode[] = [];
  const start: Cluster['start'] = (role, families) => {
    const { databaseUrl, s3, dataDir, concurrency, allowPrivateUrls } = config;
    const { jobMs } = wanted;
    const node = supervised({
      role,
      jobMs,
      databaseUrl,
      s3,
      dataDir,
      concurrency,
      allowPrivateUrls,
      ...(families && { families }),
    });
    nodes.push(node);
    return node;
  };
  const apis = Array.from({ length: wanted.apis }, () => start('api'));
  const workers = Array.from({ length: wanted.workers }, () => start('worker'));
  await Promise.all(nodes.map((node) => node.now.url));
  return {
    config,
    postgres,
    db,
    apis,
    workers,
    start,
    url: () => Promise.any([...apis].sort(() => Math.random() - 0.5).map((node) => node.now.url)),
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()));
      await db.close();
      await postgres.stop();
      await s3.stop();
      rmSync(config.dataDir, { recursive: true, force: true });
    },
  };
}

function supervised(settings: NodeSettings): ClusterNode {
  let stopped = false;
  const begin = () => {
    const begun = new Set<string>();
    const halted = new Set<string>();
    const now = startProcess(new URL('./cluster-node.ts', import.meta.url), [JSON.stringify(settings)]);
    now.onJob('began', (id) => begun.add(id));
    now.onJob('stopped', (id) => halted.add(id));
    // At once: whoever waits for the end of a process then finds the next one in its place.
    void now.exited.then(() => {
      if (!stopped) Object.assign(node, begin());
    });
    return { now, begun, halted };
  };
  const node: ClusterNode = {
    role: settings.role,
    ...begin(),
    async stop(signal = 'SIGTERM') {
      stopped = true;
      node.now.kill(signal);
      await node.now.exited;
    },
  };
  return node;
}
