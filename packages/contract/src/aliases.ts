import { z } from 'zod';
import { Uuid } from './common.ts';
import { basedOnDraft, CheckKind, checkedDraftFields, SavedDraft, VersionCheck } from './filter-details.ts';
import { Text } from './texts.ts';

export const Alias = z
  .object({
    id: z.string(),
    ai_filter: z.string(),
    ai_filter_data: z.object({ label: z.string() }),
    project: z.string(),
    user: z.string(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    last_used: z.iso.datetime().nullable(),
    history: z.array(
      z.object({ ai_filter_id: z.string(), ai_filter_name: z.string(), time_removed: z.iso.datetime() }),
    ),
    safe_filter: z
      .string()
      .nullable()
      .meta({ description: 'The filter that `POST /v1/aliases/{id}/safe` points the alias to' }),
    filter_changed_at: z.iso
      .datetime()
      .meta({ description: 'When it was last pointed to another filter; `created_at` until then' }),
    draft: SavedDraft.extend({ ai_filter: z.string() })
      .nullable()
      .meta({ description: 'The filter that it is to point to, which is saved and not live' }),
  })
  .meta({ id: 'Alias' });
export type Alias = z.infer<typeof Alias>;

const Project = Text.max(200, 'must have at most 200 characters');

export const NewAlias = z.object({ ai_filter: Uuid, project: Project.default('') }).meta({
  id: 'NewAlias',
  examples: [{ ai_filter: '0b8f3f0e-2c38-4e55-9d3b-1f6f6f1a7c10', project: 'Gala' }],
});
export type NewAlias = z.infer<typeof NewAlias>;

export const AliasChange = z
  .object({
    ai_filter: Uuid.optional(),
    project: Project.optional(),
    safe_filter: Uuid.nullable().optional(),
  })
  .refine((change) => (change.ai_filter ?? change.project ?? change.safe_filter) !== undefined, {
    path: ['ai_filter'],
    error: 'ai_filter or project is required',
  })
  .meta({ id: 'AliasChange' });
export type AliasChange = z.infer<typeof AliasChange>;

export const NewAliasDraft = z
  .object({ ai_filter: Uuid, based_on: basedOnDraft })
  .meta({ id: 'NewAliasDraft', examples: [{ ai_filter: '0b8f3f0e-2c38-4e55-9d3b-1f6f6f1a7c10' }] });
export type NewAliasDraft = z.infer<typeof NewAliasDraft>;

/** Whether the filter is for as many people as the slot, and what was checked of its live version. */
export const AliasCheck = VersionCheck.extend({ kind: z.enum(['slot', ...CheckKind.options]) }).meta({
  id: 'AliasCheck',
});
export type AliasCheck = z.infer<typeof AliasCheck>;

/** The filter that an alias is to point to. */
export const AliasDraft = z
  .object({ ai_filter: z.string(), ...checkedDraftFields(AliasCheck) })
  .meta({ id: 'AliasDraft' });
export type AliasDraft = z.infer<typeof AliasDraft>;
