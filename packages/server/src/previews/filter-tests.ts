import { TemplateCheck } from '@guise/contract/definition-checks.ts';
import type { Sentences } from '@guise/contract/notes.ts';
import { storedQueues } from '../admission/stored-queues.ts';
import {
  type Draft,
  type DraftResult,
  enqueueDraft,
  enqueueRender,
  renderWaiting,
} from '../catalog/filter-renders.ts';
import { templateOf } from '../catalog/templates.ts';
import { AppError, rateLimited } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Changes } from '../jobs/changes.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db, Queries } from '../store/db.ts';
import { readJson } from '../store/json-column.ts';
import { countTestsOf, deleteRender, findRender, testLimitMs } from '../store/render-records.ts';
import type { CustomFilterRow, RenderRow } from '../store/schema.ts';
import { cannotBeTried, sampleRequest } from './sample-render.ts';

export interface FilterTest extends Sentences {
  png: Buffer;
}

/** Makes the draft that is tested, and stores its images as blobs of this owner. */
export type DraftOf = (ownerId: string) => Promise<Draft>;

/** Tests of custom filters. A worker makes them when it has nothing else to do, in this process or in another. */
export interface FilterTests {
  /**
   * What the filter makes of a sample photo, at full size. When `disconnected` aborts, the test is taken out of the queue,
   * or stopped. Throws `RATE_LIMITED` when too many tests of the account wait.
   */
  run(filter: CustomFilterRow, disconnected: AbortSignal): Promise<FilterTest>;
  /** The same for a definition that is not saved. */
  runDraft(accountId: string, wanted: DraftOf, disconnected: AbortSignal): Promise<FilterTest>;
  /** The faces of a photo that is to become a template. */
  checkTemplate(accountId: string, wanted: DraftOf, disconnected: AbortSignal): Promise<TemplateCheck>;
  /** Ends the tests that wait. */
  stop(): void;
}

interface Parts {
  db: Db;
  blobs: Blobs;
  changes: Changes;
}

const pollIntervalMs = 1000;

const { waitingOfOwner: mostTests, refusal } = storedQueues.filter_tests;
const tooManyTests = () =>
  rateLimited(refusal.sentence, { limit: mostTests, resetSeconds: refusal.retryAfterSeconds });
const notMadeInTime = () =>
  new AppError('QUEUE_FULL', 'The server is busy. Try again in a minute.', {
    headers: { 'retry-after': '30' },
  });

export function createFilterTests(parts: Parts): FilterTests {
  const stop = new AbortController();

  /** Enqueues a test, waits for its end and reads what came of it. */
  async function test<T>(
    accountId: string,
    disconnected: AbortSignal,
    enqueue: (tx: Queries) => Promise<string>,
    read: (row: RenderRow) => Promise<T>,
  ): Promise<T> {
    const id = await parts.db.transaction(async (tx) => {
      const { count } = (await tx.one(countTestsOf, { account_id: accountId }))!;
      if (count >= mostTests) throw tooManyTests();
      return enqueue(tx);
    });
    parts.changes.publish(renderWaiting);
    const signal = AbortSignal.any([disconnected, stop.signal, AbortSignal.timeout(testLimitMs)]);
    try {
      return await read(await waitForEnd(parts, id, signal));
    } finally {
      await removeTest(parts, id);
    }
  }

  /** Tests a draft, whose blobs begin with the id of the test and go with it. */
  async function testDraft<T>(
    accountId: string,
    draftOf: DraftOf,
    disconnected: AbortSignal,
    { made, read }: { made: DraftResult; read: (row: RenderRow) => Promise<T> },
  ): Promise<T> {
    const id = newId();
    const draft = await draftOf(id);
    try {
      const enqueue = async (tx: Queries) => {
        await enqueueDraft(tx, { id, accountId }, draft, made);
        return id;
      };
      return await test(accountId, disconnected, enqueue, read);
    } finally {
      await removeBlobs(parts.blobs, [templateOf(draft.definition), draft.photo]);
    }
  }

  return {
    async run(filter, disconnected) {
      // A filter that cannot be read is refused at once.
      sampleRequest(filter);
      const enqueue = (tx: Queries) => enqueueRender(tx, filter, 'try');
      return test(filter.account_id, disconnected, enqueue, (row) => readPicture(parts.blobs, row));
    },
    runDraft: (accountId, draftOf, disconnected) =>
      testDraft(accountId, draftOf, disconnected, {
        made: 'picture',
        read: (row) => readPicture(parts.blobs, row),
      }),
    checkTemplate: (accountId, draftOf, disconnected) =>
      testDraft(accountId, draftOf, disconnected, { made: 'faces', read: readFaces }),
    stop: () => stop.abort(),
  };
}

async function removeBlobs(blobs: Blobs, keys: readonly (string | null)[]): Promise<void> {
  for (const key of keys) if (key !== null) await blobs.remove(key);
}

async function waitForEnd({ db, changes }: Parts, id: string, signal: AbortSignal): Promise<RenderRow> {
  for (;;) {
    const changed = Promise.withResolvers<void>();
    const wake = () => changed.resolve();
    const unsubscribe = changes.subscribe(id, wake);
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

async function readFaces({ result_notes, error }: RenderRow): Promise<TemplateCheck> {
  if (error !== null) throw cannotBeTried(error);
  if (result_notes === null) throw new Error('the worker could not check the template');
  return readJson(TemplateCheck, result_notes);
}

async function readPicture(
  blobs: Blobs,
  { result_key, result_notes, error }: RenderRow,
): Promise<FilterTest> {
  if (error !== null) throw cannotBeTried(error);
  const png = result_key !== null && (await blobs.read(result_key));
  if (!png) throw new Error('the worker could not make the test');
  return { png, ...(JSON.parse(result_notes!) as Sentences) };
}

/** Nobody needs it after this: a worker that still runs it learns so and stops. */
async function removeTest({ db, blobs, changes }: Parts, id: string): Promise<void> {
  const removed = await db.one(deleteRender, { id });
  if (!removed?.ended) changes.publish(id);
  if (removed?.result_key) await blobs.remove(removed.result_key);
}
