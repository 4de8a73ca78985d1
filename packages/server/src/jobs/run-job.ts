import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type FamilyName,
  familyOf,
  ignoredFieldsOf,
  mediaTypeFor,
} from '@guise/contract/families/families.ts';
import type { GenerationRequest } from '@guise/contract/families/requests.ts';
import { unusedFieldNote } from '@guise/contract/families/run-fields.ts';
import { fetchDefinition } from '../catalog/fetch-definition.ts';
import { type AbortReason, abortReasonOf, abortWith } from '../engines/abort.ts';
import {
  cannotMake,
  type Engine,
  type EngineAttempt,
  type EngineRequest,
  type EngineResult,
} from '../engines/engine.ts';
import { findEngine, type JobDemand, missingEngine, needsOf } from '../engines/routing.ts';
import { AppError, failureOf } from '../errors.ts';
import type { Decoder } from '../media/decoder.ts';
import type { ResultSigner } from '../provenance/result-signer.ts';
import { insertFailedRun } from '../store/failed-run-records.ts';
import { storeNeeds } from '../store/job-need-records.ts';
import { inputKeysOf, saveRunReport } from '../store/job-records.ts';
import { readJson, TextList } from '../store/json-column.ts';
import type { Claim, RequeueReason } from '../store/queue.ts';
import { isStorageAway } from '../store/storage-unavailable.ts';
import { complete, type EndParts, fail, removeBlobs } from './end.ts';
import { noteEngineFailures } from './engine-states/engine-failures.ts';
import { startHeartbeat, storeHandle } from './heartbeat.ts';
import type { FinishResult } from './job-hooks.ts';
import type { JobMetrics, RunOutcome } from './job-metrics.ts';
import { stillKeyOf } from './results/result-keys.ts';
import { createResultStorage } from './results/store-result.ts';
import { readRunReport, spentOn, type TimedAttempt, writeRunReport } from './run-report.ts';
import { removeScratchFolder } from './scratch.ts';
import { retryWhileStorageIsAway } from './storage-retries.ts';
import { readStoredRequest, readUnusedFields } from './stored-request.ts';

export interface RunParts extends EndParts {
  engines: readonly Engine[];
  /** Whether no other worker claims jobs: then one that no engine here makes fails. */
  isAlone?: boolean;
  finishResult?: FinishResult;
  signer: ResultSigner;
  decoder: Decoder;
  metrics: JobMetrics;
  installationId: string;
  /** A folder of this process alone, for the files of runs. */
  scratchDir: string;
}

/** Delays before the first and the second retry of what an engine calls retryable. */
const retryDelaysMs = [1000, 5000];
/** What a run that is told to stop gets to do so, before the job goes on without it. */
const gracePeriodMs = 3000;

/** Runs one claimed job and ends it, or gives it back. Never throws for what an engine does. */
export async function runJob(parts: RunParts, claim: Claim, shutdown: AbortSignal): Promise<void> {
  const { job } = claim;
  const began = performance.now();
  const waitedMs = Math.max(0, parts.db.now() - job.run_after);
  parts.changes.publish(job.account_id);
  parts.log.info({ job: job.id, family: job.family, waited_ms: waitedMs }, 'job claimed');
  let request: GenerationRequest;
  try {
    request = readStoredRequest(job);
  } catch (error) {
    await retryOrFail(parts, claim, error);
    parts.log.info({ job: job.id, family: job.family }, 'job failed');
    return;
  }
  parts.metrics.claimed(request.family, waitedMs);
  const { engine, end, engineMs, attempts } = await tryRun(parts, claim, request, shutdown);
  if (isLostByRequest(end) && engineMs > 0) await noteFailedRun(parts, claim, engineMs);
  const outcome = await settle(parts, claim, engine, end, attempts);
  const ranMs = Math.round(performance.now() - began);
  parts.metrics.ended(request.family, outcome, ranMs);
  parts.log.info(
    {
      job: job.id,
      family: job.family,
      engine,
      waited_ms: waitedMs,
      ran_ms: ranMs,
      ...(end.kind === 'stopped' && { reason: end.reason }),
    },
    outcome === 'stopped' ? 'run stopped' : `job ${outcome}`,
  );
}

