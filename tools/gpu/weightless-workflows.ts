import type { WorkflowDefinition } from '@guise/contract/filters.ts';
import type { Bindings, Workflow } from '@guise/contract/workflow.ts';
import { tryFolder } from './comfyui-server.ts';

/** Workflows of nodes that every ComfyUI has, which need no weights. */

/** A picture that is on every server of the trial; on one that is to fail, it is too small to be blurred. */
export const blurredFile = 'blurred.png';

/** The widest blur that ImageBlur takes. It raises where the picture is no larger than that. */
const widestBlur = 31;

/** How long a picture takes is a matter of its blurs: so many, on squares of so many pixels a side. */
export interface Slowness {
  blurs: number;
  side: number;
}

const scaleTo = (image: unknown, width: number, height = width) => ({
  class_type: 'ImageScale',
  inputs: { image, upscale_method: 'bilinear', width, height, crop: 'center' },
});
const blur = (image: unknown, blur_radius: number) => ({
  class_type: 'ImageBlur',
  inputs: { image, blur_radius, sigma: 1 },
});
const save = (images: unknown) => ({ class_type: 'SaveImage', inputs: { images, filename_prefix: 'guise' } });
const load = (image: string) => ({ class_type: 'LoadImage', inputs: { image } });

/** The photo as a picture of the canvas' size. `between` are nodes that it goes through first, the last named `last`. */
function definitionOf(between: Workflow, last: string): WorkflowDefinition {
  const bindings: Bindings = {
    photos: [{ node: 'photo', input: 'image' }],
    size: {
      width: [{ node: 'canvas', input: 'width' }],
      height: [{ node: 'canvas', input: 'height' }],
      multiple: 1,
    },
    output: 'save',
  };
  const workflow = {
    photo: load('example.png'),
    ...between,
    canvas: scaleTo([last, 0], 1200, 1800),
    save: save(['canvas', 0]),
  };
  return { kind: 'workflow', workflow, bindings };
}

export const quickWorkflow = () => definitionOf({}, 'photo');

function blurs({ blurs: count, side }: Slowness, source: string): { nodes: Workflow; last: string } {
  const names = Array.from({ length: count }, (_, i) => `blur-${i}`);
  return {
    nodes: {
      square: scaleTo([source, 0], side),
      ...Object.fromEntries(
        names.map((name, i) => [name, blur([i === 0 ? 'square' : names[i - 1]!, 0], widestBlur)]),
      ),
    },
    last: names.at(-1)!,
  };
}

export function slowWorkflow(slowness: Slowness): WorkflowDefinition {
  const { nodes, last } = blurs(slowness, 'photo');
  return definitionOf(nodes, last);
}

/** The same without a photo, for whoever else uses the server. Another colour is another run, not a cached one. */
export function foreignGraph(slowness: Slowness, color: number): Workflow {
  const { nodes, last } = blurs(slowness, 'source');
  return {
    source: { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color } },
    ...nodes,
    save: save([last, 0]),
  };
}

/** A blur that is wider than ImageBlur takes: the server refuses the prompt. */
export const refusedWorkflow = () => definitionOf({ blur: blur(['photo', 0], 99) }, 'blur');

/** A blur that is wider than the picture: the server takes the prompt, and the node raises. */
export const raisingWorkflow = () =>
  definitionOf({ small: scaleTo(['photo', 0], 16), blur: blur(['small', 0], widestBlur) }, 'blur');

/** Raises on a server whose copy of the file is too small. */
export const raisingThereWorkflow = () =>
  definitionOf(
    {
      file: load(`${tryFolder}/${blurredFile}`),
      blur: blur(['file', 0], widestBlur),
      blend: {
        class_type: 'ImageBlend',
        inputs: { image1: ['photo', 0], image2: ['blur', 0], blend_factor: 0.5, blend_mode: 'normal' },
      },
    },
    'blend',
  );
