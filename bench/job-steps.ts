import { familyOf } from '@guise/contract/families/families.ts';
import { jobHooks } from '@guise/server/app/installed-hooks.ts';
import type { openStorage } from '@guise/server/app/storage.ts';
import { loadCatalog } from '@guise/server/catalog/catalog.ts';
import type { Config } from '@guise/server/config.ts';
import { createBacklog } from '@guise/server/jobs/backlog.ts';
import { createChanges } from '@guise/server/jobs/changes.ts';
import { complete } from '@guise/server/jobs/end.ts';
import { createFailedTime } from '@guise/server/jobs/failed-time.ts';
import { type SubmitParts, submit } from '@guise/server/jobs/submit.ts';
import type { Claim } from '@guise/server/store/queue.ts';
import { pino } from 'pino';

export type Storage = Awaited<ReturnType<typeof openStorage>>;

/** What a job without a photo goes through, from its validated request on. */
export interface JobSteps {
  submitOf(accountId: string): Promise<unknown>;
  claimNext(): Promise<Claim | undefined>;
  completeOne(claim: Claim): Promise<unknown>;
}

export function createJobSteps(config: Config, storage: Storage, prompt = 'a lake'): JobSteps {
  const { db, queue } = storage;
  const log = pino({ level: 'silent' });
  const changes = createChanges();
  const parts: SubmitParts = {
    ...storage,
    catalog: loadCatalog(new URL('../catalog/filters.json', import.meta.url)),
    fetchUrl: async () => Buffer.alloc(0),
    fetchVideo: async () => Buffer.alloc(0),
    decoder: {
      checkPicture: async () => {},
      inTurn: () => Promise.reject(new Error('the bench has no videos')),
    },
    checkUrl: (url) => url,
    runsWorkflows: async () => false,
    prices: {},
    resultMs: config.resultMs,
    log,
    changes,
    failedTime: createFailedTime(db, config.accountFailedSeconds),
    backlog: createBacklog(db, { queued: config.maxQueued, queuedOfAccount: config.maxQueued }),
  };
  const family = familyOf('self_prompt_v2');
  const body = { prompt, ratio: 'portrait' } as const;
  const ending = { ...storage, changes, jobHooks, resultMs: config.resultMs, log };
  return {
    submitOf: (accountId) => submit(parts, { accountId, keyId: null, family, body, idempotency: null }),
    claimNext: () => queue.claim([{ family: family.name }]),
    completeOne: (claim) => complete(ending, claim, 'results/none', { applied: [], ignored: [] }),
  };
}
