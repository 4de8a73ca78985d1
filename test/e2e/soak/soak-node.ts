import { startApp } from '@guise/server/app/all-in-one.ts';
import { readConfig } from '@guise/server/config.ts';
import { createEngines } from '@guise/server/engines/engines.ts';

/** A whole server with the local engine, in a process of its own, whose clock its parent can set. */
let offsetMs = 0;
const machineTime = Date.now;
Date.now = () => machineTime() + offsetMs;
process.on('message', (message: { setClockBy?: number }) => {
  offsetMs += message.setClockBy ?? 0;
});

const config = readConfig(process.env);
const app = await startApp(config, (settings) => createEngines(settings, null));
process.on('SIGTERM', () => void app.stop().then(() => process.exit(0)));
// Nobody is left to end it.
process.on('disconnect', () => process.exit(1));
process.send?.({ url: app.url });
