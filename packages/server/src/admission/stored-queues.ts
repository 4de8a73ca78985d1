/**
 * Queues that are in the database, because any worker may take from them: accounts take turns there by the statement that
 * claims a render. They are worked on when no job waits.
 */
export const storedQueues = {
  filter_tests: {
    title: 'Tests of filters',
    owner: 'account',
    waitingOfOwner: 4,
    waitMs: 120_000,
    refusal: {
      status: 429,
      retryAfterSeconds: 10,
      sentence: 'This account has 4 tests waiting, as many as may wait. Retry after 10 s.',
    },
  },
  previews: {
    title: 'Previews of filters',
    owner: 'account',
    /** One for each filter. */
    waitingOfOwner: null,
    waitMs: null,
    refusal: null,
  },
  draft_checks: {
    title: 'Checks of drafts',
    owner: 'account',
    /** One for each photo of a draft. */
    waitingOfOwner: null,
    waitMs: null,
    refusal: null,
  },
} as const;

export type StoredQueueName = keyof typeof storedQueues;
