import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Backup, BackupPart, BackupUpload } from '@guise/contract/operator/operator.ts';
import { syncFolder } from '../durable-files.ts';
import { AppError, invalidField } from '../errors.ts';
import { ifMissing } from '../missing-file.ts';
import { manifestName } from './backup-archive.ts';

const backupName = /^guise-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)\.tar$/;
/** What a backup that was cut off leaves. */
const partName = /^guise-\d{4}-[\dT-]+\.tar\.(?:part|[0-9a-f-]{36}\.db(?:-journal)?)$/;
const uploadName = /^guise-\d{4}-[\dT-]+\.tar\.upload$/;
const uploadKeptMs = 24 * 3600_000;

/** The name of a backup that was made at this time. */
export const backupNameAt = (time: Date) =>
  `guise-${time.toISOString().slice(0, 19).replaceAll(':', '-')}.tar`;

/** The backups of a folder, newest first. Other files are not looked at. */
export async function listBackups(folder: string): Promise<Backup[]> {
  const names = await readdir(folder).catch(ifMissing([]));
  const found = names
    .filter((name) => backupName.test(name))
    .toSorted()
    .reverse();
  return Promise.all(
    found.map(async (name) => ({
      name,
      bytes: (await stat(join(folder, name))).size,
      made_at: madeAt(name),
    })),
  );
}

function madeAt(name: string): string {
  const [day, time] = backupName.exec(name)![1]!.split('T') as [string, string];
  return `${day}T${time.replaceAll('-', ':')}.000Z`;
}

/** Removes all but the newest ones, and never the one that was just made: others may be of the future where the clock was set back. */
export async function pruneBackups(folder: string, kept: number, made?: string): Promise<void> {
  for (const { name } of (await listBackups(folder)).slice(kept))
    if (name !== made) await rm(join(folder, name));
}

/** Makes the folder, or removes what earlier backups have left there that were cut off. None may be under way. */
export async function prepareBackupFolder(folder: string): Promise<void> {
  await prepareUploads(folder);
  for (const name of await readdir(folder))
    if (partName.test(name)) await rm(join(folder, name), { force: true });
}

/** Makes the folder, or removes what earlier uploads have left there. What a backup is being written to stays. */
async function prepareUploads(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder))
    if (uploadName.test(name) && (await isLeft(join(folder, name)))) await rm(join(folder, name));
}

const isLeft = async (path: string) => Date.now() - (await stat(path)).mtimeMs > uploadKeptMs;

/**
 * Takes a part of an archive that somebody uploads, which becomes a backup of the list with its last byte. A part that
 * does not follow what is here changes nothing: the answer says where the next one begins, so that an upload that was
 * cut off goes on.
 */
export async function receivePart(
  folder: string,
  name: string,
  { offset, bytes, content }: BackupPart & { content: Buffer },
): Promise<BackupUpload> {
  if (!backupName.test(name))
    throw invalidField('name', 'must be like guise-2026-05-01T18-00-00.tar, with the time of the backup');
  const [path, incoming] = [join(folder, name), join(folder, `${name}.upload`)];
  const there = await stat(path).catch(ifMissing(null));
  if (there?.size === bytes) return { received: bytes, complete: true };
  if (there) throw new AppError('BACKUP_EXISTS', 'There is another backup of this time. Delete it first.');
  await prepareUploads(folder);
  const received = (await stat(incoming).catch(ifMissing(null)))?.size ?? 0;
  // From its begin it is sent anew.
  if (content.length === 0 || ![0, received].includes(offset)) return { received, complete: false };
  if (offset === 0 && !isBackup(content))
    throw invalidField('body', 'is no backup of Guise: those are tar archives that begin with a manifest');
  if (offset + content.length > bytes) throw invalidField('bytes', 'is less than what was sent');
  const file = await open(incoming, offset === 0 ? 'w' : 'r+', 0o600);
  try {
    await file.write(content, 0, content.length, offset);
    await file.sync();
  } finally {
    await file.close();
  }
  const complete = offset + content.length === bytes;
  if (complete) {
    await rename(incoming, path);
    await syncFolder(folder);
  }
  return { received: offset + content.length, complete };
}

/** As `writeBackup` begins an archive. Its checksums are read when it is restored. */
const isBackup = (content: Buffer) =>
  content.subarray(0, manifestName.length + 1).toString('latin1') === `${manifestName}\0` &&
  content.subarray(257, 262).toString('latin1') === 'ustar';

export async function openBackup(
  folder: string,
  name: string,
): Promise<{ path: string; bytes: number; stream(): Readable }> {
  const path = await pathOf(folder, name);
  return { path, bytes: (await stat(path)).size, stream: () => createReadStream(path) };
}

export async function removeBackup(folder: string, name: string): Promise<void> {
  await rm(await pathOf(folder, name));
}

async function pathOf(folder: string, name: string): Promise<string> {
  const known = await listBackups(folder);
  if (!known.some((backup) => backup.name === name))
    throw new AppError('BACKUP_NOT_FOUND', 'There is no backup with this name.');
  return join(folder, name);
}
