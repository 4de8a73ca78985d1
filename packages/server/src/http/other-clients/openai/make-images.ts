import type { Ratio } from '@guise/contract/common.ts';
import { ratioOf } from '@guise/contract/families/canvas.ts';
import type { ImageOptions } from '@guise/contract/other-clients/openai-images.ts';
import type { FastifyReply } from 'fastify';
import { AppError, invalidField } from '../../../errors.ts';
import type { Idempotency } from '../../../jobs/submit.ts';
import { idempotencyOf } from '../../endpoints/submit-run.ts';
import type { HttpParts } from '../../parts.ts';
import { callerOf, disconnectSignal } from '../../request.ts';
import type { RouteRequest } from '../../route.ts';
import { awaitPicture, maxWaitMs, submitPicture } from '../make-picture.ts';
import { chooseSeed, type PlannedRun, planRun } from '../plan-run.ts';
import { type ImagesAnswer, streamEvents, streamImages } from './images-answer.ts';
import { filterOfModel } from './openai-models.ts';

type ImagesRequest = RouteRequest<ImageOptions & { prompt?: string | undefined; image?: string[] }>;

/** What the events of a stream are called after. */
export type ImagesKind = 'image_edit' | 'image_generation';

/** Submits a job for each picture and answers when all have ended, or with an event at the end of each. */
export async function makeImages(
  parts: HttpParts,
  request: ImagesRequest,
  reply: FastifyReply,
  kind: ImagesKind,
): Promise<unknown> {
  const signal = disconnectSignal(reply);
  const run = await planImages(parts, request, kind);
  const { ids, refusals } = await submitImages(parts, request, run, signal);
  const wait = { waitMs: maxWaitMs, signal };
  const pictures = ids.map((id) => awaitPicture(parts, request, id, wait));
  const answer: ImagesAnswer = { kind, options: request.body, run, pictures, refusals };
  if (request.body.stream) {
    reply.type('text/event-stream; charset=utf-8').header('cache-control', 'no-store');
    return streamEvents(parts, request, answer);
  }
  const ends = await Promise.allSettled(pictures);
  const isMade = ends.some(({ status }) => status === 'fulfilled');
  // The same sentence for all, mostly: the first one is told.
  if (!isMade) throw (ends[0] as PromiseRejectedResult).reason;
  reply.type('application/json; charset=utf-8');
  return streamImages(parts, request, answer);
}

async function planImages(parts: HttpParts, request: ImagesRequest, kind: ImagesKind) {
  const { model, prompt, image: photos = [], gender, size, seed } = request.body;
  const filter = await filterOfModel(parts, callerOf(request).id, model);
  if (filter && photos.length === 0)
    throw invalidField('model', 'names a filter, which takes a photo: send it to /openai/v1/images/edits');
  if (filter && photos.length > 1)
    throw invalidField('image', 'must be one photo where model names a filter');
  return planRun({
    filter,
    photos,
    prompt,
    gender,
    ratio: ratioOfSize(size, kind),
    seed: chooseSeed(seed, request.fingerprint),
  });
}

/** The shape that is usual where none is asked for: that of a booth's picture, or OpenAI's. */
function ratioOfSize(size: string | undefined, kind: ImagesKind): Ratio {
  if (size === undefined || size === 'auto') return kind === 'image_edit' ? 'portrait' : 'square';
  const [width, height] = size.split('x').map(Number) as [number, number];
  return ratioOf(width, height);
}

interface SubmittedImages {
  ids: string[];
  /** Why the others were not accepted. */
  refusals: AppError[];
}

/** Submits one job after the other. Those that were accepted go on where a later one is refused. */
async function submitImages(
  parts: HttpParts,
  request: ImagesRequest,
  run: PlannedRun,
  signal: AbortSignal,
): Promise<SubmittedImages> {
  const count = request.body.n ?? 1;
  const idempotency = idempotencyOf(request);
  const ids: string[] = [];
  for (let at = 0; at < count; at++) {
    const submission = { idempotency: keyOfImage(idempotency, at), signal };
    try {
      ids.push(await submitPicture(parts, request, withSeedAt(run, at), submission));
    } catch (error) {
      if (at === 0 || !(error instanceof AppError)) throw error;
      return { ids, refusals: Array.from({ length: count - at }, () => error) };
    }
  }
  return { ids, refusals: [] };
}

/** No caller can send a key with a space. */
function keyOfImage(idempotency: Idempotency | null, at: number): Idempotency | null {
  return idempotency && at > 0 ? { ...idempotency, key: `${idempotency.key} ${at}` } : idempotency;
}

/** Pictures of one request differ by their seeds. */
function withSeedAt(run: PlannedRun, at: number): PlannedRun {
  return { ...run, body: { ...run.body, seed: (run.seed + at) % 2 ** 32 } };
}
