import { writeFile } from 'node:fs/promises';
import type { Family } from '@guise/contract/families/families.ts';
import { QualityAnswer } from '@guise/contract/quality.ts';
import { z } from 'zod';
import { createNameLookup } from '../../media/name-lookup.ts';
import { safeFetcher } from '../../media/safe-fetch.ts';
import { type Circuit, circuit } from '../circuit.ts';
import { pause } from '../pause.ts';
import type { ServerReports } from '../server-reports.ts';
import { createStops } from '../stops.ts';
import { type Upstream, UpstreamError, upstream } from '../upstream.ts';
import { type CopyFilter, createFilterCopies } from './filter-copies.ts';
import { watchHealth } from './guise-health.ts';

const Submitted = z.looseObject({ id: z.string().min(1) });
const Sentences = z.array(z.string().max(500)).max(100).default([]).catch([]);
const JobAnswer = z.looseObject({
  status: z.string(),
  progress: z.number().min(0).max(1).optional().catch(undefined),
  error: z.string().optional().catch(undefined),
  applied: Sentences,
  ignored: Sentences,
  quality: QualityAnswer.extend({ reasons: Sentences }).optional().catch(undefined),
  output: z
    .looseObject({
      images: z.array(z.string()).optional(),
      video_url: z.string().optional(),
      video_error: z.string().optional(),
    })
    .default({}),
});
export type JobAnswer = z.infer<typeof JobAnswer>;
const Detail = z.looseObject({ failure: z.enum(['request', 'server']).nullable().default(null) });

/** What a run is sent with, beside its body. */
export interface SubmitHeaders {
  /** The other server makes only one job of all runs with the same key. */
  idempotencyKey: string;
  via: readonly string[];
  /** Whether the photos may not go to a company from there either. */
  photosStay: boolean;
}

export interface GuiseSettings {
  url: string;
  key: string;
  jobs: number;
  patience_seconds: number;
  /** Whether links to results may lead into the network of this machine. */
  private_results: boolean;
}

/** Another Guise, or another service of the same interface. */
export interface GuiseClient {
  readonly slots: number;
  readonly circuit: Circuit;
  readonly reports: ServerReports;
  /** How long a job that is there already is waited for when the other server cannot be reached. */
  readonly patienceMs: number;
  submit(family: Family, body: object, headers: SubmitHeaders, signal: AbortSignal): Promise<string>;
  /** Waits a moment for the job's end. Null when there is no such job, or no longer. */
  status(family: Family, id: string, signal: AbortSignal): Promise<JobAnswer | null>;
  /** Whether a failed job failed by the other server; where it does not say, by the photo. */
  failedByServer(id: string, signal: AbortSignal): Promise<boolean>;
  readonly copyFilter: CopyFilter;
  /** Writes what a result's link leads to into a file. Another host than this one must be a public one. */
  fetchResult(url: string, file: string, signal: AbortSignal): Promise<void>;
  /** Sees to it that a job stops, in the background, for as long as the other server may be away. */
  stop(id: string): void;
  close(): Promise<void>;
}

const waitSeconds = 2;
const stopMs = 10 * 60_000;
const maxAnswerBytes = 128 * 1024 * 1024;
const maxResultBytes = 256 * 1024 * 1024;

export function guiseClient(settings: GuiseSettings): GuiseClient {
  const server = upstream(settings.url, { authorization: `Bearer ${settings.key}` });
  const fetchElsewhere = safeFetcher({
    maxBytes: maxResultBytes,
    timeoutMs: 120_000,
    allowPrivate: settings.private_results,
    resolve: createNameLookup(),
  });
  const { origin, host } = new URL(settings.url);
  const state = circuit();
  const closing = new AbortController();
  const closed = closing.signal;
  const health = watchHealth(server, { address: host, circuit: state, closed });
  const stops = createStops();
  return {
    slots: settings.jobs,
    circuit: state,
    reports: health.reports,
    patienceMs: settings.patience_seconds * 1000,
    submit: (...call) => submitRun(server, ...call),
    status: (...call) => readStatus(server, ...call),
    async failedByServer(id, signal) {
      const path = `/v1/jobs/${encodeURIComponent(id)}`;
      const detail = await server.json(Detail, { path, signal }).catch(() => null);
      return detail?.failure === 'server';
    },
    copyFilter: createFilterCopies(server, closed),
    async fetchResult(url, file, signal) {
      const result = new URL(url);
      if (result.origin === origin) {
        const path = result.pathname + result.search;
        return server.download({ path, signal, timeoutMs: 120_000, maxBytes: maxResultBytes }, file);
      }
      await writeFile(file, await fetchElsewhere(url, { accountId: '', signal }));
    },
    stop: (id) => stops.add(stopJob(server, id, closed)),
    async close() {
      health.stop();
      await stops.wait();
      closing.abort();
      await server.close();
    },
  };
}

async function submitRun(
  server: Upstream,
  family: Family,
  body: object,
  { idempotencyKey, via, photosStay }: SubmitHeaders,
  signal: AbortSignal,
): Promise<string> {
  const { id } = await server.json(Submitted, {
    method: 'POST',
    path: family.run,
    headers: {
      'idempotency-key': idempotencyKey,
      'x-guise-via': via.join(', '),
      ...(photosStay && { 'x-guise-photos-stay': '1' }),
    },
    json: body,
    signal,
    timeoutMs: 60_000,
  });
  return id;
}

async function readStatus(
  server: Upstream,
  family: Family,
  id: string,
  signal: AbortSignal,
): Promise<JobAnswer | null> {
  try {
    return await server.json(JobAnswer, {
      method: 'POST',
      path: family.status.replace('{job_id}', encodeURIComponent(id)),
      headers: { prefer: `wait=${waitSeconds}` },
      signal,
      maxBytes: maxAnswerBytes,
      timeoutMs: 60_000,
    });
  } catch (error) {
    if (error instanceof UpstreamError && [404, 410].includes(error.status)) return null;
    throw error;
  }
}

async function stopJob(server: Upstream, id: string, closed: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([closed, AbortSignal.timeout(stopMs)]);
  const path = `/v1/jobs/${encodeURIComponent(id)}/cancel`;
  for (let waitMs = 500; !signal.aborted; waitMs = Math.min(2 * waitMs, 10_000)) {
    try {
      // It may have ended, or be gone: then there is nothing to stop.
      return await server.send({ method: 'POST', path, signal, also: [404, 409, 410] });
    } catch {
      await pause(waitMs, signal);
    }
  }
}
