import { join } from 'node:path';
import Database from 'better-sqlite3';
import { AppError } from '../errors.ts';

export interface FolderLock {
  release(): void;
}

/** Keeps two servers from using one folder. */
export function lockFolder(folder: string): FolderLock {
  return lockWith(join(folder, 'server.lock'), folder);
}

/**
 * Locks a folder by a file. The lock is an open exclusive transaction on that file, so the operating system releases it
 * however the process ends.
 */
export function lockWith(file: string, folder: string): FolderLock {
  const lock = new Database(file, { timeout: 0 });
  try {
    lock.pragma('journal_mode = DELETE');
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if ((error as { code?: unknown }).code !== 'SQLITE_BUSY') throw error;
    throw new AppError(
      'DATA_FOLDER_IN_USE',
      `Another Guise server is using ${folder}. Stop it, or set GUISE_DATA_DIR to another folder.`,
      { cause: error },
    );
  }
  return { release: () => lock.close() };
}
