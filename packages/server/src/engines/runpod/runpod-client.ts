import type { Workflow } from '@guise/contract/workflow.ts';
import { z } from 'zod';
import { createNameLookup } from '../../media/name-lookup.ts';
import { safeFetcher } from '../../media/safe-fetch.ts';
import { pause } from '../pause.ts';
import type { RunLimits } from '../run-limits.ts';
import { createStops } from '../stops.ts';
import { createTurns } from '../turns.ts';
import { UpstreamError, upstream } from '../upstream.ts';

const Submitted = z.looseObject({ id: z.string().min(1) });
const Status = z.looseObject({
  status: z.string(),
  output: z.unknown().optional(),
  error: z.unknown().optional(),
});
export type Status = z.infer<typeof Status>;

export interface RunpodSettings {
  endpoint: string;
  key: string;
  jobs: number;
  /** Whether links to results may lead into the network of this machine. */
  private_results: boolean;
}

export interface RunpodClient {
  readonly slots: number;
  /** The endpoint's id of the new job. */
  submit(
    input: { workflow: Workflow; images: { name: string; image: string }[] },
    limits: RunLimits,
    signal: AbortSignal,
  ): Promise<string>;
  /** Null when the endpoint knows no such job, or no longer. */
  status(id: string, signal: AbortSignal): Promise<Status | null>;
  /** Sees to it that a job stops, in the background. */
  stop(id: string): void;
  /** What a result's link leads to. */
  fetchResult(url: string, signal: AbortSignal): Promise<Buffer>;
  close(): Promise<void>;
}

/** A body may have 10 MB. */
export const maxBodyBytes = 10_000_000;
const maxAnswerBytes = 128 * 1024 * 1024;
const maxResultBytes = 256 * 1024 * 1024;
const stopMs = 15_000;
const unfinished = ['IN_QUEUE', 'IN_PROGRESS', 'RUNNING'];

/** An endpoint of the serverless API. What it calls too many requests holds back all calls from here, not just one. */
export function runpodClient(settings: RunpodSettings): RunpodClient {
  const server = upstream(settings.endpoint, { authorization: `Bearer ${settings.key}` });
  const fetchResult = safeFetcher({
    maxBytes: maxResultBytes,
    timeoutMs: 120_000,
    allowPrivate: settings.private_results,
    resolve: createNameLookup(),
  });
  const inTurn = createTurns();
  const stops = createStops();
  const client: RunpodClient = {
    slots: settings.jobs,
    async submit(input, { waitingMs, runningMs }, signal) {
      const policy = {
        executionTimeout: runningMs,
        // Counts from submission: waiting and running together.
        ttl: waitingMs + runningMs,
      };
      const call = {
        method: 'POST',
        path: '/run',
        json: { input, policy },
        signal,
        timeoutMs: 60_000,
      } as const;
      return (await inTurn(signal, () => server.json(Submitted, call))).id;
    },
    async status(id, signal) {
      const path = `/status/${encodeURIComponent(id)}`;
      const call = { path, signal, maxBytes: maxAnswerBytes, timeoutMs: 60_000 };
      try {
        return await inTurn(signal, () => server.json(Status, call));
      } catch (error) {
        if (error instanceof UpstreamError && error.status === 404) return null;
        throw error;
      }
    },
    stop: (id) => stops.add(stopJob(id)),
    fetchResult: (url, signal) => fetchResult(url, { accountId: '', signal }),
    async close() {
      await stops.wait();
      await server.close();
    },
  };
  return client;

  /** Until the endpoint says that it is over, since a cancel may be lost. */
  async function stopJob(id: string): Promise<void> {
    const signal = AbortSignal.timeout(stopMs);
    const path = `/cancel/${encodeURIComponent(id)}`;
    for (let waitMs = 200; !signal.aborted; waitMs *= 2) {
      try {
        await inTurn(signal, () => server.send({ method: 'POST', path, signal }));
        const status = await client.status(id, signal);
        if (!status || !unfinished.includes(status.status)) return;
      } catch {
        // Tried again until the limit.
      }
      await pause(waitMs, signal);
    }
  }
}
