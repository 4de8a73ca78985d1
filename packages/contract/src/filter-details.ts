import { z } from 'zod';
import { CustomFilter, FilterName, FilterType } from './catalogs.ts';
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

export const CustomFilterDetail = CustomFilter.extend({
  definition: ShownDefinition,
  version: z.int().meta({ description: 'Counts the edits, from 1' }),
  note: z.string().meta({ description: 'What is new in this version' }),
  ready: z.boolean().meta({ description: 'Whether a person has said that it may go live' }),
  ready_by: z.string().nullable(),
  ready_at: z.iso.datetime().nullable(),
  aliases: z
    .array(z.object({ id: z.string(), project: z.string() }))
    .meta({ description: 'Those that point to this filter, or have it as their safe filter' }),
}).meta({ id: 'CustomFilterDetail' });
export type CustomFilterDetail = z.infer<typeof CustomFilterDetail>;

export const CustomFilterVersion = z
  .object({
    version: z.int(),
    current: z.boolean(),
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
