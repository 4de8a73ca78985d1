import { customKinds } from '@guise/contract/filters.ts';
import type { Sentences } from '@guise/contract/notes.ts';
import type { Logger } from 'pino';
import { abortWith } from '../engines/abort.ts';
import type { Engine } from '../engines/engine.ts';
import { serves } from '../engines/routing.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db } from '../store/db.ts';
import { findCustomFilterById } from '../store/filter-records.ts';
import { claimRenderOf, deleteRender, endRender, findRender, insertRender } from '../store/render-records.ts';
import type { CustomFilterRow, RenderRow } from '../store/schema.ts';
import type { JobEvents } from './events.ts';
import {
  cannotBeTried,
  type EnginePreviews,
  type FilterTrial,
  type Previews,
  sampleRequest,
} from './previews.ts';

interface Parts {
  db: Db;
  blobs: Blobs;
  events: JobEvents;
  log: Logger;
}

/** The event that workers subscribe to: a preview is waiting. */
const previewWaiting = 'renders';
const pollIntervalMs = 1000;
const leaseMs = 3 * 60_000;
/** A render that so many workers did not survive is not tried again. */
const maxTries = 3;
const trialLimitMs = 2 * 60_000;

const notMadeInTime = () =>
  new AppError('QUEUE_FULL', 'No worker has made this in time. Try again in a while.', {
    headers: { 'retry-after': '30' },
  });

/** Previews for a node without engines: it enqueues them, and workers make them. */
export function queuedPreviews(parts: Parts): Previews {
  const stop = new AbortController();
  const enqueue = async (filter: CustomFilterRow, purpose: RenderRow['purpose']): Promise<string> => {
    const id = newId();
    const { request } = sampleRequest(filter);
    const nothing = { result_key: null, result_notes: null, error: null };
    await parts.db.run(insertRender, {
      ...nothing,
      id,
      filter_id: filter.id,
      purpose,
      wants: `${request.family}:${request.filter?.kind}`,
      claim: 0,
      lease_until: 0,
      ended: 0,
      created_at: parts.db.now(),
    });
    parts.events.publish(previewWaiting);
    return id;
  };
  return {
    make(filterId) {
      const enqueuePreview = async () => {
        const filter = await parts.db.one(findCustomFilterById, { id: filterId });
        if (filter) await enqueue(filter, 'preview');
      };
      enqueuePreview().catch((error) =>
        parts.log.warn({ err: error, filter: filterId }, 'a preview could not be enqueued'),
      );
    },
    async try(filter) {
      const id = await enqueue(filter, 'try');
      try {
        return await fetchTrial(parts, await waitForEnd(parts, id, stop.signal));
      } finally {
        await parts.db.run(deleteRender, { id });
      }
    },
    async stop() {
      abortWith(stop, 'shutdown');
    },
  };
}

/** The render when it has ended. */
async function waitForEnd(parts: Parts, id: string, stop: AbortSignal): Promise<RenderRow> {
  const until = performance.now() + trialLimitMs;
  for (;;) {
    const changed = Promise.withResolvers<void>();
    const unsubscribe = parts.events.subscribe(id, changed.resolve);
    const timer = setTimeout(changed.resolve, pollIntervalMs);
    try {
      const render = await parts.db.one(findRender, { id });
      if (render?.ended) return render;
      if (!render || stop.aborted || performance.now() > until) throw notMadeInTime();
      await changed.promise;
    } finally {
      clearTimeout(timer);
      unsubscribe();
    }
  }
}

/** What the worker made, which nobody needs after this. */
async function fetchTrial(parts: Parts, render: RenderRow): Promise<FilterTrial> {
  if (render.error !== null) throw cannotBeTried(render.error);
  const png = await parts.blobs.read(render.result_key!);
  if (!png) throw notMadeInTime();
  await parts.blobs.remove(render.result_key!);
  return { png, ...(JSON.parse(render.result_notes!) as Sentences) };
}

/** Makes what nodes without engines have enqueued, one after the other. */
export function startPreviewWorker(
  parts: Parts & { previews: EnginePreviews },
  engines: readonly Engine[],
): { stop(): Promise<void> } {
  const makeable = wantsMadeBy(engines);
  if (makeable.length === 0) return { stop: async () => {} };
  const takeRender = claimRenderOf(makeable);
  let stopping = false;
  let working: Promise<void> | null = null;
  const makeAll = async () => {
    while (!stopping) {
      const now = parts.db.now();
      const lease = { lease_until: now + leaseMs, furthest: now + 2 * leaseMs };
      const render = await parts.db.one(takeRender, { now, ...lease });
      if (!render) return;
      await makeRender(parts, render);
    }
  };
  const poll = () => {
    working ??= makeAll()
      .catch((error) => parts.log.warn({ err: error }, 'an enqueued preview could not be made'))
      .finally(() => {
        working = null;
      });
  };
  const unsubscribe = parts.events.subscribe(previewWaiting, poll);
  const timer = setInterval(poll, pollIntervalMs);
  poll();
  return {
    async stop() {
      stopping = true;
      unsubscribe();
      clearInterval(timer);
      await working;
    },
  };
}

function wantsMadeBy(engines: readonly Engine[]): string[] {
  const families = engines.flatMap(({ abilities }) => abilities.map(({ family }) => family));
  return [...new Set(families)].flatMap((family) =>
    customKinds.filter((kind) => serves(engines, family, kind)).map((kind) => `${family}:${kind}`),
  );
}

async function makeRender(parts: Parts & { previews: EnginePreviews }, render: RenderRow): Promise<void> {
  if (render.purpose === 'preview') {
    if (render.claim <= maxTries) await parts.previews.finished(render.filter_id);
    await parts.db.run(deleteRender, { id: render.id });
    return;
  }
  const { id, claim } = render;
  try {
    const filter = await parts.db.one(findCustomFilterById, { id: render.filter_id });
    if (!filter || claim > maxTries) throw cannotBeTried('This filter cannot be tried.');
    const { png, applied, ignored } = await parts.previews.try(filter);
    // Under the filter's id, but not named by it: what nobody comes for is swept.
    const key = `previews/${filter.id}-${id.slice(-12)}.png`;
    await parts.blobs.put(key, png);
    const notes = JSON.stringify({ applied, ignored });
    const rows = await parts.db.run(endRender, {
      id,
      claim,
      result_key: key,
      result_notes: notes,
      error: null,
    });
    if (rows === 0) await parts.blobs.remove(key);
  } catch (error) {
    const known = error instanceof AppError;
    if (!known) parts.log.error({ err: error, filter: render.filter_id }, 'a filter could not be tried');
    const sentence = known ? error.message : 'Something went wrong on the server while making this.';
    await parts.db.run(endRender, { id, claim, result_key: null, result_notes: null, error: sentence });
  }
  parts.events.publish(id);
}
