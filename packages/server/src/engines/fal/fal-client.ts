import { z } from 'zod';
import { createNameLookup } from '../../media/name-lookup.ts';
import { safeFetcher } from '../../media/safe-fetch.ts';
import { createLimitedTurns } from '../hosted/limited-turns.ts';
import { readServiceFailure, ServiceError, serviceFailures } from '../hosted/service-failures.ts';
import { createServiceState, type ServiceState } from '../hosted/service-state.ts';
import { pause } from '../pause.ts';
import { createStops } from '../stops.ts';
import { type UpstreamAnswer, type UpstreamCall, UpstreamError, upstream } from '../upstream.ts';

export interface FalSettings {
  url: string;
  key: string;
  model: string;
  jobs: number;
  /** Whether links to results may lead into the network of this machine. */
  private_results: boolean;
  /** What the queue is asked to call when a request has ended; null where it is polled alone. */
  webhookUrl: string | null;
  /** How long an answer may take. */
  callMs?: number;
}

/** What a request is found again by: paths below the address of the queue, as it gave them. */
export const FalTicket = z.object({
  id: z.string(),
  status: z.string(),
  result: z.string(),
  cancel: z.string(),
});
export type FalTicket = z.infer<typeof FalTicket>;

const Submitted = z.looseObject({
  request_id: z.string().min(1),
  status_url: z.url(),
  response_url: z.url(),
  cancel_url: z.url(),
});
const Status = z.looseObject({
  status: z.string(),
  queue_position: z.number().optional().catch(undefined),
  metrics: z.looseObject({ inference_time: z.number().optional() }).optional().catch(undefined),
});
export type FalStatus = z.infer<typeof Status>;
const FailedRequest = z.looseObject({ error_type: z.string() });

export interface FalClient {
  readonly slots: number;
  readonly state: ServiceState;
  /** Whether the queue is asked to call back, and whether it did so for the last run that has ended. */
  readonly webhooks: { areAsked: boolean; arrive: boolean };
  submit(input: object, startSeconds: number, signal: AbortSignal): Promise<FalTicket>;
  /** Null when the queue knows no such request, or no longer. */
  status(ticket: FalTicket, signal: AbortSignal): Promise<FalStatus | null>;
  /** The output of the model. A request that failed is told here; a gateway that fails is an error of the call. */
  result(ticket: FalTicket, signal: AbortSignal): Promise<unknown>;
  /** What a link in the output leads to, or what a data URI holds. */
  fetchFile(url: string, signal: AbortSignal): Promise<Buffer>;
  /** Sees to it that a request stops, in the background. */
  stop(ticket: FalTicket): void;
  close(): Promise<void>;
}

const maxAnswerBytes = 96 * 1024 * 1024;
const maxFileBytes = 256 * 1024 * 1024;
const usualCallMs = 60_000;
const stopMs = 15_000;

/** The queue of fal. What it calls too many requests holds back all calls from here, not just one. */
export function falClient(settings: FalSettings): FalClient {
  const server = upstream(settings.url, { authorization: `Key ${settings.key}` });
  const fetchFile = safeFetcher({
    maxBytes: maxFileBytes,
    timeoutMs: 120_000,
    allowPrivate: settings.private_results,
    resolve: createNameLookup(),
  });
  const { callMs = usualCallMs, webhookUrl } = settings;
  const inTurn = createLimitedTurns();
  const stops = createStops();
  const ask = (call: Omit<UpstreamCall, 'also'>, waitingMs = callMs): Promise<UpstreamAnswer> =>
    inTurn({ signal: call.signal, waitingMs }, async () => {
      const answer = await server.answer({ timeoutMs: callMs, maxBytes: maxAnswerBytes, ...call });
      const { status, retryAfterMs } = answer;
      const isLimit = status === 429 && readServiceFailure(answer).failure === serviceFailures.tooMany;
      if (isLimit) throw new UpstreamError('status', 'queue: 429', { status, retryAfterMs });
      return answer;
    });

  return {
    slots: settings.jobs,
    state: createServiceState(new URL(settings.url).host),
    webhooks: { areAsked: webhookUrl !== null, arrive: false },
    async submit(input, startSeconds, signal) {
      const answer = await ask(
        {
          method: 'POST',
          path: `/${settings.model}`,
          ...(webhookUrl !== null && { query: { fal_webhook: webhookUrl } }),
          headers: privateHeaders(startSeconds),
          json: input,
          signal,
        },
        startSeconds * 1000,
      );
      if (answer.status !== 200) throw readServiceFailure(answer);
      const { request_id: id, ...urls } = parsed(Submitted, answer.body);
      return {
        id,
        status: pathBelow(settings.url, urls.status_url),
        result: pathBelow(settings.url, urls.response_url),
        cancel: pathBelow(settings.url, urls.cancel_url),
      };
    },
    async status({ status: path }, signal) {
      const answer = await ask({ path, query: { logs: '0' }, signal });
      if (answer.status === 404) return null;
      // 202 until it has ended.
      if (answer.status !== 200 && answer.status !== 202) throw readServiceFailure(answer);
      return parsed(Status, answer.body);
    },
    async result({ result: path }, signal) {
      const answer = await ask({ path, signal });
      if (answer.status === 200) return answer.body;
      throw isOfGateway(answer) ? gatewayError(answer) : readServiceFailure(answer);
    },
    async fetchFile(url, signal) {
      const data = /^data:[\w./+-]{0,100};base64,/.exec(url);
      return data
        ? Buffer.from(url.slice(data[0].length), 'base64')
        : fetchFile(url, { accountId: '', signal });
    },
    stop: (ticket) => stops.add(cancel(ticket)),
    async close() {
      await stops.wait();
      await server.close();
    },
  };

  /** One that runs already may run on, and be charged. */
  async function cancel({ cancel: path }: FalTicket): Promise<void> {
    const signal = AbortSignal.timeout(stopMs);
    for (let waitMs = 200; !signal.aborted; waitMs *= 2) {
      const answer = await ask({ method: 'PUT', path, signal }).catch(() => null);
      if (answer && answer.status < 500) return;
      await pause(waitMs, signal);
    }
  }
}

/**
 * Keeps what is sent and made out of the history of the account, and files that the model puts on the network of fal
 * for an hour only. What has not begun in time is not begun.
 */
function privateHeaders(startSeconds: number): Record<string, string> {
  return {
    'x-fal-store-io': '0',
    'x-fal-object-lifecycle-preference': JSON.stringify({ expiration_duration_seconds: 3600 }),
    'x-fal-request-timeout': String(startSeconds),
  };
}

/** Whether an answer tells nothing of the request: what went wrong with that has a type. */
function isOfGateway({ status, body }: UpstreamAnswer): boolean {
  return [502, 503, 504].includes(status) && !FailedRequest.safeParse(body).success;
}

const gatewayError = ({ status, retryAfterMs }: UpstreamAnswer) =>
  new UpstreamError('status', `result: ${status}`, { status, retryAfterMs });

/** The key goes to the queue's own address alone, whatever the answer says. */
function pathBelow(base: string, url: string): string {
  const { origin, pathname } = new URL(base.endsWith('/') ? base : `${base}/`);
  const found = new URL(url);
  if (found.origin !== origin || !found.pathname.startsWith(pathname))
    throw new ServiceError(serviceFailures.malformed, 'an address outside of the queue');
  return found.pathname.slice(pathname.length - 1);
}

function parsed<T>(schema: z.ZodType<T>, body: unknown): T {
  const { success, data } = schema.safeParse(body);
  if (!success) throw new ServiceError(serviceFailures.malformed);
  return data;
}
