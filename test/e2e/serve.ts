import { startApp } from '@guise/server/app/all-in-one.ts';
import { readConfig } from '@guise/server/config.ts';
import { crashEngine } from './crash-engine.ts';

/** A whole server in a process of its own, to be killed. Its jobs take 20 to 60 ms unless told otherwise. */
const [dataDir = '', jobMs = '20-60'] = process.argv.slice(2);
/** One account submits far more than one account may. */
const noLimits = { GUISE_RUNS_PER_MINUTE: '0', GUISE_ACCOUNT_QUEUE_SHARE: '1' };
const config = {
  ...readConfig({ PORT: '0', GUISE_LOG_LEVEL: 'fatal', GUISE_C2PA: 'false', ...noLimits }),
  concurrency: 2,
  dataDir,
};
const app = await startApp(config, () => [crashEngine(jobMs)]);
process.on('SIGTERM', () => void app.stop().then(() => process.exit(0)));
// Nobody is left to kill it.
process.on('disconnect', () => process.exit(1));
process.send?.({ url: app.url });
