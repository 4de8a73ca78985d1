import { type FamilyName, families } from '@guise/contract/families/families.ts';
import type { ObjectInfo } from '../../workflow/object-info.ts';

/** Families whose filter may be a custom one, and so a workflow of a caller. Loops are the local engine's alone. */
export const familiesWithFilters: FamilyName[] = families
  .filter(({ filter, output }) => filter !== null && output !== 'loop')
  .map(({ name }) => name);

/** Parts of ComfyUI itself that read or write whole folders, or train. */
const otherCategories = /^(dataset|training)(\/|$)/;
/** Of the nodes that write files, those for pictures and videos: others save models. */
const savesPictures = /^Save(Image|Video|WEBM|AnimatedWEBP|AnimatedPNG)$/;

/**
 * The classes that callers' workflows may use unless the operator says otherwise: those that come with ComfyUI and make
 * pictures. What a node pack does on the server, its operator has to judge.
 */
export function ownGraphClasses(info: ObjectInfo): string[] {
  return Object.entries(info)
    .filter(([name, { python_module = '', category = '', output_node }]) => {
      const comesWithComfyui = /^(nodes$|comfy_extras\.)/.test(python_module);
      return (
        comesWithComfyui && !otherCategories.test(category) && (!output_node || savesPictures.test(name))
      );
    })
    .map(([name]) => name)
    .toSorted();
}
