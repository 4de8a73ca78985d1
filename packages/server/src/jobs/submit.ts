import { WebhookUrl } from '@guise/contract/common.ts';
import {
  type AnyBody,
  catalogOf,
  type Family,
  type FamilyName,
  filterRefOf,
  imagesOf,
  modeOf,
  wordOf,
} from '@guise/contract/families/families.ts';
import { priceOf } from '@guise/contract/families/prices.ts';
import type { FilterDefinition } from '@guise/contract/filters.ts';
import { Submitted } from '@guise/contract/jobs.ts';
import type { Logger } from 'pino';
import type { Catalog } from '../catalog/catalog.ts';
import { definitionOf } from '../catalog/definitions.ts';
import { readVersion } from '../catalog/filter-versions.ts';
import { keepScene } from '../catalog/kept-scenes.ts';
import { type ResolvedFilter, resolveFilter, workflowFetchFailed } from '../catalog/resolve.ts';
import { templateOf } from '../catalog/templates.ts';
import { charge, chargeBudgets } from '../credits/ledger.ts';
import type { Prices } from '../credits/prices.ts';
import { needsOf } from '../engines/routing.ts';
import { AppError, invalidField } from '../errors.ts';
import { newId } from '../ids.ts';
import { assertOneShape, readShots, type VideoParts } from '../media/burst.ts';
import { type ImageParts, readImage } from '../media/image-input.ts';
import type { ImageBytes, Uploads } from '../media/upload.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db, Queries } from '../store/db.ts';
import { lockCustomFilter, touchAlias } from '../store/filter-records.ts';
import { findIdempotency, insertIdempotency } from '../store/idempotency-records.ts';
import { initialJobState, insertJob, type NewJob } from '../store/job-records.ts';
import { readJson } from '../store/json-column.ts';
import type { Queue } from '../store/queue.ts';
import { StorageFull } from '../store/storage-unavailable.ts';
import type { Backlog } from './backlog.ts';
import type { Changes } from './changes.ts';
import type { FailedTime } from './failed-time.ts';
import { writeParams } from './stored-request.ts';

export interface SubmitParts extends ImageParts, VideoParts {
  decoder: ImageParts['decoder'] & VideoParts['decoder'];
  db: Db;
  blobs: Blobs;
  queue: Queue;
  catalog: Catalog;
  /** The URL as it was parsed; throws when it may not be called. */
  checkUrl: (url: string) => string;
  /** Whether anybody runs the workflows of custom filters for this family. */
  runsWorkflows(family: FamilyName): Promise<boolean>;
  prices: Prices;
  resultMs: number;
  log: Logger;
  changes: Changes;
  backlog: Backlog;
  failedTime: FailedTime;
}

/** A caller's `Idempotency-Key` with the hash of the request it came with. */
export interface Idempotency {
  key: string;
  fingerprint: string;
  /** How long it is kept; without it, as long as the key of a caller. */
  keepMs?: number;
}

/** A run whose body has the shape that its family asks for. */
export interface RunRequest {
  accountId: string;
  /** The key or token of the request, whose budget pays too; null for a session. */
  keyId: string | null;
  /** The key that made the event or the quick test link that the request comes by: its budget pays too. */
  makerId?: string | null;
  family: Family;
  body: AnyBody;
  /** Fields of the request that its family does not use: the job says so. */
  unusedFields?: readonly string[] | null;
  /** Images of the body, by the names that stand for them in it. */
  uploads?: Uploads | undefined;
  /** Photos that were inspected before, in place of the images of the body. */
  photos?: readonly ImageBytes[];
  /** The event that it is made at. */
  eventId?: string;
  /** The quick test link that its guest came by. */
  quickTestLinkId?: string;
  /** Whether its photos may not go to a company. */
  photosStay?: boolean;
  /** The version of a custom filter to run; without it, the current one. */
  version?: number;
  /** Writes what belongs to the job in the transaction that accepts it. What it throws refuses the job. */
  onAccept?(tx: Queries, jobId: string, price: number): Promise<void>;
  idempotency: Idempotency | null;
  /** The installations that handed it on, first to last. */
  via?: readonly string[];
  /** Aborts when the caller hangs up. */
  signal?: AbortSignal;
}

