import { z } from 'zod';
import { FilterType } from './catalogs.ts';
import { Gender, groupGender, ImageInput, Integer, Ratio, Uuid } from './common.ts';
import { TestStatus } from './qa-runs.ts';
import { Text } from './texts.ts';

/** What a link may allow, and how many an account may have. */
export const quickTestLimits = { runs: 1000, links: 200, days: 366 } as const;

/** The header that a guest's page sends the link's token in. */
export const quickTestHeader = 'X-Quick-Test';

const Name = Text.trim().max(120, 'must have at most 120 characters');
const Runs = Integer.min(1).max(quickTestLimits.runs);
const ExpiresAt = z.iso
  .datetime({ offset: true })
  .meta({ description: `At most ${quickTestLimits.days} days from now` });

export const QuickTestLink = z
  .object({
    id: z.string(),
    name: z.string(),
    filter: z
      .object({ id: z.string(), name: z.string() })
      .meta({ description: 'Its name when it was last known, for a filter that was deleted' }),
    runs: z.number().int(),
    runs_used: z.number().int(),
    expires_at: z.iso.datetime(),
    state: z.enum(['valid', 'used_up', 'expired', 'filter_deleted']),
    created_at: z.iso.datetime(),
    last_used: z.iso.datetime().nullable(),
  })
  .meta({ id: 'QuickTestLink' });
export type QuickTestLink = z.infer<typeof QuickTestLink>;

export const CreatedQuickTestLink = QuickTestLink.extend({
  url: z
    .string()
    .nullable()
    .meta({ description: 'Shown once: null when the request is repeated with its `Idempotency-Key`' }),
}).meta({ id: 'CreatedQuickTestLink' });
export type CreatedQuickTestLink = z.infer<typeof CreatedQuickTestLink>;

export const QuickTestLinkList = z
  .object({
    quick_test_links: z.array(QuickTestLink),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'QuickTestLinkList' });
export type QuickTestLinkList = z.infer<typeof QuickTestLinkList>;

export const NewQuickTestLink = z
  .object({
    filter_id: Uuid,
    name: Name.default(''),
    runs: Runs,
    expires_at: ExpiresAt,
  })
  .meta({ id: 'NewQuickTestLink' });
export type NewQuickTestLink = z.infer<typeof NewQuickTestLink>;

export const QuickTestLinkChange = z
  .object({ name: Name.optional(), runs: Runs.optional(), expires_at: ExpiresAt.optional() })
  .refine((change) => (change.name ?? change.runs ?? change.expires_at) !== undefined, {
    path: ['name'],
    error: 'name, runs or expires_at is required',
  })
  .meta({ id: 'QuickTestLinkChange' });
export type QuickTestLinkChange = z.infer<typeof QuickTestLinkChange>;

/** What a guest sees of the link. */
export const QuickTest = z
  .object({
    name: z.string(),
    filter: z.object({ name: z.string(), filter_type: FilterType, preview_url: z.string().nullable() }),
    runs_left: z.number().int(),
    expires_at: z.iso.datetime(),
    genders: z
      .array(z.object({ value: z.number().int(), name: z.string() }))
      .meta({ description: 'What `gender` may be; empty where the filter takes none' }),
    ratios: z.array(Ratio).meta({ description: 'What `ratio` may be; empty where the filter takes none' }),
  })
  .meta({ id: 'QuickTest' });
export type QuickTest = z.infer<typeof QuickTest>;

/** A filter of one guest takes no group. */
const OneGuest = Gender.refine((gender) => gender !== groupGender, 'must be 0 to 3');

export const NewQuickTestRun = z
  .object({
    image: ImageInput,
    gender: OneGuest.optional(),
    ratio: Ratio.optional(),
  })
  .meta({ id: 'NewQuickTestRun' });
export type NewQuickTestRun = z.infer<typeof NewQuickTestRun>;

export const StartedQuickTestRun = z.object({ id: z.string() }).meta({ id: 'StartedQuickTestRun' });

export const QuickTestRun = z
  .object({
    id: z.string(),
    status: TestStatus,
    progress: z.number(),
    image_url: z.string().nullable().meta({ description: 'A signed link to the picture' }),
    error: z.string().nullable().meta({ description: 'One sentence for the guest' }),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'QuickTestRun' });
export type QuickTestRun = z.infer<typeof QuickTestRun>;
