import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { openStorage } from '../../../packages/server/src/app/storage.ts';
import type { Config } from '../../../packages/server/src/config.ts';
import { charge, grant, refund } from '../../../packages/server/src/credits/ledger.ts';
import { newId } from '../../../packages/server/src/ids.ts';
import { thumbnailKeyOf } from '../../../packages/server/src/jobs/results/result-keys.ts';
import type { Blobs } from '../../../packages/server/src/store/blobs.ts';
import { initialJobState, insertJob, type NewJob } from '../../../packages/server/src/store/job-records.ts';

interface SeedOptions {
  accountId: string;
  count: number;
  /** From the newest to the oldest. */
  spanMs?: number;
  /** How many different thumbnails there are. */
  pictures?: number;
  keyId?: string;
  /** What each took of a server, in US dollars. */
  cost?: number;
}

interface CatalogFilter {
  id: number;
  name: string;
}

const catalog = new URL('../../../catalog/', import.meta.url);
const filters: CatalogFilter[] = JSON.parse(
  readFileSync(new URL('filters.json', catalog), 'utf8'),
).face_swap.slice(0, 24);

/** Ended jobs with real pictures, straight in the records: what a busy season leaves. Every 40th has failed. */
export async function seedJobs(config: Config, options: SeedOptions): Promise<string[]> {
  const { accountId, count, spanMs = 3_600_000, pictures = 24, keyId = null, cost = 0 } = options;
  const { db, blobs, close } = await openStorage(config);
  try {
    const now = Date.now();
    const jobs = Array.from({ length: count }, (_, at) => {
      const createdAt = now - 1000 - Math.round((at * spanMs) / count);
      return { ...endedJob({ accountId, at, createdAt, keyId }), cost };
    });
    const keys = await storePictures(blobs, jobs.slice(0, pictures));
    await db.transaction(async (tx) => {
      await grant(tx, accountId, 2 * count);
      for (const [at, job] of jobs.entries()) {
        await charge(tx, accountId, job.id, job.price, job.created_at);
        if (job.state === 'failed') await refund(tx, job, job.finished_at!);
        const result_key = job.state === 'failed' ? null : keys[at % keys.length]!;
        await tx.run(insertJob, { ...job, result_key });
      }
    });
    return jobs.map(({ id }) => id);
  } finally {
    await close();
  }
}

const failures = [
  'No face was found in the photo. Look into the camera and try again.',
  'The photo is too dark to find a face in it.',
];

function endedJob(seed: { accountId: string; at: number; createdAt: number; keyId: string | null }): NewJob {
  const { accountId, at, createdAt, keyId } = seed;
  const filter = filters[at % filters.length]!;
  const hasFailed = at % 40 === 13;
  const waitedMs = 40 + ((at * 37) % 900);
  const ranMs = 1200 + ((at * 53) % 1900);
  return {
    ...initialJobState,
    id: newId(createdAt),
    account_id: accountId,
    family: 'face_swap_v6',
    params: JSON.stringify({ filter_id: filter.id, gender: 'auto', ratio: '2:3', quality: 'high' }),
    filter_ref: String(filter.id),
    filter_name: filter.name,
    filter: JSON.stringify({ kind: 'scene' }),
    inputs: '[]',
    price: 2,
    key_id: keyId,
    weight: 1,
    state: hasFailed ? 'failed' : 'completed',
    error: hasFailed ? failures[(at >> 3) % failures.length]! : null,
    result_notes: hasFailed
      ? null
      : JSON.stringify({ applied: ['The light of the scene'], ignored: ['seed'] }),
    progress: 1,
    claim: 1,
    run_after: createdAt,
    created_at: createdAt,
    started_at: createdAt + waitedMs,
    finished_at: createdAt + waitedMs + ranMs,
    expires_at: Date.now() + 7 * 86_400_000,
    worker: 'booth-1:4211',
    engine: 'local',
    run_report: JSON.stringify({
      storing: 60,
      engine: [
        { stage: 'faces', ms: 210 },
        { stage: 'matting', ms: 480 },
        { stage: 'compose', ms: 350 },
      ],
    }),
  };
}

/** The results and thumbnails of some jobs; the others share them. Every filter's picture is encoded once. */
async function storePictures(blobs: Blobs, jobs: readonly NewJob[]): Promise<string[]> {
  const encoded = new Map(
    await Promise.all(
      [...new Set(jobs.map(({ filter_ref }) => filter_ref))].map(async (filter) => {
        const preview = readFileSync(new URL(`previews/face_swap/${filter}.webp`, catalog));
        const png = await sharp(preview).png({ compressionLevel: 1 }).toBuffer();
        const thumbnail = await sharp(preview).resize({ height: 384 }).webp().toBuffer();
        return [filter, { result: Buffer.from(png.toString('base64')), thumbnail }] as const;
      }),
    ),
  );
  return Promise.all(
    jobs.map(async ({ id, filter_ref }) => {
      const key = `results/${id.slice(-2)}/${id}-1.b64`;
      const { result, thumbnail } = encoded.get(filter_ref)!;
      await blobs.put(key, result);
      await blobs.put(thumbnailKeyOf(key), thumbnail);
      return key;
    }),
  );
}
