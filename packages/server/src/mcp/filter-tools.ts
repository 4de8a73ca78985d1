import { FilterName, FilterType } from '@guise/contract/catalogs.ts';
import { Prompt } from '@guise/contract/common.ts';
import { z } from 'zod';
import { readFilters } from './filter-list.ts';
import type { AddTools } from './mcp-tools.ts';
import { dataResult, withToolErrors } from './tool-result.ts';

export const addFilterTools: AddTools = (server, { guise, linkOf }) => {
  server.registerTool(
    'list_filters',
    {
      title: 'List filters',
      description:
        'Filters, styles, custom filters and aliases with links to their previews. face_swap is for one person or a small group, realistic and stylized for groups.',
      inputSchema: z.object({
        search: z.string().max(200).optional().describe('Only those whose name has these words.'),
        kind: z.enum(['face_swap', 'realistic', 'stylized', 'custom', 'alias']).optional(),
      }),
      annotations: { readOnlyHint: true },
    },
    ({ search = '', kind }, context) =>
      withToolErrors(async () => {
        const words = search.toLowerCase().split(/\s+/);
        const filters = (await readFilters(guise, context.mcpReq.signal))
          .filter((filter) => kind === undefined || filter.kind === kind)
          .filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
          .map(({ preview_url, id, name, kind: of }) => ({
            id,
            name,
            kind: of,
            preview_url: preview_url && linkOf(preview_url),
          }));
        return dataResult({ filters });
      }),
  );

  server.registerTool(
    'make_filter',
    {
      title: 'Make a filter',
      description:
        'Makes a custom filter of a prompt. make_picture takes its id; start_qa_run tries it on photos.',
      inputSchema: z.object({
        name: FilterName,
        filter_type: FilterType.default('face_swap').describe('multi_swap for groups.'),
        prompt: Prompt,
      }),
      annotations: { readOnlyHint: false, destructiveHint: false },
    },
    ({ name, filter_type, prompt }, context) =>
      withToolErrors(async () => {
        const definition = { kind: 'prompt', prompt } as const;
        const made = await guise.customFilters.create(
          { name, filter_type, definition },
          context.mcpReq.signal,
        );
        return dataResult({ id: made.id, name: made.name, filter_type: made.filter_type });
      }),
  );
};
