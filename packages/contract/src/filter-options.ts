import { z } from 'zod';
import { FilterType, Mode } from './catalogs.ts';
import { Text } from './texts.ts';

/** Something that a scene filter may name, with a picture of what it makes. */
export const FilterOption = z
  .object({
    name: z.string(),
    title: z.string(),
    preview_url: z.string().nullable().meta({ description: 'Null where a pack brings no picture' }),
    modes: z.array(Mode),
  })
  .meta({ id: 'FilterOption' });
export type FilterOption = z.infer<typeof FilterOption>;

/** A kind of definition, and the types of filters it is for. */
export const FilterKindOption = z
  .object({
    name: z.enum(['scene', 'prompt', 'template', 'workflow']),
    title: z.string(),
    filter_types: z.array(FilterType),
  })
  .meta({ id: 'FilterKindOption' });
export type FilterKindOption = z.infer<typeof FilterKindOption>;

const options = z.array(FilterOption);

/** What custom filters can be made of on this server. */
export const FilterOptions = z
  .object({
    scenes: options,
    costumes: options,
    looks: options,
    lights: options,
    weathers: options,
    palettes: options,
    kinds: z.array(FilterKindOption).meta({ description: 'A kind without types cannot be made here' }),
  })
  .meta({ id: 'FilterOptions' });
export type FilterOptions = z.infer<typeof FilterOptions>;

export const PromptSuggestionQuery = z.object({
  q: Text.max(200).default('').meta({ description: 'The text so far; its last words are completed' }),
  limit: z.coerce.number().int().min(1).max(50).default(10),
});

/** A word or phrase that the local engine understands in a prompt. */
export const PromptSuggestion = z
  .object({
    text: z.string(),
    kind: z.enum(['scene', 'costume', 'look', 'light', 'weather', 'palette']),
    value: z
      .string()
      .nullable()
      .meta({ description: 'The name of what it leads to; null where the whole prompt decides' }),
  })
  .meta({ id: 'PromptSuggestion' });
export type PromptSuggestion = z.infer<typeof PromptSuggestion>;

export const PromptSuggestions = z
  .object({ suggestions: z.array(PromptSuggestion) })
  .meta({ id: 'PromptSuggestions' });
