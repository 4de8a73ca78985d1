import type { FilterType } from '@guise/contract/catalogs.ts';
import type { FilterKindOption, FilterOption, FilterOptions } from '@guise/contract/filter-options.ts';
import { type Option, type OptionList, type Options, optionLists } from './filter-options.ts';

/** What filters can be made of, with links to pictures. `workflowTypes` are the types that an engine runs workflows for. */
export function filterOptionsOf(
  options: Options,
  workflowTypes: readonly FilterType[],
  baseUrl: string,
): FilterOptions {
  const shown = (list: OptionList) => options[list].map((option) => filterOptionOf(option, list, baseUrl));
  const lists = Object.fromEntries(optionLists.map((list) => [list, shown(list)]));
  return { ...(lists as Record<OptionList, FilterOption[]>), kinds: kindsOf(workflowTypes) };
}

function filterOptionOf(
  { name, title, modes, preview }: Option,
  list: OptionList,
  baseUrl: string,
): FilterOption {
  return {
    name,
    title,
    preview_url: preview && `${baseUrl}/previews/${pathOf(preview, list, name)}`,
    modes: [...modes],
  };
}

function pathOf(preview: NonNullable<Option['preview']>, list: OptionList, name: string): string {
  return 'file' in preview ? `options/${list}/${name}.webp` : `${preview.catalog}/${preview.id}.webp`;
}

function kindsOf(workflowTypes: readonly FilterType[]): FilterKindOption[] {
  return [
    { name: 'scene', title: 'A scene', filter_types: ['face_swap', 'multi_swap'] },
    { name: 'prompt', title: 'Words', filter_types: ['face_swap', 'multi_swap'] },
    { name: 'template', title: 'A picture with a face', filter_types: ['face_swap'] },
    { name: 'workflow', title: 'A ComfyUI workflow', filter_types: [...workflowTypes] },
  ];
}
