import { statfsSync } from 'node:fs';
import type { Config } from '../config.ts';
import { AppError, isDescriptorShortage } from '../errors.ts';
import { guiseCommand, readDescriptorLimit } from '../platform.ts';
import { isFull } from '../store/storage-unavailable.ts';

type Place = Pick<Config, 'dataDir' | 'databaseUrl'>;

/** Fewer do not suffice for the database, the engine's processes and a few connections. */
const fewestDescriptors = 100;

export function assertDescriptors(): void {
  if (readDescriptorLimit() < fewestDescriptors) throw tooFewDescriptors();
}

/** What keeps a process from starting, as one sentence with its remedy. Another error is given back as it is. */
export function startFault(place: Place, error: unknown): unknown {
  if (isDescriptorShortage(error)) return tooFewDescriptors(error);
  const { dataDir } = place;
  if (isFull(error) || (isOfSqlite(error) && hasNoSpace(dataDir)))
    return fault(
      'DISK',
      `There is no space left for ${dataDir}. Make room on its disk, or set GUISE_DATA_DIR to another folder.`,
      error,
    );
  if (error instanceof AppError) return error;
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof message === 'string' && message.startsWith('corrupted migrations'))
    return fault(
      'DATABASE',
      `The database ${placeOf(place)} was written by a newer version of Guise. Start that version, or restore a backup of this one: ${guiseCommand()} restore --help.`,
      error,
    );
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(String(code)))
    return fault(
      'DATABASE',
      `The database ${placeOf(place)} is damaged. Restore a backup: ${guiseCommand()} restore --help.`,
      error,
    );
  if (/^(EROFS|EACCES|EPERM|ENOTDIR|SQLITE_READONLY.*|SQLITE_CANTOPEN.*)$/.test(String(code)))
    return fault(
      'DISK',
      `Guise cannot write to ${dataDir}. Let its user write there, or set GUISE_DATA_DIR to another folder.`,
      error,
    );
  return error;
}

const isOfSqlite = (error: unknown) => /^SQLITE_/.test(String((error as { code?: unknown } | null)?.code));

/** SQLite ends the transaction when the disk is full, and then the error is that there is none to end. */
function hasNoSpace(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < 2 ** 20;
}

const placeOf = ({ dataDir, databaseUrl }: Place) =>
  databaseUrl === '' ? `in ${dataDir}` : 'of DATABASE_URL';

const fault = (code: 'DATABASE' | 'DISK', sentence: string, cause: unknown) =>
  new AppError(code, sentence, { cause });

function tooFewDescriptors(cause?: unknown): AppError {
  return new AppError(
    'DESCRIPTORS',
    `This process may have only ${readDescriptorLimit()} files and connections open at once. Raise it with ulimit -n 4096, or LimitNOFILE of systemd.`,
    { cause },
  );
}
