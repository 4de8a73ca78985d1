import { z } from 'zod';
import { AppError } from '../errors.ts';

/**
 * A backup is one plain tar archive: manifest.json, guise.db, the blobs as blobs/KEY, everything else of the data folder
 * as files/PATH, and SHA256SUMS, which ends it and which `sha256sum --check` reads.
 */

export const manifestName = 'manifest.json';
export const databaseName = 'guise.db';
export const blobsFolder = 'blobs/';
export const filesFolder = 'files/';
export const sumsName = 'SHA256SUMS';

export const Manifest = z.object({
  format: z.literal(1),
  /** The version of Guise that made it. */
  version: z.string(),
  made_at: z.iso.datetime(),
});
export type Manifest = z.infer<typeof Manifest>;

export const backupRefused = (sentence: string, cause?: unknown) =>
  new AppError('BACKUP_REFUSED', sentence, { cause });

/** The lines of SHA256SUMS. Names hold no line breaks: they are keys of blobs and checked paths. */
export const writeSums = (sums: ReadonlyMap<string, string>) =>
  [...sums].map(([name, sum]) => `${sum}  ${name}\n`).join('');

export function readSums(text: string): Map<string, string> {
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const found = /^([0-9a-f]{64}) {2}(.+)$/.exec(line);
      if (!found) throw backupRefused(`The backup's ${sumsName} has a line that is no checksum.`);
      return [found[2]!, found[1]!];
    }),
  );
}

/** Paths of the data folder that a backup may hold: plain names, no way out of the folder, nothing hidden. */
export const isPlainPath = (path: string) => /^[\w-][\w.+ -]*(\/[\w-][\w.+ -]*)*$/.test(path);

export function assertEmbedded({ databaseUrl }: { databaseUrl: string }): void {
  if (databaseUrl === '') return;
  throw backupRefused(
    'The records are in PostgreSQL: back up the database with pg_dump, then the bucket. See docs/scale.md.',
  );
}
