import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { AppError } from '../../errors.ts';
import { isContinuedElsewhere } from '../abort.ts';
import {
  cannotMake,
  type Engine,
  type EngineContext,
  engineBroke,
  engineUnfit,
  isEngineFault,
} from '../engine.ts';
import type { EngineRoute } from '../engine-kind.ts';
import { causeOf, failureError, readFailure } from '../failure.ts';
import { patternOf, unknownFailure } from '../failure-patterns.ts';
import { mayStillRun, ResultNotFetched } from '../kept-run.ts';
import { type Polling, pollRun } from '../poll-run.ts';
import { type RunLimits, wholeLimit } from '../run-limits.ts';
import { readStoredHandle } from '../stored-handle.ts';
import { UpstreamError } from '../upstream.ts';
import { bind, notesOf } from '../workflow/bind.ts';
import { type Prepared, photosToSend, prepare, uploadedAs } from '../workflow/prepare.ts';
import { finish } from '../workflow/result.ts';
import { createWorkflowMemory, workflowKey } from '../workflow-memory.ts';
import { maxBodyBytes, type RunpodClient, type Status } from './runpod-client.ts';
import { failureText, progressOf, type Result, resultOf } from './runpod-result.ts';

export interface RunpodEngineOptions extends EngineRoute {
  client: RunpodClient;
  polling?: Partial<Polling> | undefined;
}

/** The endpoint's id of the job, and the name that its file has. */
const Handle = z.object({ kind: z.literal('runpod'), id: z.string(), name: z.string() });
type Handle = z.infer<typeof Handle>;

const defaultPolling: Readonly<Polling> = {
  firstMs: 700,
  growth: 1.4,
  longestMs: 5000,
  jitter: 0.2,
  troubleMs: 60_000,
  overtimeMs: 10_000,
};

/** Hands workflows to a rented endpoint that runs the public ComfyUI worker. */
export function runpodEngine({
  client,
  workflowOf,
  limitsOf,
  findFaces,
  polling,
  ...options
}: RunpodEngineOptions): Engine {
  const memory = createWorkflowMemory();
  const attempted = (context: EngineContext, cause: string | null) =>
    context.attempted?.({ server: options.name, cause });
  const errorOf = (said: string, { definition, request }: Prepared): AppError => {
    const ofCaller = request.filter?.kind === 'workflow';
    const ofPhoto = patternOf(said) === unknownFailure && memory.failed(workflowKey(definition));
    return failureError(readFailure(said), { ofCaller, ofPhoto });
  };
  return {
    ...options,
    slots: client.slots,
    timeLimitOf: (family) => wholeLimit(limitsOf(family)),
    async run(request, context) {
      const limits = limitsOf(request.family);
      const job = await prepare(request, workflowOf(request), { findFaces, ...context });
      try {
        const handle =
          readStoredHandle(Handle, context.handle) ?? (await submit(client, job, limits, context));
        try {
          const result = await followJob(client, handle, context, {
            limits,
            polling: { ...defaultPolling, ...polling },
          });
          const file = await fetchResult(client, result, job, context);
          context.progress(0.96);
          const notes = notesOf(job.definition, request, job.shape);
          const made = await finish(file, request.scratch, job.shape, notes, context);
          memory.worked(workflowKey(job.definition));
          attempted(context, null);
          return made;
        } catch (error) {
          if (isGivenUp(error, context)) client.stop(handle.id);
          throw error;
        }
      } catch (error) {
        const known = await giveUp(
          error instanceof WorkerFailure ? errorOf(error.said, job) : error,
          context,
        );
        if (!context.signal.aborted) attempted(context, causeOf(known));
        throw known;
      }
    },
    close: () => client.close(),
  };
}

