import packageJson from '../../package.json' with { type: 'json' };
import { writeBackup } from '../backups/write-backup.ts';
import type { BackupMessage, BackupTask } from './backups.ts';
import { openBlobs } from './storage.ts';

// A server that has gone needs no backup.
process.once('disconnect', () => process.exit());

const send = (message: BackupMessage, sent = () => {}) => void process.send?.(message, sent);
const messageEveryMs = 250;

/** A process of its own, because a large database is copied in one go. */
process.once('message', async ({ config, target }: BackupTask) => {
  let shown = 0;
  const show = (_: string, done: number, total: number) => {
    if (done < total && performance.now() - shown < messageEveryMs) return;
    shown = performance.now();
    send({ done, total });
  };
  const backedUp = { dataDir: config.dataDir, blobs: await openBlobs(config), version: packageJson.version };
  const end: BackupMessage = await writeBackup(backedUp, target, show).then(
    ({ skipped }) => ({ error: null, skipped }),
    (error) => ({ error: error instanceof Error ? error.message : String(error), skipped: [] }),
  );
  send(end, () => process.disconnect());
});
