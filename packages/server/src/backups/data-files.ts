import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ifMissing } from '../missing-file.ts';
import { withSlashes } from '../platform.ts';
import { isPlainPath } from './backup-archive.ts';

/** Packs and models of the operator, and whatever else is in the data folder. */
export interface DataFiles {
  copied: { path: string; name: string }[];
  /** Names of what belongs in a backup, which cannot hold it: links, and names with other characters. */
  skipped: string[];
}

/**
 * Of the data folder, what is read elsewhere (the database and its log, blobs), is made anew (caches, trials, work under way),
 * or is a backup or what a restore has set aside.
 */
const notCopied =
  /^(?:guise\.db.*|guise-.*\.tar(?:\.upload)?|blobs|cache|engine-trials|scratch|server\.lock|backups|(?:restore|replaced)-.*)$/;
/** Files and folders that are being downloaded, unpacked or written. */
const unfinished = /\.(?:part|new)$|^import-[0-9a-f-]{36}$/;

/** Leaves out what is beside the target, too, where that is a folder of backups. */
export async function findDataFiles(dataDir: string, target: string): Promise<DataFiles> {
  const own = resolve(dataDir);
  const backups = dirname(target) === own ? target : dirname(target);
  const found: DataFiles = { copied: [], skipped: [] };
  for await (const { path, entry } of walk(
    own,
    (path, name) => path !== backups && isToCopy(path, name, own),
  )) {
    const name = withSlashes(path.slice(own.length + 1));
    if (entry.isFile() && isPlainPath(name)) found.copied.push({ path, name });
    else if (entry.isFile() || entry.isSymbolicLink()) found.skipped.push(name);
  }
  return found;
}

const isToCopy = (path: string, name: string, own: string) =>
  !unfinished.test(name) && !name.startsWith('.') && !(dirname(path) === own && notCopied.test(name));

/** All but folders that is in a folder and those below it. A folder that goes meanwhile has nothing. */
async function* walk(
  folder: string,
  isWanted: (path: string, name: string) => boolean,
): AsyncGenerator<{ path: string; entry: Dirent }> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(ifMissing([]))) {
    const path = join(folder, entry.name);
    if (!isWanted(path, entry.name)) continue;
    if (entry.isDirectory()) yield* walk(path, isWanted);
    else yield { path, entry };
  }
}

const mostNamed = 5;

/** For whoever believes that everything is in the backup. */
export function skippedSentence(skipped: readonly string[]): string {
  const names = skipped.slice(0, mostNamed).map((name) => name.replace(/\p{Cc}/gu, ' '));
  const rest = skipped.length - names.length;
  const all = rest > 0 ? `${names.join(', ')} + ${rest}` : names.join(', ');
  return `The backup is made, but without links and names that it cannot hold: ${all}.`;
}
