import { z } from 'zod';
import { Integer } from '../common.ts';
import { Text } from '../texts.ts';
import { Labels, Slug, shownLabels } from './labels.ts';

/** How much guests may be asked for, and how long it may be: a name has to fit on a print. */
export const detailLimits = { details: 6, letters: 60, choices: 20, blockedWords: 500 } as const;

const asked = {
  id: Slug,
  required: z.boolean().default(false).meta({ description: 'Whether a guest cannot go on without it' }),
  labels: Labels,
};
const Choice = z.object({ id: Slug, labels: Labels });

/** Something that guests type or choose, such as their name, team or number: for prompts, overlays and prints. */
export const NewGuestDetail = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('text'),
      ...asked,
      letters: Integer.min(1).max(detailLimits.letters).default(30).meta({ description: 'At most' }),
    }),
    z.object({
      kind: z.literal('number'),
      ...asked,
      least: Integer.min(0).max(1_000_000_000).default(0),
      most: Integer.min(0).max(1_000_000_000).default(999),
    }),
    z.object({
      kind: z.literal('choice'),
      ...asked,
      choices: z
        .array(Choice)
        .min(1)
        .max(detailLimits.choices, `must hold at most ${detailLimits.choices} choices`)
        .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, {
          error: 'must not hold an id twice',
        }),
    }),
  ])
  .meta({ id: 'NewGuestDetail' });
export type GuestDetail = z.infer<typeof NewGuestDetail>;

export const ShownGuestDetail = z
  .object({
    id: z.string(),
    kind: z.enum(['text', 'number', 'choice']),
    required: z.boolean(),
    labels: shownLabels,
    letters: z.number().int().optional(),
    least: z.number().int().optional(),
    most: z.number().int().optional(),
    choices: z.array(z.object({ id: z.string(), labels: shownLabels })).optional(),
  })
  .meta({ id: 'GuestDetail' });
export type ShownGuestDetail = z.infer<typeof ShownGuestDetail>;

/** What a guest gave, by detail; of a choice its id. */
export const GivenDetails = z.record(Slug, Text.trim().max(detailLimits.letters));
export type GivenDetails = z.infer<typeof GivenDetails>;

/** What is wrong with a detail that a guest gave. */
export type DetailProblem = 'missing' | 'long' | 'number' | 'choice' | 'blocked';

const places = /\{guest\.([a-z0-9-]{1,40})\}/g;

/** The details that a text has places for, as `{guest.team}`. */
export const detailsIn = (text: string): string[] => [...text.matchAll(places)].map(([, id]) => id!);

/** A text with what a guest gave in its places; what was not given leaves none. */
export const withDetails = (text: string, words: Readonly<Record<string, string>>): string =>
  text
    .replaceAll(places, (_, id: string) => words[id] ?? '')
    .replaceAll(/ {2,}/g, ' ')
    .trim();

/** The most letters that a detail can put in the place of its name. */
export function mostLettersOf(detail: GuestDetail): number {
  if (detail.kind === 'text') return detail.letters;
  if (detail.kind === 'number') return String(detail.most).length;
  return Math.max(
    ...detail.choices.flatMap(({ labels }) => Object.values(labels).map(({ length }) => length)),
  );
}
