import { Readable } from 'node:stream';
import { z } from 'zod';
import { textId } from '../ids.ts';
import { isoTime } from '../iso-time.ts';
import { openResult } from '../jobs/results/read-result.ts';
import { fileEndingOf, momentKeyOf } from '../jobs/results/result-keys.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db } from '../store/db.ts';
import { findJob } from '../store/job-records.ts';
import { readJson } from '../store/json-column.ts';
import type { JobRow } from '../store/schema.ts';
import { type ZipEntry, zipStream } from './zip-stream.ts';

interface Parts {
  db: Db;
  blobs: Blobs;
}

/** What an archive is of. */
export interface ArchiveContent {
  ids: readonly string[];
  /** What the file is called, without its ending. */
  title?: string;
  /** Names of files by job, without their endings. */
  names?: Readonly<Record<string, string>>;
  /** Jobs whose moving picture of the moment goes with their result. */
  moments?: readonly string[];
}

/** What is stored of an archive: the zip file itself is written while it is sent. */
const StoredArchive = z.object({
  account_id: z.string(),
  ids: z.array(z.string()),
  title: z.string().optional(),
  names: z.record(z.string(), z.string()).optional(),
  moments: z.array(z.string()).optional(),
});
type StoredArchive = z.infer<typeof StoredArchive>;

/** As long as blobs that no row names are left alone: see `sweepUnnamed`. */
export const archiveMs = 3600_000;

/** Stores what an archive is of. The same content is the same archive, so that repeating the call does no harm. */
export async function createArchive(
  { db, blobs }: Parts,
  accountId: string,
  content: ArchiveContent,
): Promise<{ linkKey: string; jobs: number }> {
  const ids: string[] = [];
  for (const id of new Set(content.ids)) {
    const job = await db.one(findJob, { id, account_id: accountId });
    if (job && job.result_key !== null) ids.push(id);
  }
  const stored = JSON.stringify({ ...content, account_id: accountId, ids });
  const name = archiveName(textId(`job archive ${stored}`));
  await blobs.put(`${name}.json`, Buffer.from(stored));
  return { linkKey: `${name}.zip`, jobs: ids.length };
}

const archiveName = (id: string) => `archives/${id.slice(-2)}/${id}`;

/** The zip file behind a link; undefined when the archive is gone. Jobs that were erased meanwhile are left out. */
export async function openArchive(
  { db, blobs }: Parts,
  linkKey: string,
): Promise<{ title: string | undefined; stream: Readable } | undefined> {
  const stored = await blobs.read(linkKey.replace(/\.zip$/, '.json'));
  if (!stored) return undefined;
  const archive = readJson(StoredArchive, stored.toString());
  async function* entries(): AsyncGenerator<ZipEntry> {
    for (const id of archive.ids) {
      const job = await db.one(findJob, { id, account_id: archive.account_id });
      if (job && job.result_key !== null) yield* entriesFor(blobs, job, job.result_key, archive);
    }
  }
  return { title: archive.title, stream: Readable.from(zipStream(entries()), { objectMode: false }) };
}

function entriesFor(blobs: Blobs, job: JobRow, resultKey: string, archive: StoredArchive): ZipEntry[] {
  const name = archive.names?.[job.id] ?? `${isoTime(job.created_at).slice(0, 10)}-${job.family}-${job.id}`;
  const modified = new Date(job.finished_at ?? job.created_at);
  const result = {
    name: `${name}.${fileEndingOf(resultKey)}`,
    modified,
    open: () => openResult(blobs, resultKey),
  };
  if (!archive.moments?.includes(job.id)) return [result];
  const openMoment = async () => (await blobs.open(momentKeyOf(job.id)))?.stream();
  return [result, { name: `${name}, moment.gif`, modified, open: openMoment }];
}
