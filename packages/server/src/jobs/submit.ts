import {
  type AnyBody,
  type Family,
  type FamilyName,
  filterRefOf,
  imagesOf,
  modeOf,
  wordOf,
} from '@guise/contract/families.ts';
import { priceOf } from '@guise/contract/prices.ts';
import type { Logger } from 'pino';
import type { Catalog } from '../catalog/catalog.ts';
import { resolveFilter, workflowFetchFailed } from '../catalog/resolve.ts';
import { charge } from '../credits/ledger.ts';
import type { Prices } from '../credits/prices.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { readImage } from '../media/image-input.ts';
import type { Uploads } from '../media/upload.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db } from '../store/db.ts';
import { touchAlias } from '../store/filter-records.ts';
import { findIdempotency, insertIdempotency } from '../store/idempotency-records.ts';
import { initialJobState, insertJob, type NewJob } from '../store/job-records.ts';
import type { Queue } from '../store/queue.ts';
import type { Backlog } from './backlog.ts';

export interface SubmitParts {
  db: Db;
  blobs: Blobs;
  queue: Queue;
  catalog: Catalog;
  fetchUrl: (url: string, signal?: AbortSignal) => Promise<Buffer>;
  /** Throws when a URL may not be called. */
  checkUrl: (url: string) => void;
  /** Whether anybody runs the workflows of custom filters for this family. */
  runsWorkflows(family: FamilyName): Promise<boolean>;
  prices: Prices;
  resultMs: number;
  log: Logger;
  backlog: Backlog;
}

export interface Submitted {
  id: string;
  status: string;
}

/** A caller's `Idempotency-Key` with the hash of the request it came with. */
export interface Idempotency {
  key: string;
  fingerprint: string;
}

/** A run whose body has the shape that its family asks for. */
export interface RunRequest {
  accountId: string;
  family: Family;
  body: AnyBody;
  /** Images of the body, by the names that stand for them in it. */
  uploads?: Uploads | undefined;
  idempotency: Idempotency | null;
  /** Aborts when the caller hangs up. */
  signal?: AbortSignal;
}

const idempotencyMs = 24 * 3600_000;

const idempotencyConflict = () =>
  new AppError('IDEMPOTENCY_CONFLICT', 'This Idempotency-Key was used with another request.');
const queueFull = () =>
  new AppError('QUEUE_FULL', 'The queue is full. Retry after 10 s.', {
    headers: { 'retry-after': '10' },
  });

/** The answer an earlier request with the same key got, if there was one. */
export async function earlierAnswer(
  db: Db,
  accountId: string,
  idempotency: Idempotency,
): Promise<Submitted | undefined> {
  const row = await db.one(findIdempotency, { account_id: accountId, key: idempotency.key, now: Date.now() });
  if (!row) return undefined;
  if (row.fingerprint !== idempotency.fingerprint) throw idempotencyConflict();
  return JSON.parse(row.answer) as Submitted;
}

/** Accepts a run: choices, filter, images and credits are checked in this order. On return it is durable. */
export async function submit(parts: SubmitParts, run: RunRequest): Promise<Submitted> {
  const { accountId, family, body, idempotency } = run;
  const problem = family.check?.(body);
  if (problem) throw new AppError(problem.code, problem.sentence);
  const ref = filterRefOf(family, body);
  const filter =
    family.filter && ref !== undefined
      ? await resolveFilter(parts, accountId, family.filter.catalog, ref, modeOf(family, body))
      : null;
  if (filter?.definition.kind === 'workflow' && !(await parts.runsWorkflows(family.name)))
    throw workflowFetchFailed();
  if (body.webhook_url !== undefined) parts.checkUrl(body.webhook_url);
  const photos = await Promise.all(
    imagesOf(family, body).map((image) =>
      readImage(run.uploads?.get(image) ?? image, parts.fetchUrl, run.signal),
    ),
  );
  if (await parts.backlog.isFull()) throw queueFull();

  const now = Date.now();
  const id = newId(now);
  const params = family.params.parse(body);
  const price = priceOf(parts.prices[family.name] ?? family.price, params);
  const answer: Submitted = { id, status: wordOf(family, 'queued') };
  const inputs = photos.map((_, i) => `inputs/${id.slice(-2)}/${id}-${i}`);
  await Promise.all(photos.map((photo, i) => parts.blobs.put(inputs[i]!, photo.bytes)));

  try {
    await parts.db.transaction(async (tx) => {
      if (idempotency) {
        const row = { ...idempotency, account_id: accountId, job_id: id, answer: JSON.stringify(answer) };
        const rows = await tx.run(insertIdempotency, { ...row, expires_at: now + idempotencyMs, now });
        if (rows === 0) throw new KeyTaken();
      }
      await charge(tx, accountId, id, price, now);
      const job = {
        ...initialJobState,
        id,
        account_id: accountId,
        family: family.name,
        params: JSON.stringify(params),
        filter_ref: filter?.ref ?? null,
        filter: filter && JSON.stringify(filter.definition),
        inputs: JSON.stringify(inputs),
        price,
        run_after: now,
        created_at: now,
        expires_at: now + parts.resultMs,
        weight: family.weight,
      } satisfies NewJob;
      const { turn } = (await tx.one(insertJob, job))!;
      if (filter?.aliasId) await tx.run(touchAlias, { id: filter.aliasId, now });
      await parts.queue.enqueue(tx, { ...job, turn });
    });
  } catch (error) {
    // A database that went away may have kept the job: then its photos are needed, else they are swept.
    const refused = error instanceof KeyTaken || (error instanceof AppError && !error.retryable);
    if (refused) await Promise.all(inputs.map((key) => parts.blobs.remove(key)));
    if (error instanceof KeyTaken) {
      const earlier = await earlierAnswer(parts.db, accountId, idempotency!);
      if (earlier) return earlier;
    }
    throw error;
  }
  parts.log.info({ job: id, family: family.name, account: accountId, price }, 'job accepted');
  return answer;
}

/** A request with the same key was accepted between reading the key and inserting it. */
class KeyTaken extends Error {}
