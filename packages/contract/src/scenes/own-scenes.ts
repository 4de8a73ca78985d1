import { z } from 'zod';
import { FilterName } from '../catalogs.ts';
import { ImageInput, Ratio, Uuid } from '../common.ts';
import { canvasSizes, type Size } from '../families/canvas.ts';
import { FilterTestResult, SamplePhoto } from '../filter-drafts.ts';
import { QualityAnswer } from '../quality.ts';
import { Text } from '../texts.ts';

/** What an account may keep, and what a backdrop must have at least, in pixels of its shorter side. */
export const sceneLimits = { scenes: 50, leastSide: 600, outlines: 20, points: 400 } as const;

const share = z.number().min(0).max(1);
const colour = z.tuple([share, share, share]);

/** The part of a backdrop that pictures of one shape show, in shares of the backdrop. Its height follows from the shape. */
export const SceneCrop = z
  .object({ x: share, y: share, width: z.number().min(0.05).max(1) })
  .meta({ id: 'SceneCrop' });
export type SceneCrop = z.infer<typeof SceneCrop>;

/** The light that people are brought into. */
export const SceneLight = z
  .object({
    key: z.number().min(0.01).max(0.8).meta({ description: 'How bright people are lit, in linear light' }),
    direction: z
      .tuple([z.number().min(-1).max(1), z.number().min(-1).max(1), z.number().min(-1).max(1)])
      .refine((vector) => vector.some((part) => part !== 0), 'must point somewhere')
      .meta({ description: 'Towards the light: right, up, to the camera' }),
    color: colour.meta({ description: 'Linear red, green and blue of the key light' }),
    fill: colour.meta({ description: 'The same for the light from everywhere else' }),
  })
  .meta({ id: 'SceneLight' });
export type SceneLight = z.infer<typeof SceneLight>;

/** How people stand in a backdrop. Rows are shares of its height, columns of its width. */
export const SceneSettings = z
  .object({
    title: FilterName,
    place: Text.trim().max(300).default('').meta({
      description: 'The place in words, for engines that run workflows: “in a hall with tall windows”',
    }),
    horizon: share.meta({ description: 'The row of the horizon, which is where people have their eyes' }),
    floor: share.nullable().meta({ description: 'The row where feet stand; null where no floor is seen' }),
    people: z.object({
      across: share.meta({ description: 'The column of the middle of the people' }),
      face: z
        .number()
        .min(0.08)
        .max(0.32)
        .meta({ description: 'The height of one person’s face, as a share of a portrait picture’s height' }),
    }),
    light: SceneLight,
    crops: z.object({ portrait: SceneCrop, landscape: SceneCrop, square: SceneCrop }),
  })
  .meta({ id: 'SceneSettings' });
export type SceneSettings = z.infer<typeof SceneSettings>;

const point = z.tuple([share, share]);

/** What of a backdrop stands before people: painted, or outlined with the corners of polygons. */
export const SceneForeground = z
  .union([
    z.object({
      mask: ImageInput.meta({
        description: 'A picture in the shape of the backdrop: white, or opaque, is in front',
      }),
    }),
    z.object({
      outlines: z
        .array(z.array(point).min(3).max(sceneLimits.points))
        .min(1)
        .max(sceneLimits.outlines)
        .meta({ description: 'Columns and rows of the corners, as shares of the backdrop' }),
    }),
  ])
  .meta({ id: 'SceneForeground' });
export type SceneForeground = z.infer<typeof SceneForeground>;

/** A scene of an account, which filters name as `own-` and its id. */
export const OwnScene = z
  .object({
    id: z.string(),
    name: z.string().meta({ description: 'What `scene` of a filter’s definition is' }),
    settings: SceneSettings,
    found: SceneSettings.pick({ horizon: true, floor: true, light: true, crops: true, people: true }).meta({
      description: 'What was found in the backdrop, to go back to',
    }),
    warnings: z.array(z.string()).meta({ description: 'Sentences for the designer' }),
    width: z.int().meta({ description: 'Of the backdrop' }),
    height: z.int(),
    backdrop_url: z.string(),
    thumbnail_url: z.string(),
    foreground_url: z.string().nullable().meta({ description: 'The mask of what stands before people' }),
    filters: z
      .array(z.object({ id: z.string(), name: z.string() }))
      .meta({ description: 'Custom filters that are made with it' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'OwnScene' });
export type OwnScene = z.infer<typeof OwnScene>;

export const OwnSceneEntry = OwnScene.pick({
  id: true,
  name: true,
  width: true,
  height: true,
  thumbnail_url: true,
  created_at: true,
  updated_at: true,
})
  .extend({ title: z.string() })
  .meta({ id: 'OwnSceneEntry' });
export type OwnSceneEntry = z.infer<typeof OwnSceneEntry>;

export const OwnSceneList = z
  .object({ scenes: z.array(OwnSceneEntry), next_cursor: z.string().nullable() })
  .meta({ id: 'OwnSceneList' });
export type OwnSceneList = z.infer<typeof OwnSceneList>;

export const NewOwnScene = z
  .object({ image: ImageInput, title: FilterName.default('My scene') })
  .meta({ id: 'NewOwnScene' });
export type NewOwnScene = z.infer<typeof NewOwnScene>;
export type NewOwnSceneInput = z.input<typeof NewOwnScene>;

/** What is left out stays as it is. */
export const OwnSceneChange = SceneSettings.partial()
  .extend({
    // Without the default: what is left out is not emptied.
    place: SceneSettings.shape.place.unwrap().optional(),
    foreground: SceneForeground.nullable().optional().meta({ description: 'Null to remove it' }),
  })
  .meta({ id: 'OwnSceneChange' });
export type OwnSceneChange = z.infer<typeof OwnSceneChange>;

/** Settings that need not be saved, and the photo to show them on. */
export const OwnSceneTrial = OwnSceneChange.extend({
  ratio: Ratio.default('portrait'),
  sample: SamplePhoto.optional(),
  photo_id: Uuid.optional().meta({ description: 'A photo of one of the caller’s photo sets' }),
})
  .refine((trial) => trial.sample === undefined || trial.photo_id === undefined, {
    path: ['photo_id'],
    error: 'must not be given beside sample',
  })
  .meta({ id: 'OwnSceneTrial' });
export type OwnSceneTrial = z.infer<typeof OwnSceneTrial>;
export type OwnSceneTrialInput = z.input<typeof OwnSceneTrial>;

/** A picture of somebody in the scene, and what the judge of pictures says of it. */
export const OwnScenePicture = FilterTestResult.extend({ quality: QualityAnswer.nullable() }).meta({
  id: 'OwnScenePicture',
});
export type OwnScenePicture = z.infer<typeof OwnScenePicture>;

const prefix = 'own-';

export const ownSceneName = (id: string) => `${prefix}${id}`;

/** The id of the account's scene that a filter names; null for a scene of the catalog. */
export function ownSceneId(name: string): string | null {
  const id = name.startsWith(prefix) ? name.slice(prefix.length) : '';
  return Uuid.safeParse(id).success ? id : null;
}

/** The height of a crop, as a share of the backdrop's. */
export function cropHeight({ width }: SceneCrop, ratio: Ratio, backdrop: Size): number {
  const canvas = canvasSizes[ratio];
  return ((width * backdrop.width) / backdrop.height) * (canvas.height / canvas.width);
}
