import type { Sentences } from '@guise/contract/notes.ts';
import { enqueueRender, renderWaiting } from '../catalog/filter-renders.ts';
import { AppError, rateLimited } from '../errors.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db } from '../store/db.ts';
import { countTestsOf, deleteRender, findRender, testLimitMs } from '../store/render-records.ts';
import type { CustomFilterRow, RenderRow } from '../store/schema.ts';
import type { JobEvents } from './events.ts';
import { cannotBeTried, sampleRequest } from './sample-render.ts';

export interface FilterTest extends Sentences {
  png: Buffer;
}

/** Tests of custom filters. A worker makes them when it has nothing else to do, in this process or in another. */
export interface FilterTests {
  /**
   * What the filter makes of a sample photo, at full size. When `disconnected` aborts, the test is taken out of the queue,
   * or stopped. Throws `RATE_LIMITED` when too many tests of the account wait.
   */
  run(filter: CustomFilterRow, disconnected: AbortSignal): Promise<FilterTest>;
  /** Ends the tests that wait. */
  stop(): void;
}

interface Parts {
  db: Db;
  blobs: Blobs;
  events: JobEvents;
}

/** Tests of one account that wait or run. */
const mostTests = 4;
const pollIntervalMs = 1000;

const tooManyTests = () =>
  rateLimited(`This account has ${mostTests} tests waiting, as many as may wait. Retry after 10 s.`, {
    limit: mostTests,
    resetSeconds: 10,
  });
const notMadeInTime = () =>
  new AppError('QUEUE_FULL', 'No worker has made this in time. Try again in a while.', {
    headers: { 'retry-after': '30' },
  });

export function createFilterTests(parts: Parts): FilterTests {
  const stop = new AbortController();
  return {
    async run(filter, disconnected) {
      const id = await enqueueTest(parts, filter);
      const signal = AbortSignal.any([disconnected, stop.signal, AbortSignal.timeout(testLimitMs)]);
      try {
        return await readResult(parts.blobs, await waitForEnd(parts, id, signal));
      } finally {
        await removeTest(parts, id);
      }
    },
    stop: () => stop.abort(),
  };
}

async function enqueueTest({ db, events }: Parts, filter: CustomFilterRow): Promise<string> {
  // A filter that cannot be read is refused at once.
  sampleRequest(filter);
  const id = await db.transaction(async (tx) => {
    const { count } = (await tx.one(countTestsOf, { account_id: filter.account_id }))!;
    if (count >= mostTests) throw tooManyTests();
    return enqueueRender(tx, filter, 'try');
  });
  events.publish(renderWaiting);
  return id;
}

async function waitForEnd({ db, events }: Parts, id: string, signal: AbortSignal): Promise<RenderRow> {
  for (;;) {
    const changed = Promise.withResolvers<void>();
    const wake = () => changed.resolve();
    const unsubscribe = events.subscribe(id, wake);
    signal.addEventListener('abort', wake);
    const timer = setTimeout(wake, pollIntervalMs);
    try {
      const render = await db.one(findRender, { id });
      if (render?.ended) return render;
      if (!render || signal.aborted) throw notMadeInTime();
      await changed.promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      unsubscribe();
    }
  }
}

async function readResult(blobs: Blobs, { result_key, result_notes, error }: RenderRow): Promise<FilterTest> {
  if (error !== null) throw cannotBeTried(error);
  const png = result_key !== null && (await blobs.read(result_key));
  if (!png) throw new Error('the worker could not make the test');
  return { png, ...(JSON.parse(result_notes!) as Sentences) };
}

/** Nobody needs it after this: a worker that still runs it learns so and stops. */
async function removeTest({ db, blobs, events }: Parts, id: string): Promise<void> {
  const removed = await db.one(deleteRender, { id });
  if (!removed?.ended) events.publish(id);
  if (removed?.result_key) await blobs.remove(removed.result_key);
}
