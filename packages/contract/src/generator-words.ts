import { z } from 'zod';

/** Whom a picture is of, in the order of a run's `gender`. */
export const people = ['man', 'woman', 'boy', 'girl', 'group'] as const;
export type Person = (typeof people)[number];

const Words = z.string().trim().min(1).max(400);

/** Words for anybody, and other ones for whom they would be wrong. */
const WordsByPerson = z.strictObject({
  any: Words,
  man: Words.optional(),
  woman: Words.optional(),
  boy: Words.optional(),
  girl: Words.optional(),
  group: Words.optional(),
});
export type WordsByPerson = z.infer<typeof WordsByPerson>;

/** What a generator is told of a scene: the place and its light, and the clothes of those who have no costume. */
export const SceneWords = z.strictObject({
  wardrobe: WordsByPerson.optional(),
  place: Words,
  light: Words.optional(),
  avoid: Words.optional(),
});
export type SceneWords = z.infer<typeof SceneWords>;

/** What a generator is told of a costume: whom it makes of the guest, and the clothes. */
export const CostumeWords = z.strictObject({
  subject: WordsByPerson.optional(),
  wardrobe: WordsByPerson,
  avoid: Words.optional(),
});
export type CostumeWords = z.infer<typeof CostumeWords>;

/** What a generator is told of a way to make pictures: "an ink drawing", and how it is done. */
export const StyleWords = z.strictObject({ medium: Words, style: Words, avoid: Words });
export type StyleWords = z.infer<typeof StyleWords>;

/** What a filter says in place of its scene, its costume and its look. */
export const FilterWords = z
  .strictObject({
    subject: WordsByPerson,
    wardrobe: WordsByPerson,
    place: Words,
    light: Words,
    style: Words,
    avoid: Words,
  })
  .partial();
export type FilterWords = z.infer<typeof FilterWords>;

/** The file `words.json` of the catalog. */
export const SharedWords = z.strictObject({
  /** For pictures without a look. */
  photo: StyleWords,
  /** For prompts of the families that stylize. */
  illustration: StyleWords,
  looks: z.record(z.string(), StyleWords),
  lights: z.record(z.string(), Words),
  weathers: z.record(z.string(), Words),
  palettes: z.record(z.string(), Words),
});
export type SharedWords = z.infer<typeof SharedWords>;
