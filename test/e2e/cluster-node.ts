import { startApi } from '@guise/server/app/api-node.ts';
import { startWorkerNode } from '@guise/server/app/worker-node.ts';
import { readConfig } from '@guise/server/config.ts';
import type { NodeSettings } from './cluster-nodes.ts';
import { crashEngine } from './crash-engine.ts';

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
