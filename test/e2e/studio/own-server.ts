import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRestartableApp } from '../../../packages/server/src/app/restarts/restartable-app.ts';
import { readConfig } from '../../../packages/server/src/config.ts';
import { createEngines } from '../../../packages/server/src/engines/engines.ts';
import { readEnginesPlan } from '../../../packages/server/src/engines/engines-file.ts';
import { readStoredSettings } from '../../../packages/server/src/stored-settings.ts';
import { testEngine } from '../../../packages/server/test/support/test-engine.ts';

/** A server that can be started again, on a data folder of its own, which `fill` may put files into. */
export async function startOwnServer(fill: (dataDir: string) => void = () => {}) {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const env = {
    PORT: String(port),
    GUISE_LOG_LEVEL: 'silent',
    GUISE_C2PA: 'false',
    GUISE_DATA_DIR: mkdtempSync(join(tmpdir(), 'guise-own-')),
  };
  fill(env.GUISE_DATA_DIR);
  const read = async (stored = readStoredSettings(env)) => {
    const config = readConfig(env, stored);
    const plan = readEnginesPlan(config, env);
    return { config, makeEngines: () => createEngines(config, plan, { createLocal: testEngine }) };
  };
  return { ...(await startRestartableApp(read, () => {})), dataDir: env.GUISE_DATA_DIR };
}
