import { z } from 'zod';
import { CustomDefinition } from './filters.ts';
import { Text } from './texts.ts';

export const FilterType = z.enum(['face_swap', 'multi_swap']).meta({ id: 'FilterType' });
export type FilterType = z.infer<typeof FilterType>;

/** The lists of standard filters, by the integers callers name them with. */
export const CatalogName = z.enum(['face_swap', 'realistic', 'stylized']).meta({ id: 'CatalogName' });
export type CatalogName = z.infer<typeof CatalogName>;
export const catalogNames = CatalogName.options;

export function filterTypeOf(name: CatalogName): FilterType {
  return name === 'face_swap' ? 'face_swap' : 'multi_swap';
}

export const Mode = z.enum(['single', 'group']).meta({ id: 'Mode' });
export type Mode = z.infer<typeof Mode>;

export const CatalogEntry = z
  .object({
    id: z.string().meta({ description: 'An integer as a string' }),
    name: z.string(),
    preview_url: z.string(),
    modes: z.array(Mode),
    filter_type: FilterType,
  })
  .meta({ id: 'CatalogEntry' });
export type CatalogEntry = z.infer<typeof CatalogEntry>;

/** What callers ask for who read catalogs as `{"12": "Great hall"}`: this type in `Accept`, or `?shape=map`. */
export const catalogMapType = 'application/vnd.guise.map+json';
export const CatalogQuery = z.object({
  shape: z.string().optional().meta({ description: '`map` for `{"12": "name"}` instead of a list' }),
});
export const CatalogMap = z
  .record(z.string(), z.string())
  .meta({ id: 'CatalogMap', description: 'Names by their ids' });

/** How a photo was taken, as the older face swap paths name it in `capture_mode`. */
export const CaptureMode = z
  .object({ id: z.string(), name: z.string(), modes: z.array(Mode) })
  .meta({ id: 'CaptureMode' });

export const CustomFilter = z
  .object({
    id: z.string(),
    name: z.string(),
    filter_type: FilterType,
    preview_images: z.array(z.string()),
    origin: z.enum(['paid', 'self_created']),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'CustomFilter' });
export type CustomFilter = z.infer<typeof CustomFilter>;

export const FilterName = Text.trim()
  .min(1, 'must not be empty')
  .max(120, 'must have at most 120 characters');

const VersionNote = Text.trim().max(500, 'must have at most 500 characters');

const templateNeedsFaceSwap = {
  path: ['definition', 'kind'],
  error: 'a template is for filters of type face_swap',
};

export const NewCustomFilter = z
  .object({ name: FilterName, filter_type: FilterType, definition: CustomDefinition })
  .refine(
    (filter) => filter.definition.kind !== 'template' || filter.filter_type === 'face_swap',
    templateNeedsFaceSwap,
  )
  .meta({ id: 'NewCustomFilter' });
export type NewCustomFilter = z.infer<typeof NewCustomFilter>;

export const CustomFilterChange = z
  .object({
    name: FilterName.optional(),
    definition: CustomDefinition.optional(),
    note: VersionNote.optional().meta({ description: 'What is new in this version' }),
  })
  .refine((change) => (change.name ?? change.definition) !== undefined, {
    path: ['name'],
    error: 'name or definition is required',
  })
  .meta({ id: 'CustomFilterChange' });
export type CustomFilterChange = z.infer<typeof CustomFilterChange>;