/** Names overwrite each other on a worker, so every run has its own. */
async function submit(
  client: RunpodClient,
  job: Prepared,
  limits: RunLimits,
  context: EngineContext,
): Promise<Handle> {
  const name = `guise-${randomUUID()}`;
  const images = photosToSend(job).map(({ bytes, extension }, i) => ({
    name: `${name}-${i}.${extension}`,
    image: bytes.toString('base64'),
  }));
  const names = images.map((image) => image.name);
  const workflow = bind(job.definition, job.request, job.shape, uploadedAs(job, names), name);
  if (images.reduce((sum, image) => sum + image.image.length, 0) > maxBodyBytes * 0.95)
    throw cannotMake('The photos are too large together. Send fewer or smaller ones.');
  context.progress(0.02);
  const id = await client.submit({ workflow, images }, limits, context.signal);
  const handle: Handle = { kind: 'runpod', id, name };
  try {
    await context.saveHandle(JSON.stringify(handle));
  } catch (error) {
    // Nobody would ever find this run again.
    client.stop(id);
    throw error;
  }
  context.progress(0.04);
  return handle;
}

function followJob(
  client: RunpodClient,
  { id, name }: Handle,
  { signal, progress }: EngineContext,
  { limits, polling }: { limits: RunLimits; polling: Polling },
): Promise<Result> {
  const notBegun = 'The rented GPU did not get to this job in time.';
  return pollRun<Result>(
    {
      async ask() {
        const found = await client.status(id, signal);
        if (found === null) throw engineBroke(notBegun);
        const hasBegun = found.status !== 'IN_QUEUE';
        const result = resultIn(found, name);
        const done = result || !hasBegun ? null : progressOf(found.output);
        if (done !== null) progress(0.04 + 0.88 * Math.min(1, done));
        return { result, hasBegun };
      },
      isPassing: (error) => error instanceof UpstreamError,
      givenUp: (error) => error,
      // The endpoint stops the job itself at these limits: it is given the time to say so.
      tooLate(hasBegun) {
        client.stop(id);
        return engineUnfit(hasBegun ? 'The job took longer than it may and was stopped.' : notBegun);
      },
    },
    { limits, polling, signal },
  );
}

/** The worker's own account of a failure. */
class WorkerFailure extends Error {
  readonly said: string;

  constructor(said: string) {
    super('the worker reported a failure');
    this.said = said;
  }
}

/** The result once there is one; undefined while the job goes on. */
function resultIn({ status, output, error }: Status, name: string): Result | undefined {
  switch (status) {
    case 'COMPLETED': {
      const said = failureText(error, output);
      const result = resultOf(output, name);
      if (!result && said !== '') throw new WorkerFailure(said);
      if (!result) throw engineUnfit('The workflow of this filter left no file to fetch.');
      return result;
    }
    case 'FAILED':
      throw new WorkerFailure(failureText(error, output));
    case 'CANCELLED':
      throw engineBroke('The job was cancelled at the rented GPU.');
    case 'TIMED_OUT':
      throw engineBroke('The rented GPU took longer than it may.');
    default:
      return undefined;
  }
}

/** Results live for half an hour over there: they are copied as soon as they are seen. */
async function fetchResult(
  client: RunpodClient,
  result: Result,
  job: Prepared,
  context: EngineContext,
): Promise<string> {
  const bytes =
    result.kind === 'base64'
      ? Buffer.from(result.data, 'base64')
      : await client.fetchResult(result.data, context.signal).catch((cause) => {
          throw new ResultNotFetched(
            'The result could not be fetched from where the rented GPU put it.',
            cause,
          );
        });
  const file = join(job.request.scratch, 'from-server');
  await writeFile(file, bytes);
  return file;
}

/** Whether nobody goes on with a run that may still be going on there. */
function isGivenUp(error: unknown, { signal, isTriedAgain }: EngineContext): boolean {
  if (signal.aborted) return !isContinuedElsewhere(signal);
  return error instanceof UpstreamError && !(isTriedAgain && mayStillRun(error));
}

async function giveUp(error: unknown, context: EngineContext): Promise<unknown> {
  if (context.signal.aborted) return context.signal.reason;
  const known =
    error instanceof UpstreamError
      ? engineBroke('The rented GPU did not answer as it should.', error)
      : error;
  const isKept = context.isTriedAgain && mayStillRun(error);
  if (isEngineFault(known) && !isKept) await context.saveHandle('');
  return known;
}
