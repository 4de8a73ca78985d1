import { z } from 'zod';
import { Alias } from './aliases.ts';
import { VersionedFilter } from './filter-details.ts';
import { JobListEntry } from './jobs.ts';

/** How much of the caller's own work waits and runs. */
export const QueueState = z
  .object({
    waiting: z.number().int(),
    running: z.number().int(),
    wait_ms: z.number().int().meta({ description: 'How long the job that waits longest has waited' }),
  })
  .meta({ id: 'QueueState' });
export type QueueState = z.infer<typeof QueueState>;

export const Balance = z.object({ balance: z.number().int() }).meta({ id: 'Balance' });

/** The events of `GET /v1/changes`, by type: the data of each is the JSON that a `GET` of the same thing gives. */
export const changeTypes = {
  job: JobListEntry,
  filter: VersionedFilter,
  alias: Alias,
  balance: Balance,
  queue: QueueState,
} as const;
export type ChangeType = keyof typeof changeTypes;
