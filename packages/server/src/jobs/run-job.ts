import { createReadStream } from 'node:fs';
import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { familyOf, mediaTypes } from '@guise/contract/families.ts';
import type { GenerationRequest } from '@guise/contract/requests.ts';
import type { Logger } from 'pino';
import { type AbortReason, abortReasonOf, abortWith } from '../engines/abort.ts';
import {
  cannotMake,
  type Engine,
  type EngineRequest,
  type EngineResult,
  engineBroke,
} from '../engines/engine.ts';
import { canMake, engineFor, type JobDemand } from '../engines/routing.ts';
import { AppError } from '../errors.ts';
import { findJobById, inputKeysOf, saveHandle } from '../store/job-records.ts';
import { type Claim, heartbeatMs, type RequeueReason } from '../store/queue.ts';
import { complete, type EndParts, fail } from './end.ts';
import { hasEnded } from './read.ts';
import { readStoredRequest } from './stored-request.ts';

export interface RunParts extends EndParts {
  engines: readonly Engine[];
  /** Whether another worker makes this; without it, this one is alone. */
  madeElsewhere?(demand: JobDemand): Promise<boolean>;
  scratchDir: string;
  log: Logger;
}

/** Delays before the first and the second retry of what an engine calls retryable. */
const retryDelaysMs = [1000, 5000];
/** What an engine that is told to stop gets to do so, before the job goes on without it. */
const stopGraceMs = 3000;
/** The job is for another worker's engine, which gets it this much later. */
const elsewhere = new Error('another worker makes this');
const elsewhereMs = 500;

/** Does one claimed job and ends it, or gives it back. Never throws for what an engine does. */
export async function runJob(parts: RunParts, claim: Claim, shutdown: AbortSignal): Promise<void> {
  const { job } = claim;
  let stored: GenerationRequest;
  try {
    stored = readStoredRequest(job);
  } catch (error) {
    await retryOrFail(parts, claim, error);
    return;
  }
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, shutdown]);
  const limit = setTimeout(() => abortWith(stop, 'timed-out'), familyOf(stored.family).timeLimitMs);
  const heart = keepAlive(parts, claim, (reason) => abortWith(stop, reason));
  const scratch = join(parts.scratchDir, `${job.id}-${claim.token}`);
  let end: () => Promise<unknown>;
  try {
    const request = await prepare(parts, claim, stored, scratch);
    const engine = await engineHere(parts, request);
    const work = engine.run(request, {
      signal,
      progress: heart.progress,
      handle: job.handle,
      saveHandle: async (handle) => {
        const rows = await parts.db.run(saveHandle, { id: job.id, claim: claim.token, handle });
        if (rows === 0) throw new Error('the claim is lost');
      },
    });
    const result = await orLeftBehind(work, signal);
    signal.throwIfAborted();
    const key = await keep(parts, claim, request, result);
    end = () => finish(parts, claim, key, result);
  } catch (error) {
    end = async () => {
      const reason = abortReasonOf(stop.signal);
      if (reason === 'cancelled' || reason === 'taken-over') return;
      if (error === elsewhere) {
        await putBack(parts, claim, Date.now() + elsewhereMs, 'handover');
      } else if (reason === 'timed-out') {
        const sentence = 'The job took longer than it may and was stopped.';
        await fail(parts, claim, sentence, sentence);
      } else if (shutdown.aborted) {
        await putBack(parts, claim, Date.now(), 'handover');
      } else {
        await retryOrFail(parts, claim, error);
      }
    };
  }
  clearTimeout(limit);
  heart.stop();
  // Before the end is told: whoever erases a job that has ended finds nothing of it left here.
  await rm(scratch, { recursive: true, force: true });
  await end();
}

/** Families are chosen before a job is taken; whether an engine makes just this is seen only now. */
async function engineHere(parts: RunParts, demand: JobDemand): Promise<Engine> {
  const here = parts.engines.some((engine) => canMake(engine, demand));
  if (!here && (await parts.madeElsewhere?.(demand))) throw elsewhere;
  return engineFor(parts.engines, demand);
}

async function putBack(parts: RunParts, claim: Claim, runAfter: number, why: RequeueReason): Promise<void> {
  await parts.db.transaction((tx) => parts.queue.requeue(tx, claim, runAfter, why));
}

/** An engine that does not stop holds neither the job nor the worker's place: what it makes later is nobody's. */
async function orLeftBehind<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const left = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const leave = () => {
    timer = setTimeout(() => left.reject(signal.reason), stopGraceMs);
  };
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  try {
    return await Promise.race([work, left.promise]);
  } finally {
    signal.removeEventListener('abort', leave);
    clearTimeout(timer);
  }
}

