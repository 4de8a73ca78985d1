import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import Database from 'better-sqlite3';
import { createTarPacker } from 'modern-tar';
import { syncFolder } from '../durable-files.ts';
import { lastingPrefixes, livePrefixes } from '../jobs/sweep.ts';
import { ifMissing } from '../missing-file.ts';
import type { Blobs } from '../store/blobs.ts';
import type { ReportProgress } from '../store/copy-rows.ts';
import {
  backupRefused,
  blobsFolder,
  databaseName,
  filesFolder,
  type Manifest,
  manifestName,
  sumsName,
  writeSums,
} from './backup-archive.ts';
import { findDataFiles } from './data-files.ts';

export interface BackupSource {
  dataDir: string;
  blobs: Blobs;
  version: string;
}

export interface WrittenBackup {
  file: string;
  bytes: number;
  /** Photos, results and the like. */
  blobs: number;
  /** Names of files in the data folder that it cannot hold. */
  skipped: string[];
}

/**
 * Writes an embedded installation as one archive, whether its server runs or not. The database is copied first, as it is
 * at one moment; blobs never change, so those that its rows name are copied after it. What is deleted meanwhile is in
 * the copy of the database alone: such a result is answered as one that has expired.
 */
export async function writeBackup(
  { dataDir, blobs, version }: BackupSource,
  target: string,
  show: ReportProgress = () => {},
): Promise<WrittenBackup> {
  const database = join(dataDir, databaseName);
  if (!existsSync(database)) throw backupRefused(`There is no installation in ${dataDir}.`);
  if (existsSync(target)) throw backupRefused(`${target} exists already.`);
  const [incoming, copy] = [`${target}.part`, `${target}.${randomUUID()}.db`];
  try {
    await copyDatabase(database, copy);
    const copied = await writeArchive(incoming, async (add) => {
      const manifest: Manifest = { format: 1, version, made_at: new Date().toISOString() };
      await add(manifestName, Readable.from([Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)]));
      const { size } = await stat(copy);
      await add(databaseName, createReadStream(copy), size);
      const count = await addBlobs(blobs, add, show);
      const files = await findDataFiles(dataDir, resolve(target));
      for (const { path, name } of files.copied) await addFile(path, filesFolder + name, add);
      return { blobs: count, skipped: files.skipped };
    });
    await rename(incoming, target);
    await syncFolder(dirname(resolve(target)));
    return { file: target, bytes: (await stat(target)).size, ...copied };
  } finally {
    await rm(copy, { force: true });
    await rm(incoming, { force: true });
  }
}

/** As the database is at one moment. Others go on reading and writing it meanwhile. */
async function copyDatabase(from: string, to: string): Promise<void> {
  await (await open(to, 'wx', 0o600)).close();
  const source = new Database(from, { readonly: true, timeout: 10_000 });
  try {
    source.prepare('vacuum into ?').run(to);
  } finally {
    source.close();
  }
}

/** Adds an entry; without a size, one that is small. */
type AddEntry = (name: string, content: Readable, size?: number) => Promise<void>;

async function writeArchive<T>(path: string, addAll: (add: AddEntry) => Promise<T>): Promise<T> {
  const file = await open(path, 'w', 0o600);
  const { readable, controller } = createTarPacker();
  const written = pipeline(
    Readable.fromWeb(readable as NodeStream<Uint8Array>),
    createWriteStream(path, { fd: file.fd, autoClose: false }),
  );
  // Whoever adds hears of it by the next entry.
  written.catch(() => {});
  const sums = new Map<string, string>();
  const add: AddEntry = async (name, content, size) => {
    const known = size === undefined ? Buffer.concat(await content.toArray()) : undefined;
    const body = controller.add({ name, size: size ?? known!.length, mode: 0o600, type: 'file' }).getWriter();
    const hash = createHash('sha256');
    for await (const chunk of known ? [known] : content) {
      hash.update(chunk);
      // The packer may keep a chunk for longer than the stream that it came from.
      await body.write(Uint8Array.from(chunk as Buffer));
    }
    await body.close();
    sums.set(name, hash.digest('hex'));
  };
  try {
    const result = await addAll(add);
    await add(sumsName, Readable.from([Buffer.from(writeSums(sums))]));
    controller.finalize();
    await written;
    await file.sync();
    return result;
  } catch (error) {
    controller.error(error);
    await written.catch(() => {});
    throw error;
  } finally {
    await file.close();
  }
}

/** Photos of jobs that wait come first: they are deleted as soon as their job ends. */
async function addBlobs(blobs: Blobs, add: AddEntry, show: ReportProgress): Promise<number> {
  const keys: string[] = [];
  for (const prefix of [...livePrefixes, ...lastingPrefixes]) {
    for await (const { key } of blobs.list(prefix)) keys.push(key);
  }
  let added = 0;
  for (const [i, key] of keys.entries()) {
    const blob = await blobs.open(key);
    if (blob) {
      await add(blobsFolder + key, blob.stream(), blob.size);
      added++;
    }
    show('files', i + 1, keys.length);
  }
  return added;
}

/** As long as it is now: it may grow meanwhile. One that has gone since the folder was read is left out. */
async function addFile(path: string, name: string, add: AddEntry): Promise<void> {
  const file = await open(path).catch(ifMissing(null));
  if (!file) return;
  try {
    const { size } = await file.stat();
    await add(name, size === 0 ? Readable.from([]) : file.createReadStream({ end: size - 1 }), size);
  } finally {
    await file.close();
  }
}
