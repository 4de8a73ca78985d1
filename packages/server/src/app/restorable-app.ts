import type { Config } from '../config.ts';
import { startApp } from './all-in-one.ts';
import type { App } from './api-node.ts';
import type { LastRestore } from './backups.ts';
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
  let last: LastRestore = { restored: null, error: null };
  const start = () => startApp(config, makeEngines, { restoring: { last, begin } });
  const begin = (archive: string) => {
    current = current.then(async (app) => {
      await app.stop();
      last = await restore(config, archive);
      const restarted = await start();
      onRestart(restarted);
      return restarted;
    });
    current.catch(reject);
  };
  let current = start();
  return { app: await current, failed, stop: async () => (await current).stop() };
}

async function restore(config: Config, archive: string): Promise<LastRestore> {
  try {
    // Loaded when it is needed: most processes restore nothing.
    const { restoreBackup } = await import('../backups/restore-backup.ts');
    const blobs = () => openBlobs(config);
    const { madeAt } = await restoreBackup(config.dataDir, blobs, archive, { replace: true });
    return { restored: madeAt, error: null };
  } catch (error) {
    return { restored: null, error: (error as Error).message };
  }
}
