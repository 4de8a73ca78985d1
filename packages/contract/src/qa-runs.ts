import { z } from 'zod';
import { FilterType } from './catalogs.ts';
import { Integer, Uuid } from './common.ts';
import { QualityAnswer } from './quality.ts';
import { Text } from './texts.ts';

/** Cells of one run: each is a job that is charged. */
export const mostQaCells = 200;

const Version = Integer.min(1).max(1_000_000);

/** A list as a query has it: `a,b`. Digits are numbers. */
const Listed = z
  .string()
  .max(10_000)
  .transform((text) => text.split(',').map((part) => (/^\d{1,15}$/.test(part) ? Number(part) : part)));

const versions = z
  .array(Version)
  .min(1, 'must hold 1 or 2 versions')
  .max(2, 'must hold 1 or 2 versions')
  .refine((list) => new Set(list).size === list.length, 'must not hold a version twice');
const photoIds = z
  .array(Uuid)
  .min(1, 'must not be empty')
  .max(mostQaCells, `must hold at most ${mostQaCells} photos`)
  .refine((list) => new Set(list).size === list.length, 'must not hold a photo twice');

export const NewQaRun = z
  .object({
    filter_id: Uuid,
    versions: versions.optional().meta({ description: 'Without it: the current version' }),
    photo_set_id: Uuid,
    photo_ids: photoIds.optional().meta({ description: 'Without it: all photos of the set' }),
  })
  .meta({ id: 'NewQaRun' });
export type NewQaRun = z.infer<typeof NewQaRun>;

/** The same as a query, with lists as `a,b`. */
export const QaPriceQuery = z.object({
  filter_id: Uuid,
  versions: Listed.pipe(versions).optional(),
  photo_set_id: Uuid,
  photo_ids: Listed.pipe(photoIds).optional(),
});

export const QaPrice = z
  .object({
    cells: z.number().int(),
    price: z.number().int().meta({ description: 'Credits for all cells' }),
    balance: z.number().int(),
  })
  .meta({ id: 'QaPrice' });
export type QaPrice = z.infer<typeof QaPrice>;

export const Verdict = z.enum(['good', 'bad']).meta({ id: 'Verdict' });
export type Verdict = z.infer<typeof Verdict>;

/** What became of a job, in the same words for every family. `EXPIRED`: the result has been deleted. */
export const TestStatus = z
  .enum(['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'EXPIRED'])
  .meta({ id: 'TestStatus' });
export type TestStatus = z.infer<typeof TestStatus>;

export const QaCell = z
  .object({
    id: z.string(),
    photo: z.object({
      id: z.string(),
      name: z.string(),
      people: z.number().int().nullable(),
      url: z.string().nullable().meta({ description: 'Null when the photo was removed from its set' }),
      thumbnail_url: z.string().nullable(),
    }),
    version: z.number().int(),
    job_id: z
      .string()
      .nullable()
      .meta({ description: 'Null when no job could be submitted; `error` says why' }),
    status: TestStatus,
    progress: z.number(),
    thumbnail_url: z.string().nullable(),
    result_url: z.string().nullable(),
    error: z.string().nullable(),
    quality: QualityAnswer.nullable(),
    verdict: Verdict.nullable(),
    note: z.string(),
    etag: z.string().meta({ description: 'For `If-Match`: changes with verdict and note' }),
  })
  .meta({ id: 'QaCell' });
export type QaCell = z.infer<typeof QaCell>;

/** Good cells among those that somebody has judged. */
const PassRate = z
  .number()
  .nullable()
  .meta({ description: 'Good cells / judged cells; null before the first verdict' });

const judged = {
  cells: z.number().int(),
  good: z.number().int(),
  bad: z.number().int(),
  pass_rate: PassRate,
};

const qaRun = {
  id: z.string(),
  filter: z.object({ id: z.string(), name: z.string(), filter_type: FilterType }),
  versions: z.array(z.number().int()),
  photo_set: z.object({ id: z.string(), name: z.string() }),
  price: z.number().int().meta({ description: 'Credits for all cells when the run was made' }),
  pass_rate: PassRate,
  /** One entry for each version. */
  results: z.array(z.object({ version: z.number().int(), ...judged })),
  created_at: z.iso.datetime(),
};

export const QaRunEntry = z.object(qaRun).meta({ id: 'QaRunEntry' });
export type QaRunEntry = z.infer<typeof QaRunEntry>;

export const QaRun = z.object({ ...qaRun, cells: z.array(QaCell) }).meta({ id: 'QaRun' });
export type QaRun = z.infer<typeof QaRun>;

export const QaRunList = z
  .object({ qa_runs: z.array(QaRunEntry), next_cursor: z.string().nullable() })
  .meta({ id: 'QaRunList' });
export type QaRunList = z.infer<typeof QaRunList>;

export const QaCellChange = z
  .object({
    verdict: Verdict.nullable().optional(),
    note: Text.trim().max(2000, 'must have at most 2,000 characters').optional(),
  })
  .refine((change) => change.verdict !== undefined || change.note !== undefined, {
    path: ['verdict'],
    error: 'verdict or note is required',
  })
  .meta({ id: 'QaCellChange' });
export type QaCellChange = z.infer<typeof QaCellChange>;

export const FilterReadyChange = z
  .object({ version: Version, ready: z.boolean() })
  .meta({ id: 'FilterReadyChange' });
export type FilterReadyChange = z.infer<typeof FilterReadyChange>;

/** Whether a person has said that a version may go live. */
export const FilterReady = z
  .object({
    filter_id: z.string(),
    version: z.number().int(),
    ready: z.boolean(),
    by: z.string().nullable().meta({ description: 'Email of who said so; null where it is not ready' }),
    at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'FilterReady' });
export type FilterReady = z.infer<typeof FilterReady>;
