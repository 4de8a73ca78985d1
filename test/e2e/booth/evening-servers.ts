import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openStorage, openStore } from '@guise/server/app/storage.ts';
import type { Db } from '@guise/server/store/db.ts';
import { filesBelow, temporaryConfig } from '../../../packages/server/test/support/harness.ts';
import { execute } from '../../../packages/server/test/support/postgres-server.ts';
import { type ClusterNode, startCluster } from '../cluster-nodes.ts';
import { type ServerProcess, startServerProcess } from '../server-process.ts';

/** The server of an evening: what booths talk to can be killed and started again. */
export interface EveningServer {
  db: Db;
  /** Where it listens now; null while it is away. */
  url(): string | null;
  kill(): Promise<void>;
  start(): Promise<void>;
  blobKeys(): Promise<string[]>;
  /** Everything that its records hold as text, deleted rows of SQLite included. */
  recordsAsText(): Promise<string>;
  stop(): Promise<void>;
}

/** One process on SQLite and files, which makes two pictures at once. */
export async function startEmbedded(jobMs: string): Promise<EveningServer> {
  const config = temporaryConfig();
  const db = await openStore(config);
  let now: ServerProcess | null = null;
  let url: string | null = null;
  const start = async () => {
    now = startServerProcess(config.dataDir, jobMs);
    url = await now.url;
  };
  const end = async (signal: NodeJS.Signals) => {
    url = null;
    now?.kill(signal);
    await now?.exited;
  };
  await start();
  return {
    db,
    url: () => url,
    kill: () => end('SIGKILL'),
    start,
    blobKeys: () => blobKeysOf(config),
    async recordsAsText() {
      const { dataDir } = config;
      const texts = filesBelow(dataDir).map((name) => readFileText(join(dataDir, name)));
      return texts.join('\n');
    },
    async stop() {
      await end('SIGTERM');
      await db.close();
      rmSync(config.dataDir, { recursive: true, force: true });
    },
  };
}

/** Empty for a folder, and for a scratch file that is removed meanwhile. */
function readFileText(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if (['EISDIR', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

/** An API node and two workers, each a process of its own, on PostgreSQL and S3. */
export async function startShared(jobMs: string): Promise<EveningServer> {
  const cluster = await startCluster({ apis: 0, workers: 2, jobMs });
  let api: ClusterNode | null = null;
  let url: string | null = null;
  const start = async () => {
    api = cluster.start('api');
    url = await api.now.url;
  };
  await start();
  return {
    db: cluster.db,
    url: () => url,
    async kill() {
      url = null;
      await api?.stop('SIGKILL');
    },
    start,
    blobKeys: () => blobKeysOf(cluster.config),
    async recordsAsText() {
      const database = cluster.config.databaseUrl;
      const tables = await execute(
        database,
        `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
         where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
      );
      const texts = (tables.rows as { name: string }[]).map(async ({ name }) =>
        JSON.stringify((await execute(database, `select t::text from ${name} t`)).rows),
      );
      return (await Promise.all(texts)).join('\n');
    },
    stop: cluster.stop,
  };
}

async function blobKeysOf(config: Parameters<typeof openStorage>[0]): Promise<string[]> {
  const storage = await openStorage(config);
  try {
    const keys: string[] = [];
    for (const prefix of ['inputs', 'results', 'thumbnails'])
      for await (const { key } of storage.blobs.list(prefix)) keys.push(key);
    return keys;
  } finally {
    await storage.close();
  }
}
