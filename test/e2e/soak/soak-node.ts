import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startApp } from '@guise/server/app/all-in-one.ts';
import { readConfig } from '@guise/server/config.ts';
import { createEngines } from '@guise/server/engines/engines.ts';

/** A whole server with the local engine, in a process of its own, whose clock its parent can set. */
let offsetMs = 0;
const machineTime = Date.now;
Date.now = () => machineTime() + offsetMs;
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
process.on('message', (message: { setClockBy?: number; measure?: true }) => {
  offsetMs += message.setClockBy ?? 0;
  if (!message.measure) return;
  collectGarbage();
  process.send?.({ memory: process.memoryUsage() });
});

const config = readConfig(process.env);
const app = await startApp(config, (settings) => createEngines(settings, null));
process.on('SIGTERM', () => void app.stop().then(() => process.exit(0)));
// Nobody is left to end it.
process.on('disconnect', () => process.exit(1));
process.send?.({ url: app.url });
