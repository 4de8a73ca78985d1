import { z } from 'zod';
import type { Note } from '../notes.ts';
import { type Family, families } from './families.ts';

/**
 * What clients of any family call the photo of a run; `input_images` and `images` are lists, of which the first one is
 * meant. Those that a family does not have itself are taken for its own.
 */
export const photoFields = [
  'image',
  'base64',
  'input_image',
  'input_images',
  'images',
  'photo',
  'url',
  'prompt_image',
  'first_frame',
] as const;
export type PhotoField = (typeof photoFields)[number];

/** Those that hold lists. */
export const photoListFields = ['input_images', 'images'] as const satisfies readonly PhotoField[];
export const isPhotoList = (field: string): boolean => (photoListFields as readonly string[]).includes(field);

const fieldsOf = new Map<Family, readonly string[]>(
  families.map((family) => [family, fieldsOfSchema(family.schema)]),
);
const fieldsOfAny = new Set([...fieldsOf.values()].flat());

function fieldsOfSchema(schema: unknown): string[] {
  if (schema instanceof z.ZodPipe) return fieldsOfSchema(schema.in);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** The fields of a body that other families use and this one does not. What is switched off asks for nothing. */
export function unusedFieldsOf(family: Family, body: Readonly<Record<string, unknown>>): string[] {
  const own = fieldsOf.get(family)!;
  const isPhoto = (name: string) => (photoFields as readonly string[]).includes(name);
  const unused = Object.keys(body).filter((name) => {
    const value = body[name];
    const isGiven = value !== undefined && value !== null && value !== false && value !== '';
    return isGiven && fieldsOfAny.has(name) && !own.includes(name) && !isPhoto(name);
  });
  const shortened = photoListFields.filter((name) => {
    const list = body[name];
    return Array.isArray(list) && list.length > 1 && !own.includes(name);
  });
  return [...unused, ...shortened];
}

export function unusedFieldNote(field: string): Note {
  const reason = isPhotoList(field) ? 'only its first photo is used' : 'this endpoint does not use it';
  return { kind: 'input', value: field, reason };
}
