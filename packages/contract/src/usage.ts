import { z } from 'zod';

export const UsageGrouping = z.enum(['day', 'family', 'filter', 'key']).meta({ id: 'UsageGrouping' });
export type UsageGrouping = z.infer<typeof UsageGrouping>;

export const UsageQuery = z.object({
  from: z.iso.datetime().optional().meta({ description: 'The beginning; 30 days before `to` without it' }),
  to: z.iso.datetime().optional().meta({ description: 'The end, not included; now without it' }),
  by: UsageGrouping.default('day'),
  format: z.enum(['json', 'csv']).default('json'),
});
export type UsageQuery = z.infer<typeof UsageQuery>;

const counts = {
  jobs: z.number().int().meta({ description: 'Jobs that were accepted' }),
  completed: z.number().int(),
  failed: z.number().int().meta({ description: 'Jobs that ended FAILED and were not charged in the end' }),
  cancelled: z.number().int().meta({ description: 'Those of the failed jobs that were cancelled' }),
  credits: z.number().int().meta({ description: 'Credits charged, less those that came back' }),
  gpu_seconds: z.number().optional().meta({
    description: 'For operators: how long servers were at work for the jobs, as far as they tell it',
  }),
  cost_usd: z.number().optional().meta({
    description:
      'For operators: what services charged for the jobs, failed ones included, and what GPUs cost meanwhile, in US dollars, as far as that is known',
  }),
};

/**
 * One of `day` (such as 2026-07-01, UTC), `family`, `filter` and `key` says what a row is of; null: none, or not known. The
 * jobs of a quick test link's guests have the id of the link as their `key`.
 */
export const UsageRow = z
  .object({
    day: z.string().optional(),
    family: z.string().nullable().optional(),
    filter: z.string().nullable().optional(),
    key: z.string().nullable().optional(),
    ...counts,
  })
  .meta({ id: 'UsageRow' });
export type UsageRow = z.infer<typeof UsageRow>;

export const Usage = z.object({ rows: z.array(UsageRow), total: z.object(counts) }).meta({ id: 'Usage' });
export type Usage = z.infer<typeof Usage>;
