import { FilterType } from '@guise/contract/catalogs.ts';
import { WorkflowCheck, WorkflowToCheck } from '@guise/contract/definition-checks.ts';
import { FilterOptions, PromptSuggestionQuery, PromptSuggestions } from '@guise/contract/filter-options.ts';
import { sampleFamilies } from '../../catalog/filter-renders.ts';
import { filterOptionsOf } from '../../catalog/shown-options.ts';
import type { HttpParts } from '../parts.ts';
import { baseUrlOf } from '../request.ts';
import { json, none, ok, type Route, route } from '../route.ts';

const tag = 'Making filters';
const readScopes = ['run', 'read', 'manage'] as const;
const manageScopes = ['manage'] as const;

/** A graph of 500 nodes has about 200 KB. */
const workflowBodyBytes = 4 * 1024 * 1024;

/** The types of filters whose workflows an engine runs. */
async function workflowTypes(parts: HttpParts): Promise<FilterType[]> {
  const runs = await Promise.all(FilterType.options.map((type) => parts.runsWorkflows(sampleFamilies[type])));
  return FilterType.options.filter((_, i) => runs[i]);
}

/** What the creator of filters shows, checks and tries before a filter is saved. */
export const filterCreationRoutes: Route[] = [
  {
    ...none,
    method: 'GET',
    path: '/v1/filter_options',
    tag,
    summary:
      'Scenes, costumes, looks, lights, weathers and palettes that filters can be made of, with pictures',
    scopes: readScopes,
    success: ok(FilterOptions),
    handle: async (parts, request) =>
      filterOptionsOf(await parts.filterOptions(), await workflowTypes(parts), baseUrlOf(parts, request)),
  },
  route({
    ...none,
    method: 'GET',
    path: '/v1/prompt_suggestions',
    tag,
    summary: 'Words that the local engine understands, to complete a prompt with',
    scopes: readScopes,
    query: PromptSuggestionQuery,
    success: ok(PromptSuggestions),
    handle: async (parts, { query: { q, limit } }) => ({ suggestions: await parts.suggestWords(q, limit) }),
  }),
  route({
    ...json,
    method: 'POST',
    path: '/v1/workflow_checks',
    tag,
    summary: 'The nodes of a ComfyUI workflow, suggested bindings, and what is wrong with it',
    scopes: manageScopes,
    counted: 'tests',
    body: WorkflowToCheck,
    maxBody: workflowBodyBytes,
    longString: () => 'whole',
    success: ok(WorkflowCheck),
    handle: (parts, { body: { workflow } }) => parts.checks.describeWorkflow(workflow),
  }),
];
