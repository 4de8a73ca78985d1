import { type FamilyName, familyOf } from '@guise/contract/families/families.ts';
import { parseRequest } from '@guise/contract/families/requests.ts';
import { loadCatalog } from '@guise/server/catalog/catalog.ts';
import { createPromptWriter } from '@guise/server/catalog/generator-prompt.ts';
import { ownFiltersFile } from '@guise/server/catalog/own-catalog.ts';

const catalog = loadCatalog(ownFiltersFile);
const write = createPromptWriter([], catalog);

const lists: readonly { title: string; family: FamilyName; form: 'picture' | 'change' }[] = [
  { title: 'Face swap: `{picture}`, for a woman', family: 'face_swap_v6', form: 'picture' },
  { title: 'Multi swap: `{change}` and `{style}`', family: 'multi_swap_v5', form: 'change' },
  {
    title: 'Stylized multi swap: `{change}` and `{style}`',
    family: 'stylized_multi_swap_v1',
    form: 'change',
  },
];

/** Every numbered filter with what a generator is told of it, for docs/gpu-prompts.md. */
export async function generatorPromptTables(
  table: (head: string[], rows: string[][]) => string,
): Promise<string> {
  const sections = lists.map(async ({ title, family, form }) => {
    const filters = catalog.list(familyOf(family).filter!.catalog);
    const rows = filters.map(async ({ id, name, definition, modes }) => {
      const gender = modes.includes('single') ? 1 : 4;
      const params = form === 'picture' ? { gender, ratio: 'portrait' } : { outpaint: false };
      const request = { ...parseRequest(family, params, definition), filterRef: String(id) };
      const { picture, change, style, avoid } = await write(request);
      return [String(id), name, form === 'picture' ? picture : `${change} Make it ${style}.`, avoid];
    });
    return `## ${title}\n\n${table(['id', 'name', 'words', 'avoid'], await Promise.all(rows))}`;
  });
  return (await Promise.all(sections)).join('\n\n');
}
