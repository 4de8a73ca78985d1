import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnyParams } from '@guise/contract/families/families.ts';
import { z } from 'zod';
import { isContinuedElsewhere } from '../abort.ts';
import type { Engine, EngineContext, EngineRequest } from '../engine.ts';
import type { EngineRoute } from '../engine-kind.ts';
import { hostedNotesOf, narrowAbilities } from '../hosted/hosted-words.ts';
import { type HostedResult, type HostedRun, runHosted } from '../hosted/run-hosted.ts';
import {
  readCallFailure,
  ServiceError,
  type ServiceFailure,
  serviceFailures,
} from '../hosted/service-failures.ts';
import { pause } from '../pause.ts';
import { type Polling, type PollOptions, pollRun } from '../poll-run.ts';
import { type RunLimits, wholeLimit } from '../run-limits.ts';
import { UpstreamError } from '../upstream.ts';
import { fillOf, generatedSize, type Shape, shapeOf } from '../workflow/picture-shape.ts';
import { finish } from '../workflow/result.ts';
import { type FalClient, FalTicket } from './fal-client.ts';
import { type FalFields, falInputOf } from './fal-input.ts';
import { falTopicOf } from './fal-webhooks.ts';

export interface FalChoices extends FalFields {
  refused: 'fail' | 'fallback';
  dollars_per_picture?: number | undefined;
  dollars_per_megapixel?: number | undefined;
  dollars_per_second?: number | undefined;
}

const defaultPolling: Readonly<Polling> = {
  firstMs: 500,
  growth: 1.3,
  longestMs: 3000,
  jitter: 0.2,
  troubleMs: 60_000,
  overtimeMs: 0,
};

/** Where webhooks tell of ends: these are for one that is lost. */
const defaultRarePolling = { firstMs: 5000, growth: 1.5, longestMs: 15_000 } as const;

const resultTries = 3;
const resultPauseMs = 500;

export interface FalEngineOptions extends EngineRoute {
  client: FalClient;
  choices: FalChoices;
  polling?: Partial<Polling> | undefined;
  rarePolling?: Partial<Polling> | undefined;
}

/** Hands pictures and videos to a model in the queue of fal. */
export function falEngine({
  name,
  abilities,
  limitsOf,
  client,
  choices,
  ...options
}: FalEngineOptions): Engine {
  const usual = { ...defaultPolling, ...options.polling };
  const service = { name, state: client.state, refusedFallsBack: choices.refused === 'fallback' };
  const numbers = Array.from({ length: choices.most_photos + 1 }, (_, i) => i);
  return {
    name,
    abilities: narrowAbilities(abilities, numbers),
    slots: client.slots,
    servers: client.state.reports,
    timeLimitOf: (family) => wholeLimit(limitsOf(family)),
    run(request, context) {
      const parts: RunParts = {
        client,
        choices,
        limits: limitsOf(request.family),
        polling: usual,
        rarePolling: { ...usual, ...defaultRarePolling, ...options.rarePolling },
      };
      return runHosted(service, context, FalTicket, (run) => makeThere(parts, request, context, run));
    },
    close: () => client.close(),
  };
}

interface RunParts {
  client: FalClient;
  choices: FalChoices;
  limits: RunLimits;
  polling: Polling;
  rarePolling: Polling;
}

async function makeThere(
  parts: RunParts,
  request: EngineRequest,
  context: EngineContext,
  run: HostedRun<FalTicket>,
): Promise<HostedResult> {
  const { client, choices } = parts;
  const photos = await Promise.all(request.images.map((file) => context.decoder.photoToSend({ file })));
  const shape = filledShape(request, shapeOf(request, photos[0] ?? null));
  const ticket = run.ticket ?? (await submit());
  try {
    await followRequest(parts, ticket, context);
    const file = await fetchOutput(client, ticket, request.scratch, context.signal);
    context.progress(0.96);
    const told = { seed: choices.seed, duration: choices.durations !== undefined };
    const result = await finish(file, request.scratch, shape, hostedNotesOf(request, told), context);
    return { result, cost: costOf(shape, choices) };
  } catch (error) {
    if (context.signal.aborted && !isContinuedElsewhere(context.signal)) client.stop(ticket);
    throw error;
  }

  async function submit(): Promise<FalTicket> {
    context.progress(0.02);
    await run.sending();
    const input = falInputOf(request, photos, shape, choices);
    const startSeconds = Math.ceil(parts.limits.waitingMs / 1000);
    const submitted = await client.submit(input, startSeconds, context.signal);
    try {
      await run.accepted(submitted);
    } catch (error) {
      // Nobody would ever find this request again.
      client.stop(submitted);
      throw error;
    }
    context.progress(0.04);
    return submitted;
  }
}

