import type { FilterType } from '@guise/contract/catalogs.ts';
import type { CustomFilterDetail } from '@guise/contract/filter-details.ts';
import type { CustomDefinition } from '@guise/contract/filters.ts';
import type { Bindings, Workflow } from '@guise/contract/workflow.ts';
import type { Photo } from '../../../photo/photo.ts';
import { say } from '../../../words/say.ts';

export type DefinitionKind = CustomDefinition['kind'];
export type ScenePart = 'scene' | 'costume' | 'look' | 'light' | 'weather' | 'palette';
export type SceneParts = { [Part in ScenePart]?: string | undefined };

/** A template: the photo as it is shown, and as it is sent. */
export interface TemplatePhoto {
  photo: Photo;
  image: string;
}

/** Bindings that are being picked: the node that saves the result may still be missing. */
export type PickedBindings = Omit<Bindings, 'output'> & { output: string | null };

export interface EditedWorkflow {
  name: string;
  workflow: Workflow;
  bindings: PickedBindings;
}

/** A filter that is being made or changed. Each kind keeps what was entered while another one is shown. */
export interface EditedFilter {
  name: string;
  filterType: FilterType;
  kind: DefinitionKind;
  prompt: string;
  scene: SceneParts;
  template: TemplatePhoto | undefined;
  workflow: EditedWorkflow | undefined;
}

export const emptyFilter: EditedFilter = {
  name: '',
  filterType: 'face_swap',
  kind: 'prompt',
  prompt: '',
  scene: {},
  template: undefined,
  workflow: undefined,
};

/** A saved filter, to be changed. The photo of a template is read beside it. */
export function editedFilterOf(
  { name, filter_type, definition }: Pick<CustomFilterDetail, 'name' | 'filter_type' | 'definition'>,
  template: TemplatePhoto | undefined,
): EditedFilter {
  const edited = { ...emptyFilter, name, filterType: filter_type, kind: definition.kind };
  if (definition.kind === 'prompt') return { ...edited, prompt: definition.prompt };
  if (definition.kind === 'template') return { ...edited, template };
  if (definition.kind === 'scene') {
    const { kind: _kind, ...scene } = definition;
    return { ...edited, scene };
  }
  const { workflow, bindings } = definition;
  return { ...edited, workflow: { name: say('Saved workflow'), workflow, bindings } };
}

/** What is missing before the filter can be tried or saved; nothing when it is whole. */
export function missingIn(edited: Omit<EditedFilter, 'name'>): string | undefined {
  switch (edited.kind) {
    case 'prompt':
      return edited.prompt.trim() ? undefined : say('Describe the picture in words.');
    case 'scene':
      return edited.scene.scene ? undefined : say('Choose a scene.');
    case 'template':
      if (edited.filterType !== 'face_swap') return say('A picture can be a filter for one person only.');
      return edited.template ? undefined : say('Choose the picture that the guest’s face goes into.');
    case 'workflow':
      if (!edited.workflow) return say('Drop in a workflow.');
      return edited.workflow.bindings.output ? undefined : say('Choose the node that saves the result.');
  }
}

/** The definition to try or save, once nothing is missing. */
export function definitionOf(edited: Omit<EditedFilter, 'name'>): CustomDefinition | undefined {
  if (missingIn(edited)) return undefined;
  switch (edited.kind) {
    case 'prompt':
      return { kind: 'prompt', prompt: edited.prompt.trim() };
    case 'scene':
      return { kind: 'scene', ...edited.scene, scene: edited.scene.scene! };
    case 'template':
      return { kind: 'template', image: edited.template!.image };
    case 'workflow': {
      const { workflow, bindings } = edited.workflow!;
      return { kind: 'workflow', workflow, bindings: { ...bindings, output: bindings.output! } };
    }
  }
}

export function isSameDefinition(one: EditedFilter, other: EditedFilter): boolean {
  const [a, b] = [definitionOf(one), definitionOf(other)];
  return JSON.stringify(a) === JSON.stringify(b);
}
