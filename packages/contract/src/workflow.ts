import { z } from 'zod';
import { withoutNul } from './texts.ts';

/** A graph in ComfyUI's API format: nodes by id, each input a value or a link `[node id, output slot]`. */
export const WorkflowNode = z
  .looseObject({
    class_type: z.string().min(1),
    inputs: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'WorkflowNode' });
export type WorkflowNode = z.infer<typeof WorkflowNode>;

/** Refuses an object with too many members before they are checked: each one that does not fit takes 10 µs. */
const withAtMost = <T extends z.ZodType>(most: number, members: string, schema: T) =>
  z.preprocess((value, context) => {
    if (typeof value !== 'object' || value === null || Object.keys(value).length <= most) return value;
    context.addIssue(`must hold at most ${most} ${members}`);
    return z.NEVER;
  }, schema);

export const Workflow = withAtMost(
  500,
  'nodes',
  withoutNul(
    z.record(z.string().regex(/^[a-z0-9][\w:.-]{0,63}$/i, 'must be a node id'), WorkflowNode),
  ).refine((graph) => Object.keys(graph).length > 0, 'must hold at least one node'),
).meta({ id: 'Workflow' });
export type Workflow = z.infer<typeof Workflow>;

/** An input of a node. */
export const Place = z
  .strictObject({ node: z.string().min(1), input: z.string().min(1) })
  .meta({ id: 'Place' });
export type Place = z.infer<typeof Place>;

/** One place, read as a list. What a place is read as is a place too: the second check changes nothing. */
const onePlace = <T extends z.ZodType>(place: T) =>
  place.transform((one) => [one as z.input<T>]).pipe(z.array(place));

/** One place or several; read as a list. */
const places = <T extends z.ZodType>(place: T) =>
  z.union([z.array(place).min(1).max(20), onePlace(place)], 'must be a node and an input');

/** What stands for each choice in the graph. Without it, the choice itself. */
const ChoiceInput = Place.extend({
  values: withAtMost(500, 'values', z.record(z.string(), z.union([z.string(), z.number()]))).optional(),
});
export type ChoiceInput = z.infer<typeof ChoiceInput>;

/** Where the parts of a run go in the graph, and which node saves the result. */
export const Bindings = withoutNul(
  z.strictObject({
    /** One place for each photo, in order. */
    photos: z.union([z.array(Place).max(5), onePlace(Place)]).default([]),
    /** The photo of a template filter. */
    template: places(Place).optional(),
    /** The largest face of the first photo, straightened, in a square; in place of the photo where both are bound. */
    face: places(Place).optional(),
    /** The first photo in the shape of the result, the face where and as large as a portrait has it. */
    frame: places(Place).optional(),
    prompt: places(Place).optional(),
    /** Sentences with words in braces, such as `{prompt}` and `{gender}`: docs/gpu.md lists them. */
    texts: places(Place.extend({ text: z.string().max(4000) })).optional(),
    /** 0 to 4 as words, unless `values` says otherwise. */
    gender: places(ChoiceInput).optional(),
    ratio: places(ChoiceInput).optional(),
    model: places(ChoiceInput).optional(),
    quality_mode: places(ChoiceInput).optional(),
    outpaint: places(Place).optional(),
    seed: places(Place).optional(),
    /** The size to generate at: of the result's shape, about so many megapixels, in steps of `multiple`. */
    size: z
      .strictObject({
        width: places(Place),
        height: places(Place),
        megapixels: z.number().min(0.05).max(16).optional(),
        multiple: z.int().min(1).max(128).default(8),
      })
      .optional(),
    /** The size of the result itself, for a node that brings the picture to it. */
    canvas: z.strictObject({ width: places(Place), height: places(Place) }).optional(),
    /** Seconds. */
    duration: places(Place).optional(),
    /** Seconds times `fps`, plus `plus`, and no more than `most`: a longer video is slowed down to its length. */
    frames: places(
      Place.extend({
        fps: z.number().min(1).max(120),
        plus: z.int().min(0).max(16).default(0),
        most: z.int().min(1).max(10_000).optional(),
      }),
    ).optional(),
    /** The node that saves the result; its `filename_prefix` is set for each run. */
    output: z.string().min(1),
  }),
).meta({ id: 'Bindings' });
export type Bindings = z.infer<typeof Bindings>;
