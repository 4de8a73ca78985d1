import type { Config } from '../config.ts';
import { startApp } from './all-in-one.ts';
import type { App } from './api-node.ts';
import { openBlobs } from './storage.ts';
import type { MakeEngines } from './worker-node.ts';

export interface RestorableApp {
  /** As it was started first. */
  app: App;
  stop(): Promise<void>;
  /** Rejects where it could not be started again after a restore. */
  failed: Promise<never>;
}

/**
 * Serves the API and does the jobs. When an operator restores a backup, it stops in order, puts the backup's
 * installation in place of its own and starts again; where that is refused, it starts again as it was.
 */
export async function startRestorableApp(
  config: Config,
  makeEngines: MakeEngines,
  onRestart: (app: App) => void,
): Promise<RestorableApp> {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  let lastError: string | null = null;
  const start = () => startApp(config, makeEngines, { restoring: { lastError, begin } });
  const begin = (archive: string) => {
    current = current.then(async (app) => {
      await app.stop();
      lastError = await restore(config, archive);
      const restarted = await start();
      onRestart(restarted);
      return restarted;
    });
    current.catch(reject);
  };
  let current = start();
  return { app: await current, failed, stop: async () => (await current).stop() };
}

/** Returns why it was refused, or null. */
async function restore(config: Config, archive: string): Promise<string | null> {
  try {
    // Loaded when it is needed: most processes restore nothing.
    const { restoreBackup } = await import('../backups/restore-backup.ts');
    await restoreBackup(config.dataDir, () => openBlobs(config), archive, { replace: true });
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
