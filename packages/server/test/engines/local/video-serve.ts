import { startApp } from '../../../src/app/all-in-one.ts';
import { readConfig } from '../../../src/config.ts';
import { localEngine } from '../../../src/engines/local/local-engine.ts';

/** A whole server with the real engine in a process of its own, to be killed. */
const [dataDir = ''] = process.argv.slice(2);
const config = { ...readConfig({ PORT: '0', GUISE_LOG_LEVEL: 'fatal' }), concurrency: 1, dataDir };
const app = await startApp(config, () => [localEngine(config)]);
process.on('SIGTERM', () => void app.stop().then(() => process.exit(0)));
// Nobody is left to kill it.
process.on('disconnect', () => process.exit(1));
process.send?.({ url: app.url });
