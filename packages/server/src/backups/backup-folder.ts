import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Backup } from '@guise/contract/operator.ts';
import { AppError } from '../errors.ts';
import { ifMissing } from '../missing-file.ts';

const backupName = /^guise-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)\.tar$/;
/** What a backup that was cut off leaves. */
const partName = /^guise-\d{4}-[\dT-]+\.tar\.(?:part|[0-9a-f-]{36}\.db(?:-journal)?)$/;

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

/** Removes all but the newest ones. */
export async function pruneBackups(folder: string, kept: number): Promise<void> {
  for (const { name } of (await listBackups(folder)).slice(kept)) await rm(join(folder, name));
}

/** Makes the folder, or removes what earlier backups have left there that were cut off. */
export async function prepareBackupFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    if (partName.test(name)) await rm(join(folder, name), { force: true });
  }
}

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
