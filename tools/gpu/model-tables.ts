import { families } from '@guise/contract/families/families.ts';
import { type Card, cards, workflowsOf } from '@guise/server/engines/comfyui/setup/cards.ts';
import { referenceWorkflows } from '@guise/server/engines/comfyui/setup/choose-workflows.ts';
import { gigabytesOf } from '@guise/server/engines/comfyui/setup/model-size.ts';
import type { ModelFile, NamedWorkflow } from '@guise/server/engines/workflow/workflow-file.ts';

/** What docs/gpu-models.md says of the sets of models: rows of its tables. */

/** Kinds of jobs, by a family and a number of photos that stand for them. */
const kindsOfJobs = [
  { title: 'one photo', family: 'face_swap_v6', photos: 1 },
  { title: 'two photos', family: 'multi_swap_v4', photos: 2 },
  { title: 'three photos', family: 'multi_swap_v4', photos: 3 },
  { title: 'four photos', family: 'multi_swap_v4', photos: 4 },
  { title: 'from a text', family: 'self_prompt_v2', photos: 0 },
  { title: 'video, one frame', family: 'single_frame_video', photos: 1 },
  { title: 'video, first and last', family: 'first_last_frame_video', photos: 2 },
] as const;

export const cardHead = ['card', ...kindsOfJobs.map(({ title }) => title), 'disk'];

export function cardRows(): string[][] {
  return cards.map((card) => {
    const workflows = workflowsOf(card);
    const made = kindsOfJobs.map(({ family, photos }) => {
      const found = workflows.find(
        ({ file }) => file.families.includes(family) && file.definition.bindings.photos.length === photos,
      );
      return found ? `\`${found.name}\`` : '';
    });
    return [`${card.vram_gb} GB`, ...made, diskOf(card)];
  });
}

function diskOf(card: Card): string {
  const files = new Map(
    workflowsOf(card).flatMap(({ file }) =>
      file.needs.models.map((model): [string, number] => [model.file, gigabytesOf(model.size)]),
    ),
  );
  const total = [...files.values()].reduce((sum, size) => sum + size, 0);
  return `${Math.ceil(total)} GB`;
}

export const workflowHead = ['workflow', 'what it makes', 'ComfyUI', 'node packs', 'VRAM', 'files'];

export function workflowRows(): string[][] {
  return referenceWorkflows()
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .map(({ name, file }: NamedWorkflow) => {
      const videos = file.families.some(
        (made) => families.find((one) => one.name === made)?.output === 'video',
      );
      const photos = file.definition.bindings.photos.length;
      const kind = file.kinds?.includes('template') ? 'picture in a template' : videos ? 'video' : 'picture';
      return [
        `\`${name}\``,
        `${kind} of ${photos === 0 ? 'a text' : photos === 1 ? 'one photo' : `${photos} photos`}`,
        file.needs.comfyui.replace(' or later', ''),
        file.needs.custom_nodes.map((pack) => `[${pack.name}](${pack.url})`).join(', '),
        file.needs.vram,
        file.needs.models.map((model) => `\`${model.file}\``).join(', '),
      ];
    });
}

export const fileHead = ['file', 'folder', 'size', 'licence', 'commercial use', 'SHA-256', 'in its place'];

export function fileRows(): string[][] {
  const all = referenceWorkflows().flatMap(({ file }) => file.needs.models);
  const byName = new Map(all.map((model) => [model.file, model]));
  return [...byName.values()]
    .toSorted((one, other) => one.file.localeCompare(other.file))
    .map((model: ModelFile) => [
      `[${model.file}](${model.from})`,
      `\`${model.folder}\``,
      model.size,
      model.licence,
      model.gated ? `${model.commercial}; after accepting the licence` : model.commercial,
      model.sha256 ? `\`${model.sha256}\`` : '',
      model.alternatives
        .map(
          ({ file, from, size, comfyui }) =>
            `[${file}](${from}) (${size}${comfyui ? `; the better one from ComfyUI ${comfyui} on` : ''})`,
        )
        .join(', '),
    ]);
}