export const idempotencyMs = 24 * 3600_000;

const idempotencyConflict = () =>
  new AppError('IDEMPOTENCY_CONFLICT', 'This Idempotency-Key was used with another request.');

/** The answer an earlier run with the same key got, if there was one. */
export async function earlierAnswer(
  db: Db,
  accountId: string,
  idempotency: Idempotency,
): Promise<Submitted | undefined> {
  const answer = await earlierText(db, db.now(), accountId, idempotency);
  return answer === undefined ? undefined : readJson(Submitted, answer);
}

/** The stored answer to an earlier request with the same key, if there was one. */
export async function earlierText(
  db: Queries,
  now: number,
  account_id: string,
  { key, fingerprint }: Idempotency,
): Promise<string | undefined> {
  const row = await db.one(findIdempotency, { account_id, key, now });
  if (row && row.fingerprint !== fingerprint) throw idempotencyConflict();
  return row?.answer;
}

/** Accepts a run: choices, filter, images and credits are checked in this order. On return it is durable. */
export async function submit(parts: SubmitParts, run: RunRequest): Promise<Submitted> {
  const { accountId, keyId, makerId = null, family, body, idempotency, photosStay } = run;
  const problem = family.check?.(body);
  if (problem) throw new AppError(problem.code, problem.sentence);
  const ref = filterRefOf(family, body);
  const catalog = catalogOf(family, body);
  const filter =
    catalog && ref !== undefined
      ? await resolveFilter(parts, accountId, catalog, ref, modeOf(family, body))
      : null;
  if (filter?.definition.kind === 'workflow' && !(await parts.runsWorkflows(family.name)))
    throw workflowFetchFailed();
  const webhook_url = body.webhook_url && checkWebhookUrl(parts, body.webhook_url);
  const photos = run.photos ?? (await readPhotos(parts, run));
  await parts.failedTime.assertBelowLimit(accountId);
  await parts.backlog.assertRoom(accountId);

  const now = parts.db.now();
  const id = newId(now);
  const params = family.params.parse({ ...body, webhook_url });
  const price = priceOf(parts.prices[family.name] ?? family.price, params);
  const answer: Submitted = { id, status: wordOf(family, 'queued') };
  const inputs = await storeInputs(parts, id, photos);

  try {
    await parts.db.transaction(async (tx) => {
      if (idempotency) {
        const { keepMs = idempotencyMs, ...key } = idempotency;
        const row = { ...key, account_id: accountId, job_id: id, answer: JSON.stringify(answer) };
        const rows = await tx.run(insertIdempotency, { ...row, expires_at: now + keepMs, now });
        if (rows === 0) throw new KeyTaken((await earlierText(tx, now, accountId, idempotency))!);
      }
      const stored = filter && (await storedFilter(tx, run, filter));
      await charge(tx, accountId, id, price, now);
      await chargeBudgets(tx, { keyId, makerId }, price, now);
      const definition = stored?.definition ?? null;
      const demand = { family: family.name, filter: definition, filterRef: filter?.ref ?? null, photosStay };
      const job = {
        ...initialJobState,
        ...needsOf({ ...demand, params, images: inputs }),
        id,
        account_id: accountId,
        params: writeParams(params, run.unusedFields),
        filter_name: filter?.name ?? null,
        filter: stored && JSON.stringify(stored.definition),
        filter_version: stored?.version ?? null,
        template: stored && templateOf(stored.definition),
        inputs: JSON.stringify(inputs),
        price,
        key_id: keyId,
        maker_id: makerId,
        via: run.via?.length ? JSON.stringify(run.via) : null,
        event_id: run.eventId ?? null,
        quick_test_link_id: run.quickTestLinkId ?? null,
        run_after: now,
        created_at: now,
        expires_at: now + parts.resultMs,
        weight: family.weight,
      } satisfies NewJob;
      const { turn } = (await tx.one(insertJob, job))!;
      if (filter?.aliasId) await tx.run(touchAlias, { id: filter.aliasId, now });
      await run.onAccept?.(tx, id, price);
      await parts.queue.enqueue(tx, { ...job, turn });
    });
  } catch (error) {
    // A database that went away may have kept the job: then its photos are needed, else they are swept.
    const isKnown = error instanceof KeyTaken || error instanceof StorageFull;
    if (isKnown || (error instanceof AppError && !error.retryable)) await removeInputs(parts, inputs);
    if (error instanceof KeyTaken) return readJson(Submitted, error.earlier);
    throw error;
  }
  parts.changes.publish(accountId);
  parts.log.info({ job: id, family: family.name, account: accountId, price }, 'job accepted');
  return answer;
}

