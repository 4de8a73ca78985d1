import { z } from 'zod';
import { Text } from './texts.ts';
import { Bindings, Workflow } from './workflow.ts';

const name = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be a name such as neon-street');

/** A scene of the catalog, in its own or another light, weather or palette; with a look over it, a costume on the guest. */
export const SceneDefinition = z
  .object({
    kind: z.literal('scene'),
    scene: name,
    look: name.optional(),
    costume: name.optional(),
    light: name.optional(),
    weather: name.optional(),
    palette: name.optional(),
  })
  .meta({ id: 'SceneDefinition' });

/**
 * What a job keeps of an account's scene, so that changing or removing the scene changes nothing for it: the blob of the
 * archive with its pictures, for an engine the folder that they were unpacked to, and its words.
 */
const KeptScene = z.object({ files: z.string(), title: z.string(), place: z.string() });
export type KeptScene = z.infer<typeof KeptScene>;

/** A look alone, painted over the photo as it is. */
export const LookDefinition = z.object({ kind: z.literal('look'), look: name });

export const PromptDefinition = z
  .object({
    kind: z.literal('prompt'),
    prompt: Text.trim().min(1).max(2000),
  })
  .meta({ id: 'PromptDefinition' });

/** The guest's face goes into this photo. */
export const TemplateDefinition = z
  .object({
    kind: z.literal('template'),
    image: z.string().min(1),
  })
  .meta({ id: 'TemplateDefinition' });

/** A remote engine's graph and where the inputs go in it. */
export const WorkflowDefinition = z
  .object({
    kind: z.literal('workflow'),
    workflow: Workflow,
    bindings: Bindings,
  })
  .meta({ id: 'WorkflowDefinition' });
export type WorkflowDefinition = z.infer<typeof WorkflowDefinition>;

/** What a caller may define. The template's image arrives as an image input and is stored as a blob's key. */
export const CustomDefinition = z
  .discriminatedUnion('kind', [SceneDefinition, PromptDefinition, TemplateDefinition, WorkflowDefinition])
  .meta({ id: 'CustomDefinition' });
export type CustomDefinition = z.infer<typeof CustomDefinition>;
export const customKinds = CustomDefinition.options.map(({ shape }) => shape.kind.value);

/** What an engine is given: a caller's definition, or one of the catalog's own. */
export const FilterDefinition = z.discriminatedUnion('kind', [
  SceneDefinition.extend({ own: KeptScene.optional() }),
  LookDefinition,
  PromptDefinition,
  TemplateDefinition,
  WorkflowDefinition,
]);
export type FilterDefinition = z.infer<typeof FilterDefinition>;
export type FilterKind = FilterDefinition['kind'];
export const filterKinds = FilterDefinition.options.map(({ shape }) => shape.kind.value);
