import { createHash } from 'node:crypto';
import type { NamedFilter } from '@guise/contract/other-clients/named-filters.ts';
import type { FastifyReply } from 'fastify';
import { findNamedFilter } from '../../../catalog/named-filters.ts';
import { invalidField } from '../../../errors.ts';
import { earlierAnswer } from '../../../jobs/submit.ts';
import { digestImage } from '../../../media/digest-image.ts';
import { findJobStatus } from '../../../store/job-records.ts';
import { idempotencyOf } from '../../endpoints/submit-run.ts';
import type { HttpParts } from '../../parts.ts';
import { callerOf, disconnectSignal } from '../../request.ts';
import { awaitPicture, submitPicture } from '../make-picture.ts';
import { chooseSeed, type PlannedRun, planRun } from '../plan-run.ts';
import { sendPhotoAnswer } from './photo-answer.ts';
import type { PhotoRequest } from './photo-request.ts';

/** In the place of a filter: the query's prompt says what is made. */
const promptName = 'prompt';

/** For how long the same photo gets the same picture: longer than a booth repeats a call that failed on its way. */
const joinMs = 10 * 60_000;
/** A photo that failed so often in this time is not tried again. */
const mostTries = 5;

/** Submits the job of a photo, or joins the one that it has, and answers with the picture. */
export async function answerPhoto(
  parts: HttpParts,
  request: PhotoRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const signal = disconnectSignal(reply);
  const { ratio, gender, prompt, seed, wait } = request.query;
  const photo = photoOf(request);
  const filter = await filterOf(parts, request);
  const digest = await digestOf(request, { photo, filter });
  const run = planRun({
    filter,
    photos: [photo],
    prompt,
    gender,
    ratio,
    seed: chooseSeed(seed, request.query.new ? null : digest),
  });
  const id = await joinOrSubmit(parts, request, run, { digest, signal });
  const job = await awaitPicture(parts, request, id, { waitMs: wait * 1000, signal });
  return sendPhotoAnswer(parts, request, reply, job);
}

/** The first file of the form, whatever its field is called. */
function photoOf({ body, received }: PhotoRequest): string {
  const photo = Object.values(body)
    .flat()
    .find((value) => typeof value === 'string' && received?.uploads.has(value));
  if (typeof photo !== 'string') throw invalidField('photo', 'is required: a file of the form, or the body');
  return photo;
}

async function filterOf(parts: HttpParts, request: PhotoRequest): Promise<NamedFilter | null> {
  const name = request.params.filter ?? '';
  if (name.trim().toLowerCase() === promptName) return null;
  return findNamedFilter(parts, name, { accountId: callerOf(request).id, listedAt: '/openai/v1/models' });
}

/** The same for calls that ask for the same picture with the same key. */
async function digestOf(
  request: PhotoRequest,
  { photo, filter }: { photo: string; filter: NamedFilter | null },
): Promise<string> {
  const { ratio, gender, prompt, seed } = request.query;
  const { id, key_id } = callerOf(request);
  const asked = [key_id ?? id, filter?.key ?? promptName, ratio, gender, prompt, seed];
  const file = await digestImage(request.received!.uploads.get(photo)!.bytes);
  return createHash('sha256').update(JSON.stringify(asked)).update(file).digest('hex');
}

/**
 * The job of this photo that is running or has made its picture; a new one where there is none, or it failed. A caller's
 * own `Idempotency-Key` decides alone.
 */
async function joinOrSubmit(
  parts: HttpParts,
  request: PhotoRequest,
  run: PlannedRun,
  { digest, signal }: { digest: string; signal: AbortSignal },
): Promise<string> {
  const own = idempotencyOf(request);
  if (own || request.query.new) return submitPicture(parts, request, run, { idempotency: own, signal });
  const accountId = callerOf(request).id;
  for (let attempt = 1; ; attempt++) {
    // No caller can send a key with a space.
    const idempotency = { key: `photo ${digest} ${attempt}`, fingerprint: digest, keepMs: joinMs };
    const earlier = await earlierAnswer(parts.db, accountId, idempotency);
    if (!earlier) return submitPicture(parts, request, run, { idempotency, signal });
    const job = await parts.db.one(findJobStatus, { id: earlier.id, account_id: accountId });
    const hasFailed = !job || job.state === 'failed' || job.expires_at <= parts.db.now();
    if (!hasFailed || attempt === mostTries) return earlier.id;
  }
}
