import { z } from 'zod';
import { Uuid } from './common.ts';
import { QualityAnswer } from './quality.ts';
import { Text } from './texts.ts';

export const JobState = z.enum(['queued', 'running', 'completed', 'failed']).meta({ id: 'JobState' });
export type JobState = z.infer<typeof JobState>;

/** The words that callers read for a job's state. Families differ in those before the end. */
export const StatusWord = z
  .enum(['IN_QUEUE', 'QUEUED', 'PROCESSING', 'IN_PROGRESS', 'RUNNING', 'COMPLETED', 'FAILED'])
  .meta({ id: 'StatusWord' });
export type StatusWord = z.infer<typeof StatusWord>;

const exampleId = '01a1dd62-5f0c-7bb3-9a3e-3f1c2d4e5f60';
const exampleTimes = { created_at: '2026-11-18T18:00:00.000Z', expires_at: '2026-11-25T18:00:00.000Z' };

export const Submitted = z
  .object({ id: z.string(), status: StatusWord })
  .meta({ id: 'Submitted', examples: [{ id: exampleId, status: 'IN_QUEUE' }] });
export type Submitted = z.infer<typeof Submitted>;

/** What a job in the queue waits for. */
export const JobWaiting = z
  .object({
    needs: z.enum(['slot', 'engine']).meta({
      description:
        '`engine`: no worker that is up makes this kind of job; it fails when there has been none for 5 minutes',
    }),
    expected_seconds: z.number().int().nullable().meta({
      description:
        'An estimate: how long the next job of its family to begin has been in the queue. Accounts take turns, so a job of an account without others in the queue will wait about as long. Null where it waits for an engine',
    }),
  })
  .meta({ id: 'JobWaiting' });
export type JobWaiting = z.infer<typeof JobWaiting>;

const jobAnswer = {
  id: z.string(),
  status: StatusWord,
  progress: z.number().min(0).max(1),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  error: z.string().optional(),
  applied: z.array(z.string()).optional(),
  ignored: z.array(z.string()).optional(),
  quality: QualityAnswer.optional(),
  waiting: JobWaiting.optional().meta({ description: 'While the job is in the queue' }),
};

export const ImageJob = z
  .object({ ...jobAnswer, output: z.object({ images: z.array(z.string()).optional() }) })
  .meta({
    id: 'ImageJob',
    examples: [
      {
        id: exampleId,
        status: 'COMPLETED',
        output: { images: ['iVBORw0KGgo='] },
        progress: 1,
        ...exampleTimes,
        applied: ['scene: great-hall'],
        ignored: [],
      },
    ],
  });
export type ImageJob = z.infer<typeof ImageJob>;

export const VideoJob = z
  .object({
    ...jobAnswer,
    output: z.object({
      video_url: z.string().optional(),
      video_status: z.enum(['completed', 'failed']).optional(),
      video_error: z.string().optional(),
    }),
  })
  .meta({
    id: 'VideoJob',
    examples: [
      {
        id: exampleId,
        status: 'FAILED',
        output: { video_status: 'failed', video_error: 'No face was found in the photo.' },
        progress: 0.1,
        ...exampleTimes,
      },
    ],
  });
export type VideoJob = z.infer<typeof VideoJob>;

const loopUrl = (format: string) =>
  z
    .string()
    .optional()
    .meta({
      description: `The same as ${format}, made when it is first fetched; of jobs with the format mp4`,
    });

/** What a finished living portrait has links to, beside itself. */
export const loopLinks = {
  poster_url: z
    .string()
    .optional()
    .meta({ description: 'The best frame of a living portrait as a PNG, for prints and posters' }),
  gif_url: loopUrl('GIF'),
  webp_url: loopUrl('WebP'),
};
export type LoopLinks = { [Name in keyof typeof loopLinks]?: string };

export const LivingPortraitJob = VideoJob.extend({
  output: VideoJob.shape.output.extend({
    video_url: z.string().optional().meta({ description: 'The loop in the format that was asked for' }),
    ...loopLinks,
  }),
}).meta({
  id: 'LivingPortraitJob',
  examples: [
    {
      id: exampleId,
      status: 'COMPLETED',
      output: {
        video_url: 'https://guise.example.com/files/results/60/loop.mp4',
        video_status: 'completed',
        poster_url: 'https://guise.example.com/files/stills/60/loop.png',
      },
      progress: 1,
      ...exampleTimes,
      applied: ['scene: great-hall'],
      ignored: ['Shot 3: the eyes are closed'],
    },
  ],
});
export type LivingPortraitJob = z.infer<typeof LivingPortraitJob>;

export const JobListEntry = z
  .object({
    id: z.string(),
    family: z.string(),
    status: z.string(),
    progress: z.number(),
    filter: z.string().nullable(),
    credits: z.number().meta({
      description: 'What it cost when it was accepted; a job that ends `FAILED` has it back',
    }),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
    expires_at: z.iso.datetime(),
    error: z.string().nullable(),
    cancelled: z.boolean().meta({ description: 'Whether it ended `FAILED` because somebody cancelled it' }),
    can_retry: z
      .boolean()
      .meta({ description: 'Whether it can be submitted again: it has failed and had no photos' }),
    key_id: z.string().nullable().meta({ description: 'The key that submitted it; null for a session' }),
    quick_test_link_id: z
      .string()
      .nullable()
      .meta({ description: 'The quick test link whose guest submitted it; null for other jobs' }),
    filter_name: z.string().nullable().meta({ description: 'As it was when the job was accepted' }),
    thumbnail_url: z.string().nullable().meta({ description: 'A signed link; null until there is a result' }),
    media_type: z.string(),
  })
  .meta({ id: 'JobListEntry' });
export type JobListEntry = z.infer<typeof JobListEntry>;

export const JobList = z
  .object({ jobs: z.array(JobListEntry), next_cursor: z.string().nullable() })
  .meta({ id: 'JobList' });
export type JobList = z.infer<typeof JobList>;

/** Paging of every list: `limit` rows after `cursor`. */
export const Page = z.object({
  cursor: Text.max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type Page = z.infer<typeof Page>;

/** What a list of jobs can be narrowed to. A page may be short while `next_cursor` still leads on. */
export const JobListQuery = Page.extend({
  family: Text.max(100).optional(),
  filter: Text.max(100).optional().meta({ description: 'As the caller named it: an integer or a UUID' }),
  key_id: Uuid.optional(),
  state: JobState.optional(),
  cancelled: z.boolean().optional().meta({
    description: 'Those that were cancelled, or those that were not',
  }),
  from: z.iso.datetime().optional().meta({ description: 'Accepted at this time or later' }),
  to: z.iso.datetime().optional().meta({ description: 'Accepted before this time' }),
});
export type JobListQuery = z.infer<typeof JobListQuery>;