/** The servers that a job was with, in runs before and in this one. */
interface RunAttempts {
  before: readonly TimedAttempt[];
  now: TimedAttempt[];
}

const allOf = ({ before, now }: RunAttempts): TimedAttempt[] => [...before, ...now];

/** How a run ended, before anything of it is written. */
type RunEnd =
  | { kind: 'made'; key: string; result: EngineResult; storingMs: number }
  /** The job was accepted without its needs, and is for another worker's engine. */
  | { kind: 'elsewhere'; demand: JobDemand }
  | { kind: 'stopped'; reason: AbortReason; error: unknown }
  | { kind: 'failed'; error: unknown };

async function tryRun(
  parts: RunParts,
  claim: Claim,
  stored: GenerationRequest,
  shutdown: AbortSignal,
): Promise<{ engine: string | null; end: RunEnd; engineMs: number; attempts: RunAttempts }> {
  const { job } = claim;
  const attempts: RunAttempts = { before: readRunReport(job).attempts, now: [] };
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, shutdown]);
  const heartbeat = startHeartbeat(parts, claim, (reason) => abortWith(stop, reason));
  const scratch = join(parts.scratchDir, `${job.id}-${claim.token}`);
  const type = mediaTypeFor(stored.output, stored.params);
  const storage = createResultStorage(parts, { claim, type, scratch, signal });
  let engine: Engine | null = null;
  let limit: NodeJS.Timeout | undefined;
  const engineTime = createStopwatch();
  const ended = (end: RunEnd) => ({
    engine: engine?.name ?? null,
    end,
    attempts,
    engineMs: engine?.runsHere ? engineTime.ms() : 0,
  });
  const prepareMakeAndStore = async (chosen: Engine): Promise<RunEnd> => {
    const request = await prepareRequest(parts, claim, stored, { scratch, signal });
    signal.throwIfAborted();
    parts.signer.prepare();
    engineTime.start();
    const attemptTime = createLaps();
    const work = chosen.run(request, {
      signal,
      progress: heartbeat.progress,
      decoder: parts.decoder.forJob(signal),
      fileWritten: storage.begin,
      subscribe: parts.changes.subscribe,
      attempted(attempt) {
        attempts.now.push(noteAttempt(parts, claim, chosen, { ...attempt, seconds: attemptTime.lap() }));
      },
      handle: job.handle,
      saveHandle: (handle) => storeHandle(parts, claim, handle),
      isTriedAgain: retryDelaysMs[job.retries] !== undefined,
    });
    const made = await work.finally(engineTime.stop);
    signal.throwIfAborted();
    const unused = [
      ...ignoredFieldsOf(familyOf(stored.family), stored.params),
      ...readUnusedFields(job).map(unusedFieldNote),
    ];
    const madeAt = performance.now();
    const { key, result } = await storage.finish({ ...made, ignored: [...made.ignored, ...unused] });
    return { kind: 'made', key, result, storingMs: Math.round(performance.now() - madeAt) };
  };
  try {
    const photosStay = job.photos_stay === 1;
    const demand = {
      ...stored,
      filterRef: job.filter_ref,
      images: inputKeysOf(job),
      photosStay,
      jobId: job.id,
    };
    engine = findEngine(parts.engines, demand) ?? null;
    if (!engine && parts.isAlone) throw missingEngine(parts.engines, demand);
    if (!engine) return ended({ kind: 'elsewhere', demand });
    limit = setTimeout(() => abortWith(stop, 'timed-out'), timeLimitOf(engine, stored.family));
    return ended(await withGracePeriod(prepareMakeAndStore(engine), signal));
  } catch (error) {
    const reason = abortReasonOf(stop.signal) ?? (shutdown.aborted ? 'shutdown' : null);
    await withGracePeriod(storage.drop(), signal).catch((cause) =>
      parts.log.warn({ err: cause, job: job.id }, 'what a failed run stored is removed later'),
    );
    return ended(reason ? { kind: 'stopped', reason, error } : { kind: 'failed', error });
  } finally {
    clearTimeout(limit);
    heartbeat.stop();
    // Before the end is written: whoever erases a job that has ended finds nothing of it left here.
    await removeScratchFolder(scratch, parts.log);
  }
}

