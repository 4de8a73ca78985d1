import { fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BackupList } from '@guise/contract/operator/operator.ts';
import type { Logger } from 'pino';
import { makeSecret } from '../accounts/secrets.ts';
import {
  backupNameAt,
  listBackups,
  openBackup,
  prepareBackupFolder,
  pruneBackups,
  receivePart,
  removeBackup,
} from '../backups/backup-folder.ts';
import { skippedSentence } from '../backups/data-files.ts';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import type { Backups } from '../http/parts.ts';
import { createBackupSchedule, spaceProblem } from './backup-schedule.ts';
import type { Restarts } from './restarts/restarts.ts';
import { isShared } from './storage.ts';

export interface BackupTask {
  config: Config;
  target: string;
}
/** How far it is, in files, or how it ended. */
export type BackupMessage = { done: number; total: number } | BackupEnd;
interface BackupEnd {
  error: string | null;
  /** Names of files that it could not hold. */
  skipped: readonly string[];
}

const child = fileURLToPath(new URL('backup-child.ts', import.meta.url));
const checkEveryMs = 60_000;
const hourMs = 3600_000;

const sharedSentence =
  'The records are in PostgreSQL, which has tools of its own for backups: docs/scale.md.';

type Making = NonNullable<BackupList['running']> & { stop(): void };

/** The backups of this installation: those that are asked for, and those that are due. One is made at a time. */
export function createBackups(config: Config, log: Logger, restarts?: Restarts): Backups & { stop(): void } {
  const { everyMs, kept } = config.backups;
  const folder = config.backups.folder || join(config.dataDir, 'backups');
  const unavailable = isShared(config) ? sharedSentence : null;
  let running: Making | null = null;
  let lastError = restarts?.last.restoreError ?? null;

  const schedule = createBackupSchedule(everyMs);
  const make = async () => {
    const making = { started_at: new Date().toISOString(), done: 0, total: 0, stop: () => {} };
    running = making;
    const { error, skipped } = await makeOne(config, folder, making).catch(failedBy);
    schedule.tried(error !== null, performance.now());
    running = null;
    lastError = error ?? (skipped.length > 0 ? skippedSentence(skipped) : null);
    if (error !== null) log.error({ reason: error }, 'the backup failed');
    else if (skipped.length > 0) log.warn({ skipped }, 'the backup could not hold all files');
  };
  const makeWhenDue = async () => {
    if (running) return;
    if (schedule.isDue(await listBackups(folder), Date.now(), performance.now())) await make();
  };
  const isScheduled = everyMs > 0 && unavailable === null;
  const check = () => void makeWhenDue().catch((error) => log.error({ err: error }, 'the backup failed'));
  const timer = isScheduled ? setInterval(check, checkEveryMs).unref() : undefined;
  if (isScheduled) check();

  const assertAvailable = () => {
    if (unavailable !== null) throw new AppError('BACKUP_UNAVAILABLE', unavailable);
  };
  const list = async (): Promise<BackupList> => ({
    backups: unavailable === null ? await listBackups(folder) : [],
    running: running && { started_at: running.started_at, done: running.done, total: running.total },
    last_error: lastError,
    restored: restarts?.last.restored ?? null,
    unavailable,
    can_restore: restarts !== undefined && unavailable === null,
    folder,
    every_hours: isScheduled ? everyMs / hourMs : 0,
    kept,
    next_cursor: null,
  });
  return {
    list,
    async start() {
      assertAvailable();
      if (!running) void make();
      return list();
    },
    open: (name) => openBackup(folder, name),
    async receive(name, part) {
      assertAvailable();
      return receivePart(folder, name, part);
    },
    async restore(name, email) {
      assertAvailable();
      if (!restarts) throw new AppError('BACKUP_UNAVAILABLE', 'Restore it with the command guise restore.');
      const { path } = await openBackup(folder, name);
      running?.stop();
      const token = makeSecret('link');
      restarts.restore(path, { token, email });
      return { ...(await list()), sign_in_token: token };
    },
    remove: (name) => removeBackup(folder, name),
    stop() {
      clearInterval(timer);
      running?.stop();
    },
  };
}

async function makeOne(config: Config, folder: string, making: Making): Promise<BackupEnd> {
  const { kept } = config.backups;
  await prepareBackupFolder(folder);
  // Where fewer are kept than before, they make room.
  await pruneBackups(folder, kept);
  const [newest] = await listBackups(folder);
  const error = await spaceProblem(folder, newest);
  if (error !== null) return { error, skipped: [] };
  const name = backupNameAt(new Date(making.started_at));
  const end = await runChild({ config, target: join(folder, name) }, making);
  if (end.error === null) await pruneBackups(folder, kept, name);
  return end;
}

const failedBy = (error: Error): BackupEnd => ({ error: error.message, skipped: [] });

function runChild(task: BackupTask, making: Making): Promise<BackupEnd> {
  const { promise, resolve } = Promise.withResolvers<BackupEnd>();
  const backup = fork(child, { stdio: 'ignore' });
  backup.unref();
  backup.channel?.unref();
  making.stop = () => void backup.kill('SIGKILL');
  backup.on('message', (message: BackupMessage) => {
    if ('error' in message) resolve(message);
    else Object.assign(making, message);
  });
  backup.once('error', (error) => resolve(failedBy(error)));
  backup.once('exit', () => resolve({ error: 'It ended before it was done.', skipped: [] }));
  backup.send(task);
  return promise;
}
