import { z } from 'zod';
import { CustomFilter, CustomFilterChange, FilterName, FilterType } from './catalogs.ts';
import { CustomDefinition, PromptDefinition, SceneDefinition, WorkflowDefinition } from './filters.ts';

/** A custom filter's definition as callers read it: the photo of a template is a link. */
export const ShownDefinition = z
  .discriminatedUnion('kind', [
    SceneDefinition,
    PromptDefinition,
    z.object({ kind: z.literal('template'), image_url: z.string() }),
    WorkflowDefinition,
  ])
  .meta({ id: 'ShownDefinition' });
export type ShownDefinition = z.infer<typeof ShownDefinition>;

/** The version of a custom filter that is being worked on. Jobs go on with the live one. */
const OpenDraft = z
  .object({
    version: z.int(),
    changed_at: z.iso.datetime().meta({ description: 'When it was saved, or the last of its checks ended' }),
  })
  .meta({ id: 'OpenDraft' });

/** A custom filter with its version, which other lists of filters do not have. */
export const VersionedFilter = CustomFilter.extend({
  version: z
    .int()
    .meta({ description: 'The live version, that jobs are made with. Counts the edits, from 1' }),
  draft: OpenDraft.nullable(),
}).meta({ id: 'VersionedFilter' });
export type VersionedFilter = z.infer<typeof VersionedFilter>;

export const VersionedFilterList = z
  .object({ custom_filters: z.array(VersionedFilter), next_cursor: z.string().nullable() })
  .meta({ id: 'VersionedFilterList' });

export const CustomFilterDetail = VersionedFilter.extend({
  definition: ShownDefinition,
  note: z.string().meta({ description: 'What is new in this version' }),
  ready: z.boolean().meta({ description: 'Whether a person has said that it may go live' }),
  ready_by: z.string().nullable(),
  ready_at: z.iso.datetime().nullable(),
  aliases: z
    .array(z.object({ id: z.string(), project: z.string() }))
    .meta({ description: 'Those that point to this filter, or have it as their safe filter' }),
  events: z.array(z.object({ id: z.string(), name: z.string(), open: z.boolean() })).meta({
    description:
      'Those that have not ended and offer this filter, or an alias that points to it; `open` while guests are served',
  }),
}).meta({ id: 'CustomFilterDetail' });
export type CustomFilterDetail = z.infer<typeof CustomFilterDetail>;

export const CustomFilterVersion = z
  .object({
    version: z.int(),
    current: z.boolean().meta({ description: 'Whether it is live: jobs are made with it' }),
    draft: z.boolean().meta({ description: 'Whether it was never live' }),
    name: z.string(),
    definition: ShownDefinition,
    preview_images: z.array(z.string()),
    note: z.string(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'CustomFilterVersion' });
export type CustomFilterVersion = z.infer<typeof CustomFilterVersion>;

export const CustomFilterVersionList = z
  .object({
    versions: z.array(CustomFilterVersion),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'CustomFilterVersionList' });

/** Versions of a custom filter that are kept, with the current one. */
export const mostVersions = 50;

export const FilterCopy = z.object({ name: FilterName.optional() }).meta({ id: 'FilterCopy' });
export type FilterCopy = z.infer<typeof FilterCopy>;

/** A custom filter as a file: the body that makes it anew. The photo of a template is a data URI. */
export const CustomFilterExport = z
  .object({ name: z.string(), filter_type: FilterType, definition: CustomDefinition })
  .meta({ id: 'CustomFilterExport' });
export type CustomFilterExport = z.infer<typeof CustomFilterExport>;

/** A change of a custom filter that does not go live. What is left out is as in the version that it was made from. */
export const NewDraft = CustomFilterChange.safeExtend({
  based_on: z.int().optional().meta({
    description: 'The newest version that the caller has read: 412 when another one was saved since',
  }),
}).meta({ id: 'NewDraft' });
export type NewDraft = z.infer<typeof NewDraft>;

export const DraftChoice = z
  .object({ version: z.int().nullable().meta({ description: 'Null to work on the live version' }) })
  .meta({ id: 'DraftChoice' });
export type DraftChoice = z.infer<typeof DraftChoice>;

export const CheckOutcome = z.enum(['waiting', 'passed', 'warned', 'failed']).meta({ id: 'CheckOutcome' });
export type CheckOutcome = z.infer<typeof CheckOutcome>;

/** What is checked of a version: its definition, its words, that an engine makes it, and what it makes of a photo. */
export const CheckKind = z.enum(['definition', 'words', 'engine', 'photo']).meta({ id: 'CheckKind' });
export type CheckKind = z.infer<typeof CheckKind>;

export const VersionCheck = z
  .object({
    kind: CheckKind,
    photo: z.string().nullable().meta({ description: 'The name of the photo' }),
    outcome: CheckOutcome,
    sentences: z.array(z.string()),
    picture_url: z.string().nullable().meta({ description: 'What was made of a sample photo' }),
  })
  .meta({ id: 'VersionCheck' });
export type VersionCheck = z.infer<typeof VersionCheck>;

export const CheckedVersion = CustomFilterVersion.extend({
  outcome: CheckOutcome.nullable().meta({
    description:
      'Of all checks together: one that failed keeps it from going live. Null when it was not checked',
  }),
  checks: z.array(VersionCheck),
}).meta({ id: 'CheckedVersion' });
export type CheckedVersion = z.infer<typeof CheckedVersion>;

export const GoLive = z
  .object({
    unchecked: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether it goes live before all its checks have ended' }),
  })
  .meta({ id: 'GoLive' });
export type GoLive = z.infer<typeof GoLive>;

/** That something has a draft, as it stands beside what is live: an alias, an event. */
export const SavedDraft = z
  .object({
    number: z.int().meta({ description: 'Counts the drafts that were saved' }),
    changed_at: z.iso.datetime(),
  })
  .meta({ id: 'SavedDraft' });
export type SavedDraft = z.infer<typeof SavedDraft>;

export const basedOnDraft = z.int().nullable().optional().meta({
  description:
    'The number of the draft that the caller has read, null for none: 412 when another one was saved since',
});

/** What a draft has beside what it changes, with checks of these kinds. */
export const checkedDraftFields = <Check extends z.ZodType>(check: Check) => ({
  ...SavedDraft.shape,
  outcome: CheckedVersion.shape.outcome,
  checks: z.array(check),
});

export const DraftGoLive = GoLive.extend({
  number: z.int().meta({ description: 'The draft that was checked: 412 when another one was saved since' }),
}).meta({ id: 'DraftGoLive' });
export type DraftGoLive = z.infer<typeof DraftGoLive>;

/**
 * A version that is wrong in itself, that nothing makes or that makes a picture of no photo cannot work. One photo that
 * failed among others says as much about the photo.
 */
export function outcomeOf(checks: readonly { kind: string; outcome: CheckOutcome }[]): CheckOutcome | null {
  if (checks.length === 0) return null;
  const photos = checks.filter(({ kind }) => kind === 'photo');
  const hasFailed = ({ outcome }: Pick<VersionCheck, 'outcome'>) => outcome === 'failed';
  if (checks.some((check) => check.kind !== 'photo' && hasFailed(check))) return 'failed';
  if (checks.some(({ outcome }) => outcome === 'waiting')) return 'waiting';
  if (photos.length > 0 && photos.every(hasFailed)) return 'failed';
  return checks.every(({ outcome }) => outcome === 'passed') ? 'passed' : 'warned';
}
