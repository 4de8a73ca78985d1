import { setTimeout as sleep } from 'node:timers/promises';
import { startApp } from '@guise/server/app/all-in-one.ts';
import { readConfig } from '@guise/server/config.ts';
import { testEngine } from '../../../packages/server/test/support/test-engine.ts';

/** A whole server in a process of its own, to be killed, and to come back where it was. Its jobs take `jobMs`. */
const [dataDir = '', port = '0', jobMs = '0'] = process.argv.slice(2);
const config = {
  ...readConfig({ PORT: port, GUISE_LOG_LEVEL: 'fatal', GUISE_C2PA: 'false', GUISE_RUNS_PER_MINUTE: '0' }),
  concurrency: 2,
  dataDir,
  demo: false,
};
const engine = testEngine();
engine.before = async (_, { signal }) => {
  await sleep(Number(jobMs), undefined, { signal });
};
const app = await startApp(config, () => [engine]);
process.on('disconnect', () => process.exit(1));
process.send?.({ url: app.url });
