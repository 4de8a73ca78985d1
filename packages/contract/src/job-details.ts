import { z } from 'zod';
import { Uuid } from './common.ts';
import { JobListEntry, JobWaiting, loopLinks } from './jobs.ts';
import { QualityAnswer } from './quality.ts';

/** How long one part of a job took. */
export const StageTime = z
  .object({ stage: z.string(), ms: z.number().int().min(0) })
  .meta({ id: 'StageTime' });
export type StageTime = z.infer<typeof StageTime>;

/** What came of handing a job to a server. */
export const JobAttempt = z
  .object({
    server: z.string(),
    at: z.iso.datetime(),
    cause: z.string().nullable().meta({ description: 'Why it was not made there; null where it was' }),
    seconds: z.number().optional().meta({ description: 'How long the job was with it' }),
    gpu_seconds: z
      .number()
      .optional()
      .meta({ description: 'How long the server was at work for it, by its own clock, its queue left out' }),
    cost_usd: z.number().optional().meta({
      description:
        'What a hosted service charged for it, or what its GPU costs in that time, in US dollars, as far as that is known',
    }),
    likeness: z.number().optional().meta({
      description:
        'How like the photo whoever came out least like it is in the picture, from 0 to 1; only of generated photographs of guests',
    }),
  })
  .meta({ id: 'JobAttempt' });
export type JobAttempt = z.infer<typeof JobAttempt>;

export const JobDetail = JobListEntry.extend({
  params: z.record(z.string(), z.unknown()).nullable().meta({
    description: 'The request without its images; null when the job has expired',
  }),
  filter_kind: z.string().nullable(),
  filter_version: z.number().int().nullable(),
  engine: z.string().nullable().meta({ description: 'Known when the job has ended' }),
  worker: z.string().nullable().meta({ description: 'The host and the process that claimed it last' }),
  timings: z.array(StageTime).meta({
    description:
      'In order: earlier attempts (if any), waiting, running, storing. They add up to the whole time.',
  }),
  engine_timings: z
    .array(StageTime)
    .meta({ description: 'Parts of `running`, where the engine reports them' }),
  retries: z.number().int(),
  waiting: JobWaiting.nullable().meta({ description: 'Null unless the job is in the queue' }),
  failure: z
    .enum(['request', 'server'])
    .nullable()
    .meta({ description: 'What a failed job failed by: its photo and options, or the server' }),
  cause: z.string().nullable().optional().meta({
    description: 'For operators: why the job failed, with what its engine said',
  }),
  attempts: z.array(JobAttempt).optional().meta({
    description: 'For operators: the servers that the job was with, in order, the last 20',
  }),
  applied: z.array(z.string()),
  ignored: z.array(z.string()),
  quality: QualityAnswer.optional(),
  result_url: z.string().nullable().meta({ description: 'A signed link to the picture or the video' }),
  ...loopLinks,
  webhook: z
    .object({
      status: z.enum(['pending', 'delivered', 'failed', 'disabled']),
      attempts: z.number().int(),
      last_status_code: z.number().int().nullable(),
      last_error: z.string().nullable(),
    })
    .nullable(),
}).meta({ id: 'JobDetail' });
export type JobDetail = z.infer<typeof JobDetail>;

export const JobBatch = z
  .object({
    ids: z.array(Uuid).min(1).max(200),
    action: z.enum(['cancel', 'erase', 'retry']),
  })
  .meta({ id: 'JobBatch' });
export type JobBatch = z.infer<typeof JobBatch>;

export const JobBatchResults = z
  .object({
    results: z.array(
      z.object({
        id: z.string(),
        ok: z.boolean(),
        error: z.string().optional().meta({ description: 'One sentence for a person' }),
        error_code: z.string().optional(),
        job: JobListEntry.optional().meta({ description: 'The cancelled job, or the new one of a retry' }),
      }),
    ),
  })
  .meta({ id: 'JobBatchResults' });
export type JobBatchResults = z.infer<typeof JobBatchResults>;

/** Jobs whose results are wanted as one zip file. */
export const NewJobArchive = z.object({ ids: z.array(Uuid).min(1).max(1000) }).meta({ id: 'NewJobArchive' });

export const JobArchive = z
  .object({
    url: z.string().meta({ description: 'A signed link to the zip file' }),
    expires_at: z.iso.datetime(),
    jobs: z.number().int().meta({ description: 'How many of the jobs have a result' }),
  })
  .meta({ id: 'JobArchive' });
export type JobArchive = z.infer<typeof JobArchive>;