/** Measures and logs what came of handing a job to a server, and gives what is kept of it. */
function noteAttempt(
  { db, log, metrics }: RunParts,
  { job }: Claim,
  engine: Engine,
  { server, cause, gpuSeconds, cost, likeness, seconds }: EngineAttempt & { seconds: number },
): TimedAttempt {
  metrics.attempted({ engine: engine.name, server, made: cause === null, gpuSeconds, cost, likeness });
  const facts = { job: job.id, family: job.family, engine: engine.name, server, cause };
  if (cause !== null) log.warn(facts, 'a server did not make a job');
  return {
    server,
    at: db.now(),
    cause,
    seconds,
    ...(gpuSeconds !== undefined && { gpu_seconds: gpuSeconds }),
    ...(cost !== undefined && { cost }),
    ...(likeness !== undefined && { likeness }),
  };
}

/** Over the photos' way here, the run and the result's way to the storage. */
function timeLimitOf(engine: Engine, family: FamilyName): number {
  return Math.max(familyOf(family).timeLimitMs, engine.timeLimitOf?.(family) ?? 0);
}

function createStopwatch() {
  let startedAt: number | null = null;
  let stoppedAt: number | null = null;
  return {
    start() {
      startedAt = performance.now();
    },
    stop() {
      stoppedAt = performance.now();
    },
    ms: () => (startedAt === null ? 0 : Math.round((stoppedAt ?? performance.now()) - startedAt)),
  };
}

/** Seconds since it was made, or since they were last read. */
function createLaps() {
  let since = performance.now();
  return {
    lap() {
      const seconds = (performance.now() - since) / 1000;
      since = performance.now();
      return Math.round(seconds * 10) / 10;
    },
  };
}

/**
 * Whether the run's time is lost through the request: it was cancelled, or the engine says that no other try of it helps.
 * A storage that is away, an engine that broke and a time limit may all come from the server and its load.
 */
function isLostByRequest(end: RunEnd): boolean {
  if (end.kind === 'stopped') return end.reason === 'cancelled';
  if (end.kind !== 'failed' || !(end.error instanceof AppError)) return false;
  return !end.error.retryable && failureOf(end.error).isOfEngine;
}

/** Before the job's end is written, so that whoever sees it failed finds its time counted. */
async function noteFailedRun({ db, log }: RunParts, { job, token }: Claim, engineMs: number): Promise<void> {
  const run = { job_id: job.id, claim: token, account_id: job.account_id, engine_ms: engineMs };
  await db
    .run(insertFailedRun, run)
    .catch((error) => log.warn({ err: error, job: job.id }, 'a failed run was not counted'));
}

/** Ends the job as its run did, or requeues it. */
async function settle(
  parts: RunParts,
  claim: Claim,
  engine: string | null,
  end: RunEnd,
  attempts: RunAttempts,
): Promise<RunOutcome> {
  if (end.kind !== 'made') await keepAttempts(parts, claim, attempts);
  await noteEngineFailures(parts, engine, attempts.now);
  switch (end.kind) {
    case 'made': {
      const report = { storing: end.storingMs, engine: end.result.stages ?? [], attempts: allOf(attempts) };
      const spent = spentOn(attempts.now);
      const outcome = await complete(parts, claim, end.key, end.result, { engine, report, spent });
      if (outcome !== 'completed') await removeResult(parts, claim, end.key, end.result);
      return outcome;
    }
    case 'elsewhere':
      await parts.db.run(storeNeeds, { ...needsOf(end.demand), id: claim.job.id, claim: claim.token });
      return requeue(parts, claim, parts.db.now(), 'handover');
    case 'failed':
      return retryOrFail(parts, claim, end.error, engine);
    case 'stopped': {
      if (end.reason === 'shutdown') return requeue(parts, claim, parts.db.now(), 'handover');
      if (end.reason !== 'timed-out') return 'stopped';
      const sentence = 'The job took longer than it may and was stopped.';
      const fault = isStorageAway(end.error) ? `${sentence} ${whyOf(end.error)}` : sentence;
      await fail(parts, claim, sentence, { fault, engine });
      return 'failed';
    }
  }
}

