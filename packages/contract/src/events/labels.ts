import { z } from 'zod';
import { Text } from '../texts.ts';

export const Language = z
  .string()
  .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language tag such as en or pt-BR')
  .max(35);

/** Names that are chosen by whoever makes the event, and stay when labels change. */
export const Slug = z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be 1 to 40 of a-z, 0-9 and -');

/** In how many languages an event may speak to its guests. */
export const mostLanguages = 20;
export const tooManyLanguages = `must be in at most ${mostLanguages} languages`;
export const Labels = z
  .record(Language, Text.trim().min(1).max(120))
  .refine((labels) => Object.keys(labels).length <= mostLanguages, tooManyLanguages)
  .meta({ description: 'One for each language' });

/** The same in answers. */
export const shownLabels = z.record(z.string(), z.string());
