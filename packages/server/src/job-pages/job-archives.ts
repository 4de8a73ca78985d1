import { Readable } from 'node:stream';
import { z } from 'zod';
import { textId } from '../ids.ts';
import { isoTime } from '../iso-time.ts';
import { openResult } from '../jobs/results/read-result.ts';
import { fileEndingOf } from '../jobs/results/result-keys.ts';
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

/** What is stored of an archive: the zip file itself is written while it is sent. */
const StoredArchive = z.object({ account_id: z.string(), ids: z.array(z.string()) });

/** As long as blobs that no row names are left alone: see `sweepUnnamed`. */
export const archiveMs = 3600_000;

/** Stores which jobs an archive is of. The same jobs are the same archive, so that repeating the call does no harm. */
export async function createArchive(
  { db, blobs }: Parts,
  accountId: string,
  wanted: readonly string[],
): Promise<{ linkKey: string; jobs: number }> {
  const ids: string[] = [];
  for (const id of new Set(wanted)) {
    const job = await db.one(findJob, { id, account_id: accountId });
    if (job && job.result_key !== null) ids.push(id);
  }
  const name = archiveName(textId(`job archive ${accountId} ${ids.join()}`));
  await blobs.put(`${name}.json`, Buffer.from(JSON.stringify({ account_id: accountId, ids })));
  return { linkKey: `${name}.zip`, jobs: ids.length };
}

const archiveName = (id: string) => `archives/${id.slice(-2)}/${id}`;

/** The zip file behind a link; undefined when the archive is gone. Jobs that were erased meanwhile are left out. */
export async function openArchive({ db, blobs }: Parts, linkKey: string): Promise<Readable | undefined> {
  const stored = await blobs.read(linkKey.replace(/\.zip$/, '.json'));
  if (!stored) return undefined;
  const { account_id, ids } = readJson(StoredArchive, stored.toString());
  async function* entries(): AsyncGenerator<ZipEntry> {
    for (const id of ids) {
      const job = await db.one(findJob, { id, account_id });
      if (job && job.result_key !== null) yield entryFor(blobs, job, job.result_key);
    }
  }
  return Readable.from(zipStream(entries()), { objectMode: false });
}

function entryFor(blobs: Blobs, job: JobRow, resultKey: string): ZipEntry {
  const day = isoTime(job.created_at).slice(0, 10);
  return {
    name: `${day}-${job.family}-${job.id}.${fileEndingOf(resultKey)}`,
    modified: new Date(job.finished_at ?? job.created_at),
    open: () => openResult(blobs, resultKey),
  };
}