/** What servers did and took for a run that made nothing. */
async function keepAttempts({ db, jobHooks }: RunParts, { job, token }: Claim, attempts: RunAttempts) {
  if (attempts.now.length === 0) return;
  const spent = spentOn(attempts.now);
  const run_report = writeRunReport({ attempts: allOf(attempts) });
  await db.transaction(async (tx) => {
    const rows = await tx.run(saveRunReport, { id: job.id, claim: token, run_report, ...spent });
    if (rows === 1) await jobHooks.onSpent(tx, job, spent);
  });
}

/** The job has ended without it, whether or not it can be removed now: if not, it is swept. */
async function removeResult(
  { blobs, log }: RunParts,
  { job }: Claim,
  key: string,
  { still }: EngineResult,
): Promise<void> {
  const keys = still === undefined ? [key] : [key, stillKeyOf(key)];
  await removeBlobs(blobs, keys).catch((error) =>
    log.warn({ err: error, job: job.id }, 'a result that nobody needs is removed later'),
  );
}

async function requeue(
  parts: RunParts,
  claim: Claim,
  runAfter: number,
  reason: RequeueReason,
): Promise<RunOutcome> {
  await parts.db.transaction((tx) => parts.queue.requeue(tx, claim, runAfter, reason));
  return 'requeued';
}

async function retryOrFail(
  parts: RunParts,
  claim: Claim,
  error: unknown,
  engine: string | null = null,
): Promise<RunOutcome> {
  const { job } = claim;
  const known = error instanceof AppError ? error : null;
  const delay = retryDelaysMs[job.retries];
  const ofTheServer = !known || known.retryable || failureOf(known).isOfServer;
  const facts = { job: job.id, family: job.family, retries: job.retries };
  // A photo without a face is an everyday refusal, not an error with a stack.
  if (ofTheServer) parts.log.warn({ ...facts, err: error }, 'job did not succeed');
  else parts.log.info({ ...facts, reason: known.message }, 'job did not succeed');
  if (known?.retryable && delay !== undefined) return requeue(parts, claim, parts.db.now() + delay, 'retry');
  const sentence = known?.message ?? 'Something went wrong on the server while making this.';
  await fail(parts, claim, sentence, { fault: ofTheServer ? whyOf(error) : null, engine });
  return 'failed';
}

/** For the operator: the error with what caused it. */
function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} ${whyOf(error.cause)}`;
}

/**
 * An engine, or a storage, that does not stop holds neither the job nor the worker's slot: what comes of it later is
 * dropped.
 */
export async function withGracePeriod<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const over = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    timer = setTimeout(() => over.reject(signal.reason), gracePeriodMs);
  };
  signal.addEventListener('abort', begin, { once: true });
  if (signal.aborted) begin();
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    signal.removeEventListener('abort', begin);
    clearTimeout(timer);
  }
}

/** A folder of the run's own, with the photos in it. */
async function prepareRequest(
  parts: RunParts,
  { job }: Claim,
  stored: GenerationRequest,
  { scratch, signal }: { scratch: string; signal: AbortSignal },
): Promise<EngineRequest> {
  await mkdir(scratch, { recursive: true });
  const fetchBlob = (key: string, name: string) =>
    retryWhileStorageIsAway(signal, async () => {
      const blob = await parts.blobs.open(key, signal);
      if (!blob) throw cannotMake('A photo that this job needs is no longer there.');
      const path = join(scratch, name);
      const stream = blob.stream();
      // A write that is stopped before it begins leaves the stream open.
      await writeFile(path, stream, { signal }).finally(() => stream.destroy());
      return path;
    });
  const inputs = inputKeysOf(job);
  const images = await Promise.all(inputs.map((key, i) => fetchBlob(key, `photo-${i}`)));
  const filter = stored.filter && (await fetchDefinition(stored.filter, fetchBlob, scratch));
  const before = job.via === null ? [] : readJson(TextList, job.via);
  const via = [...before, parts.installationId];
  const photosStay = job.photos_stay === 1;
  return { ...stored, filter, jobId: job.id, filterRef: job.filter_ref, images, scratch, via, photosStay };
}
