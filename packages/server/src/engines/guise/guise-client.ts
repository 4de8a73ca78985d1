import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { Family } from '@guise/contract/families/families.ts';
import type { CustomDefinition } from '@guise/contract/filters.ts';
import { z } from 'zod';
import { isoTime } from '../../iso-time.ts';
import { createNameLookup } from '../../media/name-lookup.ts';
import { safeFetcher } from '../../media/safe-fetch.ts';
import { type Circuit, circuit } from '../circuit.ts';
import { pause } from '../pause.ts';
import { createServerReports, type ServerReports } from '../server-reports.ts';
import { UpstreamError, upstream } from '../upstream.ts';

const Submitted = z.looseObject({ id: z.string().min(1) });
const Sentences = z.array(z.string().max(500)).max(100).default([]).catch([]);
const JobAnswer = z.looseObject({
  status: z.string(),
  progress: z.number().min(0).max(1).optional().catch(undefined),
  error: z.string().optional().catch(undefined),
  applied: Sentences,
  ignored: Sentences,
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
const Filters = z.array(z.looseObject({ id: z.string(), name: z.string() }));
const Filter = z.looseObject({ id: z.string() });

/** What a run is sent with, beside its body. */
export interface SubmitHeaders {
  /** The other server makes only one job of all runs with the same key. */
  idempotencyKey: string;
  via: readonly string[];
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
  /** The other server's id of a filter with this definition, made there when there is none yet. */
  copyFilter(type: 'face_swap' | 'multi_swap', definition: CustomDefinition): Promise<string>;
  /** Writes what a result's link leads to into a file. Another host than this one must be a public one. */
  fetchResult(url: string, file: string, signal: AbortSignal): Promise<void>;
  /** Sees to it that a job stops, in the background, for as long as the other server may be away. */
  stop(id: string): void;
  close(): Promise<void>;
}

const waitSeconds = 2;
const healthMs = 5000;
const stopMs = 10 * 60_000;
const closeMs = 5000;
const maxAnswerBytes = 128 * 1024 * 1024;
const maxResultBytes = 256 * 1024 * 1024;
const mostCopies = 500;

export function guiseClient(settings: GuiseSettings): GuiseClient {
  const server = upstream(settings.url, { authorization: `Bearer ${settings.key}` });
  const fetchElsewhere = safeFetcher({
    maxBytes: maxResultBytes,
    timeoutMs: 120_000,
    allowPrivate: settings.private_results,
    resolve: createNameLookup(),
  });
  const state = circuit();
  const closed = new AbortController();
  const stopping = new Set<Promise<void>>();
  /** Ids of filters that were copied there, by the hash of their definition. */
  const copies = new Map<string, Promise<string>>();

  const checkHealth = () =>
    server
      .send({ path: '/health', signal: closed.signal, timeoutMs: healthMs })
      .then(state.reached, (error) => {
        // Any answer shows that it is there.
        if (error instanceof UpstreamError && error.kind === 'status') state.reached();
        else if (!closed.signal.aborted) {
          state.unreached();
          lastError = { what: error instanceof UpstreamError ? error.message : 'no answer', at: Date.now() };
        }
      })
      .then(() => reports.compare());
  let lastError: { what: string; at: number } | null = null;
  const reports = createServerReports(() => [
    {
      address: new URL(settings.url).host,
      state: state.state(),
      running: null,
      queue: null,
      version: null,
      reason: state.state() === 'up' ? null : (lastError?.what ?? 'jobs failed there one after the other'),
      last_error: lastError?.what ?? null,
      last_error_at: lastError && isoTime(lastError.at),
    },
  ]);
  const timer = setInterval(() => void checkHealth(), healthMs).unref();
  void checkHealth();

  async function findOrMakeFilter(type: string, definition: CustomDefinition, hash: string): Promise<string> {
    const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(60_000)]);
    const name = `Copy ${hash.slice(0, 24)}`;
    const path = '/v1/users/me/my-custom-filters';
    const found = (await server.json(Filters, { path, signal })).find((filter) => filter.name === name);
    if (found) return found.id;
    const made = await server.json(Filter, {
      method: 'POST',
      path,
      headers: { 'idempotency-key': hash },
      json: { name, filter_type: type, definition },
      also: [201],
      signal,
      timeoutMs: 60_000,
    });
    return made.id;
  }

  async function stopJob(id: string): Promise<void> {
    const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(stopMs)]);
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

  return {
    slots: settings.jobs,
    circuit: state,
    reports,
    patienceMs: settings.patience_seconds * 1000,
    async submit(family, body, { idempotencyKey, via }, signal) {
      const call = {
        method: 'POST',
        path: family.run,
        headers: { 'idempotency-key': idempotencyKey, 'x-guise-via': via.join(', ') },
        json: body,
        signal,
        timeoutMs: 60_000,
      } as const;
      return (await server.json(Submitted, call)).id;
    },
    async status(family, id, signal) {
      const call = {
        method: 'POST',
        path: family.status.replace('{job_id}', encodeURIComponent(id)),
        headers: { prefer: `wait=${waitSeconds}` },
        signal,
        maxBytes: maxAnswerBytes,
        timeoutMs: 60_000,
      } as const;
      try {
        return await server.json(JobAnswer, call);
      } catch (error) {
        if (error instanceof UpstreamError && [404, 410].includes(error.status)) return null;
        throw error;
      }
    },
    async failedByServer(id, signal) {
      const path = `/v1/jobs/${encodeURIComponent(id)}`;
      const detail = await server.json(Detail, { path, signal }).catch(() => null);
      return detail?.failure === 'server';
    },
    copyFilter(type, definition) {
      const hash = createHash('sha256')
        .update(JSON.stringify([type, definition]))
        .digest('hex');
      let copy = copies.get(hash);
      if (!copy) {
        copy = findOrMakeFilter(type, definition, hash);
        copies.set(hash, copy);
        copy.catch(() => copies.delete(hash));
        if (copies.size > mostCopies) copies.delete(copies.keys().next().value!);
      }
      return copy;
    },
    async fetchResult(url, file, signal) {
      const { origin, pathname, search } = new URL(url);
      if (origin === new URL(settings.url).origin) {
        const call = { path: pathname + search, signal, timeoutMs: 120_000, maxBytes: maxResultBytes };
        return server.download(call, file);
      }
      await writeFile(file, await fetchElsewhere(url, signal));
    },
    stop(id) {
      const end = stopJob(id).finally(() => stopping.delete(end));
      stopping.add(end);
    },
    async close() {
      clearInterval(timer);
      await pause(closeMs, new AbortController().signal, Promise.all(stopping));
      closed.abort();
      await server.close();
    },
  };
}
