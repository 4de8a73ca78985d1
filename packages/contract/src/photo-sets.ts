import { z } from 'zod';
import { ImageInput, Integer } from './common.ts';
import { Text } from './texts.ts';

/** What an account may keep. */
export const photoSetLimits = { sets: 20, photos: 200 } as const;

const Name = Text.trim().min(1, 'must not be empty').max(120, 'must have at most 120 characters');

export const Photo = z
  .object({
    id: z.string(),
    name: z.string(),
    people: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'How many people it shows; null where nobody said' }),
    url: z.string(),
    thumbnail_url: z.string(),
    width: z.number().int(),
    height: z.number().int(),
  })
  .meta({ id: 'Photo' });
export type Photo = z.infer<typeof Photo>;

const photoSet = {
  id: z.string(),
  name: z.string(),
  read_only: z.boolean().meta({ description: 'The set that comes with the server' }),
  photo_count: z.number().int(),
  created_at: z.iso.datetime().nullable(),
  updated_at: z.iso.datetime().nullable(),
};

/** A set as it is listed: with its first photos. */
export const PhotoSetEntry = z
  .object({ ...photoSet, first_photos: z.array(Photo) })
  .meta({ id: 'PhotoSetEntry' });
export type PhotoSetEntry = z.infer<typeof PhotoSetEntry>;

export const PhotoSet = z.object({ ...photoSet, photos: z.array(Photo) }).meta({ id: 'PhotoSet' });
export type PhotoSet = z.infer<typeof PhotoSet>;

export const PhotoSetList = z
  .object({
    photo_sets: z.array(PhotoSetEntry),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'PhotoSetList' });
export type PhotoSetList = z.infer<typeof PhotoSetList>;

export const NewPhotoSet = z.object({ name: Name }).meta({ id: 'NewPhotoSet' });
export type NewPhotoSet = z.infer<typeof NewPhotoSet>;

export const PhotoSetChange = z.object({ name: Name }).meta({ id: 'PhotoSetChange' });
export type PhotoSetChange = z.infer<typeof PhotoSetChange>;

export const NewPhoto = z
  .object({
    image: ImageInput,
    name: Name.default('Photo'),
    people: Integer.min(1).max(100).optional(),
  })
  .meta({ id: 'NewPhoto' });
export type NewPhoto = z.infer<typeof NewPhoto>;
