import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { familyOf, ignoredFieldsOf } from '@guise/contract/families/families.ts';
import { type Note, sentencesOf } from '@guise/contract/notes.ts';
import type { Quality, QualityAnswer } from '@guise/contract/quality.ts';
import { z } from 'zod';
import type { AppError } from '../../errors.ts';
import type { PhotoToSend } from '../../media/decoder.ts';
import { isContinuedElsewhere } from '../abort.ts';
import {
  type Ability,
  cannotMake,
  type Engine,
  type EngineContext,
  type EngineRequest,
  type EngineResult,
  engineBroke,
  engineUnfit,
  isEngineFault,
} from '../engine.ts';
import { causeOf } from '../failure.ts';
import { mayStillRun, ResultNotFetched } from '../kept-run.ts';
import { pause } from '../pause.ts';
import { runLimits, wholeLimit } from '../run-limits.ts';
import { readStoredHandle } from '../stored-handle.ts';
import { neverConnected, UpstreamError } from '../upstream.ts';
import { shapeOf } from '../workflow/picture-shape.ts';
import { finish } from '../workflow/result.ts';
import { forwardedBody } from './forwarded-run.ts';
import type { GuiseClient, JobAnswer } from './guise-client.ts';

export interface GuiseEngineOptions {
  name: string;
  client: GuiseClient;
  abilities: readonly Ability[];
}

/**
 * The key that the run is sent with, stored before it is sent; and the other server's id of the job, stored when it has
 * answered. A process that is killed in between sends the run again, and gets the same job.
 */
const Handle = z.object({ kind: z.literal('guise'), key: z.string(), id: z.string().nullable() });
type Handle = z.infer<typeof Handle>;

/** What the other server may know of a run. */
interface Sent {
  readonly earlier: Handle | null;
  mayBeAccepted: boolean;
}

/** A service that does not wait for the job's end is asked this often. */
const pollMs = 1000;
const firstRetryMs = 500;
const longestRetryMs = 5000;

/** Hands jobs on to another Guise. */
export function guiseEngine({ client, ...options }: GuiseEngineOptions): Engine {
  let running = 0;
  return {
    ...options,
    slots: client.slots,
    servers: client.reports,
    timeLimitOf: (family) => wholeLimit(runLimits(family)) + client.patienceMs,
    async run(request, context) {
      const earlier = readStoredHandle(Handle, context.handle);
      if (!earlier && !client.circuit.allows(running))
        throw engineBroke('The other server cannot be reached right now.');
      running++;
      const sent: Sent = { earlier, mayBeAccepted: earlier !== null };
      try {
        const made = await makeThere(client, request, context, sent);
        context.attempted?.({ server: options.name, cause: null });
        return made;
      } catch (error) {
        const known = await giveUp(client, error, context, sent);
        if (!context.signal.aborted) context.attempted?.({ server: options.name, cause: causeOf(known) });
        throw known;
      } finally {
        running--;
      }
    },
    close: () => client.close(),
  };
}

async function makeThere(
  client: GuiseClient,
  request: EngineRequest,
  context: EngineContext,
  sent: Sent,
): Promise<EngineResult> {
  const photos = await Promise.all(request.images.map((file) => context.decoder.photoToSend({ file })));
  const id = sent.earlier?.id ?? (await submit(client, request, photos, { context, sent }));
  try {
    const answer = await followJob(client, request, id, context);
    const file = join(request.scratch, 'from-server');
    await fetchResult(client, answer, file, context.signal);
    context.progress(0.97);
    const notes = {
      applied: asNotes(answer.applied),
      ignored: asNotes(ignoredThereOnly(request, answer)),
      ...(answer.quality && { quality: qualityThere(answer.quality) }),
    };
    const shape = shapeOf(request, photos[0] ?? null);
    const result = await finish(file, request.scratch, shape, notes, context);
    client.circuit.worked();
    return result;
  } catch (error) {
    // Who goes on with the job here goes on with the one there.
    const isLost = error instanceof UpstreamError && !isKept(error, context, sent);
    if (isLost || (context.signal.aborted && !isContinuedElsewhere(context.signal))) client.stop(id);
    throw error;
  }
}

/** Parameters that no Guise uses are named by this server itself. */
function ignoredThereOnly({ family, params }: EngineRequest, { ignored }: JobAnswer): string[] {
  const ours = sentencesOf({ applied: [], ignored: ignoredFieldsOf(familyOf(family), params) }).ignored;
  return ignored.filter((sentence) => !ours.includes(sentence));
}

const qualityThere = ({ grade, reasons }: QualityAnswer): Quality => ({
  grade,
  reasons: reasons.map((sentence) => ({ sentence })),
});

const asNotes = (sentences: readonly string[]): Note[] =>
  sentences.map((value) => ({ kind: 'sentence', value }));

