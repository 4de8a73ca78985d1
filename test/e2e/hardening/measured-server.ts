import { startApp } from '@guise/server/app/all-in-one.ts';
import { readConfig } from '@guise/server/config.ts';
import { testEngine } from '../../../packages/server/test/support/test-engine.ts';

/**
 * A server in a process of its own that tells, when asked, how much memory it has, and for how long its event loop was
 * held at most since it was asked before: by the clock, and in CPU time, which other processes of the machine do not
 * lengthen.
 */
const [dataDir = ''] = process.argv.slice(2);
const app = await startApp(
  readConfig({ PORT: '0', GUISE_LOG_LEVEL: 'error', GUISE_DATA_DIR: dataDir }),
  () => [testEngine()],
);

const tickMs = 5;
let [blockedMs, busyMs] = [0, 0];
let [tickedAt, cpu] = [performance.now(), process.threadCpuUsage()];
setInterval(() => {
  const used = process.threadCpuUsage(cpu);
  blockedMs = Math.max(blockedMs, performance.now() - tickedAt - tickMs);
  busyMs = Math.max(busyMs, (used.user + used.system) / 1000);
  [tickedAt, cpu] = [performance.now(), process.threadCpuUsage()];
}, tickMs);

process.on('message', () => {
  process.send?.({ blockedMs, busyMs, rss: process.memoryUsage.rss() });
  [blockedMs, busyMs] = [0, 0];
});
process.on('disconnect', () => process.exit(1));
process.send?.({ url: app.url, key: app.demoKey });
