import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { type EngineContext, type EngineResult, engineBroke, engineUnfit, isEngineFault } from '../engine.ts';
import { causeOf } from '../failure.ts';
import { readStoredHandle } from '../stored-handle.ts';
import { asServiceError, ServiceError, serviceErrorOf } from './service-failures.ts';
import type { ServiceState } from './service-state.ts';

/** A hosted service as one engine uses it. */
export interface HostedService {
  /** The engine's name in the file. */
  name: string;
  state: ServiceState;
  refusedFallsBack: boolean;
}

/** What came of a run there. */
export interface HostedResult {
  result: EngineResult;
  /** In US dollars; null where nothing says what it costs. */
  cost: number | null;
}

/** A run at a service that charges for what it is asked. `Ticket` is what the request is found again by. */
export interface HostedRun<Ticket> {
  /** Of a request that an earlier process sent. */
  ticket: Ticket | null;
  /** To be awaited before a request is sent that may be charged: whoever goes on with the job knows of it then. */
  sending(): Promise<void>;
  /** To be awaited before the result is waited for. */
  accepted(ticket: Ticket): Promise<void>;
}

/** So many requests of one job may be charged without giving anything; then it is not sent there again. */
const mostLost = 2;

/**
 * Runs a job at a service that charges for every request and knows no idempotency key. How many requests were lost is
 * stored with the job, so that a process that is killed, or a connection that breaks, again and again does not make the
 * operator pay again and again.
 */
export async function runHosted<Ticket>(
  { name, state, refusedFallsBack }: HostedService,
  context: EngineContext,
  schema: z.ZodType<Ticket>,
  make: (run: HostedRun<Ticket>) => Promise<HostedResult>,
): Promise<EngineResult> {
  const Handle = z.object({
    kind: z.literal('hosted'),
    engine: z.literal(name),
    /** Requests that may have been charged and gave nothing. */
    lost: z.int(),
    /** Whether one was being sent when this was stored. */
    isOpen: z.boolean(),
    ticket: schema.nullable(),
  });
  const earlier = readStoredHandle(Handle, context.handle);
  const lost = (earlier?.lost ?? 0) + (earlier?.isOpen ? 1 : 0);
  const attempted = (cause: string | null, cost: number | null = null) =>
    context.attempted?.({ server: name, cause, ...(cost !== null && { cost }) });
  if (earlier?.isOpen)
    attempted('the process ended before the service had answered: it may have charged that request');
  const ticket = earlier?.ticket ?? null;
  if (ticket === null && lost >= mostLost)
    throw engineUnfit(
      'The picture service did not answer as it should.',
      new Error(`${lost} requests for this job may have been charged and gave nothing`),
    );
  if (!state.begin()) {
    const cause = `gets no jobs for now: ${state.reason()}`;
    attempted(cause);
    throw engineBroke('The picture service of this installation cannot be used right now.', new Error(cause));
  }
  const save = (handle: Omit<z.infer<typeof Handle>, 'kind' | 'engine'>) =>
    context.saveHandle(JSON.stringify({ kind: 'hosted', engine: name, ...handle }));
  let wasSent = ticket !== null;
  try {
    const { result, cost } = await make({
      ticket,
      async sending() {
        await save({ lost, isOpen: true, ticket: null });
        wasSent = true;
      },
      accepted: (accepted) => save({ lost, isOpen: false, ticket: accepted }),
    });
    state.worked();
    attempted(null, cost);
    return result;
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason;
    const known = asServiceError(error);
    const end = endOf(known, wasSent, { lostBefore: lost, refusedFallsBack });
    if (known instanceof ServiceError) state.failed(known.failure);
    if (!end.isKept && (wasSent || earlier))
      await save({ lost: lost + (end.isLost ? 1 : 0), isOpen: false, ticket: null });
    attempted(causeOf(end.error));
    throw end.error;
  } finally {
    state.end();
  }
}

interface RunEnd {
  error: unknown;
  /** Whether a request may have been charged for nothing. */
  isLost: boolean;
  /** Whether the request is still there to go on with. */
  isKept: boolean;
}

function endOf(
  error: unknown,
  wasSent: boolean,
  choices: { lostBefore: number; refusedFallsBack: boolean },
): RunEnd {
  if (error instanceof ServiceError) {
    const { mayBeCharged } = error.failure;
    return { error: serviceErrorOf(error, choices), isLost: mayBeCharged, isKept: error.isKept };
  }
  // A picture came that cannot be used: it is paid for.
  const isLost = wasSent && isEngineFault(error);
  const isLast = isLost && choices.lostBefore > 0;
  const last = isLast && error instanceof AppError ? engineUnfit(error.message, error.cause) : error;
  return { error: last, isLost, isKept: false };
}
