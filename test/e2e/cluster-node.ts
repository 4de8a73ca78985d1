import { startApi } from '@guise/server/app/api-node.ts';
import { startWorkerNode } from '@guise/server/app/worker-node.ts';
import { type Config, readConfig } from '@guise/server/config.ts';
import { crashEngine } from './crash-engine.ts';

export interface NodeSettings
  extends Pick<Config, 'databaseUrl' | 's3' | 'dataDir' | 'concurrency' | 'allowPrivateUrls'> {
  role: 'api' | 'worker';
  /** How long a worker's jobs take, such as `20-60`. */
  jobMs: string;
  /** What a worker makes; everything without it. */
  families?: string[];
}

/** An API node or a worker in a process of its own, to be killed. */
const { role, jobMs, families, ...settings } = JSON.parse(process.argv[2]!) as NodeSettings;
const config = {
  ...readConfig({
    PORT: '0',
    GUISE_LOG_LEVEL: process.env.GUISE_LOG_LEVEL ?? 'fatal',
    GUISE_C2PA: 'false',
    GUISE_RUNS_PER_MINUTE: '0',
    GUISE_ACCOUNT_QUEUE_SHARE: '1',
  }),
  ...settings,
};
const api = role === 'api' ? await startApi(config) : null;
const node = api ?? (await startWorkerNode(config, () => [crashEngine(jobMs, families)]));
process.on('SIGTERM', () => void node.stop().then(() => process.exit(0)));
// Nobody is left to kill it.
process.on('disconnect', () => process.exit(1));
process.send?.({ url: api?.url ?? 'none' });
