import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import Database from 'better-sqlite3';
import { syncFolder } from '../durable-files.ts';
import { AppError } from '../errors.ts';
import { readTar } from '../read-tar.ts';
import { type Blobs, isBlobKey } from '../store/blobs.ts';
import type { ReportProgress } from '../store/copy-rows.ts';
import { lockFolder } from '../store/folder-lock.ts';
import { migrateSqlite } from '../store/migrate.ts';
import {
  backupRefused,
  blobsFolder,
  databaseName,
  filesFolder,
  isPlainPath,
  Manifest,
  manifestName,
  readSums,
  sumsName,
} from './backup-archive.ts';

export interface Restored {
  madeAt: string;
  blobs: number;
  /** Where the installation is now that was in the data folder before. */
  replaced: string | null;
}

export interface RestoreOptions {
  /** Whether an installation that is there may be set aside. */
  replace: boolean;
  show?: ReportProgress;
}

/**
 * Puts the installation of a backup into a data folder whose server is stopped. Nothing that is there is touched before
 * the whole archive is unpacked and has its checksums, and its database is sound and no newer than this version. What is
 * there then moves into a folder of its own; the database comes last, so that a restore that was cut off is no
 * installation yet, and is simply run again.
 */
export async function restoreBackup(
  dataDir: string,
  openBlobs: () => Promise<Blobs>,
  archive: string,
  { replace, show = () => {} }: RestoreOptions,
): Promise<Restored> {
  if (!existsSync(archive)) throw backupRefused(`There is no file ${archive}.`);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = lockFolder(dataDir);
  const folder = join(dataDir, `restore-${randomUUID()}`);
  try {
    if (existsSync(join(dataDir, databaseName)) && !replace) {
      throw backupRefused(
        `${dataDir} has an installation already. Name an empty folder with GUISE_DATA_DIR, or set that installation aside with --replace.`,
      );
    }
    const names = await unpack(archive, folder, show);
    const { made_at: madeAt } = await readManifest(folder);
    await checkDatabase(join(folder, databaseName));
    const replaced = await setAside(dataDir, archive);
    const blobs = names.filter((name) => name.startsWith(blobsFolder));
    try {
      await putBlobs(await openBlobs(), folder, blobs, show);
      await moveFiles(join(folder, filesFolder), dataDir);
      await rename(join(folder, databaseName), join(dataDir, databaseName));
    } catch (error) {
      if (replaced !== null) await bringBack(replaced, dataDir);
      throw error;
    }
    await syncFolder(dataDir);
    return { madeAt, blobs: blobs.length, replaced };
  } finally {
    await rm(folder, { recursive: true, force: true });
    lock.release();
  }
}

/** Returns the names of what it has unpacked and checked. */
async function unpack(archive: string, folder: string, show: ReportProgress): Promise<string[]> {
  const { size } = await stat(archive);
  const sums = new Map<string, string>();
  let expected: Map<string, string> | undefined;
  let done = 0;
  const read = async () => {
    for await (const { name, isFile, content } of readTar(archive, 'plain')) {
      if (!isFile || !isKnownName(name)) throw damaged(archive, `it holds ${name}, which no backup does`);
      const path = join(folder, name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const hash = createHash('sha256');
      const count = new Transform({
        transform(chunk: Buffer, _encoding, next) {
          hash.update(chunk);
          done += chunk.length;
          if (done < size) show('unpacked', done, size);
          next(null, chunk);
        },
      });
      await pipeline(content, count, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
      if (name === sumsName) expected = readSums(await readFile(path, 'utf8'));
      else sums.set(name, hash.digest('hex'));
    }
  };
  await read().catch((error) => {
    throw error instanceof AppError ? error : damaged(archive, 'it is no whole tar archive', error);
  });
  if (!expected) throw damaged(archive, `its end is missing, where ${sumsName} would be`);
  const wrong = [...expected].find(([name, sum]) => sums.get(name) !== sum)?.[0];
  if (wrong !== undefined) throw damaged(archive, `${wrong} is missing or is not what was backed up`);
  const unknown = [...sums.keys()].find((name) => !expected?.has(name));
  if (unknown !== undefined) throw damaged(archive, `${unknown} has no checksum`);
  show('unpacked', size, size);
  return [...sums.keys()];
}

const damaged = (archive: string, what: string, cause?: unknown) =>
  backupRefused(`${archive} cannot be restored: ${what}. Nothing was changed.`, cause);

function isKnownName(name: string): boolean {
  if ([manifestName, databaseName, sumsName].includes(name)) return true;
  if (name.startsWith(blobsFolder)) return isBlobKey(name.slice(blobsFolder.length));
  return name.startsWith(filesFolder) && isPlainPath(name.slice(filesFolder.length));
}

async function readManifest(folder: string): Promise<Manifest> {
  try {
    return Manifest.parse(JSON.parse(await readFile(join(folder, manifestName), 'utf8')));
  } catch (cause) {
    throw backupRefused(
      'The backup has a manifest that this version cannot read. Nothing was changed.',
      cause,
    );
  }
}

/** A sound database, brought to the records of this version. */
async function checkDatabase(file: string): Promise<void> {
  const database = new Database(file);
  try {
    const [found] = database.pragma('integrity_check(1)', { simple: false }) as { integrity_check: string }[];
    if (found?.integrity_check !== 'ok')
      throw backupRefused(
        `The backup's database is damaged: ${found?.integrity_check}. Nothing was changed.`,
      );
  } finally {
    database.close();
  }
  try {
    await migrateSqlite(file);
  } catch (cause) {
    throw backupRefused(
      'The backup was made by a newer version of Guise than this one. Nothing was changed.',
      cause,
    );
  }
}

/** Moves all that is in the data folder into a folder of its own within it. Returns that one, or null for none. */
async function setAside(dataDir: string, archive: string): Promise<string | null> {
  const there = (await readdir(dataDir)).filter(
    (name) =>
      !/^(?:server\.lock.*|backups|cache|(?:restore|replaced)-.*)$/.test(name) &&
      // Backups that are in another folder of it stay there.
      !resolve(archive).startsWith(join(resolve(dataDir), name) + sep),
  );
  if (!there.includes(databaseName)) return null;
  const aside = join(dataDir, `replaced-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`);
  await mkdir(aside, { mode: 0o700 });
  for (const name of there) await rename(join(dataDir, name), join(aside, name));
  await syncFolder(dataDir);
  return aside;
}

/** What was set aside is again what it was. */
async function bringBack(aside: string, dataDir: string): Promise<void> {
  await moveFiles(aside, dataDir);
  await rm(aside, { recursive: true });
  await syncFolder(dataDir);
}

async function putBlobs(blobs: Blobs, folder: string, names: readonly string[], show: ReportProgress) {
  for (const [i, name] of names.entries()) {
    await blobs.put(name.slice(blobsFolder.length), createReadStream(join(folder, name)));
    show('files', i + 1, names.length);
  }
}

async function moveFiles(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return;
  for (const name of await readdir(from)) {
    // One that was cut off may have left some.
    await rm(join(to, name), { recursive: true, force: true });
    await rename(join(from, name), join(to, name));
  }
}