/** Video models make lengths, rates and sizes of their own. */
function filledShape({ params }: EngineRequest, shape: Shape): Shape {
  const { model }: AnyParams = params;
  return shape.seconds === null ? shape : { ...shape, fill: fillOf(shape, model) };
}

/**
 * Polls the queue until the request has ended. A webhook makes it ask at once, and is believed nothing else. How often it
 * polls beside that depends on whether webhooks arrive: a public address need not be one that fal reaches.
 */
async function followRequest(parts: RunParts, ticket: FalTicket, context: EngineContext): Promise<void> {
  const { client, polling, rarePolling } = parts;
  const { webhooks } = client;
  if (!webhooks.areAsked || !context.subscribe) return pollRequest(parts, ticket, context);
  const come = Promise.withResolvers<void>();
  let isTold = false;
  const unsubscribe = context.subscribe(falTopicOf(ticket.id), () => {
    isTold = true;
    come.resolve();
  });
  try {
    const untilThen = webhooks.arrive ? rarePolling : polling;
    await pollRequest({ ...parts, polling: untilThen }, ticket, context, { come: come.promise, polling });
    webhooks.arrive = isTold;
  } finally {
    unsubscribe();
  }
}

async function pollRequest(
  { client, limits, polling }: RunParts,
  ticket: FalTicket,
  { signal, progress }: EngineContext,
  news?: PollOptions['news'],
): Promise<void> {
  await pollRun<true>(
    {
      async ask() {
        const found = await client.status(ticket, signal);
        if (found === null) throw new ServiceError(serviceFailures.forgotten);
        const hasBegun = found.status === 'IN_PROGRESS';
        // It does not say how far it is.
        if (hasBegun) progress(0.3);
        return { hasBegun, ...(found.status === 'COMPLETED' && { result: true }) };
      },
      isPassing: isTrouble,
      givenUp(error) {
        const { failure, message } =
          error instanceof UpstreamError ? readCallFailure(error) : (error as ServiceError);
        // The request is there all the same: the next try asks for it again.
        return new ServiceError({ ...failure, again: 'yes', mayBeCharged: false }, message, { isKept: true });
      },
      tooLate() {
        client.stop(ticket);
        return new ServiceError(serviceFailures.tooLate);
      },
    },
    { limits, polling, signal, news },
  );
}

/** Whether the queue may answer again, for the same request. */
function isTrouble(error: unknown): error is ServiceError | UpstreamError {
  if (error instanceof UpstreamError) return true;
  const passing: ServiceFailure[] = [serviceFailures.serverError, serviceFailures.tooMany];
  return error instanceof ServiceError && passing.includes(error.failure);
}

const File = z.looseObject({ url: z.string().min(1) });
/** Pictures as a list or alone, or a video. */
const Output = z.looseObject({
  images: z.array(File).optional(),
  image: File.optional(),
  video: File.optional(),
});

/** What is made is paid for: it is asked for again, here and then by the next try of the job. */
async function readOutput(client: FalClient, ticket: FalTicket, signal: AbortSignal): Promise<unknown> {
  for (let tries = 1; ; tries++) {
    try {
      return await client.result(ticket, signal);
    } catch (cause) {
      if (!(cause instanceof UpstreamError) || cause.kind === 'too large') throw cause;
      if (tries === resultTries)
        throw new ServiceError(serviceFailures.resultNotFetched, cause.message, { isKept: true, cause });
      await pause(cause.retryAfterMs ?? resultPauseMs * tries, signal);
      signal.throwIfAborted();
    }
  }
}

async function fetchOutput(
  client: FalClient,
  ticket: FalTicket,
  scratch: string,
  signal: AbortSignal,
): Promise<string> {
  const { data } = Output.safeParse(await readOutput(client, ticket, signal));
  if (!data) throw new ServiceError(serviceFailures.malformed);
  const found = data.images?.[0] ?? data.image ?? data.video;
  if (!found) throw new ServiceError(serviceFailures.noPicture);
  const bytes = await client.fetchFile(found.url, signal).catch((cause) => {
    signal.throwIfAborted();
    const said = cause instanceof Error ? cause.message : '';
    throw new ServiceError(serviceFailures.resultNotFetched, said, { isKept: true, cause });
  });
  const file = join(scratch, 'from-server');
  await writeFile(file, bytes);
  return file;
}

/** In US dollars, by the operator's prices: the queue tells none. */
function costOf(shape: Shape, choices: FalChoices): number | null {
  const { dollars_per_picture, dollars_per_megapixel, dollars_per_second } = choices;
  if (shape.seconds !== null)
    return dollars_per_second === undefined ? null : dollars_per_second * shape.seconds;
  if (dollars_per_megapixel === undefined) return dollars_per_picture ?? null;
  const { width, height } = generatedSize(shape, choices.megapixels, 16);
  return (dollars_per_megapixel * width * height) / 1e6;
}
