import { isDeepStrictEqual } from 'node:util';
import type { Config, StoredSettings } from '../../config.ts';
import { readPrices } from '../../credits/prices.ts';
import { writeStoredSettings } from '../../stored-settings.ts';
import { startApp } from '../all-in-one.ts';
import type { App } from '../api-node.ts';
import { openBlobs } from '../storage.ts';
import type { MakeEngines } from '../worker-node.ts';
import type { LastRestart, RestoredSignIn } from './restarts.ts';

export interface RestartableApp {
  /** As it was started first. */
  app: App;
  stop(): Promise<void>;
  /** Rejects where it could not be started again. */
  failed: Promise<never>;
}

export interface AppParts {
  config: Config;
  makeEngines: MakeEngines;
}

const neverRestarted: LastRestart = { restored: null, restoreError: null, settingsError: null };

/**
 * Serves the API and does the jobs. When an operator asks for it, it stops in order and starts again: with the settings
 * that were changed meanwhile, or those from before where it does not start with them, and with the installation of a
 * backup where one is restored. `read` gives what it is started with; it is handed settings that are only tried.
 */
export async function startRestartableApp(
  read: (stored?: StoredSettings) => Promise<AppParts>,
  onRestart: (app: App) => void,
): Promise<RestartableApp> {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  let parts = await read();
  let last = neverRestarted;
  const start = () => startApp(parts.config, parts.makeEngines, { restarts: { ...restarts, last } });
  const startChanged = async () => {
    const former = parts;
    let isRead = false;
    try {
      parts = await read();
      isRead = true;
      return await start();
    } catch (error) {
      if (isRead && isDeepStrictEqual(former.config.stored, parts.config.stored)) throw error;
      parts = former;
      await writeStoredSettings(former.config.dataDir, former.config.stored);
      last = { ...last, settingsError: (error as Error).message };
      return start();
    }
  };
  const restartAfter = (change: () => Promise<LastRestart>) => {
    current = current.then(async (app) => {
      await app.stop();
      last = await change();
      const restarted = await startChanged();
      onRestart(restarted);
      return restarted;
    });
    current.catch(reject);
  };
  const restarts = {
    restart: () => restartAfter(async () => neverRestarted),
    restore: (archive: string, signIn: RestoredSignIn) =>
      restartAfter(() => restore(parts.config, archive, signIn)),
    async check(stored: StoredSettings) {
      const { config } = await read(stored);
      readPrices(config.prices);
    },
  };
  let current = start();
  return { app: await current, failed, stop: async () => (await current).stop() };
}

async function restore(config: Config, archive: string, signIn: RestoredSignIn): Promise<LastRestart> {
  try {
    // Loaded when they are needed: most processes restore nothing.
    const { restoreBackup } = await import('../../backups/restore-backup.ts');
    const { addRestoredSignIn } = await import('./restored-sign-in.ts');
    const blobs = () => openBlobs(config);
    const { madeAt } = await restoreBackup(config.dataDir, blobs, archive, { replace: true });
    await addRestoredSignIn(config, signIn);
    return { ...neverRestarted, restored: madeAt };
  } catch (error) {
    return { ...neverRestarted, restoreError: (error as Error).message };
  }
}