/** The images of a run's body, each inspected, or the shots of the video in their place. */
async function readPhotos(
  parts: SubmitParts,
  { family, body, uploads, accountId, signal }: RunRequest,
): Promise<readonly ImageBytes[]> {
  const asked = { accountId, signal };
  if (family.takesVideo && body.video !== undefined)
    return readShots(uploads?.get(body.video) ?? body.video, parts, asked);
  const images = await Promise.all(
    imagesOf(family, body).map((image) => readImage(uploads?.get(image) ?? image, parts, asked)),
  );
  if (family.takesVideo) assertOneShape(images);
  return images.map(({ bytes }) => bytes);
}

/** Keeps the photos of a run until its job ends, and gives their keys: all of them or none. */
async function storeInputs(parts: SubmitParts, id: string, photos: readonly ImageBytes[]): Promise<string[]> {
  const inputs = photos.map((_, i) => `inputs/${id.slice(-2)}/${id}-${i}`);
  const written = await Promise.allSettled(photos.map((photo, i) => parts.blobs.put(inputs[i]!, photo)));
  const failed = written.find((put) => put.status === 'rejected');
  if (!failed) return inputs;
  await removeInputs(parts, inputs);
  throw failed.reason;
}

async function removeInputs({ blobs }: SubmitParts, inputs: readonly string[]): Promise<void> {
  await Promise.all(inputs.map((key) => blobs.remove(key)));
}

/**
 * The definition that the job keeps. A custom filter may have been edited since it was found: its current version is
 * read again and locked until the job is accepted, so that whoever edits it then sees that the job needs this one.
 */
async function storedFilter(
  tx: Queries,
  { accountId, version }: RunRequest,
  { customId, definition }: ResolvedFilter,
): Promise<{ definition: FilterDefinition; version: number | null }> {
  if (customId === null) return { definition, version: null };
  const current = await tx.one(lockCustomFilter, { id: customId, account_id: accountId });
  if (!current) throw workflowFetchFailed();
  const wanted = await readVersion(tx, current, version ?? current.version);
  return {
    definition: await keepScene(tx, accountId, definitionOf(wanted)),
    version: wanted.version,
  };
}

/** What is stored is the URL as it was parsed: in ASCII and without what parsers skip. */
export function checkWebhookUrl(
  parts: Pick<SubmitParts, 'checkUrl'>,
  given: string,
  field = 'webhook_url',
): string {
  const url = parts.checkUrl(given);
  const message = WebhookUrl.safeParse(url).error?.issues[0]?.message;
  if (message === undefined) return url;
  throw invalidField(field, message);
}

/** A request with the same key was accepted, with this answer, between reading the key and inserting it. */
export class KeyTaken extends Error {
  readonly earlier: string;
  constructor(earlier: string) {
    super('The key was taken meanwhile.');
    this.earlier = earlier;
  }
}