/** Beats while the engine works, and says so when the claim is lost: cancelled, erased, or taken by another worker. */
function keepAlive(parts: RunParts, claim: Claim, onLost: (reason: AbortReason) => void) {
  let done = 0;
  let shown = 0;
  const beat = async () => {
    shown = done;
    const held = await parts.queue.heartbeat(claim, done).catch((error) => {
      parts.log.warn({ err: error, job: claim.job.id }, 'heartbeat failed');
      return true;
    });
    if (held) return;
    // Whoever took the job over goes on with what a remote engine makes of it; an ended job needs none of it.
    const job = await parts.db.one(findJobById, { id: claim.job.id }).catch(() => undefined);
    onLost(job && !hasEnded(job) ? 'taken-over' : 'cancelled');
  };
  const unfollow = parts.events.follow(claim.job.id, () => void beat());
  const timer = setInterval(() => void beat(), heartbeatMs);
  const show = setInterval(() => {
    if (done - shown >= 0.01) void beat();
  }, 500);
  return {
    progress: (fraction: number) => {
      done = Math.min(0.99, Math.max(done, fraction));
    },
    stop: () => {
      unfollow();
      clearInterval(timer);
      clearInterval(show);
    },
  };
}

/** A folder of the run's own, with the photos in it. */
async function prepare(
  parts: RunParts,
  claim: Claim,
  stored: GenerationRequest,
  scratch: string,
): Promise<EngineRequest> {
  const { job } = claim;
  await mkdir(scratch, { recursive: true });
  const take = async (key: string, name: string) => {
    const bytes = await parts.blobs.read(key);
    if (!bytes) throw cannotMake('A photo that this job needs is no longer there.');
    const path = join(scratch, name);
    await writeFile(path, bytes);
    return path;
  };
  const inputs = inputKeysOf(job);
  const images = await Promise.all(inputs.map((key, i) => take(key, `photo-${i}`)));
  const filter =
    stored.filter?.kind === 'template'
      ? { ...stored.filter, image: await take(stored.filter.image, 'template') }
      : stored.filter;
  return { ...stored, filter, jobId: job.id, filterRef: job.filter_ref, images, scratch };
}

/** Stores what the engine made, and gives its key. */
async function keep(
  parts: RunParts,
  claim: Claim,
  { output }: EngineRequest,
  result: EngineResult,
): Promise<string> {
  if (result.type !== mediaTypes[output])
    throw new Error(`the engine made ${result.type} for a job of ${output}s`);
  await mustBe(result);
  const { id } = claim.job;
  const name = `results/${id.slice(-2)}/${id}-${claim.token}`;
  const key = output === 'image' ? `${name}.b64` : `${name}.mp4`;
  const bytes = createReadStream(result.file, { highWaterMark: 768 * 1024 });
  await parts.blobs.put(key, output === 'image' ? base64Of(bytes) : bytes);
  return key;
}

async function finish(parts: RunParts, claim: Claim, key: string, result: EngineResult): Promise<void> {
  const ended = await complete(parts, claim, key, result);
  if (!ended) await parts.blobs.remove(key);
}

/** A result is encoded once, here: status answers send the stored text as it is. */
async function* base64Of(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const whole = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const usable = whole.length - (whole.length % 3);
    rest = whole.subarray(usable);
    yield Buffer.from(whole.toString('base64', 0, usable), 'latin1');
  }
  if (rest.length > 0) yield Buffer.from(rest.toString('base64'), 'latin1');
}

async function mustBe(result: EngineResult): Promise<void> {
  const head = Buffer.alloc(12);
  const file = await open(result.file, 'r');
  await file.read(head, 0, 12, 0).finally(() => file.close());
  const found =
    result.type === 'image/png'
      ? head.toString('latin1', 1, 4) === 'PNG'
      : head.toString('latin1', 4, 8) === 'ftyp';
  if (!found) throw engineBroke(`The engine did not make a file of type ${result.type}.`);
}

async function retryOrFail(parts: RunParts, claim: Claim, error: unknown): Promise<void> {
  const { job } = claim;
  const known = error instanceof AppError ? error : null;
  const delay = retryDelaysMs[job.retries];
  parts.log.warn(
    { err: error, job: job.id, family: job.family, retries: job.retries },
    'job did not succeed',
  );
  if (known?.retryable && delay !== undefined) {
    await putBack(parts, claim, Date.now() + delay, 'retry');
    return;
  }
  const ofTheServer = !known || known.retryable || known.code === 'JOB_UNREADABLE';
  const reason = ofTheServer ? whyOf(error) : null;
  await fail(parts, claim, known?.message ?? 'Something went wrong on the server while making this.', reason);
}

/** For the operator: the error with what caused it. */
function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} ${whyOf(error.cause)}`;
}