async function submit(
  client: GuiseClient,
  request: EngineRequest,
  photos: readonly PhotoToSend[],
  { context, sent }: { context: EngineContext; sent: Sent },
): Promise<string> {
  const { signal } = context;
  const { earlier } = sent;
  const handle: Handle = earlier ?? { kind: 'guise', key: `${request.jobId}-${randomUUID()}`, id: null };
  const body = await forwardedBody(client, request, photos, signal);
  if (!earlier) await context.saveHandle(JSON.stringify(handle));
  const headers = {
    idempotencyKey: handle.key,
    via: request.via,
    photosStay: request.photosStay ?? false,
  };
  const id = await withPatience(client, signal, {
    call: () => client.submit(familyOf(request.family), body, headers, signal),
    isWorthWaiting(error) {
      sent.mayBeAccepted ||= error.kind === 'unreachable' && !neverConnected(error);
      return sent.mayBeAccepted || isBusy(error);
    },
  });
  sent.mayBeAccepted = true;
  await context.saveHandle(JSON.stringify({ ...handle, id }));
  context.progress(0.04);
  return id;
}

const isBusy = ({ status }: UpstreamError) => status === 429 || status >= 500;

async function followJob(
  client: GuiseClient,
  { family: name }: EngineRequest,
  id: string,
  context: EngineContext,
): Promise<JobAnswer> {
  const family = familyOf(name);
  for (;;) {
    const askedAt = performance.now();
    const answer = await withPatience(client, context.signal, {
      call: () => client.status(family, id, context.signal),
      isWorthWaiting: (error) => error.kind === 'unreachable' || isBusy(error),
    });
    if (!answer) throw engineBroke('The other server no longer knows this job.');
    if (answer.status === 'COMPLETED') return answer;
    if (answer.status === 'FAILED') throw await failureOf(client, id, answer, context.signal);
    if (answer.progress !== undefined) context.progress(0.04 + 0.92 * answer.progress);
    await pause(Math.max(0, pollMs - (performance.now() - askedAt)), context.signal);
    context.signal.throwIfAborted();
  }
}

/** Repeats a call while it is worth waiting for the other server, but not for longer than the operator allows. */
async function withPatience<T>(
  client: GuiseClient,
  signal: AbortSignal,
  { call, isWorthWaiting }: { call(): Promise<T>; isWorthWaiting(error: UpstreamError): boolean },
): Promise<T> {
  let since: number | null = null;
  for (let waitMs = firstRetryMs; ; waitMs = Math.min(2 * waitMs, longestRetryMs)) {
    try {
      const answer = await call();
      client.circuit.reached();
      return answer;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      if (error.kind === 'unreachable') client.circuit.unreached();
      since ??= performance.now();
      const leftMs = client.patienceMs - (performance.now() - since);
      if (!isWorthWaiting(error) || leftMs <= 0) throw error;
      await pause(Math.min(error.retryAfterMs ?? waitMs, leftMs), signal);
      signal.throwIfAborted();
    }
  }
}

async function failureOf(client: GuiseClient, id: string, answer: JobAnswer, signal: AbortSignal) {
  if (await client.failedByServer(id, signal))
    return engineBroke('The other server could not make this.', new Error(`its job ${id} failed`));
  const said = answer.error ?? answer.output.video_error ?? '';
  const sentence = said.replace(/\p{Cc}/gu, ' ').trim();
  return cannotMake(sentence === '' ? 'This could not be made.' : sentence.slice(0, 500));
}

async function fetchResult(
  client: GuiseClient,
  { output }: JobAnswer,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const [image] = output.images ?? [];
  if (image !== undefined)
    return writeFile(file, Buffer.from(image.replace(/^data:[^,]{0,100},/, ''), 'base64'));
  if (output.video_url === undefined) throw engineUnfit('The other server gave no result.');
  return client.fetchResult(output.video_url, file, signal).catch((cause) => {
    signal.throwIfAborted();
    throw new ResultNotFetched('The result could not be fetched from the other server.', cause);
  });
}

/** Whether the job there is left to the next try of the job here. */
function isKept(error: unknown, { isTriedAgain }: EngineContext, sent: Sent): boolean {
  if (!isTriedAgain || !sent.mayBeAccepted || !mayStillRun(error)) return false;
  return !(error instanceof UpstreamError) || problemOf(error).retryable;
}

async function giveUp(
  client: GuiseClient,
  error: unknown,
  context: EngineContext,
  sent: Sent,
): Promise<unknown> {
  if (context.signal.aborted) return context.signal.reason;
  const known = error instanceof UpstreamError ? problemOf(error) : error;
  if (isEngineFault(known)) {
    if (!(error instanceof UpstreamError)) client.circuit.failed();
    if (!isKept(error, context, sent)) await context.saveHandle('');
  }
  return known;
}

function problemOf(error: UpstreamError): AppError {
  const { kind, status } = error;
  if (kind === 'unreachable' || isBusy(error))
    return status === 508
      ? engineUnfit('The other server hands this job on to this one.', error)
      : engineBroke('The other server cannot be reached right now.', error);
  if (status === 401 || status === 403) return engineUnfit('The other server refuses our key.', error);
  if (status === 402) return engineUnfit('Our account on the other server has no credits left.', error);
  if (status === 400 || status === 413) return cannotMake('The photo cannot be used.', error);
  return engineUnfit('The other server does not take this job.', error);
}
